// Long work does not block the thread, whatever a file contains.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, StructArray } from 'b2nd'
import { frameSource } from './lib/frames.mjs'
import { source } from './lib/source.mjs'
import { longestStretch } from './lib/stretch.mjs'

/**
 * Milliseconds of the processor, all threads of Node.js included: several times what a stretch takes on a machine that does
 * nothing else, and less than any of this takes in one go.
 */
const LONG = 250

const many = 3_000_000
/** An array of numbers in MessagePack. */
const packed = new Uint8Array(5 + many).fill(7)
packed.set([0xdd, many >>> 24, (many >> 16) & 255, (many >> 8) & 255, many & 255])

test('an index out of order', async () => {
  const entries = new BigInt64Array(many)
  for (let k = 0, at = 1; k < many; k++) {
    at = (at * 7919 + 13) % many
    entries[k] = BigInt(at * 40)
  }
  const schunk = await open(frameSource({ entries }))
  const { result, longest } = await longestStretch(() => schunk.nchunks())
  assert.equal(result, many)
  assert.ok(longest < LONG, `${longest} ms`)
  // Entries of the map are made when they are asked for.
  const before = process.memoryUsage().heapUsed
  const map = await schunk.chunkMap()
  assert.equal(map.length, many)
  let stored = 0
  for (const { offset } of map) stored += Number(offset !== null)
  assert.equal(stored, many)
  const taken = process.memoryUsage().heapUsed - before
  assert.ok(taken < 2 ** 26, `${taken} bytes`)
})

test('runs of chunks go on from one part of the index to the next', async () => {
  const zeros = -(2n ** 63n) + 2n ** 56n
  const entries = new BigInt64Array(300_000).fill(zeros)
  entries[200_000] = 80n
  entries[299_999] = 40n
  const schunk = await open(frameSource({ entries }))
  const map = await schunk.chunkMap()
  const { offset } = map.at(-1)
  const row = (nchunk, count, offset, extent, special) => ({ nchunk, count, offset, extent, special })
  assert.deepEqual([map.length, map.at(4), map.at(-5), map.at(0.5)], [4, undefined, undefined, undefined])
  assert.deepEqual(Array.from(map), [
    row(0, 200_000, null, 0, 'zeros'),
    row(200_000, 1, offset + 40, 40 * 300_000 - 80, null),
    row(200_001, 99_998, null, 0, 'zeros'),
    row(299_999, 1, offset, 40, null),
  ])
})

test('attributes', async () => {
  const { metalayers } = await open(frameSource({ meta: { many: packed } }))
  assert.ok(metalayers.many.length === many && metalayers.many[many - 1] === 7)
  const schunk = await open(frameSource({ vlmeta: { many: packed, text: Uint8Array.of(0xa1, 65) } }))
  const attrs = await schunk.attrs()
  assert.ok(attrs.text === 'A' && attrs.many.length === many)
})

test('values are built in steps', async () => {
  const { valueInSteps } = await source('engine/values')
  // A list, as ABI.md tells: room, its beginning, integers, its end.
  const length = 20_000_000
  const output = new Uint8Array(length + 7).fill(16 + 7)
  output[0] = 255
  new DataView(output.buffer).setUint32(1, length, true)
  output[5] = 1
  output[length + 6] = 0
  const { result, stretches } = await longestStretch(() => valueInSteps(output))
  assert.ok(result.length === length && result[0] === 7 && result[length - 1] === 7)
  // They are pauses after 20 ms of several hundred.
  assert.ok(stretches > 5, `${stretches} stretches`)
})

test('a long text, decoded in steps that divide its characters', async () => {
  const length = 6_000_000
  const text = new Uint8Array(5 + length)
  text.set([0xdb, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255])
  for (let k = 5; k < text.length; k += 3) text.set([0xe2, 0x82, 0xac], k)
  const packed = Uint8Array.of(0x92, ...text.subarray(0, 5))
  const pair = new Uint8Array(packed.length + length + 1)
  pair.set(packed)
  pair.set(text.subarray(5), packed.length)
  pair[pair.length - 1] = 7
  const { metalayers } = await open(frameSource({ meta: { pair } }))
  assert.ok(metalayers.pair[0] === '€'.repeat(length / 3))
  assert.equal(metalayers.pair[1], 7)
})

test('columns of structured items', async () => {
  const field = (name, offset, kind, size, order) => ({ name, title: null, offset, type: { kind, size, order } })
  const fields = [field('a', 0, 'float', 8, '>'), field('b', 8, 'int', 4, '<')]
  const type = { kind: 'struct', size: 12, order: '|', fields }
  const items = new StructArray(
    type,
    Uint8Array.from({ length: 12 * many }, (_, k) => k % 251),
    'bigint',
  )
  for (const name of ['a', 'b']) {
    const { result, longest } = await longestStretch(() => items.readColumn(name))
    assert.ok(Buffer.compare(Buffer.from(result.buffer), Buffer.from(items.column(name).buffer)) === 0)
    assert.ok(longest < LONG, `${longest} ms`)
  }
  assert.equal(items.column('b')[7], new DataView(items.bytes.buffer).getInt32(7 * 12 + 8, true))
  await assert.rejects(items.readColumn('c'), { code: 'argument' })
  const reason = new Error('enough')
  await assert.rejects(items.readColumn('a', { signal: AbortSignal.abort(reason) }), reason)
})

test('numbers are sorted', async () => {
  const { sorted } = await source('base/numbers')
  for (const most of [0, 9, 65_535, 65_536, 2 ** 45, Number.MAX_SAFE_INTEGER]) {
    const numbers = Float64Array.from({ length: 100_000 }, (_, k) =>
      Math.floor(((k * 7919) % 100_003) * (most / 100_003)),
    )
    numbers[77] = most
    assert.deepEqual(await sorted(numbers.slice(), most), numbers.slice().sort(), `${most}`)
  }
})
