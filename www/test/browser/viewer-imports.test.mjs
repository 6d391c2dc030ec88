// Files in other formats: shown with the values that NumPy has.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, choose, frames, IMPORTS, prepareFiles, says, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on

/** What the page has of the open array: a frame in memory, which python-blosc2 compares with what NumPy saved. */
async function compare(page, name) {
  const bytes = await page.evaluate(async () => {
    const { array } = document.querySelector('b2nd-viewer').session.dataset
    const { data, shape } = await array.get()
    const raw = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data.bytes
    return { shape, dtype: array.dtype, raw: raw ? [...raw] : [...data] }
  })
  const code = `import json, sys, numpy
given = json.load(sys.stdin)
wanted = numpy.load(${JSON.stringify(join(IMPORTS, `${name}.expected.npy`))})
dtype = wanted.dtype.newbyteorder("<") if wanted.dtype.names is None else wanted.dtype
raw = given["raw"]
if wanted.dtype.kind == "U": found = numpy.array(raw, wanted.dtype).reshape(given["shape"])
else: found = numpy.frombuffer(bytes(raw), "<f4" if dtype == "<f2" else dtype).reshape(given["shape"])
named = all(part in given["dtype"] for part in (wanted.dtype.names or [wanted.dtype.str]))
print(named, found.shape == wanted.shape, found.astype(wanted.dtype).tobytes() == wanted.tobytes())`
  const python = process.env.B2ND_PYTHON ?? 'python3'
  const input = JSON.stringify(bytes)
  assert.equal(execFileSync(python, ['-c', code], { input, encoding: 'utf8' }).trim(), 'True True True', name)
}

prepareFiles()
for (const name of Object.keys(JSON.parse(readFileSync(join(IMPORTS, 'expected.json')))))
  test(`${name} has NumPy's values`, () =>
    come('', async page => {
      await choose(page, 'File…', join(IMPORTS, name))
      await settled(page)
      await compare(page, name)
      await says(page.locator('#tabs span button:first-child'), [name])
    }))

for (const name of ['stored.npz', 'packed.npz'])
  test(`of ${name} an array can be chosen`, () =>
    come(`#url=imports/${name}`, async page => {
      await settled(page)
      await compare(page, 'floats.npy')
      await page.getByRole('button', { name: 'second', exact: true }).click()
      await page.waitForFunction(() => document.querySelector('b2nd-viewer').session?.dataset.name === 'second')
      await settled(page)
      const rows = await page.evaluate(async () => {
        const { data } = await document.querySelector('b2nd-viewer').session.dataset.array.get()
        return [...data].map(Number)
      })
      assert.deepEqual(
        rows,
        Array.from({ length: 12 }, (_, k) => k),
      )
      await page.getByText('Converted in memory').waitFor()
    }))

test('the names in a comment, as NumPy writes them, are those of the columns', () =>
  come('', async page => {
    await choose(page, 'File…', join(IMPORTS, 'saved.csv'))
    await settled(page)
    await page.getByRole('button', { name: 'Table' }).click()
    await says(page.getByRole('columnheader'), ['0 ╲ 1', 'time', 'x'])
  }))

test('the names of columns are shown', () =>
  come('', async page => {
    await choose(page, 'File…', join(IMPORTS, 'matrix.csv'))
    await settled(page)
    const attrs = await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.array.attrs())
    assert.deepEqual(attrs, { dims: ['row', 'column'], coords: { column: ['time', 'x', 'y, z'] } })
    await says(page.getByRole('columnheader'), ['0 ╲ 1', 'time', 'x', 'y, z'])
    await accessible(page, 'a converted table')
    await shot(page, 'csv')
  }))

