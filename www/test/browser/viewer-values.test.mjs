// Values as text and as lines: tables, columns, scalars, dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plot, readout, says, settled, shot, tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { see } = on

test('a line', () =>
  see('signal.b2nd', async page => {
    await shot(page, 'line')
    await plot(page).hover()
    await page.mouse.wheel(0, -600)
    await settled(page)
    await shot(page, 'line-closer')
    const box = await plot(page).boundingBox()
    await page.mouse.move(box.x + 300, box.y + 100)
    const [, at, value] = /^\[(\d+)\] = (.*)$/.exec(await readout(page))
    const read = await page.evaluate(
      at => document.querySelector('b2nd-viewer').session.dataset.array.at(at),
      Number(at),
    )
    assert.equal(Number(value), read)
    const window = () => page.evaluate(() => document.querySelector('b2nd-viewer').session.state.window)
    const before = await window()
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 100, { steps: 3 })
    await page.mouse.up()
    const after = await window()
    assert.ok(after[0] > before[0] && Math.abs(after[1] - after[0] - (before[1] - before[0])) < 1e-6)
  }))

test('several lines', () =>
  see('traces.b2nd', async page => {
    await shot(page, 'lines')
    assert.equal(await page.locator('.lines .legend li').count(), 6)
    await plot(page).hover()
    await tells(page, /^\[:, \d+\] = 0: [-\d.]+ {3}1: /)
    await page.getByLabel('lines', { exact: true }).selectOption('-')
    await settled(page)
    assert.equal(await page.locator('.lines .legend li').count(), 0)
  }))

test('a table', () =>
  see('field.b2nd&view=table&index=3,0,0', async page => {
    await shot(page, 'table')
    const cell = (row, column) => page.locator(`#cell-${row}-${column}`)
    const plane = await page.evaluate(async () =>
      Array.from((await document.querySelector('b2nd-viewer').session.dataset.array.get([3])).data),
    )
    for (const [row, column] of [
      [0, 0],
      [3, 5],
      [10, 2],
    ])
      assert.equal(Math.fround(Number(await cell(row, column).textContent())), plane[row * 160 + column])
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await tells(page, `[3, 1, 1] = ${await cell(1, 1).textContent()}`)
    await page.keyboard.press('Control+ArrowDown')
    await page.keyboard.press('End')
    await page.waitForFunction(() =>
      document.querySelector('b2nd-viewer').shadowRoot.querySelector('#cell-119-159:not(.coming)'),
    )
    assert.equal(Math.fround(Number(await cell(119, 159).textContent())), plane.at(-1))
    assert.equal(await page.getByRole('grid').getAttribute('aria-activedescendant'), 'cell-119-159')
    await page.keyboard.press('Control+Home')
    await page.locator('.grid').hover()
    await page.mouse.wheel(0, 26 * 40)
    await cell(41, 0).waitFor()
    await cell(41, 1).click()
    assert.ok((await readout(page)).startsWith('[3, 41, 1] = '))
    // A place that is typed, and one cursor for all views.
    await page.keyboard.press('g')
    await page.keyboard.type('-2')
    await page.keyboard.press('Enter')
    await cell(118, 1).waitFor()
    await page.getByRole('button', { name: 'Line' }).click()
    await settled(page)
    assert.equal(await page.getByLabel('index along axis 1').inputValue(), '118')
  }))

test('a table is as large as what is seen of it', () =>
  see('signal.b2nd&view=table', async page => {
    const rows = () => page.locator('.grid .row').count()
    const few = await rows()
    assert.ok(few < 40, `${few} rows of 100,000`)
    await page.getByRole('grid').focus()
    await page.keyboard.press('PageDown')
    const at = async () => Number((await page.getByRole('grid').getAttribute('aria-activedescendant')).split('-')[1])
    await page.waitForFunction(
      () => document.querySelector('b2nd-viewer').shadowRoot.querySelector('.cursor')?.id !== 'cell-0-0',
    )
    assert.ok((await at()) > 5 && (await at()) < few)
    await page.keyboard.press('Control+End')
    await page.waitForFunction(() =>
      document.querySelector('b2nd-viewer').shadowRoot.querySelector('#cell-99999-0:not(.coming)'),
    )
    assert.equal(await at(), 99_999)
    assert.ok((await rows()) <= few + 1)
  }))

test('structures as columns', () =>
  see('table.b2nd', async page => {
    await shot(page, 'struct')
    await says(page.locator('.row').first().locator('.head'), ['when', 'station', 'kelvin', 'count', 'valid'])
    const rows = on.facts.table.values
    for (const [[at], row] of rows.slice(0, 3)) {
      await page.evaluate(at => document.querySelector('b2nd-viewer').stage.view.move(0, at - 2500), 2500)
      await page.getByRole('grid').focus()
      await page.keyboard.press('Control+Home')
      await page.evaluate(at => document.querySelector('b2nd-viewer').stage.view.move(0, at), at)
      await page.waitForFunction(
        at => document.querySelector('b2nd-viewer').shadowRoot.querySelector(`#cell-${at}-0:not(.coming)`),
        at,
      )
      const cells = await Promise.all(row.map((_, k) => page.locator(`#cell-${at}-${k}`).textContent()))
      assert.equal(cells[0], row[0])
      assert.equal(cells[1], row[1])
      assert.equal(Math.fround(Number(cells[2])), Math.fround(row[2]))
      assert.equal(Number(cells[3]), row[3])
      assert.equal(cells[4], row[4] ? 'True' : 'False')
    }
    await page.getByRole('button', { name: 'Line' }).click()
    await settled(page)
    await page.getByLabel('field', { exact: true }).selectOption('count')
    await settled(page)
    await shot(page, 'struct-line')
  }))

for (const name of ['words', 'dates', 'large']) {
  test(`${name} in a table`, () =>
    see(`${name}.b2nd&view=table`, async page => {
      await shot(page, `table-${name}`)
      for (const [at, value] of on.facts[name].values) {
        await page.evaluate(
          ([y, x]) => {
            const { view } = document.querySelector('b2nd-viewer').stage
            view.move(-1e9, -1e9)
            view.move(x, y)
          },
          [at[0], at[1] ?? 0],
        )
        const cell = page.locator(`#cell-${at[0]}-${at[1] ?? 0}`)
        await page.waitForFunction(
          id => document.querySelector('b2nd-viewer').shadowRoot.querySelector(`#${id}:not(.coming)`),
          `cell-${at[0]}-${at[1] ?? 0}`,
        )
        await says(cell, String(value))
      }
    }))
}

test('one string in full', () =>
  see('words.b2nd&view=text&index=8', async page => {
    await page.locator('.scalar', { hasText: /^word 8 – ünï$/ }).waitFor()
    await page.keyboard.press(',')
    await page.locator('.scalar', { hasText: /^\(empty\)$/ }).waitFor()
  }))

test('dates on an axis', () =>
  see('dates.b2nd', async page => {
    await shot(page, 'dates')
    await plot(page).hover()
    await tells(page, /^\[\d+\] = 2000-\d\d-\d\d$/)
  }))

test('a scalar', () =>
  see('scalar.b2nd', async page => {
    await page.locator('.scalar', { hasText: '42.125' }).waitFor()
  }))
