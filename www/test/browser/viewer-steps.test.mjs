// Each step from an event to the picture runs once: what is read, painted, drawn and told is counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frames, hover, look, readout, settled, viewer } from '../lib/viewer.mjs'

const { see } = viewer()

/** Counts what happens during `work`, until all is drawn. Pixels are painted by `putImageData`, and a canvas is drawn after it was cleared. */
async function steps(page, work) {
  await page.evaluate(() => {
    const { session } = document.querySelector('b2nd-viewer')
    const counts = (globalThis.counts = { read: 0, painted: 0, drawn: 0 })
    const { prototype } = CanvasRenderingContext2D
    const wrap = (object, name, step) => {
      const own = object[name]
      object[name] = function (...rest) {
        // The bar beside a picture is another canvas, and so is its strip of colours.
        const isOther =
          step === 'drawn' ? this.canvas.className !== 'plot' : step === 'painted' && this.canvas.width === 1
        if (!isOther) counts[step]++
        return own.apply(this, rest)
      }
      return () => (object[name] = own)
    }
    const undo = [
      wrap(prototype, 'putImageData', 'painted'),
      wrap(prototype, 'clearRect', 'drawn'),
      wrap(session.dataset, 'read', 'read'),
      ...['state', 'shown', 'where', 'readout', 'picked'].map(name =>
        session.on(name, () => (counts[name] = (counts[name] ?? 0) + 1)),
      ),
    ]
    globalThis.uncount = () => undo.forEach(end => end())
  })
  await work()
  await settled(page)
  await frames(page)
  return page.evaluate(() => {
    globalThis.uncount()
    return globalThis.counts
  })
}

const click = page => async () => {
  await page.mouse.down()
  await page.mouse.up()
}

/** The plane is there, values can be told, and nothing is read ahead any more. */
async function ready(page, x, y) {
  await hover(page, x, y)
  await readout(page)
  await page.waitForFunction(() => {
    const now = document.querySelector('b2nd-viewer').session.dataset.opened.traffic.requests
    const before = globalThis.requests
    globalThis.requests = now
    return before === now
  })
}

test('a click on a heatmap moves the cursor, and paints nothing again', () =>
  see('field.b2nd', async page => {
    await ready(page, 30, 40)
    assert.deepEqual(await steps(page, click(page)), {
      read: 0,
      painted: 0,
      drawn: 1,
      state: 1,
      picked: 1,
      where: 1,
      readout: 1,
    })
  }))

test('a pointer that moves draws nothing', () =>
  see('field.b2nd', async page => {
    await ready(page, 30, 40)
    const { read, painted, drawn, where, readout: told, state } = await steps(page, () => hover(page, 31, 40))
    assert.deepEqual([read, painted, drawn, where, told, state], [0, 0, 0, 1, 1, undefined])
  }))

test('another plane is read once, painted once and drawn once', () =>
  see('stack.b2nd&index=5,0,0', async page => {
    await ready(page, 3, 4)
    const far = () => page.evaluate(() => document.querySelector('b2nd-viewer').session.go(0, 20))
    const { painted, drawn, state, shown } = await steps(page, far)
    assert.deepEqual([painted, drawn, state, shown], [1, 1, 1, 1])
  }))

test('another map is painted once, and reads nothing', () =>
  see('field.b2nd', async page => {
    await ready(page, 3, 4)
    const { read, painted, drawn, shown } = await steps(page, () => page.keyboard.press('c'))
    assert.deepEqual([read, painted, drawn, shown], [0, 1, 1, 1])
  }))

test('a click on three planes paints each of the two that change once', () =>
  see('stack.b2nd&view=planes', async page => {
    await ready(page, 50, 60)
    const counts = await steps(page, click(page))
    // The first plane is the same. The cursor moves in all at once, before the others are there.
    assert.deepEqual([counts.read, counts.painted, counts.state], [2, 2, 1])
    assert.ok(counts.drawn <= 5 && counts.shown <= 3, JSON.stringify(counts))
    // All is there: the planes appear together.
    await look(page, 'view=planes&index=12,60,50')
    await look(page, 'view=planes&index=12,61,51')
    await look(page, 'view=planes&index=12,60,50')
    const again = await steps(page, () => look(page, 'view=planes&index=12,61,51'))
    assert.deepEqual([again.read, again.painted, again.drawn, again.state, again.shown], [0, 2, 3, 1, 1])
  }))

test('integers that look like labels are painted once, in the map of labels', () =>
  see('field.b2nd', async page => {
    const painted = await page.evaluate(async () => {
      let count = 0
      const { prototype } = CanvasRenderingContext2D
      const own = Reflect.get(prototype, 'putImageData')
      prototype.putImageData = function (...rest) {
        count++
        return own.apply(this, rest)
      }
      const viewer = document.querySelector('b2nd-viewer')
      const url = new URL('files/labels.b2nd', location.href).href
      const shown = new Promise(done => viewer.addEventListener('b2nd-shown', done, { once: true }))
      await viewer.open({ name: 'labels', openable: url, url })
      await shown
      for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame)
      prototype.putImageData = own
      return [count, viewer.session.state.map]
    })
    // The bar has a strip of its own unless the map has none.
    assert.deepEqual(painted, [1, 'labels'])
  }))
