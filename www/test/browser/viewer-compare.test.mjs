// Two arrays side by side, linked, and their difference.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, choose, FILES, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on

/** All viewers of the page show something at one position. */
const together = (page, position) =>
  page.waitForFunction(position => {
    const viewers = [...document.querySelectorAll('b2nd-viewer')]
    return (
      viewers.length === 3 &&
      viewers.every(
        ({ session, stage }) =>
          session?.state.index[0] === position &&
          stage.view?.shownAt === position &&
          stage.element.getAttribute('aria-busy') !== 'true',
      )
    )
  }, position)

/** What a viewer tells of an item under the pointer. */
const told = (page, k, x, y) =>
  page.evaluate(
    async ([k, x, y]) => {
      const {
        stage: { view },
        shadowRoot,
      } = document.querySelectorAll('b2nd-viewer')[k]
      view.point([x, y])
      await new Promise(requestAnimationFrame)
      return shadowRoot.querySelector('.readout').textContent
    },
    [k, x, y],
  )

test('two arrays side by side and their difference', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'warmer.b2nd'), join(FILES, 'field.b2nd'), join(FILES, 'stack.b2nd')])
    await settled(page)
    await page.getByLabel('compare with').selectOption('field.b2nd')
    await together(page, 11)
    await shot(page, 'compare')
    await accessible(page, 'compare')
    const difference = async (x, y) => {
      const [first, second, third] = await Promise.all([0, 1, 2].map(k => told(page, k, x, y)))
      assert.equal(first.split(' = ')[0], third.split(' = ')[0])
      const [a, b, c] = [first, second, third].map(text => Number(text.split(' = ')[1]))
      // What files.py has added.
      assert.equal(c, x / 32)
      assert.ok(Math.abs(a - b - c) < 1e-5, `${a} − ${b} is not ${c}`)
    }
    await difference(40, 30)
    // Steps and windows of any of them are those of all.
    await page.keyboard.press('.')
    await together(page, 12)
    await difference(96, 7)
    await page.evaluate(() =>
      document.querySelectorAll('b2nd-viewer')[1].session.set({ window: [10, 60, 20, 50], index: [3, 30, 40] }),
    )
    await together(page, 3)
    const windows = await page.evaluate(() =>
      [...document.querySelectorAll('b2nd-viewer')].map(({ session }) => session.state.window),
    )
    assert.deepEqual(
      windows,
      Array.from({ length: 3 }, () => [10, 60, 20, 50]),
    )
    await difference(32, 40)
    // Colours are those of both arrays, and others of the difference.
    await page.evaluate(() => document.querySelector('b2nd-viewer').session.set({ map: 'magma' }))
    assert.deepEqual(
      await page.evaluate(() => [...document.querySelectorAll('b2nd-viewer')].map(({ session }) => session.state.map)),
      ['magma', 'magma', 'blue-red'],
    )
    // 0 is the middle of the colours.
    const { min, max } = await page.evaluate(
      () => document.querySelectorAll('b2nd-viewer')[2].stage.view.bar.colouring.range,
    )
    assert.ok(max > 0 && min === -max, `${min} to ${max}`)
    // What is told about a file has no room.
    assert.equal(await page.locator('.facts:visible').count(), 0)
    await page.getByLabel('compare with').selectOption('')
    await page.waitForFunction(() => document.querySelectorAll('b2nd-viewer').length === 1)
    await page.locator('.facts').waitFor()
  }))

test('arrays of different shapes have no difference', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'field.b2nd'), join(FILES, 'stack.b2nd')])
    await settled(page)
    await page.getByLabel('compare with').selectOption('stack.b2nd')
    await page.getByText('the shapes are (24, 120, 160) and (24, 192, 192)', { exact: false }).first().waitFor()
    // They are linked all the same.
    await page.keyboard.press('.')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('b2nd-viewer')].slice(0, 2).every(({ session }) => session.state.index[0] === 12),
    )
  }))
