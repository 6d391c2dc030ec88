// Arguments and options are checked: an invalid one fails as `argument` and is named.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  B2ndError,
  chunkInfo,
  decodeChunk,
  decodeChunkSync,
  getModule,
  init,
  initSync,
  open,
  openArray,
  probe,
  slice,
  StructArray,
} from 'b2nd'
import { Blosc } from 'b2nd/codecs'
import { hdf5Filters } from 'b2nd/hdf5'
import { fileSource, openFile } from 'b2nd/node'
import { createPool } from 'b2nd/pool'
import { encodeArray } from 'b2nd/write'
import { cases } from './lib/golden.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const { path: chunkPath } = cases.find(({ kind, error, offset }) => kind === 'chunk' && !error && !offset)
const file = readFileSync(path)
const array = await openArray(file)

/** Fails as `argument` with a message that has `name`. */
const names = name => error => {
  assert.ok(error instanceof Error && error.name === 'B2ndError', String(error))
  assert.equal(error.code, 'argument', error.message)
  assert.ok(error.message.includes(name), `${error.message} does not name ${name}`)
  return true
}

async function refuses(call, name) {
  await assert.rejects(async () => call(), names(name))
}

const OPEN = {
  signal: [5, {}],
  fetch: ['fetch'],
  retries: [NaN, -1, '4', 1.5],
  maxWhole: [NaN, '1'],
  offset: [NaN, 1.5, -1, Infinity, '0', 2 ** 53],
  cache: [NaN, -1, '32'],
  concurrency: [0, -1, NaN, 1.5, '8'],
  gap: [NaN, -1],
  waste: [NaN, -0.1, '0'],
  limits: ['x', 5],
  onTraffic: [{}],
  decoder: [{}, 'pool'],
}

test('options of open', async () => {
  for (const [name, values] of Object.entries(OPEN)) {
    for (const value of [...values, null]) {
      for (const call of [open, openArray, probe]) await refuses(() => call(new Blob([file]), { [name]: value }), name)
      await refuses(() => openFile(path, { [name]: value }), name)
    }
  }
  for (const limits of [{ memory: NaN }, { memory: '1' }, { metadata: -1 }]) {
    await refuses(() => open(file, { limits }), Object.keys(limits)[0])
  }
  for (const options of [null, 5, 'x']) await refuses(() => open(file, options), 'options')
})

test('options that are not given are those of nobody', async () => {
  const given = Object.fromEntries(Object.keys(OPEN).map(name => [name, undefined]))
  const limits = { memory: undefined, metadata: undefined }
  for (const options of [given, { limits }, undefined]) {
    const { data } = await (
      await openArray(file, options)
    ).get([0, 0, 0], { signal: undefined, int64: undefined, onProgress: undefined })
    assert.equal(data.length, 1)
  }
  await openArray(file, {
    cache: Infinity,
    gap: Infinity,
    waste: Infinity,
    retries: Infinity,
    maxWhole: Infinity,
    concurrency: Infinity,
    limits: { memory: Infinity },
  })
})

test('options of reads', async () => {
  const schunk = array.schunk
  const reads = [
    options => array.get(null, options),
    options => array.getInto(new Float32Array(1), [0, 0, 0], options),
    options => array.stats(null, options),
    options => array.plan(null, options),
    options => array.prefetch(null, options),
    options => array.parts(null, options).next(),
    options => schunk.get(0, 1, options),
    options => schunk.select(null, options),
    options => schunk.chunk(0, options),
    options => schunk.nchunks(options),
    options => array.chunkMap(options),
    options => array.attrs(options),
  ]
  for (const read of reads) {
    await refuses(() => read(null), 'options')
    await refuses(() => read({ signal: 'now' }), 'signal')
  }
  for (const int64 of ['foo', 5, null, true]) {
    await refuses(() => array.get(null, { int64 }), 'int64')
    await refuses(() => array.parts(null, { int64 }).next(), 'int64')
  }
  for (const bins of [0, -1, 1.5, NaN, 1e10, '3', Infinity]) await refuses(() => array.stats(null, { bins }), 'bins')
  for (const range of [5, [1, 0], [NaN, 1], [0, Infinity], [0], ['0', '1'], {}, null]) {
    await refuses(() => array.stats(null, { bins: 3, range }), 'range')
  }
  await refuses(() => array.stats(null, { range: [0, 1] }), 'bins')
  await refuses(() => array.get(null, { onProgress: 5 }), 'onProgress')
})

