// Lines of truth: special values in overviews, axes of several conventions, damage, saved slices, outliers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hover, look, readout, says, settled, viewer } from '../lib/viewer.mjs'

const on = viewer()
const see = (name, work) => on.see(`../truth/${name}`, work)
const legend = page => page.locator('.pictures .legend')
const axes = page =>
  page.evaluate(() => {
    const { scene } = document.querySelector('b2nd-viewer').stage.view.picture
    return [scene.xLabel, scene.yLabel, scene.size]
  })

test('one infinity among thousands of NaN is seen in an overview, and −∞ is not listed', () =>
  see('infinite.b2nd', async page => {
    await says(legend(page), '11,000 NaN+∞')
    const white = await page.evaluate(() => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      const [left, top] = picture.fromItems(1600.5, 1500.5).map(at => Math.round(at * devicePixelRatio))
      const copy = new OffscreenCanvas(7, 7).getContext('2d', { willReadFrequently: true })
      copy.drawImage(picture.canvas, 3 - left, 3 - top)
      const { data } = copy.getImageData(0, 0, 7, 7)
      return Array.from({ length: 49 }, (_, k) => data[4 * k] + data[4 * k + 1] + data[4 * k + 2]).filter(
        sum => sum === 765,
      ).length
    })
    assert.ok(white >= 4, `${white} white pixels`)
  }))

test('letters name axes, and lengths are those of the axes of space', () =>
  see('zcyx.b2nd', async page => {
    assert.deepEqual(await axes(page), ['x (µm)', 'y (µm)', { x: 0.25, y: 0.5, unit: 'µm' }])
    await look(page, 'view=planes')
    const z = await page.evaluate(() => document.querySelector('b2nd-viewer').session.state.z)
    assert.equal(z, 0, 'depth is no channel')
  }))

test('a hyperstack of ImageJ has axes, spacing and a unit', () =>
  on.come('#url=imports/hyper.tif', async page => {
    await settled(page)
    await says(page.locator('.facts'), /\(2, 3, 2, 10, 12\)/)
    assert.deepEqual(await axes(page), ['x (µm)', 'y (µm)', { x: 0.25, y: 0.25, unit: 'µm' }])
    const attrs = await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.array.attrs())
    assert.deepEqual(attrs.voxel, [30, 2.5, 1, 0.25, 0.25])
  }))

test('one damaged chunk leaves the others, and is marked', () =>
  see('damaged.b2nd', async page => {
    await says(legend(page), /damaged: cannot be decoded/)
    await page.getByRole('button', { name: 'Info' }).click()
    await says(page.locator('.chunkmap .legend').first(), /damaged/)
    await hover(page, 30, 30)
    assert.equal(await readout(page), '[30, 30] = damaged: cannot be decoded')
    await hover(page, 50, 50)
    assert.match(await readout(page), /^\[50, 50\] = -?\d/)
  }))

test('one damaged block leaves the others of its chunk, in the picture and in the chunk map', () =>
  see('spoiled.b2nd', async page => {
    await says(legend(page), /damaged: cannot be decoded/)
    // The seventh of twelve blocks, which have 10 × 20 items.
    const holes = await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.picture.scene.holes)
    assert.deepEqual(holes, [{ x: 40, y: 40, width: 20, height: 10, why: 'damaged' }])
    await hover(page, 45, 45)
    assert.equal(await readout(page), '[45, 45] = damaged: cannot be decoded')
    for (const [x, y] of [
      [39, 45],
      [60, 45],
      [45, 39],
      [45, 50],
    ]) {
      await hover(page, x, y)
      assert.match(await readout(page), new RegExp(`^\\[${y}, ${x}\\] = \\d`))
    }
    await page.getByRole('button', { name: 'Info' }).click()
    await says(page.locator('.chunkmap .legend').first(), /damaged/)
    // The blocks of the first chunk that the view touches.
    await look(page, 'window=0,80,30,60')
    await says(page.locator('.touched'), /Of the blocks of the first, 12 of 12, 1 damaged\./)
    await look(page, 'view=line&x=1&y=-&index=45,0')
    const gaps = await page.evaluate(() =>
      document.querySelector('b2nd-viewer').session.dataset.missing.holes([45, 0], 1, null, [0, 80, 0, 1]),
    )
    assert.deepEqual(gaps, [{ x: 40, y: 0, width: 20, height: 1, why: 'damaged' }])
  }))

test('a file that lacks its end is described as that', () =>
  on.come(
    '#url=truth/cut.b2nd',
    async page => says(page.getByRole('alert'), /The file ends too early[^]*none of its values can be found/),
    { allow: [/416/] },
  ))

test('one hot item does not blacken the others: percentiles are offered', () =>
  see('hot.b2nd', async page => {
    await page.getByRole('button', { name: '1 % to 99 %' }).click()
    await settled(page)
    const { max } = await page.evaluate(() => document.querySelector('b2nd-viewer').session.limits)
    assert.ok(max < 10, `${max}`)
    await says(legend(page), /^\s*$/)
  }))

test('a slice has a name, its axes, and statistics with a deviation and a median', () =>
  see('zcyx.b2nd&view=heatmap&index=9,1,0,0', async page => {
    await page.getByRole('button', { name: 'Statistics' }).click()
    await page.getByRole('button', { name: 'Of what is shown' }).click()
    await says(page.locator('.numbers'), /std\s*13\.8534[^]*median\s*935\.5/)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('button', { name: 'B2ND…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as .b2nd' })
    await dialog.locator('.estimate b').waitFor()
    await page.evaluate(() => {
      globalThis.showSaveFilePicker = undefined
    })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save…' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'zcyx_9_1_all_all.b2nd')
    const { open } = await import('../../dist/index.js')
    const saved = await open(new Uint8Array(readFileSync(await download.path())))
    assert.deepEqual(
      { ...(await saved.attrs()) },
      { dims: ['y', 'x'], voxel: [0.5, 0.25], origin: [0, 0], units: ['µm', 'µm'] },
    )
    await saved.close()
  }))
