// The cost, sharing, aborting and correctness of reading over HTTP, with an array written by python-blosc2.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isB2ndError, open, openArray, slice } from 'b2nd'
import { openFile } from 'b2nd/node'
import { serve } from './lib/server.mjs'

/**
 * 4 × 4 × 4 chunks of 64³ in blocks of 16³, of which one is zeros and not stored; noise below a ramp. And chunks of lengths
 * that differ, in files of their own.
 */
const WRITER = `
import sys, numpy as np, blosc2
rng = np.random.default_rng(1)
z, y, x = np.ogrid[:256, :256, :256]
a = ((z * 3 + y * 5 + x * 7) + rng.integers(0, 64, (256, 256, 256))).astype("<i2")
a[64:128, 64:128, 64:128] = 0
cparams = dict(codec=blosc2.Codec.LZ4, clevel=5, filters=[blosc2.Filter.SHUFFLE], nthreads=1)
b = blosc2.asarray(a, chunks=(64, 64, 64), blocks=(16, 16, 16), urlpath=sys.argv[1], mode="w", cparams=cparams)
b.schunk.vlmeta["unit"] = "K"
np.save(sys.argv[2], a)
differing = [rng.integers(0, 2**31, n, dtype="<i4") for n in (500_000, 300_000, 5)]
s = blosc2.SChunk(chunksize=2_000_000, urlpath=sys.argv[3], contiguous=False, cparams=dict(typesize=4))
for part in differing:
    s.append_data(part)
np.concatenate(differing).tofile(sys.argv[4])
`
const SIDE = 256
let folder, file, values, server

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'b2nd-'))
  const [path, npy, ...others] = ['cube.b2nd', 'cube.npy', 'differing', 'differing.bin'].map(name => join(folder, name))
  execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', WRITER, path, npy, ...others])
  file = readFileSync(path)
  const saved = readFileSync(npy)
  values = new Int16Array(
    saved.buffer.slice(saved.byteOffset + saved.length - 2 * SIDE ** 3, saved.byteOffset + saved.length),
  )
  server = await serve({ '/cube.b2nd': file })
})

after(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function opened(options) {
  server.manner = 'good'
  server.latency = 0
  server.reset()
  return openArray(server.url('/cube.b2nd'), options)
}

/** The items in the box of ranges [start, stop). */
function expected([z0, z1], [y0, y1], [x0, x1]) {
  const box = []
  for (let z = z0; z < z1; z++) {
    for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) box.push(values[(z * SIDE + y) * SIDE + x])
  }
  return Int16Array.from(box)
}

test('opening is one request of 8 KiB', async () => {
  const array = await opened()
  assert.deepEqual(array.traffic, { requests: 1, bytes: 8192 })
  assert.deepEqual(array.shape, [256, 256, 256])
  assert.equal(server.requests.length, 1)
  assert.equal(server.requests[0].range, 'bytes=0-8191')
})

test('a point in the first chunk takes the index and a block', async () => {
  const array = await opened()
  assert.equal(await array.at(20, 20, 20), values[(20 * SIDE + 20) * SIDE + 20])
  assert.ok(server.requests.length <= 3, `${server.requests.length} requests`)
})

test('a corner reads little more than its blocks', async () => {
  const array = await opened()
  await array.at(100, 100, 100)
  const before = array.traffic
  const { data, shape } = await array.get([slice(200, 216), slice(200, 216), slice(200, 216)])
  assert.deepEqual(data, expected([200, 216], [200, 216], [200, 216]))
  assert.deepEqual(shape, [16, 16, 16])
  const bytes = array.traffic.bytes - before.bytes
  // 2³ blocks of 4³ in a chunk; all chunks compress alike.
  const blocks = (file.length / 63) * (8 / 64)
  assert.ok(bytes < blocks * 1.1, `${bytes} bytes for blocks of ${Math.round(blocks)}`)
})

test('planes along each axis', async () => {
  for (const axis of [0, 1, 2]) {
    const array = await opened()
    await array.chunkMap()
    const [ranges, selection] = [
      [
        [0, 256],
        [0, 256],
        [0, 256],
      ],
      [null, null, null],
    ]
    ranges[axis] = [70, 71]
    selection[axis] = 70
    const before = array.traffic
    const { data, shape } = await array.get(selection)
    assert.deepEqual(shape, [256, 256])
    assert.deepEqual(data, expected(...ranges))
    const bytes = array.traffic.bytes - before.bytes
    const blocks = (file.length / 63) * (15 / 4)
    assert.ok(bytes < blocks * 1.1, `axis ${axis}: ${bytes} bytes for blocks of ${Math.round(blocks)}`)
    assert.equal(server.peak <= 8, true)
  }
})