test('at takes positions', async () => {
  for (const index of [null, slice(5, 6), undefined, '...', 0.5, NaN, '1', [0], 2n ** 64n]) {
    await refuses(() => array.at(index, 0, 0), 'position')
  }
  await refuses(() => array.at(0, 0), '2 indices')
  assert.equal(await array.at(0n, 0, 0), (await array.get([0, 0, 0])).data[0])
})

test('getInto takes arrays', async () => {
  for (const out of [
    undefined,
    null,
    5,
    [],
    {},
    new DataView(new ArrayBuffer(4)),
    new ArrayBuffer(4),
    new Int32Array(1),
    new Float32Array(2),
  ]) {
    await refuses(() => array.getInto(out, [0, 0, 0]), 'out')
  }
})

test('options that do not exist are refused, and named', async () => {
  await refuses(() => openArray(file, { retires: 3 }), 'retires')
  await refuses(() => openArray(file, { limits: { memmory: 3 } }), 'memmory')
  await refuses(() => array.get(null, { int46: 'number' }), 'int46')
  await refuses(() => encodeArray([1], { dtype: '<i4', codecs: 'zstd' }), 'codecs')
  await openArray(file, { retires: undefined })
})

test('buffers that were transferred are detached', async () => {
  for (const bytes of [new Uint8Array(file), new Uint8Array(file).buffer, new DataView(new Uint8Array(file).buffer)]) {
    structuredClone(0, { transfer: [bytes.buffer ?? bytes] })
    for (const call of [openArray, decodeChunk]) await refuses(() => call(bytes), 'detached')
  }
  const floats = new Float32Array(4)
  structuredClone(0, { transfer: [floats.buffer] })
  await refuses(() => encodeArray(floats), 'detached')
})

test('a path, and items without a shape', async () => {
  await refuses(() => openArray('/data/array.b2nd'), 'b2nd/node')
  await refuses(() => openArray('array.b2nd'), 'b2nd/node')
  await refuses(() => encodeArray({ data: new Float32Array(4) }), 'shape')
  await refuses(() => encodeArray(new ArrayBuffer(8), { dtype: '<f4' }), 'shape')
})

test('closing twice is closing once', async () => {
  let closed = 0
  const source = { read: (at, length) => file.subarray(at, at + length), close: () => void closed++ }
  const opened = await openArray(source)
  await Promise.all([opened.close(), opened.close()])
  await opened.close()
  assert.equal(closed, 1)
})

test('`is` tells dtypes apart', async () => {
  const named = {
    '<f2': 'float16',
    '>f8': 'float64',
    '|b1': 'bool',
    '<M8[ns]': 'datetime64',
    '<c16': 'complex128',
    '<U3': 'str',
  }
  for (const [dtype, name] of Object.entries(named)) {
    const array = await openArray(await encodeArray(new ArrayBuffer(0), { dtype, shape: [0] }))
    assert.deepEqual(
      Object.values(named).filter(other => array.is(other)),
      [name],
    )
  }
  const halves = await openArray(await encodeArray([1, 2], { dtype: '<f2' }))
  assert.ok((await halves.get()).data instanceof Float32Array)
})

