// How pictures are drawn: scales, colour maps, smoothing, shapes, fingers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  colour,
  frames,
  hover,
  look,
  plot,
  readout,
  settled,
  shot,
  stateOf,
  tells,
  valueIn,
  viewer,
} from '../lib/viewer.mjs'

const on = viewer()
const { see } = on

test('scales put values where they belong', () =>
  see('holes.b2nd', async page => {
    const [min, max] = [0.1, 1000]
    const knee = max / 1000
    const warps = {
      linear: value => value,
      log: Math.log10,
      symlog: value => Math.sign(value) * Math.log1p(Math.abs(value) / knee),
    }
    for (const [scale, warp] of Object.entries(warps)) {
      await look(page, `map=grey&range=fixed&min=${min}&max=${max}&scale=${scale}`)
      for (const [x, y] of [
        [30, 5],
        [100, 100],
        [150, 60],
        [60, 20],
      ]) {
        await hover(page, x, y)
        const value = Number(valueIn(await readout(page)))
        const share = Math.max(0, Math.min(1, (warp(value) - warp(min)) / (warp(max) - warp(min))))
        const [grey] = await colour(page, x, y)
        assert.ok(Math.abs(grey - 255 * share) <= 1.5, `${scale}: ${value} is ${grey}, not ${255 * share}`)
      }
    }
  }))

test('colour maps begin and end with their colours', () =>
  see('field.b2nd', async page => {
    const ends = {
      viridis: ['440154', 'fde725'],
      cividis: ['00224e', 'fee838'],
      inferno: ['000004', 'fcffa4'],
      magma: ['000004', 'fcfdbf'],
      grey: ['000000', 'ffffff'],
      'blue-red': ['053061', '67001f'],
      'purple-orange': ['2d004b', '7f3b08'],
      cyclic: ['e2d9e2', 'e2d9e2'],
    }
    for (const [map, [low, high]] of Object.entries(ends)) {
      await page.getByLabel('colours', { exact: true }).selectOption(map)
      for (const [range, hex] of [
        ['min=1000&max=2000', low],
        ['min=-2000&max=-1000', high],
      ]) {
        await look(page, `map=${map}&range=fixed&${range}`)
        assert.equal(Buffer.from(await colour(page, 80, 60)).toString('hex'), hex, map)
      }
    }
  }))

test('smooth or in squares', () =>
  see('labels.b2nd', async page => {
    // Somewhere along the edge of a cell.
    const x = await page.evaluate(() => {
      const {
        piece: { data },
      } = document.querySelector('b2nd-viewer').session.loader.peek([
        { start: 0, stop: 200, step: 1 },
        { start: 0, stop: 300, step: 1 },
      ])
      return Array.from({ length: 280 }, (_, k) => k + 10).find(k => data[93 * 300 + k] !== data[93 * 300 + k + 1])
    })
    const window = [x - 3, x + 5, 90, 96]
    const at = `map=grey&range=fixed&min=0&max=40&window=${window}`
    const count = async smooth => {
      await look(page, `${at}&smooth=${smooth}`)
      return page.evaluate(([x0]) => {
        const { picture } = document.querySelector('b2nd-viewer').stage.view
        const [[from, y], [to]] = [picture.fromItems(x0 + 0.5, 93.5), picture.fromItems(x0 + 7.5, 93.5)]
        const copy = new OffscreenCanvas(Math.floor(to - from), 1).getContext('2d', { willReadFrequently: true })
        copy.drawImage(picture.canvas, -Math.floor(from), -Math.floor(y))
        return new Set(new Uint32Array(copy.getImageData(0, 0, copy.canvas.width, 1).data.buffer)).size
      }, window)
    }
    const [squares, smooth] = [await count(0), await count(1)]
    assert.ok(squares <= 8, `${squares} colours of 8 items`)
    assert.ok(smooth > squares + 4, `${smooth} colours between 8 items`)
  }))

test('square items, or as large as the room', () =>
  see('traces.b2nd&view=heatmap', async page => {
    const size = () =>
      page.evaluate(() => {
        const { picture } = document.querySelector('b2nd-viewer').stage.view
        const [[ax, ay], [bx, by]] = [picture.fromItems(0, 0), picture.fromItems(1, 1)]
        return [bx - ax, by - ay]
      })
    const [width, height] = await size()
    assert.ok(Math.abs(width - height) < 0.01)
    await page.getByLabel('Equal aspect').uncheck()
    await settled(page)
    const [wide, high] = await size()
    assert.ok(high > 20 * wide, `${wide} × ${high}`)
    await page.getByLabel('Origin: lower').check()
    await settled(page)
    assert.ok((await size())[1] < 0)
  }))

