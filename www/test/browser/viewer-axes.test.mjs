// What positions stand for: names, units, coordinates, times, a scale bar.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frames, hover, look, readout, says, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
const see = (name, work) =>
  on.see(`../truth/${name}`, async page => {
    // The axes are known once the attributes are.
    await page.waitForFunction(() =>
      /^(?!axis)/.test(
        document.querySelector('b2nd-viewer').stage.view.picture?.scene.xLabel ??
          document.querySelector('b2nd-viewer').stage.view.chart.scene.xLabel,
      ),
    )
    await frames(page)
    await work(page)
  })
const picture = page =>
  page.evaluate(() => {
    const {
      scene: { xLabel, yLabel },
      marks: [across, down],
      bar,
      zoom,
    } = document.querySelector('b2nd-viewer').stage.view.picture
    return { xLabel, yLabel, across, down, bar, zoom }
  })
const where = page => page.locator('.where')

test('voxels have lengths', () =>
  see('voxels.b2nd&view=heatmap&index=3,0,0', async page => {
    const { xLabel, yLabel, across, down, bar, zoom } = await picture(page)
    assert.deepEqual([xLabel, yLabel], ['x (µm)', 'y (µm)'])
    for (const { at, text } of across) assert.equal(at * 0.25, Number(text))
    for (const { at, text } of down) assert.equal(at * 0.5, Number(text))
    assert.ok(across.length >= 2)
    assert.match(bar, /^\d+ µm$/)
    // Items are twice as high as wide.
    const tall = await page.evaluate(() => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      return picture.fromItems(0, 10)[1] - picture.fromItems(0, 0)[1]
    })
    assert.ok(Math.abs(tall / 10 / zoom - 2) < 0.01)
    await hover(page, 10, 20)
    assert.equal(await readout(page), `[3, 20, 10] = ${3 * 4800 + 20 * 80 + 10}`)
    await says(where(page), 'z 6 µm, y 10 µm, x 2.5 µm')
    await says(page.locator('.slider .of'), 'of 8 · 6 µm')
    await shot(page, 'voxels')
  }))

test('there is a scale bar at any zoom', () =>
  see('voxels.b2nd&view=heatmap&index=3,0,0', async page => {
    for (const columns of [80, 70, 61, 50, 37, 30, 22, 13, 7, 3]) {
      await look(page, `view=heatmap&index=3,0,0&window=0,${columns},0,${columns / 2}`)
      const { bar } = await picture(page)
      const share = Number(bar.split(' ')[0]) / (columns * 0.25)
      assert.ok(share >= 0.1 - 1e-9 && share <= 0.25 + 1e-9, `${bar} of ${columns * 0.25} µm`)
    }
  }))

test('NGFF', () =>
  see('ngff.b2nd&view=heatmap', async page => {
    const { xLabel, yLabel, across } = await picture(page)
    assert.deepEqual([xLabel, yLabel], ['x (µm)', 'y (µm)'])
    for (const { at, text } of across) assert.equal(200 + at * 0.5, Number(text))
    await hover(page, 10, 20)
    await says(where(page), /y 110 µm, x 205 µm$/)
  }))

test('times are round', () =>
  see('series.b2nd', async page => {
    const chart = () =>
      page.evaluate(() => {
        const {
          scene: { xLabel, yLabel },
          marks,
        } = document.querySelector('b2nd-viewer').stage.view.chart
        return { xLabel, yLabel, marks }
      })
    const { xLabel, yLabel, marks } = await chart()
    assert.deepEqual([xLabel, yLabel], ['time', 'K'])
    assert.ok(marks.length >= 3)
    const start = Date.parse('2001-02-03')
    for (const { at, text } of marks)
      assert.ok(new Date(start + Math.round(at * 36e6)).toISOString().startsWith(text), text)
    await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.point(24))
    await says(where(page), 'time 2001-02-13 00:00')
    await look(page, 'window=0,6,0,1')
    const {
      marks: [first, ...rest],
    } = await chart()
    assert.match(first.text, /^2001-02-\d\d \d\d:00$/)
    for (const { text } of rest) assert.match(text, /^(2001-02-\d\d )?\d\d:00$/)
    await shot(page, 'times')
  }))

test('coordinates that are listed', () =>
  see('ocean.b2nd&view=heatmap', async page => {
    const { xLabel, yLabel, across, down } = await picture(page)
    assert.deepEqual([xLabel, yLabel], ['lat (°N)', 'depth'])
    for (const { at, text } of across) assert.equal(90 - at * 5, Number(text.replace('−', '-')))
    assert.ok(down.length)
    await hover(page, 4, 3)
    await says(where(page), 'depth 10, lat 70 °N')
  }))
