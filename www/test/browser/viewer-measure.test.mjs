// What is made of many items: projections, and statistics of a part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hover, settled, shot, told, viewer } from '../lib/viewer.mjs'

const { see } = viewer()

/** The stack, as numbers. */
const stack = page => page.evaluate(async () => Array.from((await document.querySelector('b2nd-viewer').session.dataset.array.get()).data))

test('projections over an axis', () => see('stack.b2nd', async page => {
  const items = await stack(page)
  const column = (y, x) => Array.from({ length: 24 }, (_, z) => items[(z * 192 + y) * 192 + x])
  const mean = values => Math.fround(values.reduce((a, b) => a + b) / values.length)
  for (const [how, of] of [['max', values => Math.max(...values)], ['mean', mean], ['min', values => Math.min(...values)]]) {
    await page.getByLabel('projection along axis 0').selectOption(how)
    await settled(page)
    assert.equal(await page.locator('.badge').innerText(), `${how} over axis 0`)
    for (const [y, x] of [[0, 0], [100, 50], [191, 191], [77, 130]]) {
      await hover(page, x, y)
      const text = await told(page)
      assert.ok(text.startsWith(`[${how}, ${y}, ${x}] = `), text)
      assert.equal(Math.fround(Number(text.split(' = ')[1])), of(column(y, x)))
    }
    // The colours span what is seen, not all that is behind it.
    const { min } = await page.evaluate(() => document.querySelector('b2nd-viewer').session.limits)
    const all = Array.from({ length: 192 * 192 }, (_, k) => of(column(Math.floor(k / 192), k % 192)))
    assert.equal(min, all.reduce((a, b) => Math.min(a, b)))
  }
  await shot(page, 'projection')
  assert.equal(await page.getByLabel('position along axis 0').isDisabled(), true)
  await page.getByLabel('projection along axis 0').selectOption('')
  await settled(page)
  assert.equal(await page.locator('.badge').isVisible(), false)
}))