test('what is not stored costs nothing', async () => {
  const array = await opened()
  await array.chunkMap()
  const before = array.traffic
  const { data } = await array.get([slice(64, 128), slice(64, 128), slice(64, 128)])
  assert.ok(data.every(value => value === 0))
  assert.deepEqual(array.traffic, before)
})

test('the map of chunks', async () => {
  const array = await opened()
  const map = Array.from(await array.chunkMap())
  assert.equal(map.length, 64)
  const zeros = map.flatMap(({ special }, nchunk) => (special ? [[nchunk, special]] : []))
  assert.deepEqual(zeros, [[21, 'zeros']])
  assert.deepEqual(map[21], { nchunk: 21, count: 1, offset: null, extent: 0, special: 'zeros' })
  const stored = map.filter(({ offset }) => offset !== null).sort((a, b) => a.offset - b.offset)
  stored.reduce((end, { offset, extent }) => (assert.equal(offset, end), offset + extent), array.info.headerLength)
  assert.ok(stored.every(({ extent }) => extent > 100_000))
})

test('plans are exact where the heads of chunks are known', async () => {
  const array = await opened({ cache: 0 })
  const selection = [slice(0, 8), slice(0, 200), slice(30, 40)]
  const { blocks, chunks, decodedBytes } = await array.plan(selection)
  assert.deepEqual([blocks, chunks, decodedBytes], [1 * 13 * 2, 4, 8 * 200 * 10 * 2])
  const held = await opened()
  await held.get([slice(0, 1), slice(0, 200), slice(30, 40)])
  const cost = await held.plan([slice(16, 24), slice(0, 200), slice(30, 40)])
  const before = held.traffic
  await held.get([slice(16, 24), slice(0, 200), slice(30, 40)])
  const { requests, bytes } = held.traffic
  assert.deepEqual(cost, { ...cost, exact: true, requests: requests - before.requests, bytes: bytes - before.bytes })
})

test('a second look costs nothing, nor does what was prefetched', async () => {
  const array = await opened()
  await array.prefetch([5])
  const before = array.traffic
  await array.get([5])
  const cost = await array.plan([5])
  assert.deepEqual([cost.requests, cost.bytes, cost.exact], [0, 0, true])
  assert.deepEqual(array.traffic, before)
})

test('plan tells what reading will cost', async () => {
  const array = await opened()
  const guess = await array.plan([slice(0, 8)])
  const before = array.traffic
  await array.get([slice(0, 8)])
  const bytes = array.traffic.bytes - before.bytes
  assert.ok(guess.bytes > bytes / 2 && guess.bytes < bytes * 2, `${guess.bytes} for ${bytes}`)
})

test('everything, whole, in parts and into an array', async () => {
  const array = await opened()
  assert.deepEqual((await array.get()).data, values)
  let count = 0
  for await (const { start, shape, data } of array.parts()) {
    count += data.length
    assert.equal(data[0], values[(start[0] * SIDE + start[1]) * SIDE + start[2]])
    assert.deepEqual(shape, [64, 64, 64])
  }
  assert.equal(count, values.length)
  const out = new Int16Array(256)
  await array.getInto(out, [1, 2])
  assert.deepEqual(out, expected([1, 2], [2, 3], [0, 256]))
  await assert.rejects(array.getInto(new Int32Array(128), [1, 2]), error => isB2ndError(error, 'argument'))
})

test('statistics', async () => {
  const array = await opened()
  const stats = await array.stats([slice(0, 20)], { bins: 10 })
  const some = values.subarray(0, 20 * SIDE * SIDE)
  assert.equal(stats.count, some.length)
  assert.equal(
    stats.min,
    some.reduce((a, b) => Math.min(a, b)),
  )
  assert.equal(
    stats.max,
    some.reduce((a, b) => Math.max(a, b)),
  )
  assert.equal(
    stats.histogram.counts.reduce((a, b) => a + b),
    some.length,
  )
})

test('attributes', async () => {
  const array = await opened()
  assert.deepEqual({ ...(await array.attrs()) }, { unit: 'K' })
})

