// Questions about all 100 000 rows of a table: order, conditions, search, statistics, points and files, as NumPy answers them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, says, shot, TABLES, viewer } from '../lib/viewer.mjs'

const { come } = viewer()
const expected = () => JSON.parse(readFileSync(join(TABLES, 'expected.json'), 'utf8'))

/** Opens the table. */
const see = (work, options) =>
  come(
    '#url=tables/many.b2z',
    async page => {
      await page.locator('.records tbody tr').first().waitFor()
      await work(page, expected())
    },
    options,
  )

const numbers = (page, count) =>
  page
    .locator('.records tbody th')
    .allTextContents()
    .then(texts => texts.slice(0, count).map(Number))
/** Waits until these rows come first. */
const first = async (page, rows) => {
  await page.waitForFunction(rows => {
    const heads = document.querySelector('b2nd-viewer').shadowRoot.querySelectorAll('.records tbody th')
    return rows.every((row, k) => Number(heads[k]?.textContent) === row)
  }, rows)
  assert.deepEqual(await numbers(page, rows.length), rows)
}
const note = page => page.locator('.records').getByRole('status')

/** Adds a condition. */
async function where(page, column, test, value) {
  await page.getByRole('button', { name: 'Add condition' }).click()
  const form = page.locator('.conditions li').last()
  await form.getByLabel('column').selectOption({ label: column })
  await form.getByLabel('comparison').selectOption({ label: test })
  if (value === undefined) return
  await form.getByLabel('value').fill(value)
  await form.getByLabel('value').press('Enter')
}

test('all rows are sorted, in a worker, and integers are not rounded', () =>
  see(async (page, { number, share }) => {
    const head = name => page.locator('.records thead button', { hasText: name })
    await head('number').click()
    await first(page, number.least)
    assert.ok(page.workers().some(worker => worker.url().endsWith('rows.js')))
    const cells = await page.locator('.records tbody td:nth-child(2)').allTextContents()
    assert.deepEqual(cells.slice(0, 6), [...number.values, number.sixth])
    await head('share').click()
    await first(page, share.least)
    await head('share').click()
    await first(page, share.greatest)
    // NaN is last in both directions.
    await page.getByLabel('from row').fill('99999')
    await page.getByLabel('from row').press('Enter')
    await first(page, [share.last])
  }))

test('conditions on integers, times, texts and booleans', () =>
  see(async (page, { below, later, matching, quotes, rows }) => {
    const remove = () => page.getByLabel('remove the condition').first().click()
    const told = count => says(note(page), new RegExp(`${count.toLocaleString('en')} that match`))
    await where(page, 'number', '<', String(2n ** 60n + 12_345n))
    await told(below)
    await remove()
    await where(page, 'when', '≥', '2001-02-03T04:05:06.789')
    await told(later)
    await remove()
    await where(page, 'name', '=', 'e"f')
    await told(quotes)
    await remove()
    await where(page, 'share', '>', '1.5')
    await where(page, 'ok', '=', 'true')
    await told(matching.count)
    await first(page, matching.first)
    await shot(page, 'table-conditions')
    await accessible(page, 'conditions')
    // A value that is none is an error that can be closed, and the rows stay.
    await page.getByLabel('value').first().fill('many')
    await page.getByLabel('value').first().press('Enter')
    await says(page.locator('.records .error'), /column share has numbers, not “many”/)
    await first(page, matching.first)
    await remove()
    await remove()
    await says(note(page), new RegExp(`^Rows 0 to 199 of ${rows.toLocaleString('en')} $`))
  }))

test('a search in all rows, whatever the case of letters', () =>
  see(async (page, { found }) => {
    await page.getByLabel('search all rows').fill('üN')
    await says(note(page), new RegExp(`${found.toLocaleString('en')} that match`))
    const names = await page.locator('.records tbody td:nth-child(4)').allTextContents()
    assert.deepEqual(new Set(names), new Set(['Ünal']))
  }))