test('colours that let the ground through', () =>
  see('sprite.b2nd', async page => {
    await shot(page, 'rgba')
    assert.equal(await page.getByRole('button', { name: 'Colours' }).getAttribute('aria-pressed'), 'true')
    await hover(page, 20, 30)
    assert.equal(valueIn(await readout(page)), '180, 100, 200, 155')
    const { data, opaque } = await page.evaluate(() => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      const [left, top] = picture.fromItems(20.5, 30.5)
      const copy = new OffscreenCanvas(1, 1).getContext('2d')
      copy.drawImage(picture.canvas, -Math.floor(left * devicePixelRatio), -Math.floor(top * devicePixelRatio))
      return { data: [...copy.getImageData(0, 0, 1, 1).data], opaque: 155 }
    })
    assert.equal(data[3], opaque)
    ;[180, 100, 200].forEach((value, k) => assert.ok(Math.abs(data[k] - value) <= 2, `${data}`))
  }))

test('magnitude and phase', () =>
  see('waves.b2nd', async page => {
    const [x, y] = [10, 20]
    const drawn = () =>
      page.evaluate(
        ([x, y]) => {
          const {
            session,
            stage: { view },
          } = document.querySelector('b2nd-viewer')
          const {
            colouring: { range },
          } = view.bar.scene
          const [cy, cx] = session.dataset.shape.map(stop => ({ start: 0, stop, step: 1 }))
          return [session.loader.peek([cy, cx]).numbers(session.state.part)[y * 96 + x], range.min, range.max]
        },
        [x, y],
      )
    await hover(page, x, y)
    const [re, im] = valueIn(await readout(page))
      .replaceAll(' ', '')
      .match(/^(-?[\d.e-]+?)([+-][\d.e-]+)j$/)
      .slice(1)
      .map(Number)
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} ${b}`)
    const [magnitude, , greatest] = await drawn()
    near(magnitude, Math.hypot(re, im))
    near(greatest, Math.SQRT2 ** 3)
    await page.getByLabel('show', { exact: true }).selectOption('phase')
    await settled(page)
    const [phase, low, high] = await drawn()
    near(phase, Math.atan2(im, re))
    near(low, -Math.PI)
    near(high, Math.PI)
    assert.equal(await stateOf(page, 'map'), 'cyclic')
  }))

test('two fingers look closer, one moves about', () =>
  see(
    'stack.b2nd',
    async page => {
      const { x, y, width, height } = await plot(page).boundingBox()
      const [cx, cy] = [x + width / 2, y + height / 2]
      const session = await page.context().newCDPSession(page)
      const touch = (type, ...points) =>
        session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
      const window = () => stateOf(page, 'window')
      // Apart, about a point that stays where it is.
      const before = await page.evaluate(
        ([x, y]) => document.querySelector('b2nd-viewer').stage.view.picture.toItems(x, y),
        [width / 2, height / 2],
      )
      await touch('touchStart', [cx - 30, cy], [cx + 30, cy])
      for (let far = 35; far <= 90; far += 5) await touch('touchMove', [cx - far, cy], [cx + far, cy])
      await touch('touchEnd')
      await frames(page)
      const [x0, x1, y0, y1] = await window()
      assert.ok(
        Math.abs((x1 - x0) * 3 - 192) < 12 && Math.abs((y1 - y0) * 3 - 192) < 12,
        `${[x0, x1, y0, y1]}: a third of 192`,
      )
      const after = await page.evaluate(
        ([x, y]) => document.querySelector('b2nd-viewer').stage.view.picture.toItems(x, y),
        [width / 2, height / 2],
      )
      before.forEach((at, k) => assert.ok(Math.abs(at - after[k]) < 4, `${before} ${after}`))
      await touch('touchStart', [cx, cy])
      for (let far = 8; far <= 40; far += 8) await touch('touchMove', [cx - far, cy])
      await touch('touchEnd')
      await frames(page)
      assert.ok((await window())[0] > x0 + 1)
      // Together: everything again.
      await touch('touchStart', [cx - 90, cy], [cx + 90, cy])
      for (let far = 80; far >= 10; far -= 10) await touch('touchMove', [cx - far, cy], [cx + far, cy])
      await touch('touchEnd')
      await frames(page)
      assert.equal(await window(), null)
      // A tap sets the cursor.
      await touch('touchStart', [cx, cy])
      await touch('touchEnd')
      await tells(page, /^\[11, \d+, \d+\] = \d+$/)
    },
    { hasTouch: true },
  ))