test('aborting stops requests and rejects with the reason', async () => {
  const array = await opened()
  await array.chunkMap()
  server.manner = 'slow'
  const controller = new AbortController()
  const reading = array.get([3], { signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 30)
  await assert.rejects(reading, /^Error: enough$/)
  // The server learns of it later; the slow answers would take longer.
  const left = () => server.requests.slice(2).filter(({ aborted }) => !aborted)
  for (let k = 0; left().length && k < 100; k++) await new Promise(resolve => setTimeout(resolve, 10))
  assert.deepEqual(left(), [])
  server.manner = 'good'
  assert.equal((await array.get([3])).data[5], values[3 * SIDE * SIDE + 5])
  await assert.rejects(array.get([3], { signal: AbortSignal.abort(new Error('never')) }), /never/)
})

test('who shares a read is not hurt by who leaves', async () => {
  const array = await opened()
  await array.chunkMap()
  server.manner = 'slow'
  const controller = new AbortController()
  const leaving = array.get([3, slice(0, 64), slice(0, 64)], { signal: controller.signal })
  const staying = array.get([3, slice(0, 64), slice(0, 64)])
  setTimeout(() => controller.abort(), 30)
  await assert.rejects(leaving, { name: 'AbortError' })
  assert.deepEqual((await staying).data, expected([3, 4], [0, 64], [0, 64]))
  const ranges = server.requests.map(({ range }) => range)
  assert.equal(new Set(ranges).size, ranges.length, 'each range was asked for once')
})

test('bad manners', async () => {
  const url = server.url('/cube.b2nd')
  const expect = async (manner, code, options) => {
    server.reset()
    server.manner = manner
    const reading = (async () => {
      const array = await openArray(url, { retries: 1, ...options })
      return (await array.get([0, 0, slice(0, 3)])).data
    })()
    if (code) await assert.rejects(reading, error => isB2ndError(error, code) && error.url === url, manner)
    else assert.deepEqual(await reading, expected([0, 1], [0, 1], [0, 3]), manner)
    server.manner = 'good'
  }
  await expect('good')
  await expect('busy')
  await expect('short')
  await expect('no-cors-exposure')
  await expect('no-range', undefined, { maxWhole: 2 ** 26 })
  await expect('no-range', 'not-ranged', { maxWhole: 2 ** 20 })
  await expect('wrong-range', 'source')
  await expect('gzip', 'source')
  await expect('truncated', 'network')
  await expect('changing', 'changed')
  await expect('broken', 'http')
  await expect('slow')
  server.reset()
  await assert.rejects(open(server.url('/nothing')), error => isB2ndError(error, 'http') && error.status === 404)
  assert.equal(server.requests.length, 1)
  await assert.rejects(
    open('http://127.0.0.1:1/x'),
    error => isB2ndError(error, 'network') && /CORS/.test(error.message),
  )
})

test('a file that ends too early', async () => {
  const half = file.subarray(0, file.length / 2)
  await assert.rejects(
    open(half).then(array => array.get([255])),
    error => isB2ndError(error, 'format'),
  )
  await assert.rejects(
    open(new Blob([half])).then(array => array.get([255])),
    error => isB2ndError(error, 'format'),
  )
})

test('progress', async () => {
  const array = await opened()
  const seen = []
  await array.get([slice(0, 70)], { onProgress: progress => seen.push(progress) })
  assert.ok(seen.every(({ loaded }, k) => k === 0 || loaded > seen[k - 1].loaded))
  assert.equal(seen.at(-1).loaded, seen.at(-1).total)
  assert.equal(seen.at(-1).total, 70 * SIDE * SIDE * 2)
  const { requests, bytes } = array.traffic
  assert.deepEqual([seen.at(-1).requests, seen.at(-1).bytes], [requests - 1, bytes - 8192])
})

test('chunks whose lengths differ tell for themselves how long their files are', async () => {
  const frame = await openFile(join(folder, 'differing'))
  const chunks = []
  for (let nchunk = 0; nchunk < (await frame.nchunks()); nchunk++) chunks.push(await frame.chunk(nchunk))
  assert.deepEqual(
    chunks.map(chunk => chunk.length),
    [2_000_000, 1_200_000, 20],
  )
  assert.deepEqual(Buffer.concat(chunks), readFileSync(join(folder, 'differing.bin')))
})
