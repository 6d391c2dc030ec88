// Each picture has the pixels of its own array, whatever other pictures show: after each move of the pointer, which paints again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { choose, DIST, frames, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
let other

const html = `<!doctype html><html lang="en"><title>two</title><meta name="color-scheme" content="light dark">
  <link rel="stylesheet" href="/two.css"><script type="module" src="/b2nd-viewer.js"></script>
  <main><b2nd-viewer></b2nd-viewer><b2nd-viewer></b2nd-viewer></main>`
const css = 'main { display: flex } b2nd-viewer { inline-size: 640px; block-size: 600px }'

before(async () => {
  other = await serve({ '/two.html': html, '/two.css': css, '/': DIST })
})
after(() => other?.close())

/** A .npy file of items in C order. */
function npy(items, shape, dtype) {
  const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n'
  const head = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0])
  return Buffer.concat([head, Buffer.from(text), Buffer.from(items.buffer)])
}

const SIZE = 100
/** The values at a column and a row. */
const FIRST = (x, y) => x + y
const SECOND = (x, y) => ((x * 37) % 101) + ((y * 11) % 7)
const plane = value => Float32Array.from({ length: SIZE * SIZE }, (_, k) => value(k % SIZE, Math.floor(k / SIZE)))

/** Colour maps: colours at equal distances. */
const MAPS = {
  viridis: '440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725',
  'blue-red': '053061 2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b 67001f',
}

/** The colour at a share of the range. */
function colourAt(map, share) {
  const stops = MAPS[map].split(' ').map(hex => [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16)))
  const place = share * (stops.length - 1)
  const low = Math.min(Math.floor(place), stops.length - 2)
  return stops[low].map((channel, k) => channel + (stops[low + 1][k] - channel) * (place - low))
}

/** The colours in the middle of all items of the pictures, with the maps and the ranges that describe them. */
const seen = page =>
  page.evaluate(() =>
    [...document.querySelectorAll('b2nd-viewer')].map(({ session, stage }) => {
      const { picture } = stage.view
      const copy = new OffscreenCanvas(picture.canvas.width, picture.canvas.height).getContext('2d')
      copy.drawImage(picture.canvas, 0, 0)
      const { width, data } = copy.getImageData(0, 0, picture.canvas.width, picture.canvas.height)
      const colours = []
      for (let y = 0; y < picture.scene.ny; y++)
        for (let x = 0; x < picture.scene.nx; x++) {
          const [left, top] = picture.fromItems(x + 0.5, y + 0.5).map(at => Math.floor(at * devicePixelRatio))
          colours.push([...data.subarray(4 * (top * width + left), 4 * (top * width + left) + 3)])
        }
      return { map: session.state.map, range: session.limits, title: session.dataset.name, colours }
    }),
  )

/** Whether a picture has the colours of these values. */
function check({ map, range: { min, max }, title, colours }, value, when) {
  assert.equal(colours.length, SIZE * SIZE)
  const wrong = colours.filter((colour, k) => {
    const wanted = colourAt(map, (value(k % SIZE, Math.floor(k / SIZE)) - min) / (max - min))
    return !colour.every((channel, c) => Math.abs(channel - wanted[c]) <= 2)
  })
  assert.equal(wrong.length, 0, `${title} ${when}: ${wrong.length} of ${colours.length} items have other colours`)
}

/** Moves the mouse over the picture of a viewer. */
async function stroke(page, k) {
  const box = await page.evaluate(k => {
    const viewers = document.querySelectorAll('b2nd-viewer')
    const plot = viewers[k].stage.view.element.querySelector('.plot')
    const { left, top, width, height } = plot.getBoundingClientRect()
    return { left, top, width, height }
  }, k)
  for (const share of [0.45, 0.5, 0.55]) {
    await page.mouse.move(box.left + share * box.width, box.top + share * box.height)
    await frames(page)
  }
}

for (const deviceScaleFactor of [1, 1.5])
  test(`two arrays and their difference keep their colours at a pixel ratio of ${deviceScaleFactor}`, () =>
    on.come(
      '',
      async page => {
        const file = (name, value) => ({
          name,
          mimeType: 'application/octet-stream',
          buffer: npy(plane(value), [SIZE, SIZE], '<f4'),
        })
        await choose(page, 'File…', [file('first.npy', FIRST), file('second.npy', SECOND)])
        await page.waitForFunction(() => document.querySelector('b2nd-viewer').session?.shown.length)
        await page.getByLabel('compare with').selectOption('second.npy')
        await all(page, 3)
        const values = [FIRST, SECOND, (x, y) => FIRST(x, y) - SECOND(x, y)]
        for (const k of [0, 1, 2, 0]) {
          await stroke(page, k)
          const pictures = await seen(page)
          assert.deepEqual(
            pictures.map(({ map }) => map),
            ['viridis', 'viridis', 'blue-red'],
          )
          pictures.forEach((picture, at) => check(picture, values[at], `after moves over picture ${k + 1}`))
        }
        await shot(page, `pixels-compare-${deviceScaleFactor}`)
      },
      { viewport: { width: 1900, height: 760 }, deviceScaleFactor },
    ))

