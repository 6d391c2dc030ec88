// Tables and sequences of objects in the viewer: typed columns, pages of rows, and sorting what is loaded.
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

test('sorting what is loaded: up, down, and as stored', () =>
  come('#url=golden/tables/001.b2z', async page => {
    await ready(page)
    const { columns } = TABLES.find(({ path }) => path === '001.b2z')
    const at = columns.findIndex(({ kind }) => kind === 'timestamp')
    const stored = await column(page, at)
    const button = records(page).locator('thead button').nth(at)
    const head = records(page)
      .locator('thead th')
      .nth(at + 1)
    const times = stored.filter(text => text !== 'null').sort((a, b) => Date.parse(a) - Date.parse(b))
    const nulls = stored.filter(text => text === 'null')
    await button.click()
    assert.deepEqual(await column(page, at), [...times, ...nulls])
    assert.equal(await head.getAttribute('aria-sort'), 'ascending')
    await button.press('Enter')
    assert.deepEqual(await column(page, at), [...nulls, ...times.toReversed()])
    await button.press('Enter')
    assert.deepEqual(await column(page, at), stored)
    // The rows are beside the tree, below the title.
    const [tree, title, rows] = await Promise.all(
      ['.members', '.records h2', '.records .rows'].map(part => page.locator(part).boundingBox()),
    )
    assert.ok(rows.x >= tree.x + tree.width && rows.y >= title.y + title.height)
    await accessible(page, 'a table')
  }))

test('objects of a file of their own', () =>
  come('', async page => {
    const { path, values } = readFileSync(join(GOLDEN, 'objects/objects.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(JSON.parse)
      .find(({ path }) => path === '000.b2b')
    await choose(page, 'File…', join(GOLDEN, 'objects', path))
    await ready(page)
    assert.deepEqual(
      await column(page, 0),
      values.map(value => (value === null ? 'null' : JSON.stringify(value))),
    )
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
