// Moving through an array: positions, keys, speed, what is read meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hover, plot, readout, says, settled, shot, stateOf, tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come, see } = on

test('moving through planes', () =>
  see('field.b2nd', async page => {
    const index = () => page.getByLabel('index along axis 0')
    assert.equal(await index().inputValue(), '11')
    await page.keyboard.press('.')
    await page.keyboard.press('.')
    await page.keyboard.press(',')
    assert.equal(await index().inputValue(), '12')
    await index().fill('-1')
    await index().press('Enter')
    assert.equal(await index().inputValue(), '23')
    await index().press('ArrowDown')
    await settled(page)
    assert.equal(await index().inputValue(), '22')
    await plot(page).hover()
    for (const [key, position] of [
      ['Shift', 21],
      ['Alt', 20],
    ]) {
      await page.keyboard.down(key)
      await page.mouse.wheel(0, -120)
      await page.keyboard.up(key)
      await page.waitForFunction(
        position => document.querySelector('b2nd-viewer').session.state.index[0] === position,
        position,
      )
    }
    await page.getByLabel('position along axis 0').focus()
    await page.keyboard.press('Home')
    assert.equal(await index().inputValue(), '0')
    await page.getByRole('button', { name: 'play' }).click()
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[0] >= 3)
    await page.getByRole('button', { name: 'play' }).click()
    await settled(page)
    const at = Number(await index().inputValue())
    await hover(page, 10, 10)
    assert.ok((await readout(page)).startsWith(`[${at}, 10, 10] = `))
  }))

test('sliders, each for its axis', () =>
  see('mixture.b2nd&index=0,0,0,0', async page => {
    const [outer, inner] = [0, 1].map(axis => page.getByLabel(`position along axis ${axis}`))
    const index = async () => (await stateOf(page, 'index')).slice(0, 2)
    const { x, y, width, height } = await inner.boundingBox()
    await page.mouse.move(x + 8, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 8, y + height / 2, { steps: 8 })
    await page.mouse.up()
    assert.deepEqual(await index(), [0, 5])
    await outer.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    assert.deepEqual(await index(), [2, 5])
    await inner.hover()
    await page.mouse.wheel(0, -120)
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[1] === 4)
    await page.getByRole('button', { name: 'one on' }).click()
    await page.keyboard.press('[')
    await page.getByRole('button', { name: 'one on' }).click()
    assert.deepEqual(await index(), [3, 5])
    await settled(page)
    await hover(page, 6, 7)
    await tells(page, '[3, 5, 7, 6] = 3576')
  }))

test('what comes next is there already', () =>
  see('field.b2nd', async page => {
    const there = position =>
      page.waitForFunction(
        position =>
          document
            .querySelector('b2nd-viewer')
            .session.loader.peek([position, { start: 0, stop: 120, step: 1 }, { start: 0, stop: 160, step: 1 }]),
        position,
      )
    for (const position of [12, 13, 14]) await there(position)
    await page.keyboard.press(',')
    for (const position of [9, 8, 7]) await there(position)
  }))

test('scrubbing through 100 cached planes paints each once, in the next frame, and reads none again', () =>
  see('big.b2nd', async page => {
    await page.evaluate(async () => {
      const { session } = document.querySelector('b2nd-viewer')
      const { signal } = new AbortController()
      for (let z = 0; z < 100; z++)
        await session.loader.load([z, { start: 0, stop: 512, step: 1 }, { start: 0, stop: 512, step: 1 }], signal)
    })
    await settled(page)
    const read = new Set(on.server.requests.map(({ range }) => range))
    on.server.reset()
    const [late, repeated] = await page.evaluate(async () => {
      const {
        session,
        stage: { view },
      } = document.querySelector('b2nd-viewer')
      let painted = 0
      const own = Reflect.get(CanvasRenderingContext2D.prototype, 'putImageData')
      CanvasRenderingContext2D.prototype.putImageData = function (image, ...place) {
        // The strip of a bar is one pixel wide.
        painted += Number(image.width > 1)
        return own.call(this, image, ...place)
      }
      const [late, repeated] = [[], []]
      for (let k = 1; k <= 100; k++) {
        const z = (k * 7) % 100
        painted = 0
        session.go(0, z)
        await new Promise(requestAnimationFrame)
        if (view.shownAt !== z) late.push(z)
        if (painted !== 1) repeated.push([z, painted])
      }
      return [late, repeated]
    })
    assert.deepEqual(late, [])
    assert.deepEqual(repeated, [])
    // Planes that come next may be read.
    assert.deepEqual(
      on.server.requests.filter(({ range }) => read.has(range)),
      [],
    )
  }))

