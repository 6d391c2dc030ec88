// `b2nd preview` draws what the viewer shows at first: pixel by pixel, of planes, labels and colours, whole and reduced.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DIST, FILES, viewer } from '../lib/viewer.mjs'

const on = viewer()
const folder = mkdtempSync(join(tmpdir(), 'b2nd-preview-'))
after(() => rmSync(folder, { recursive: true }))
/** The command of the package, or another one. */
const [program, ...first] = process.env.B2ND_TOOL
  ? [process.env.B2ND_TOOL]
  : [process.execPath, join(DIST, '..', 'cli.js')]

/** The pictures of the tool, and of the viewer at the same size. */
const pictures = async (path, options) => {
  const out = join(folder, 'picture.png')
  const [place, file] = path.split('/')
  const input = join(place === 'files' ? FILES : join(DIST, 'examples'), `${file}.b2nd`)
  execFileSync(program, [...first, 'preview', input, '-o', out, ...options])
  let found
  const compare = async page => {
    found = await page.evaluate(
      async png => {
        const bytes = Uint8Array.from(atob(png), char => char.charCodeAt(0))
        const read = (image, width, height) => {
          const context = new OffscreenCanvas(width, height).getContext('2d')
          context.imageSmoothingEnabled = false
          context.drawImage(image, 0, 0, width, height)
          return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)
        }
        const tool = await createImageBitmap(new Blob([bytes]))
        const { width, height } = tool
        const { picture } = document.querySelector('b2nd-viewer').stage.view
        const image = picture.scene.image.at(width, height, [0, 1])
        const [a, b] = [read(tool, width, height), read(image, width, height)]
        const differing = a.reduce((count, pixel, at) => count + Number(pixel !== b[at]), 0)
        return { width, height, differing, colours: new Set(a).size, own: [image.width, image.height] }
      },
      readFileSync(out, 'base64'),
    )
  }
  await on.come(`#url=${path}.b2nd`, async page => {
    await page.waitForFunction(() => document.querySelector('b2nd-viewer')?.stage?.view?.picture?.scene.image)
    await compare(page)
  })
  return found
}

for (const [file, options, own, size] of [
  ['examples/field', [], [160, 120], [640, 480]],
  ['examples/field', ['--size', '100'], [100, 75], [100, 75]],
  ['examples/labels', [], [300, 200], [600, 400]],
  ['examples/photo', [], [240, 180], [480, 360]],
  ['examples/photo', ['--size', '101'], [101, 76], [101, 76]],
  ['examples/stack', [], [192, 192], [576, 576]],
  // NaN and infinities, whole and reduced; the viewer takes all values until its user chooses percentiles.
  ['files/holes', ['--range', 'full'], [200, 120], [600, 360]],
  ['files/holes', ['--range', 'full', '--size', '90'], [90, 54], [90, 54]],
]) {
  test(`${[file, ...options].join(' ')}: the pixels of the viewer`, async () => {
    const found = await pictures(file, options)
    assert.deepEqual([found.own, [found.width, found.height], found.differing], [own, size, 0])
    assert.ok(found.colours > 5, `${found.colours} colours`)
  })
}