/** Makes large files in the page, by their format: `large.tiff`. */
const makers = page =>
  page.evaluate(() => {
    const [width, height, rows] = [4000, 3000, 100]
    const deflated = async bytes =>
      new Uint8Array(
        await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer(),
      )
    globalThis.large = {
      csv: () =>
        new File(
          Array.from({ length: 400_000 }, (_, k) => `${k},${k / 8},"a ""name"" of ${k}"\n`),
          'large.csv',
        ),
      npy() {
        const header = `{'descr': '<f8', 'fortran_order': True, 'shape': (${height}, ${width}), }`.padEnd(117) + '\n'
        const sign = Uint8Array.of(0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, 118, 0)
        const items = Float64Array.from({ length: width * height }, (_, k) => k)
        return new File([sign, header, items], 'large.npy')
      },
      async png() {
        const canvas = new OffscreenCanvas(width, height)
        const context = canvas.getContext('2d')
        const colours = context.createLinearGradient(0, 0, width, height)
        for (let stop = 0; stop <= 100; stop++) colours.addColorStop(stop / 100, `hsl(${37 * stop} 80% 50%)`)
        context.fillStyle = colours
        context.fillRect(0, 0, width, height)
        return new File([await canvas.convertToBlob()], 'large.png')
      },
      // An item is its column plus its row; one strip has 100 rows.
      async tiff() {
        const strips = []
        for (let top = 0; top < height; top += rows) {
          const items = Uint16Array.from({ length: rows * width }, (_, k) => top + Math.floor(k / width) + (k % width))
          strips.push(await deflated(items))
        }
        const lengths = strips.map(({ length }) => length)
        const offsets = lengths.map((_, k) => 8 + lengths.slice(0, k).reduce((a, b) => a + b, 0))
        const end = offsets.at(-1) + lengths.at(-1)
        const [short, long, count] = [3, 4, strips.length]
        const tags = [
          [256, long, 1, width],
          [257, long, 1, height],
          [258, short, 1, 16],
          [259, short, 1, 8],
          [262, short, 1, 1],
          [273, long, count, end],
          [277, short, 1, 1],
          [278, long, 1, rows],
          [279, long, count, end + 4 * count],
        ]
        const directory = new DataView(new ArrayBuffer(6 + 12 * tags.length))
        directory.setUint16(0, tags.length, true)
        tags.forEach(([tag, type, count, value], k) => {
          directory.setUint16(2 + 12 * k, tag, true)
          directory.setUint16(4 + 12 * k, type, true)
          directory.setUint32(6 + 12 * k, count, true)
          directory.setUint32(10 + 12 * k, value, true)
        })
        const header = new Uint8Array([73, 73, 42, 0, 0, 0, 0, 0])
        new DataView(header.buffer).setUint32(4, end + 8 * count, true)
        return new File(
          [header, ...strips, Uint32Array.from(offsets), Uint32Array.from(lengths), directory],
          'large.tiff',
        )
      },
    }
  })

for (const [format, picked, wanted] of [
  ['csv', [399_000], ['f1', 399_000 / 8]],
  ['npy', [2999, 3998], 11_996_999],
  ['png', [2999, 3999, 3], 255],
  ['tiff', [2999, 3999], 6998],
])
  test(`the page stays responsive while a large ${format} is read, and says how far it is`, () =>
    come('', async page => {
      await makers(page)
      const { longest, total, item, shares } = await page.evaluate(
        async ([format, picked]) => {
          const file = await globalThis.large[format]()
          const viewer = document.querySelector('b2nd-viewer')
          const start = performance.now()
          let [last, longest] = [start, 0]
          const shares = []
          const timer = setInterval(() => {
            longest = Math.max(longest, performance.now() - last)
            last = performance.now()
            const progress = viewer.shadowRoot.querySelector('.opening progress')
            if (progress && !progress.hidden) shares.push(progress.position)
          })
          await viewer.open({ name: file.name, openable: file })
          clearInterval(timer)
          const item = await viewer.session.dataset.array.at(...picked)
          return { longest, total: performance.now() - start, item, shares }
        },
        [format, picked],
      )
      if (format === 'csv') assert.equal(item[wanted[0]], wanted[1])
      else assert.equal(item, wanted)
      assert.ok(longest < total / 3, `${longest} of ${total} ms at once`)
      // A decoder of PNG does not tell: the bar has no position.
      assert.ok(
        shares.some(share => (format === 'png' ? share === -1 : share > 0 && share < 0.5)),
        `${shares}`,
      )
    }))

test('what is being decoded can be stopped', () =>
  come('', async page => {
    await makers(page)
    await page.evaluate(async () => {
      const file = await globalThis.large.png()
      document.querySelector('b2nd-viewer').hidden = false
      void document.querySelector('b2nd-viewer').open({ name: file.name, openable: file })
    })
    const decoders = () => page.workers().filter(worker => worker.url().endsWith('decode.js')).length
    await page.waitForEvent('worker', { predicate: worker => worker.url().endsWith('decode.js') })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor()
    for (let tries = 0; decoders() && tries < 100; tries++) await frames(page)
    assert.equal(decoders(), 0)
  }))

test('an array without items is opened at once', () =>
  come('', async page => {
    await choose(page, 'File…', join(IMPORTS, 'endless.npy'))
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session?.dataset.shape[0] === 9e15)
  }))

