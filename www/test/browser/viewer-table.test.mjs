// Tables are used as those of other programs: wheel, pages, ranges of cells, the clipboard.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { see } = on

const cell = (page, row, column) => page.locator(`#cell-${row}-${column}`)
const active = page => page.getByRole('grid').getAttribute('aria-activedescendant')

test('the first turn of the wheel moves the table', () =>
  see('field.b2nd&view=table', async page => {
    await page.locator('.grid').hover()
    await page.mouse.wheel(0, 26 * 6)
    await page.waitForFunction(
      () =>
        Number(document.querySelector('b2nd-viewer').shadowRoot.querySelector('.row:nth-child(2)').ariaRowIndex) > 5,
    )
  }))

test('keys move through a table as soon as it is there', () =>
  see('signal.b2nd&view=table', async page => {
    await cell(page, 0, 0).waitFor()
    await page.keyboard.press('PageDown')
    let row = 0
    for (let k = 0; k < 100 && row < 6; k++) {
      row = Number((await active(page)).split('-')[1])
      await page.waitForTimeout(20)
    }
    assert.ok(row > 5 && row < 40, `${row}`)
    await page.keyboard.press('Control+End')
    await page.waitForFunction(() =>
      document.querySelector('b2nd-viewer').shadowRoot.querySelector('#cell-99999-0:not(.coming)'),
    )
    // The whole of the last row is seen.
    const [last, grid] = [await cell(page, 99_999, 0).boundingBox(), await page.getByRole('grid').boundingBox()]
    assert.ok(last.y + last.height <= grid.y + grid.height + 0.5, `${last.y + last.height} of ${grid.y + grid.height}`)
    // By the scroll bar, too.
    await page.keyboard.press('Control+Home')
    await cell(page, 0, 0).waitFor()
    await page.locator('.scroller').evaluate(scroller => scroller.scrollTo(0, scroller.scrollHeight))
    await cell(page, 99_999, 0).waitFor()
    const box = await cell(page, 99_999, 0).boundingBox()
    assert.ok(box.y + box.height <= grid.y + grid.height + 0.5)
  }))

test('cells are chosen and copied', () =>
  see(
    'field.b2nd&view=table&index=3,0,0',
    async page => {
      const plane = await page.evaluate(async () =>
        Array.from((await document.querySelector('b2nd-viewer').session.dataset.array.get([3])).data),
      )
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
      const numbers = text => text.split('\n').map(line => line.split('\t').map(text => Math.fround(Number(text))))
      await page.locator('#cell-0-0:not(.coming)').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Control+c')
      await page.waitForFunction(
        () =>
          document.querySelector('b2nd-viewer').shadowRoot.querySelector('.readout').textContent === 'copied: 1 cell',
      )
      assert.deepEqual(numbers(await clipboard()), [[plane[160]]])
      await page.keyboard.press('Shift+ArrowDown')
      await page.keyboard.press('Shift+ArrowRight')
      await page.locator('.cell.chosen').nth(3).waitFor()
      assert.equal(await page.locator('.cell.chosen').count(), 4)
      await page.keyboard.press('Control+c')
      await page.waitForFunction(
        () =>
          document.querySelector('b2nd-viewer').shadowRoot.querySelector('.readout').textContent === 'copied: 4 cells',
      )
      assert.deepEqual(numbers(await clipboard()), [
        [plane[160], plane[161]],
        [plane[320], plane[321]],
      ])
      // Rows that were never shown are read.
      await cell(page, 0, 1).click()
      await page.keyboard.press('Control+Shift+ArrowDown')
      await page.keyboard.press('Control+c')
      await page.waitForFunction(
        () =>
          document.querySelector('b2nd-viewer').shadowRoot.querySelector('.readout').textContent ===
          'copied: 120 cells',
      )
      assert.deepEqual(
        numbers(await clipboard()),
        Array.from({ length: 120 }, (_, row) => [plane[row * 160 + 1]]),
      )
      await page.keyboard.press('ArrowUp')
      await page.locator('.cell.chosen').nth(1).waitFor({ state: 'detached' })
      assert.equal(await page.locator('.cell.chosen').count(), 1)
      await tells(page, /^\[3, 118, 1\] = /)
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ))

test('a column alone has the room that it needs', () =>
  see('long.b2nd&view=table', async page => {
    await page.locator('#cell-0-0:not(.coming)').waitFor()
    const [needed, there] = await cell(page, 0, 0).evaluate(cell => [cell.scrollWidth, cell.clientWidth])
    assert.ok(needed <= there, `${needed} of ${there} pixels`)
  }))