test('memory is bounded', () =>
  see('stack.b2nd', async page => {
    const held = await page.evaluate(async () => {
      const { Loader, dataset } = (({ loader, dataset }) => ({ Loader: loader.constructor, dataset }))(
        document.querySelector('b2nd-viewer').session,
      )
      const loader = new Loader(dataset, 300_000)
      const plane = z => [z, { start: 0, stop: 192, step: 1 }, { start: 0, stop: 192, step: 1 }]
      const most = []
      for (let z = 0; z < 24; z++) {
        await loader.load(plane(z), new AbortController().signal)
        most.push(loader.held)
      }
      return [Math.max(...most), loader.peek(plane(0)) === undefined, loader.peek(plane(23)) !== undefined]
    })
    assert.deepEqual(held.slice(1), [true, true])
    assert.ok(held[0] <= 300_000 + 192 * 192 * 2)
  }))

test('the newest request wins', () =>
  come('#url=files/big.b2nd', async page => {
    await settled(page)
    on.server.reset()
    on.server.latency = 30
    try {
      await page.evaluate(async () => {
        const { session } = document.querySelector('b2nd-viewer')
        for (let k = 16; k < 512; k += 16) {
          session.go(0, k)
          await new Promise(done => setTimeout(done, 5))
        }
      })
      await settled(page)
      await hover(page, 100, 200)
      await tells(page, /^\[496, 200, 100\] = -?\d+$/)
      // What nobody waits for any more is not read to its end.
      assert.ok(
        on.server.requests.some(({ aborted }) => aborted),
        'no request was aborted',
      )
    } finally {
      on.server.latency = 0
    }
  }))

test('nothing is waited for that was left for what is there', () =>
  come('#url=files/big.b2nd', async page => {
    await settled(page)
    on.server.latency = 500
    try {
      const go = z => page.evaluate(z => document.querySelector('b2nd-viewer').session.go(0, z), z)
      const { index } = await page.evaluate(() => document.querySelector('b2nd-viewer').session.state)
      await go(index[0] > 255 ? 0 : 511)
      await page.waitForFunction(
        () => document.querySelector('b2nd-viewer').stage.element.getAttribute('aria-busy') === 'true',
      )
      await go(index[0])
      await settled(page)
    } finally {
      on.server.latency = 0
    }
  }))

test('every key', () =>
  see('field.b2nd', async page => {
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await shot(page, 'keys')
    const keys = await dialog.locator('.keys').first().locator('kbd').allTextContents()
    assert.ok(keys.length > 25)
    await page.keyboard.press('Escape')
    const state = key => page.evaluate(key => document.querySelector('b2nd-viewer').session.state[key], key)
    for (const [key, name, value] of [
      ['c', 'map', 'cividis'],
      ['l', 'scale', 'log'],
      ['r', 'range', 'percentile'],
      ['i', 'smooth', true],
      ['q', 'equal', false],
      ['2', 'view', 'planes'],
      ['4', 'view', 'table'],
      ['1', 'view', 'heatmap'],
    ]) {
      await page.keyboard.press(key)
      assert.equal(await state(name), value, key)
    }
    await settled(page)
    await page.keyboard.press('Shift+ArrowRight')
    await tells(page, /^\[11, 60, 90\] = /)
    await page.keyboard.press('p')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('p')
    await says(page.locator('.profile'), /from \(90, 60\) to \(90, 61\)/)
    await page.keyboard.press('+')
    assert.ok(await state('window'))
    await page.keyboard.press('f')
    await page.locator('.facts').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    assert.deepEqual((await state('index'))[0], 5)
  }))
