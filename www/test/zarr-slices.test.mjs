// `getSlice` of b2nd/zarr beside `get` of zarrita: in all forms of storing that read parts of chunks, and those that do not.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { FileSystemStore } from '@zarrita/storage'
import { isB2ndError } from 'b2nd'
import { createPool } from 'b2nd/pool'
import { getSlice, register } from 'b2nd/zarr'
import * as zarr from 'zarrita'
import { serve } from './lib/server.mjs'

register(zarr.registry)
const { slice } = zarr
const folder = mkdtempSync(join(tmpdir(), 'b2nd-slices-'))
after(() => rmSync(folder, { recursive: true }))

const blosc = (cname, typesize, more = {}) => ({
  name: 'blosc',
  configuration: { cname, shuffle: 'shuffle', clevel: 5, typesize, blocksize: 0, ...more },
})
const endian = order => ({ name: 'bytes', configuration: { endian: order } })
const b2nd = (block_shape, order = 'little') => ({
  name: 'b2nd',
  configuration: { block_shape, endian: order, cname: 'lz4', clevel: 5, filters: ['shuffle'] },
})

/** The files of an array that zarrita writes, as a store. */
async function written(shape, chunks, dtype, codecs, data, fill = 0) {
  const files = new Map()
  const options = {
    shape,
    chunkShape: chunks,
    chunk_shape: chunks,
    dtype,
    data_type: dtype,
    codecs,
    fillValue: fill,
    fill_value: fill,
  }
  const array = await zarr.create(files, options)
  const stride = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1))
  await zarr.set(array, null, { data, shape, stride })
  return files
}

const json = bytes => JSON.parse(Buffer.from(bytes).toString())
const text = value => Buffer.from(JSON.stringify(value))

/** The same array in Zarr 2. */
function old(files, dtype, order = 'C', separator = '.') {
  const { shape, chunk_grid: grid, codecs, fill_value } = json(files.get('/zarr.json'))
  const { name: id, configuration } = codecs.at(-1)
  const shuffle = { noshuffle: 0, shuffle: 1, bitshuffle: 2 }[configuration.shuffle]
  const compressor = { id, ...configuration, shuffle }
  const chunk = grid.configuration.chunk_shape
  const meta = { zarr_format: 2, shape, chunks: chunk, dtype, order, fill_value, filters: null, compressor }
  const made = new Map([['/.zarray', text({ ...meta, dimension_separator: separator })]])
  for (const [key, bytes] of files) {
    if (key.startsWith('/c/')) made.set(`/${key.slice(3).replaceAll('/', separator)}`, bytes)
  }
  return made
}

/** The same array with its chunks in shards of `count` chunks along each axis. */
function sharded(files, count) {
  const meta = json(files.get('/zarr.json'))
  const inner = meta.chunk_grid.configuration.chunk_shape
  const shards = new Map()
  for (const [key, bytes] of files) {
    if (!key.startsWith('/c/')) continue
    const position = key.slice(3).split('/').map(Number)
    const shard = `/c/${position.map((at, axis) => Math.floor(at / count[axis])).join('/')}`
    if (!shards.has(shard)) shards.set(shard, [])
    shards.get(shard).push([position.reduce((sum, at, axis) => sum * count[axis] + (at % count[axis]), 0), bytes])
  }
  const configuration = {
    chunk_shape: inner,
    codecs: meta.codecs,
    index_codecs: [endian('little')],
    index_location: 'end',
  }
  const grid = { name: 'regular', configuration: { chunk_shape: inner.map((length, axis) => length * count[axis]) } }
  const codecs = [{ name: 'sharding_indexed', configuration }]
  const made = new Map([['/zarr.json', text({ ...meta, codecs, chunk_grid: grid })]])
  for (const [key, chunks] of shards) {
    const index = new BigUint64Array(2 * count.reduce((a, b) => a * b, 1)).fill(2n ** 64n - 1n)
    let at = 0
    for (const [number, bytes] of chunks) {
      index.set([BigInt(at), BigInt(bytes.length)], 2 * number)
      at += bytes.length
    }
    made.set(key, new Uint8Array(Buffer.concat([...chunks.map(([, bytes]) => bytes), Buffer.from(index.buffer)])))
  }
  return made
}

