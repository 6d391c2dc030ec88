// Images with smaller copies of themselves in a store: overviews are read from these, values from the image.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hover, look, readout, says, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()

/** Opens a member. */
const see = (member, work) =>
  on.come(`#url=levels/levels.b2z&member=${member}`, async page => {
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session?.shown.length)
    await settled(page)
    await work(page)
  })

const limits = page =>
  page.evaluate(() => {
    const { min, max } = document.querySelector('b2nd-viewer').session.limits
    return [min, max]
  })
/** Bytes that were requested of the server. */
const bytes = page => page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.opened.traffic.bytes)

for (const member of ['/listed/full', '/numbered/s0']) {
  test(`${member}: an overview is one of the copies, with exact values under the pointer`, () =>
    see(member, async page => {
      await says(page.locator('.badge'), '1:2 overview (a smaller copy)')
      // The copy has 10 000 more: its corners are those of the means.
      assert.deepEqual(await limits(page), [10_000, 10_000 + 625 + 749])
      await hover(page, 2999, 5000)
      assert.equal(await readout(page), '[5000, 2999] = 1374')
      const before = await bytes(page)
      await hover(page, 40, 8)
      assert.equal(await readout(page), '[8, 40] = 11')
      assert.ok((await bytes(page)) - before < 200_000)
      await shot(page, 'levels')
      // A part of it is read from the image itself.
      await look(page, `member=${member}&window=100,900,200,800`)
      assert.equal(await page.locator('.badge').isVisible(), false)
      assert.deepEqual(await limits(page), [25 + 25, 99 + 224])
      // Means that are asked for are computed.
      await look(page, `member=${member}&overview=mean`)
      await says(page.locator('.badge'), '1:2 overview (mean)')
      assert.deepEqual(await limits(page), [0, 625 + 749])
    }))
}

test('the group has the axes and the scale of each copy', async () => {
  for (const [member, size] of [
    ['/listed/full', { x: 0.25, y: 0.5, unit: 'µm' }],
    ['/listed/quarter', { x: 1, y: 2, unit: 'µm' }],
  ])
    await see(member, async page => {
      const scene = await page.evaluate(() => {
        const { xLabel, yLabel, size } = document.querySelector('b2nd-viewer').stage.view.picture.scene
        return [xLabel, yLabel, size]
      })
      assert.deepEqual(scene, ['x (µm)', 'y (µm)', size])
    })
})

test('a copy that fits is shown as what it is, and opens no others', () =>
  see('/listed/half', async page => {
    assert.equal(await page.locator('.badge').isVisible(), false)
    assert.deepEqual(await limits(page), [10_000, 10_000 + 625 + 749])
    const level = await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.levelFor(2, [0, 1]))
    assert.equal(level, null)
  }))

test('the coarsest copy whose items are parts of a cell is read', () =>
  see('/listed/full', async page => {
    const kinds = await page.evaluate(() => {
      const { dataset } = document.querySelector('b2nd-viewer').session
      return [2, 4, 8, 3].map(step => dataset.levelFor(step, [0, 1]))
    })
    assert.deepEqual(kinds, [0, 1, 1, null])
  }))