test('statistics of a column, its histogram, and two columns as points', () =>
  see(async (page, { statistics, names, matching }) => {
    await page.getByRole('button', { name: 'Statistics' }).click()
    const panel = page.locator('.records .panel')
    const told = async () => {
      await page.waitForFunction(() => {
        const panel = document.querySelector('b2nd-viewer').shadowRoot.querySelector('.records .panel')
        return panel && !panel.hasAttribute('aria-busy')
      })
      const [keys, values] = [await panel.locator('dt').allInnerTexts(), await panel.locator('dd').allInnerTexts()]
      return Object.fromEntries(keys.map((key, k) => [key, values[k].replaceAll(',', '')]))
    }
    // Neighbours that doubles do not tell apart.
    const integers = await told()
    const ends = [2n ** 60n, 2n ** 60n + 99_999n]
    assert.deepEqual([integers.least, integers.greatest], ends.map(String))
    assert.equal(integers.median, String(2n ** 60n + 50_000n))
    await panel.getByLabel('statistics of').selectOption({ label: 'when' })
    assert.match((await told()).greatest, /^2033-05-18T\d\d:\d\d:\d\d\.\d{3}$/)
    await shot(page, 'table-times')
    await panel.getByLabel('statistics of').selectOption({ label: 'share' })
    const share = await told()
    for (const [name, value] of [
      ['mean', statistics.mean],
      ['std', statistics.std],
      ['least', statistics.least],
      ['greatest', statistics.greatest],
      ['median', statistics.median],
    ])
      assert.ok(
        Math.abs(Number(share[name]) - value) <= 1e-5 * Math.abs(value) + 1e-9,
        `${name} ${share[name]} ${value}`,
      )
    assert.equal(Number(share.NaN), statistics.nan)
    await shot(page, 'table-statistics')
    await panel.getByLabel('scatter over').selectOption({ label: 'number' })
    await told()
    await says(panel.locator('.hint'), '100,000 points.')
    await shot(page, 'table-scatter')
    await accessible(page, 'points')
    await panel.getByLabel('statistics of').selectOption({ label: 'name' })
    const counts = await told()
    for (const [name, count] of Object.entries(names)) assert.equal(Number(counts[name]), count, name)
    // Of the rows that match.
    await where(page, 'share', '>', '1.5')
    await where(page, 'ok', '=', 'true')
    await says(panel.locator('dd').first(), matching.count.toLocaleString('en'))
  }))

/** The text of the file that a button saves. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return readFileSync(await download.path(), 'utf8')
}

test('files of the rows that match, and of rows that were chosen', () =>
  see(async (page, { matching, csv }) => {
    await where(page, 'share', '>', '1.5')
    await where(page, 'ok', '=', 'true')
    await first(page, matching.first)
    const text = await saved(page, 'CSV')
    const lines = text.trimEnd().split('\n')
    assert.equal(lines.length, matching.count + 1)
    assert.equal(lines[0], 'number,share,name,when,ok')
    for (const [k, [number, name, when, ok]] of csv.entries()) {
      const quoted = /[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
      const [, share] = lines[k + 1].split(',')
      assert.ok(Number(share) > 1.5)
      assert.equal(lines[k + 1], [number, share, quoted, when, ok].join())
    }
    const objects = (await saved(page, 'NDJSON')).trimEnd().split('\n')
    assert.equal(objects.length, matching.count)
    for (const [k, [number, name, when, ok]] of csv.entries()) {
      assert.ok(objects[k].includes(`"number": ${number},`), objects[k])
      const row = JSON.parse(objects[k])
      assert.deepEqual([row.name, row.when, row.ok], [name, when, ok === 'True'])
    }
    const row = k => page.locator('.records tbody th button').nth(k)
    await row(1).click()
    await row(3).click({ modifiers: ['Shift'] })
    await row(2).click()
    const two = (await saved(page, 'CSV')).trimEnd().split('\n')
    assert.deepEqual(two.slice(1), [lines[2], lines[4]])
  }))

test('a table on a narrow screen', () =>
  see(
    async page => {
      await where(page, 'name', 'contains', 'o')
      await shot(page, 'table-narrow')
      await accessible(page, 'a narrow table')
    },
    { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
  ))