test('chunks are bytes', async () => {
  await init()
  const chunk = readFileSync(chunkPath)
  for (const wrong of [undefined, null, 5, 'bytes', [1, 2, 3], {}]) {
    for (const call of [decodeChunk, decodeChunkSync, chunkInfo]) await refuses(() => call(wrong), 'chunk')
    await refuses(() => new Blosc().decode(wrong), 'chunk')
    await refuses(() => hdf5Filters[32001](wrong), 'stored')
  }
  for (const out of [[], 'x', new ArrayBuffer(9)]) await refuses(() => decodeChunk(chunk, { out }), 'out')
  await refuses(() => decodeChunk(chunk, null), 'options')
  await refuses(() => decodeChunk(chunk, { limits: { memory: NaN } }), 'memory')
  assert.deepEqual(
    await decodeChunk(chunk.buffer.slice(chunk.byteOffset, chunk.byteOffset + chunk.length)),
    await decodeChunk(chunk),
  )
})

test('configurations of the codec', () => {
  for (const config of [null, 5]) assert.throws(() => Blosc.fromConfig(config), names('config'))
  for (const shuffle of ['length', 3, null, Symbol('x'), {}])
    assert.throws(() => Blosc.fromConfig({ shuffle }), names('shuffle'))
  assert.throws(() => Blosc.fromConfig({ cname: Object.create(null) }), names('compressor'))
})

test('pools', async () => {
  for (const size of [0, -1, NaN, 'four', 1.5, null]) assert.throws(() => createPool({ size }), names('size'))
  for (const idleMs of [NaN, -1, '10']) assert.throws(() => createPool({ idleMs }), names('idleMs'))
  assert.throws(() => createPool({ createWorker: 'worker.js' }), names('createWorker'))
  assert.throws(() => createPool(null), names('options'))
})

test('the wasm', async () => {
  for (const call of [init, getModule]) {
    await refuses(() => call(null), 'options')
    await refuses(() => call({ bytes: 'x' }), 'bytes')
    await refuses(() => call({ url: 5 }), 'url')
    await refuses(() => call({ module: {} }), 'module')
  }
  assert.throws(() => initSync({ bytes: 5 }), names('bytes'))
})

test('chunks and fields are named by what they have', async () => {
  const { schunk } = array
  for (const nchunk of [0.5, '0', null, undefined, -1, 'length'])
    await assert.rejects(schunk.chunk(nchunk), { code: 'argument' })
  const type = {
    kind: 'struct',
    size: 1,
    order: '|',
    fields: [{ name: 'x', title: null, offset: 0, type: { kind: 'uint', size: 1, order: '|' } }],
  }
  const items = new StructArray(type, new Uint8Array(2), 'bigint')
  for (const name of [null, undefined, 0]) assert.throws(() => items.column(name), names('field'))
  for (const at of [0.5, '0', null, 2, -1, NaN]) assert.throws(() => items.row(at), { code: 'argument' })
})

test('what is opened', async () => {
  for (const openable of [
    { byteLength: NaN, slice: () => new ArrayBuffer(1) },
    { byteLength: 1.5, slice: () => new ArrayBuffer(1) },
  ]) {
    await refuses(() => open(openable), 'byteLength')
  }
  for (const openable of [{ read: 5 }, { part: 'x' }, { byteLength: 5 }, Symbol('x'), Object.create(null)])
    await refuses(() => open(openable), 'give')
  for (const wrong of [undefined, null, 5, {}, new URL('https://example.org/x.b2nd')]) {
    await refuses(() => fileSource(wrong), 'file')
    await refuses(() => openFile(wrong), 'file')
  }
})

test('a wrong option ends no process', () => {
  const program = `
    import { open } from 'b2nd'
    await open(new Blob([new Uint8Array(100_000)]), { offset: 1.5 }).catch(error => console.log(error.code))`
  const run = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  assert.equal(run, 'argument\n')
})

test('errors have the name of their class', () => {
  assert.equal(new B2ndError('argument', 'x').stack.split('\n')[0], 'B2ndError: x')
})