test('images that the browser decodes', () =>
  come('', async page => {
    for (const [type, opaque, shape] of [
      ['image/jpeg', true, [40, 60, 3]],
      ['image/webp', false, [40, 60, 4]],
    ]) {
      const image = await page.evaluate(
        async ([type, opaque]) => {
          const canvas = new OffscreenCanvas(60, 40)
          const context = canvas.getContext('2d')
          context.fillStyle = opaque ? 'rgb(200 100 50)' : 'rgb(200 100 50 / 50%)'
          context.fillRect(0, 0, 60, 40)
          return [...new Uint8Array(await (await canvas.convertToBlob({ type, quality: 1 })).arrayBuffer())]
        },
        [type, opaque],
      )
      await choose(page, 'File…', { name: 'flat.image', mimeType: type, buffer: Buffer.from(image) })
      await settled(page)
      const found = await page.evaluate(async () => {
        const { shape, data } = await document.querySelector('b2nd-viewer').session.dataset.array.get()
        return { shape, pixel: [...data.subarray(0, shape[2])] }
      })
      assert.deepEqual(found.shape, shape)
      const wanted = [200, 100, 50, 128]
      found.pixel.forEach((value, channel) =>
        assert.ok(Math.abs(value - wanted[channel]) < 4, `${type}: ${found.pixel}`),
      )
    }
  }))

test('a file in another format at a URL', () =>
  come('#url=imports/stack.tif', async page => {
    await settled(page)
    await compare(page, 'stack.tif')
    await says(page.locator('.facts'), /\(3, 10, 12\)/)
    await shot(page, 'tiff')
  }))

for (const [name, title, message] of [
  ['objects.npy', 'The viewer cannot read this NumPy file', /Python objects/],
  ['cut.npy', 'This NumPy file is damaged', /2852 bytes of items needed, 872 there/],
  ['huge.npy', 'This NumPy file is damaged', /28800000000 bytes of items needed, 0 there/],
  ['cut.png', 'This PNG image is damaged', /PNG: /],
  ['cut.tif', 'This TIFF image is damaged', /TIFF: /],
  ['circle.tif', 'This TIFF image is damaged', /pages refer to each other/],
  ['ragged.csv', 'This table is damaged', /ragged\.csv: row 2: 1 cells, and 2 in the first row/],
  ['wide.png', 'This PNG image is too large for a page', /wide\.png: an image of [^]* pixels: [^]* GB/],
])
  test(`${name} is explained`, () =>
    come('', async page => {
      await choose(page, 'File…', join(IMPORTS, name))
      const alert = page.locator('.error')
      await alert.waitFor()
      await says(alert.locator('h2'), title)
      await says(alert, message)
    }))

test('an error in a narrow window does not touch its edges', () =>
  come(
    '',
    async page => {
      await choose(page, 'File…', join(IMPORTS, 'cut.png'))
      const { x, width } = await page.locator('.error').boundingBox()
      assert.ok(x >= 8 && x + width <= 352, `${x} to ${x + width}`)
    },
    { viewport: { width: 360, height: 640 } },
  ))

test('a file that is too large for memory is refused with numbers', () =>
  come('', async page => {
    const message = await page.evaluate(async () => {
      // 4 GB of zeros, that take no memory.
      const part = new Blob([new Uint8Array(2 ** 24)])
      const table = new File(
        Array.from({ length: 256 }, () => part),
        'large.csv',
      )
      await document.querySelector('b2nd-viewer').open({ name: table.name, openable: table })
      return document.querySelector('b2nd-viewer').shadowRoot.querySelector('.error').innerText
    })
    assert.match(message, /This table is too large for a page[^]*Large\.csv: 13 GB, and a page can hold 1\.1 GB/i)
  }))

test('opening shows progress and can be cancelled', () =>
  come('', async page => {
    await page.evaluate(() => {
      // A file of which only the first 32 MB come.
      class Slow extends Blob {
        slice(from, to) {
          return Object.assign(new Slow([super.slice(from, to)]), { waits: from >= 2 ** 25 })
        }
        arrayBuffer() {
          return this.waits ? new Promise(() => {}) : super.arrayBuffer()
        }
      }
      const header = `{'descr': '|u1', 'fortran_order': False, 'shape': (${2 ** 26},), }`.padEnd(117) + '\n'
      const sign = Uint8Array.of(0x93, ...new TextEncoder().encode('NUMPY'), 1, 0, 118, 0)
      const file = new Slow([sign, header, new Uint8Array(2 ** 26)])
      void document
        .querySelector('b2nd-viewer')
        .open({ name: 'slow.npy', openable: { kind: 'file', getFile: async () => file } })
      document.querySelector('b2nd-viewer').hidden = false
    })
    await page.waitForFunction(
      () => document.querySelector('b2nd-viewer').shadowRoot.querySelector('.opening progress')?.value === 0.5,
    )
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor()
  }))
