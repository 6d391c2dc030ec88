// Tables and sequences of objects in the viewer: typed columns, pages of rows, and sorting.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, choose, GOLDEN, says, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on
const TABLES = readFileSync(join(GOLDEN, 'tables/tables.jsonl'), 'utf8').trim().split('\n').map(JSON.parse)
const records = page => page.locator('.records')
const ready = page =>
  page.waitForFunction(() => {
    const records = document.querySelector('b2nd-viewer').shadowRoot.querySelector('.records')
    return records && !records.hasAttribute('aria-busy')
  })
/** The texts of a column of the table, without its head. */
const column = (page, at) =>
  records(page)
    .locator(`tbody td:nth-child(${at + 2})`)
    .allTextContents()

const objectsOf = path =>
  readFileSync(join(GOLDEN, 'objects/objects.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(JSON.parse)
    .find(object => object.path === path)

for (const { path, rows, columns } of TABLES.filter(({ path }) => path.endsWith('.b2z')).slice(0, 6)) {
  test(`${path}: its columns and their values`, () =>
    come(`#url=golden/tables/${path}`, async page => {
      await ready(page)
      const heads = await records(page).locator('thead button').allTextContents()
      assert.deepEqual(
        heads,
        columns.map(({ name }) => name),
      )
      await says(records(page).locator('h2'), new RegExp(`${rows} rows?, ${columns.length} column`))
      for (const [at, { kind, cells }] of columns.entries()) {
        const shown = await column(page, at)
        assert.equal(shown.length, Math.min(rows, 200))
        if (/^u?int|^utf8$|^vlstring$|^dictionary$/.test(kind)) {
          assert.deepEqual(
            shown,
            cells.slice(0, 200).map(cell => (cell === null ? 'null' : String(cell))),
            kind,
          )
        }
        for (const [row, text] of shown.entries()) if (cells[row] === null) assert.equal(text, 'null', kind)
      }
    }))
}

test('sorting: up, down, and as stored', () =>
  come('#url=golden/tables/001.b2z', async page => {
    await ready(page)
    const { columns } = TABLES.find(({ path }) => path === '001.b2z')
    const at = columns.findIndex(({ kind }) => kind === 'timestamp')
    const stored = await column(page, at)
    const button = records(page).locator('thead button').nth(at)
    const head = records(page)
      .locator('thead th')
      .nth(at + 1)
    const cells = records(page).locator(`tbody td:nth-child(${at + 2})`)
    const times = stored.filter(text => text !== 'null').sort((a, b) => Date.parse(a) - Date.parse(b))
    const nulls = stored.filter(text => text === 'null')
    await button.click()
    await says(cells, [...times, ...nulls])
    assert.equal(await head.getAttribute('aria-sort'), 'ascending')
    await button.press('Enter')
    // Null is last in both orders.
    await says(cells, [...times.toReversed(), ...nulls])
    await button.press('Enter')
    await says(cells, stored)
    // The rows are beside the tree, below the title.
    const [tree, title, rows] = await Promise.all(
      ['.members', '.records h2', '.records .rows'].map(part => page.locator(part).boundingBox()),
    )
    assert.ok(rows.x >= tree.x + tree.width && rows.y >= title.y + title.height)
    await accessible(page, 'a table')
  }))

test('objects of a file of their own', () =>
  come('', async page => {
    const { path, values } = objectsOf('000.b2b')
    await choose(page, 'File…', join(GOLDEN, 'objects', path))
    await ready(page)
    const cells = records(page).locator('tbody td')
    // An empty list is a text, others are trees.
    for (const [row, value] of values.entries())
      assert.equal(
        (await cells.nth(row).locator('.tree, details, .leaf').count()) > 0,
        (value?.length ?? 0) > 0,
        `${row}`,
      )
    const nulls = values.filter(value => value === null).length
    assert.equal(await records(page).locator('td.null').count(), nulls)
    await page.getByLabel('search all rows').fill('[[],[1,2]]')
    const found = values.filter(value => JSON.stringify(value)?.includes('[[],[1,2]]')).length
    await says(records(page).getByRole('status'), new RegExp(`^${found} that match`))
  }))

test('objects as trees: large integers with all digits, and bytes', () =>
  come('', async page => {
    const { path, values } = objectsOf('001.b2b')
    await choose(page, 'File…', join(GOLDEN, 'objects', path))
    await ready(page)
    const row = values.findIndex(value => value?.['é']?.z0 !== undefined)
    const cell = records(page).locator('tbody td').nth(row)
    await cell
      .locator('details')
      .first()
      .evaluate(details => (details.open = true))
    await says(cell, /z0\s*18446744073709551615/)
    await says(cell, /3 bytes: 00 01 02/)
    await says(records(page).locator('tbody td').nth(values.indexOf(18446744073709552000)), '18446744073709551615')
    await accessible(page, 'objects')
  }))

test('rows from any on, and the pages after them', () =>
  come('#url=files/rows.b2z', async page => {
    await ready(page)
    const note = records(page).getByRole('status')
    await says(note, /^Rows 0 to 199 of 1,000/)
    await page.getByLabel('from row').fill('700')
    await page.getByLabel('from row').press('Enter')
    await says(note, /^Rows 700 to 899 of 1,000/)
    assert.deepEqual((await column(page, 0)).slice(0, 2), ['700', '701'])
    await says(records(page).locator('tbody th').first(), '700')
    await page.getByRole('button', { name: 'More rows' }).click()
    await says(note, /^Rows 700 to 999 of 1,000/)
    assert.equal((await column(page, 1)).at(-1), '124.875')
    assert.equal(await page.getByRole('button', { name: 'More rows' }).isVisible(), false)
    // Beyond the end is the last row.
    await page.getByLabel('from row').fill('5000')
    await page.getByLabel('from row').press('Enter')
    await says(note, /^Rows 999 to 999 of 1,000/)
    await accessible(page, 'a page of rows')
  }))
