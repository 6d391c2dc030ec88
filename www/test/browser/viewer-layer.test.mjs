// Large planes that the graphics processor paints: the pixels are those of the canvas, and nothing is painted again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frames, hover, look, readout, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()

/** Opens a file, and waits until the layer has its values. */
const see = (file, work) =>
  on.come(
    `#url=${file}`,
    async page => {
      await settled(page)
      await layered(page)
      await work(page)
    },
    { layer: true },
  )

async function layered(page) {
  await page.waitForFunction(() => {
    const { picture } = document.querySelector('b2nd-viewer').stage.view
    return picture.layer && !picture.layer.canvas.hidden
  })
  await frames(page)
}

/** How many pixels of the layer differ by more than rounding from those that the canvas has without it, as a share. */
const differing = page =>
  page.evaluate(() => {
    const { picture } = document.querySelector('b2nd-viewer').stage.view
    const { layer } = picture
    const { width, height, style } = layer.canvas
    const pixels = (canvas, x, y) => {
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context.drawImage(canvas, -x, -y)
      return context.getImageData(2, 2, width - 4, height - 4).data
    }
    // A layer's pixels are there until the task ends.
    picture.paint()
    const drawn = pixels(layer.canvas, 0, 0)
    picture.layer = null
    picture.paint()
    const expected = pixels(picture.canvas, Math.round(parseFloat(style.left)), Math.round(parseFloat(style.top)))
    picture.layer = layer
    picture.paint()
    let count = 0
    for (let k = 0; k < drawn.length; k += 4)
      if ([0, 1, 2].some(channel => Math.abs(drawn[k + channel] - expected[k + channel]) > 6)) count++
    return count / (drawn.length / 4)
  })

/** Counts the pictures that the page paints. */
const painted = (page, work) =>
  page
    .evaluate(() => {
      globalThis.painted = 0
      const own = Reflect.get(CanvasRenderingContext2D.prototype, 'putImageData')
      CanvasRenderingContext2D.prototype.putImageData = function (...rest) {
        // The strip of a bar is one pixel wide.
        if (this.canvas.width > 1) globalThis.painted++
        return own.apply(this, rest)
      }
    })
    .then(work)
    .then(() => frames(page))
    .then(() => page.evaluate(() => globalThis.painted))

test('maps, scales, ranges, directions and parts have the pixels of the canvas', () =>
  see('files/planes.b2nd', async page => {
    assert.equal(await differing(page), 0)
    await shot(page, 'layer')
    for (const [state, share] of [
      ['map=magma', 0],
      ['map=blue-red&range=fixed&min=20000&max=40000', 0],
      ['scale=log', 0.001],
      ['scale=symlog&overview=max', 0.001],
      ['flip=1&overview=min', 0],
      ['index=2,0,0&equal=0', 0],
    ]) {
      await look(page, state)
      await layered(page)
      const found = await differing(page)
      assert.ok(found <= share, `${state}: ${found}`)
    }
  }))

/** An image that is read at once: 2501 × 1500 items. */
const WHOLE = 'levels/levels.b2z&member=/numbered/s1'

test('parts have the pixels of the canvas but where it rounds their beginnings', () =>
  see(WHOLE, async page => {
    for (const state of [
      'window=100,1300.5,100,900.25',
      'window=1000,1200,500,600',
      'window=1000.5,1012,500,510.25&flip=1',
    ]) {
      await look(page, `member=/numbered/s1&${state}`)
      await layered(page)
      const found = await differing(page)
      assert.ok(found <= 0.03, `${state}: ${found}`)
    }
  }))

test('one infinity among thousands of NaN is seen', () =>
  see('truth/infinite.b2nd', async page => {
    assert.ok((await differing(page)) <= 0.002)
    const white = await page.evaluate(() => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      picture.paint()
      const { canvas } = picture.layer
      const [left, top] = picture.fromItems(1600.5, 1500.5)
      const copy = new OffscreenCanvas(7, 7).getContext('2d', { willReadFrequently: true })
      copy.drawImage(
        canvas,
        3 - Math.round(left - parseFloat(canvas.style.left)),
        3 - Math.round(top - parseFloat(canvas.style.top)),
      )
      const { data } = copy.getImageData(0, 0, 7, 7)
      return Array.from({ length: 49 }, (_, k) => data[4 * k] + data[4 * k + 1] + data[4 * k + 2]).filter(
        sum => sum === 765,
      ).length
    })
    assert.ok(white >= 4, `${white} white pixels`)
  }))

test('other colours, zooming and panning paint nothing on the page', () =>
  see(WHOLE, async page => {
    const count = await painted(page, async () => {
      for (const key of ['c', 'l', 'c', 'l', 'l', '+', '+', '-']) {
        await page.keyboard.press(key)
        await settled(page)
      }
      await look(page, 'member=/numbered/s1&map=inferno&window=700,1300,700,1300')
      await look(page, 'member=/numbered/s1&map=inferno&window=720,1320,710,1310')
    })
    assert.equal(count, 0)
    await hover(page, 1000, 1001)
    assert.equal(await readout(page), '[1001, 1000] = 10750')
  }))

test('labels, smooth pictures and lost contexts are painted by the canvas', () =>
  see('files/planes.b2nd', async page => {
    const isHidden = () =>
      page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.picture.layer.canvas.hidden)
    for (const state of ['smooth=1', 'map=labels']) {
      await look(page, state)
      assert.equal(await isHidden(), true, state)
      await look(page, '')
      assert.equal(await isHidden(), false)
    }
    await page.evaluate(() => {
      const { layer } = document.querySelector('b2nd-viewer').stage.view.picture
      layer.canvas.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()
    })
    await look(page, 'map=inferno')
    assert.equal(await isHidden(), true)
    const [r, g, b, a] = await page.evaluate(() => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      const [left, top] = picture.fromItems(1600, 1600)
      const copy = new OffscreenCanvas(1, 1).getContext('2d')
      copy.drawImage(picture.canvas, -Math.round(left), -Math.round(top))
      return [...copy.getImageData(0, 0, 1, 1).data]
    })
    assert.ok(a === 255 && r + g + b > 0)
  }))

test('WebGL that the processor computes is not used: the canvas is faster', () =>
  on.come(
    '#url=files/planes.b2nd',
    async page => {
      await settled(page)
      const name = await page.evaluate(() => {
        const gl = document.createElement('canvas').getContext('webgl2')
        return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL)
      })
      assert.match(name, /SwiftShader|llvmpipe/)
      // A plane is given to a layer after it has rested for 200 ms.
      await page.waitForTimeout(1000)
      assert.equal(await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.picture.layer), null)
    },
    { init: () => {} },
  ))
