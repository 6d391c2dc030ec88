// Files of all kinds, opened one after the other: every value under the pointer is NumPy's.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { DIST, FILES, frames, GOLDEN, settled, TRUTH, viewer } from '../lib/viewer.mjs'

const on = viewer()
const PIXELS = 20

const current = names => names.split(' ').map(name => `golden/blosc2-4.14.1/${name}.b2nd`)
const PLACES = [
  ...'field labels photo signal stack table'.split(' ').map(name => `examples/${name}.b2nd`),
  ...'needle neighbours spikes noise gradient signs plateau partly floats'.split(' ').map(name => `truth/${name}.b2nd`),
  ...'holes traces waves words dates scalar large mixture sprite'.split(' ').map(name => `files/${name}.b2nd`),
  'golden/blosc2-4.14.1/sparse-2d.b2nd/',
  ...current(
    'dtype-b1 dtype-be-c16 dtype-be-f2 dtype-be-f8 dtype-i1 dtype-le-M8-25s dtype-le-M8-ns dtype-le-U5 dtype-le-f2 dtype-le-i8 dtype-le-u8 ' +
      'dtype-S7 dtype-V16 dtype-struct delta-i8-3-1 dict-zstd-2d resize-grow-both shape-0d-i2 shape-06-2d-13x17 shape-13-5d-2x3x2x3x2 ' +
      'special-full-f2 special-nan-f4 special-uninit-partly-written special-mixed-frame set-slices',
  ),
]
const FOLDERS = { examples: join(DIST, 'examples'), truth: TRUTH, files: FILES, golden: GOLDEN }

/** The file that the reference opens. */
const fileOf = place => join(FOLDERS[place.split('/')[0]], ...place.split('/').slice(1))

/** Numbers that look random and are the same each time. */
function shuffled(seed) {
  let state = seed
  return below => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Where the pointer goes on the screen: over what is drawn. */
const target = page =>
  page.evaluate(() => {
    const { view } = document.querySelector('b2nd-viewer').stage
    const cells = [...view.element.querySelectorAll('.cell')].map(cell => cell.getBoundingClientRect())
    if (cells.length) return cells.map(({ left, top, width, height }) => [left + width / 2, top + height / 2])
    const [picture] = view.picture ? [view.picture] : (view.pictures ?? [])
    const canvas = picture?.canvas ?? view.chart?.canvas
    if (!canvas) return null
    const box = canvas.getBoundingClientRect()
    if (!picture) return [box.left + 80, box.top + 20, box.width - 100, box.height - 70]
    const { nx, ny, flip } = picture.scene
    const [[left, a], [right, b]] = [picture.fromItems(0, 0), picture.fromItems(nx, ny)]
    const top = flip ? b : a
    return [box.left + left, box.top + top, right - left, Math.abs(b - a)]
  })

/** Waits for the value, and gives what is told. */
const told = page =>
  page.evaluate(async () => {
    const line = document.querySelector('b2nd-viewer').shadowRoot.querySelector('.readout')
    for (let k = 0; k < 600 && line.textContent.endsWith('…'); k++) await new Promise(requestAnimationFrame)
    return line.textContent
  })

async function sampled(page, random) {
  const texts = []
  const box = await target(page)
  for (let k = 0; k < PIXELS; k++) {
    const [left, top, width, height] = box ?? []
    if (Array.isArray(left)) await page.mouse.click(...box[random(box.length)])
    else if (box)
      await page.mouse.move(
        left + 1 + (random(1000) / 1000) * (width - 2),
        top + 1 + (random(1000) / 1000) * (height - 2),
      )
    else k = PIXELS
    texts.push(await told(page))
  }
  return texts
}

function parsed(place, text) {
  const [, index, field = null, value] =
    /^\[(.*?)\](?:\.(\w+))? = (.*)$/s.exec(text) ?? assert.fail(`${place}: ${text}`)
  return [fileOf(place), index ? index.split(', ').map(at => (at === ':' ? at : Number(at))) : [], field, value]
}

test(`${PLACES.length} files: what is told is what NumPy has`, () =>
  on.come(
    '',
    async page => {
      const all = []
      for (const [k, place] of PLACES.entries()) {
        await page.evaluate(place => (location.hash = `url=${place}`), place)
        await page.waitForFunction(
          place => document.querySelector('b2nd-viewer').session?.dataset.url?.endsWith(place),
          place,
        )
        await settled(page)
        await frames(page)
        const texts = await sampled(page, shuffled(k + 1))
        all.push(...texts.map(text => parsed(place, text)))
      }
      const script = join(import.meta.dirname, '..', 'told.py')
      const out = execFileSync(process.env.B2ND_PYTHON ?? 'python3', [script], {
        input: JSON.stringify(all),
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      })
      const { told, wrong } = JSON.parse(out)
      assert.deepEqual(wrong, [])
      // Of some there is but one value.
      assert.ok(PLACES.length >= 40 && told > 40 * PIXELS, `${told} values of ${PLACES.length} files`)
    },
    { patience: 400_000 },
  ))
