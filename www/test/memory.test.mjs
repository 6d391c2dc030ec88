// Decoding ten thousand times takes no more memory than decoding a few times.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { frameSource } from './lib/frames.mjs'
import { cases } from './lib/golden.mjs'

/** All wasm memories in the order of creation. */
const memories = []
const { Instance } = WebAssembly
WebAssembly.Instance = class extends Instance {
  constructor(...parameters) {
    super(...parameters)
    memories.push(this.exports.memory)
  }
}
const { decodeChunk, init, open, openArray } = await import('b2nd')
const size = () => memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
const TIMES = 10_000

test('chunks', async () => {
  await init()
  const chunks = cases.filter(({ kind, error }) => kind === 'chunk' && !error).map(({ path }) => readFileSync(path))
  for (const chunk of chunks) await decodeChunk(chunk)
  const before = size()
  for (let k = 0; k < TIMES; k++) await decodeChunk(chunks[k % chunks.length])
  assert.equal(size(), before)
  console.log(`${before / 2 ** 20} MiB before and after ${TIMES} chunks`)
})

test('chunks that are damaged', async () => {
  const { path } = cases.find(({ kind, error, nbytes }) => kind === 'chunk' && !error && nbytes > 1000)
  const chunk = readFileSync(path)
  const attempt = k => decodeChunk(chunk.subarray(0, k % chunk.length)).then(assert.fail, () => {})
  for (let k = 0; k < chunk.length; k++) await attempt(k)
  const before = size()
  for (let k = 0; k < TIMES; k++) await attempt(k)
  assert.equal(size(), before)
})

test('slices of arrays', async () => {
  const files = cases.filter(
    ({ kind, error, shape, file }) => kind === 'array' && !error && shape.length === 3 && file.endsWith('.b2nd'),
  )
  const arrays = await Promise.all(files.map(({ path }) => openArray(readFileSync(path))))
  for (const array of arrays) await array.get()
  const before = size()
  for (let k = 0; k < TIMES; k++) {
    const array = arrays[k % arrays.length]
    if (array.shape[0]) await array.get([k % array.shape[0]])
  }
  assert.equal(size(), before)
  assert.equal(memories.length, 1)
})

test('an index that is not compressed is copied a part at a time', async () => {
  const before = size()
  const entries = BigInt64Array.from({ length: 2 ** 21 }, (_, k) => BigInt(40 * k))
  assert.equal(await (await open(frameSource({ entries }))).nchunks(), entries.length)
  const more = size() - before - entries.byteLength
  assert.ok(more < 2 ** 23, `${more} bytes beside the index itself`)
})