/** A store of files in memory that counts bytes, and whose bytes are read by ranges. */
function counting(files) {
  return {
    bytes: 0,
    whole: 0,
    get(key) {
      const bytes = files.get(key)
      if (bytes && !/zarr|json/.test(key)) this.whole += bytes.length
      return bytes
    },
    getRange(key, { offset, length, suffixLength }) {
      const bytes = files.get(key)
      const found = suffixLength ? bytes?.subarray(-suffixLength) : bytes?.subarray(offset, offset + length)
      this.bytes += found?.length ?? 0
      return found
    },
  }
}

const open = store => zarr.open(store, { kind: 'array' })
const plain = data => (data.buffer ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : data)

async function equal(array, selection, options, name) {
  const expected = await zarr.get(array, selection)
  const found = await getSlice(array, selection, options)
  if (typeof expected !== 'object') return assert.equal(found, expected, name)
  assert.deepEqual([found.shape, found.stride], [expected.shape, expected.stride], name)
  assert.equal(found.data.constructor, expected.data.constructor, name)
  assert.deepEqual(plain(found.data), plain(expected.data), name)
}

/** Repeatable numbers from 0 to 1. */
function random(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const TYPES = {
  uint8: ['|u1', Uint8Array],
  int16: ['<i2', Int16Array],
  float32: ['<f4', Float32Array],
  float64: ['<f8', Float64Array],
  int64: ['<i8', BigInt64Array],
}

test('slices are those of zarrita, in all forms of storing', async () => {
  const next = random(7)
  const upTo = most => Math.floor(next() * most)
  for (let round = 0; round < 30; round++) {
    const ndim = 1 + upTo(3)
    const shape = Array.from({ length: ndim }, () => 1 + upTo([3000, 90, 30][ndim - 1]))
    const chunks = shape.map(length => 1 + upTo(length + 3))
    // Chunks that are many are slow, not more telling.
    shape.forEach((length, axis) => (chunks[axis] = Math.max(chunks[axis], Math.ceil(length / 4))))
    const [dtype, [name, Type]] = Object.entries(TYPES)[round % 5]
    const size = shape.reduce((a, b) => a * b, 1)
    const value = k => Math.floor(Math.sin(k / 50) * 100) + (upTo(3) ? 0 : upTo(100))
    const data = Type.from({ length: size }, (_, k) => (dtype === 'int64' ? BigInt(value(k)) : value(k)))
    const { BYTES_PER_ELEMENT: itemsize } = Type
    const order = round % 3 === 0 ? 'big' : 'little'
    const cname = ['lz4', 'zstd', 'blosclz', 'zlib'][round % 4]
    const blocksize = [0, 64 * itemsize, 1000][round % 3]
    const blocks = chunks.map(length => 1 + upTo(length))
    const chain = [
      [endian(order), blosc(cname, itemsize, { blocksize })],
      [endian(order), { ...blosc(cname, itemsize, { blocksize }), name: 'blosc2' }],
      [b2nd(blocks, order)],
      [
        { name: 'transpose', configuration: { order: shape.map((_, axis) => ndim - 1 - axis) } },
        endian(order),
        blosc(cname, itemsize),
      ],
      [endian(order)],
    ][round % 5]
    const files = await written(shape, chunks, dtype, chain, data)
    // Some chunks are missing.
    for (const key of files.keys()) if (key.startsWith('/c/') && upTo(8) === 0) files.delete(key)
    const stores = [files]
    if (chain.at(-1).name === 'blosc' && chain[0].name !== 'transpose')
      stores.push(old(files, name.replace('<', order === 'big' ? '>' : '<'), 'C', round % 2 ? '.' : '/'))
    if (chain.at(-1).name === 'blosc' && chain[0].name === 'transpose')
      stores.push(old(files, name.replace('<', order === 'big' ? '>' : '<'), 'F'))
    if (chain[0].name !== 'transpose')
      stores.push(
        sharded(
          files,
          shape.map(() => 2),
        ),
      )
    for (const files of stores) {
      const array = await open(counting(files))
      for (let k = 0; k < 3; k++) {
        const selection = shape.map(length => {
          const start = upTo(length)
          return [null, start, slice(start, start + 1 + upTo(length - start), 1 + upTo(3)), slice(start + 1)][upTo(4)]
        })
        const what = `round ${round}: ${JSON.stringify({ shape, chunks, dtype, chain, selection })}`
        await equal(array, selection, { partial: true }, what)
        await equal(array, selection, {}, `${what}, whole`)
      }
    }
    // A store without ranges.
    await equal(await open(files), null, { partial: true }, `round ${round}`)
  }
})

test('a block may begin in the first bytes that are read, and end in others', async () => {
  const next = random(11)
  const data = Uint8Array.from({ length: 40_000 }, () => next() * 256)
  const chain = [endian('little'), blosc('lz4', 1, { blocksize: 1000, shuffle: 'noshuffle' })]
  const array = await open(counting(await written([40_000], [40_000], 'uint8', chain, data)))
  assert.deepEqual((await getSlice(array, null, { partial: true })).data, data)
})

let large, items
const SHAPE = [200, 500, 500]

before(async () => {
  // 100 MB.
  const noise = random(3)
  items = Int16Array.from({ length: 5e7 }, (_, k) => (k % 1500) * 8 + ((k & 15) === 0 ? noise() * 64 : 0))
  const codecs = { blosc: [endian('little'), blosc('lz4', 2, { clevel: 1 })], b2nd: [b2nd([4, 50, 500])] }
  large = {}
  for (const [name, chain] of Object.entries(codecs)) large[name] = await written(SHAPE, SHAPE, 'int16', chain, items)
})

test('a slice of 1 % of a chunk of 100 MB reads less than 5 % of its bytes', async () => {
  const { length: nbytes } = large.blosc.get('/c/0/0/0')
  const forms = [
    ['blosc', large.blosc],
    ['b2nd', large.b2nd],
    ['Zarr 2', old(large.blosc, '<i2')],
    ['shard', sharded(large.blosc, [1, 1, 2])],
  ]
  for (const [name, files] of forms) {
    const server = await serve(
      Object.fromEntries([...files].map(([key, bytes]) => [`/a.zarr${key}`, Buffer.from(bytes)])),
    )
    const array = await open(new zarr.FetchStore(server.url('/a.zarr'), { useSuffixRequest: true }))
    await getSlice(array, [0, 0, 0], { partial: true })
    server.reset()
    const { data, shape } = await getSlice(array, [slice(100, 102), null, null], { partial: true })
    assert.deepEqual(shape, [2, 500, 500])
    assert.ok(plain(data).equals(plain(items.subarray(100 * 250000, 102 * 250000))), name)
    const share = server.bytes / nbytes
    assert.ok(share < 0.05, `${name}: ${server.bytes} of ${nbytes} bytes`)
    const requests = server.requests.filter(({ status }) => status === 206).length
    assert.ok(requests <= 8, `${name}: ${requests} requests`)
    await server.close()
  }
})

test('what fails has a code, and nothing is made up', async () => {
  const selection = [slice(100, 102), null, null]
  const fails = (store, code, options = {}) =>
    assert.rejects(
      open(store).then(array => getSlice(array, selection, { partial: true, ...options })),
      error => isB2ndError(error, ...code) || assert.fail(`${error.code}: ${error.stack}`),
    )
  for (const name of ['blosc', 'b2nd']) {
    const files = large[name]
    const chunk = files.get('/c/0/0/0')
    const changed = bytes => new Map([...files, ['/c/0/0/0', bytes]])
    // All blocks are damaged: lengths of streams that are too large.
    const damaged = Buffer.from(chunk)
    damaged.fill(0x7f, 16384)
    await fails(counting(changed(damaged)), ['format'])
    for (const length of [0, 10, 20, 1000, chunk.length >> 3]) {
      await fails(counting(changed(chunk.subarray(0, length))), ['format'])
      writeFolder(join(folder, name), files)
      truncateSync(join(folder, name, 'c/0/0/0'), length)
      await fails(new FileSystemStore(join(folder, name)), ['format'])
    }
    // Another chunk shape, item size or block shape.
    const meta = json(files.get('/zarr.json'))
    const grid = { name: 'regular', configuration: { chunk_shape: [200, 400, 500] } }
    for (const wrong of [
      { chunk_grid: grid },
      { data_type: 'int32' },
      ...(name === 'b2nd' ? [{ codecs: [b2nd([4, 50, 250])] }] : []),
    ]) {
      await fails(counting(new Map([...files, ['/zarr.json', text({ ...meta, ...wrong })]])), ['format'])
    }
  }
  const server = await serve({
    '/a.zarr/zarr.json': large.blosc.get('/zarr.json'),
    '/a.zarr/c/0/0/0': large.blosc.get('/c/0/0/0'),
  })
  const store = new zarr.FetchStore(server.url('/a.zarr'), {
    fetch: request => (request.url.includes('/c/') ? new Response('no', { status: 500 }) : fetch(request)),
  })
  await fails(store, ['source'])
  await fails(store, ['source'], { partial: false })
  // A server that knows no ranges sends the whole file.
  const array = await open(new zarr.FetchStore(server.url('/a.zarr'), { fetch: request => fetch(request.url) }))
  const { data } = await getSlice(array, selection, { partial: true })
  assert.ok(plain(data).equals(plain(items.subarray(100 * 250000, 102 * 250000))))
  const abort = AbortSignal.abort(new Error('enough'))
  await assert.rejects(getSlice(array, selection, { partial: true, signal: abort }), /enough/)
  const late = new AbortController()
  const stopped = getSlice(array, selection, { partial: true, signal: late.signal })
  late.abort(new Error('later'))
  await assert.rejects(stopped, /later/)
  await assert.rejects(getSlice(array, [0, 0, 0, 0]), error => isB2ndError(error, 'argument'))
  await assert.rejects(getSlice(array, [500]), error => isB2ndError(error, 'argument'))
  await assert.rejects(getSlice(array, null, { partly: true }), error => isB2ndError(error, 'argument'))
  await server.close()
})

function writeFolder(root, files) {
  for (const [key, bytes] of files) {
    mkdirSync(dirname(join(root, key)), { recursive: true })
    writeFileSync(join(root, key), bytes)
  }
}

test('chunks and blocks are decoded in workers', async () => {
  const pool = createPool({ size: 2 })
  const calls = []
  const watched = {
    call(job, options) {
      calls.push(job.call)
      return pool.call(job, options)
    },
  }
  register(zarr.registry, { pool: watched })
  const data = Int16Array.from({ length: 6000 }, (_, k) => k % 700)
  for (const chain of [
    [endian('little'), blosc('zstd', 2)],
    [endian('little'), { ...blosc('lz4', 2), name: 'blosc2' }],
    [b2nd([10, 20])],
  ]) {
    const files = await written([100, 60], [40, 60], 'int16', chain, data)
    calls.length = 0
    const array = await open(files)
    assert.deepEqual((await zarr.get(array)).data, data)
    assert.equal(calls.length, 3)
    assert.deepEqual(
      (await getSlice(array, [slice(7, 50), null], { partial: true, pool: watched })).data,
      data.subarray(420, 3000),
    )
    assert.equal(calls.length, 5)
    files.set('/c/0/0', files.get('/c/0/0').subarray(0, 60))
    await assert.rejects(zarr.get(await open(files)), ({ cause }) => isB2ndError(cause, 'format'))
  }
  const files = await written([100, 60], [40, 60], 'int16', [endian('little'), blosc('zstd', 2)], data)
  pool.close()
  await assert.rejects(zarr.get(await open(files)), ({ cause }) => isB2ndError(cause, 'argument'))
  register(zarr.registry)
  assert.deepEqual((await zarr.get(await open(files))).data, data)
})