/** Waits until so many viewers have drawn. */
async function all(page, count) {
  await page.waitForFunction(count => {
    const viewers = [...document.querySelectorAll('b2nd-viewer')].filter(({ session }) => session)
    return (
      viewers.length === count &&
      viewers.every(
        ({ session, stage }) =>
          session.shown.length &&
          stage.element.getAttribute('aria-busy') !== 'true' &&
          !stage.facts.element.hasAttribute('aria-busy'),
      )
    )
  }, count)
  await frames(page)
}

/**
 * Opens an array in one of two elements: in the first it rises along the last axis but one, in the second it falls along the last.
 * The page makes it, since it may be large.
 */
const openIn = (page, k, array) =>
  page.evaluate(
    ([k, { shape, dtype, state }]) => {
      const isDeep = state.includes('rgb')
      const [height, width] = isDeep ? shape : shape.slice(-2)
      const inner = isDeep ? shape[2] : 1
      const Items = { '<f4': Float32Array, '<f8': Float64Array, '<u2': Uint16Array, '|u1': Uint8Array }[dtype]
      const items = new Items(shape.reduce((a, b) => a * b))
      for (let at = 0; at < items.length; at++) {
        const [x, y] = [Math.floor(at / inner) % width, Math.floor(at / inner / width) % height]
        items[at] = k ? 250 - (x * 200) / width - (at % 7) : (y * 250) / height
      }
      const text = `{'descr': '${dtype}', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n'
      const sign = Uint8Array.of(0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, 118, 0)
      const file = new File([sign, text, items], `${k}.npy`)
      return document.querySelectorAll('b2nd-viewer')[k].open({ name: file.name, openable: file }, state)
    },
    [k, array],
  )

const CASES = [
  ['planes as large as they are', [100, 100], '<f4', ''],
  ['planes larger than their pictures', [900, 900], '<f4', ''],
  ['planes in logarithms', [100, 100], '<u2', 'scale=log'],
  ['colours', [100, 100, 3], '|u1', 'view=rgb'],
  ['colours larger than their pictures', [900, 900, 3], '|u1', 'view=rgb'],
  ['composites', [3, 100, 100], '<f4', 'view=composite&x=2&y=1&z=0'],
  ['composites larger than their pictures', [3, 800, 800], '<f4', 'view=composite&x=2&y=1&z=0'],
  ['three planes', [60, 60, 60], '<f4', 'view=planes'],
  ['projections', [5, 100, 100], '<f4', 'view=heatmap&x=2&y=1&project=max:0'],
]

/** All canvases of a viewer: pictures and bars. Equal texts are equal pixels. */
const canvases = (page, k) =>
  page.evaluate(
    k =>
      [...document.querySelectorAll('b2nd-viewer')[k].stage.view.element.querySelectorAll('canvas')].map(
        canvas => canvas.width * canvas.height && canvas.toDataURL(),
      ),
    k,
  )

/** Each element on its own, then both, with moves of the pointer over each. */
async function compare(page, array) {
  const alone = []
  for (const k of [0, 1]) {
    await openIn(page, k, array)
    await all(page, 1)
    alone.push(await canvases(page, k))
    await page.evaluate(k => document.querySelectorAll('b2nd-viewer')[k].close(), k)
  }
  assert.notDeepEqual(alone[0], alone[1])
  for (const k of [0, 1]) await openIn(page, k, array)
  await all(page, 2)
  const moves = {
    'the pointer': k => stroke(page, k).then(() => page.mouse.move(1, 700)),
    'an edge': k => squeeze(page, k),
  }
  for (const [what, move] of Object.entries(moves))
    for (const k of [0, 1]) {
      await move(k)
      await frames(page)
      for (const at of [0, 1])
        (await canvases(page, at)).forEach((canvas, n) =>
          assert.ok(canvas === alone[at][n], `canvas ${n} of element ${at} after moves of ${what} of element ${k}`),
        )
    }
}

/** Makes an element smaller, and as large as it was. */
async function squeeze(page, k) {
  for (const size of ['600px', '']) {
    await page.evaluate(([k, size]) => (document.querySelectorAll('b2nd-viewer')[k].style.inlineSize = size), [k, size])
    await frames(page)
  }
}

for (const [k, [what, shape, dtype, state]] of CASES.entries()) {
  // Every other case in the dark on a fine screen.
  const screen = k % 2 ? { colorScheme: 'dark', deviceScaleFactor: 2 } : {}
  test(`two elements show ${what} as each does alone`, () =>
    visit(
      on.browser,
      other.url('/two.html'),
      async page => {
        await compare(page, { shape, dtype, state })
        await shot(page, `pixels-${what.replaceAll(' ', '-')}`)
      },
      { viewport: { width: 1300, height: 720 }, ...screen },
    ))
}

test('the pictures of the examples differ', () =>
  on.come('', async page => {
    const count = await page.locator('#welcome canvas').count()
    assert.ok(count > 1)
    // They are drawn one after the other, once the page is shown.
    await page.waitForFunction(
      count => new Set([...document.querySelectorAll('#welcome canvas')].map(each => each.toDataURL())).size === count,
      count,
      { polling: 100 },
    )
  }))
