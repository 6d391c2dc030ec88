// Sequences of objects that are written, in turns with python-blosc2.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isB2ndError, open } from 'b2nd'
import { openObjects, openStore } from 'b2nd/store'
import { createStore, encodeArray, encodeObjects } from 'b2nd/write'
import { python, skip } from './lib/python.mjs'
import { randomOf } from './lib/random-arrays.mjs'

const KINDS = ['objects', 'batches', 'lists']
const OPTIONS = {
  objects: { kind: 'objects' },
  batches: {},
  lists: { kind: 'lists', item: { kind: 'object' }, nullable: true },
}
let folder
before(async () => (folder = await mkdtemp(join(tmpdir(), 'b2nd-'))))
after(() => rm(folder, { recursive: true }))

const argument = pattern => error => isB2ndError(error, 'argument') && pattern.test(error.message)

/** All objects of a frame, and the sequence. */
async function read(bytes) {
  const objects = await openObjects(bytes)
  return objects.slice()
}

/** A value as `deepEqual` compares it: reading gives objects without prototype, and numbers for small bigints. */
function plain(value) {
  if (typeof value === 'bigint' && BigInt.asIntN(54, value) === value) return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Set) return new Set([...value].map(plain))
  if (value instanceof Map) return plain(Object.fromEntries(value))
  if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array)) {
    const kind = /^(?:Big)?(.)/.exec(value.constructor.name)[1].toLowerCase()
    const str = `${value.BYTES_PER_ELEMENT > 1 ? '<' : '|'}${kind}${value.BYTES_PER_ELEMENT}`
    return { dtype: { str }, shape: [value.length], data: new Uint8Array(value.slice().buffer) }
  }
  if (Object(value) !== value || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
}

const SAMPLES = [
  null,
  true,
  -1,
  0.1,
  -0,
  NaN,
  Infinity,
  2n ** 64n - 1n,
  -(2n ** 63n),
  7n,
  '',
  'Grüße 𝄞\0',
  new Uint8Array(),
  Uint8Array.of(0, 255),
  [],
  [[], [null, [1, 'x']]],
  {},
  { a: { b: [1.5] }, 'key with spaces': null },
  new Map([['x', 1]]),
  new Set([1, 'two']),
  Float32Array.of(1, 2.5),
  BigInt64Array.of(-1n),
  Int8Array.of(-3),
  { type: 300, data: Uint8Array.of(1) },
  'long '.repeat(100_000),
  new Uint8Array(300_000).fill(7),
]

test('values are read back', async () => {
  for (const kind of ['objects', 'batches']) {
    assert.deepEqual((await read(await encodeObjects(SAMPLES, { kind }))).map(plain), SAMPLES.map(plain), kind)
  }
  const lists = SAMPLES.map(value => [value, value])
  assert.deepEqual((await read(await encodeObjects(lists, OPTIONS.lists))).map(plain), lists.map(plain))
  for (const kind of KINDS) assert.deepEqual(await read(await encodeObjects([], OPTIONS[kind])), [])
  assert.deepEqual(await read(await encodeObjects([undefined, [undefined]])), [null, [null]])
})

test('what was read is written as it was stored', async () => {
  const array = await encodeArray([1, 2, 3], { dtype: '<i4' })
  const tensor = { dtype: { str: '<c16' }, shape: [1, 2], data: new Uint8Array(32) }
  const values = [
    tensor,
    { type: 5, data: Uint8Array.of(1) },
    { type: 42, data: array },
    { type: 44, data: new Uint8Array(16) },
  ]
  const first = await read(await encodeObjects(values))
  assert.deepEqual(plain(first[0]), tensor)
  assert.deepEqual(first[2].frame, array)
  assert.deepEqual(first[3], [0, 0])
  assert.deepEqual(await read(await encodeObjects(first)), first)
  assert.deepEqual(await read(await encodeObjects(structuredClone([first[0]]))), [first[0]])
})

test('sequences come piece by piece, in batches and blocks of these lengths', async () => {
  let pulled = 0
  async function* many() {
    for (let k = 0; k < 1000; k++) {
      pulled++
      yield { k }
    }
  }
  const bytes = await encodeObjects(many(), {
    batchLength: 300,
    blockLength: 7,
    codec: 'lz4',
    clevel: 9,
    attrs: { by: 'me' },
  })
  const frame = await open(bytes)
  assert.equal(await frame.nchunks(), 4)
  assert.equal(frame.info.codec.name, 'lz4')
  assert.deepEqual({ ...(await frame.attrs()) }.by, 'me')
  const values = await read(bytes)
  assert.deepEqual([pulled, values.length, values[999].k], [1000, 1000, 999])
})

test('batches of many bytes end early, so that they are read within the limits', async () => {
  const values = Array.from({ length: 30 }, (_, k) => new Uint8Array(1_000_000).fill(k))
  const bytes = await encodeObjects(values, { batchLength: 20 })
  assert.equal(await (await open(bytes)).nchunks(), 4)
  assert.deepEqual(await read(bytes), values)
})

test('a store gets sequences beside arrays', async () => {
  const path = join(folder, 'members.b2z')
  const store = await createStore(path)
  await store.addArray('/a', [1, 2, 3], { dtype: '<i4' })
  let resume
  async function* slow() {
    yield 1
    await new Promise(done => (resume = done))
    yield 2
  }
  const adding = store.addObjects('/group/slow', slow())
  // The store can be changed meanwhile, but not committed.
  await store.addObjects('/group/lists', [[1], null], OPTIONS.lists)
  await assert.rejects(store.commit(), argument(/\/group\/slow is still being written/))
  while (!resume) await new Promise(done => setTimeout(done))
  resume()
  await adding
  await assert.rejects(store.addObjects('/a/b', [1]), argument(/key/))
  await assert.rejects(store.addObjects('/c', [1, Symbol('x')]), argument(/^object 1: Symbol/))
  await store.addObjects('/c', [1])
  await store.addObjects('/c', new Set(['replaced']))
  assert.deepEqual(store.keys(), ['/a', '/c', '/group/lists', '/group/slow'])
  await store.close()
  const written = await openStore(await readFile(path))
  assert.deepEqual(await (await written.getObjects('/group/slow')).slice(), [1, 2])
  assert.deepEqual(await (await written.getObjects('/group/lists')).slice(), [[1], null])
  assert.deepEqual(await (await written.getObjects('/c')).slice(), ['replaced'])
})

test('what cannot be written is told', async () => {
  const refused = [
    [new Date(), /^object 2: Date cannot be encoded/],
    [() => {}, /^object 2: Function/],
    [Symbol('x'), /^object 2: Symbol/],
    [2n ** 64n, /^object 2: 18446744073709551616 has more than 64 bits/],
    [{ a: [/own/] }, /^object 2: RegExp/],
    [new Map([[1, 2]]), /^object 2: the key 1/],
    [{ dtype: { str: '<f8' }, shape: [3], data: new Uint8Array(23) }, /^object 2: /],
    [{ dtype: { str: 'no dtype' }, shape: [1], data: new Uint8Array(1) }, /^object 2: /],
    [{ type: 45, data: Uint8Array.of(0xc1) }, /^object 2: /],
  ]
  const cyclic = []
  cyclic.push(cyclic)
  refused.push([cyclic, /^object 2: nested more than/])
  for (const kind of ['objects', 'batches']) {
    for (const [value, pattern] of refused) {
      await assert.rejects(encodeObjects([1, 2, value], { kind }), error => {
        assert.ok(isB2ndError(error), String(error))
        assert.match(error.message, pattern)
        return true
      })
    }
  }
  const lists = { kind: 'lists', item: { kind: 'int64' } }
  for (const value of ['text', 7, {}, null])
    await assert.rejects(encodeObjects([[1], value], lists), argument(/^object 1: /))
  for (const values of [null, undefined, 7, {}]) await assert.rejects(encodeObjects(values), argument(/^values: /))
  await assert.rejects(encodeObjects([], { kind: 'lists' }), argument(/^item: /))
  await assert.rejects(encodeObjects([], { kind: 'lists', item: { kind: 'int46' } }), error =>
    isB2ndError(error, 'unsupported'),
  )
  await assert.rejects(encodeObjects([], { item: { kind: 'int64' } }), argument(/^item: /))
  const wrong = {
    kind: 'list',
    batchLength: 0,
    blockLength: 1.5,
    codec: 'gzip',
    clevel: 11,
    nullable: 1,
    attrs: 7,
    item: {},
    batch: 1,
  }
  for (const [name, value] of Object.entries(wrong))
    await assert.rejects(encodeObjects([], { [name]: value }), argument(RegExp(name)), name)
  await assert.rejects(encodeObjects([1], { filters: ['ndcell:2'] }), error => isB2ndError(error, 'argument'))
})

test('nesting ends where readers refuse it', async () => {
  const nested = depth => (depth ? [nested(depth - 1)] : 1)
  for (const kind of ['objects', 'batches']) {
    let depth = 1
    let deepest
    for (; depth < 40; depth++) {
      const bytes = await encodeObjects([nested(depth)], { kind }).catch(error => error)
      if (bytes instanceof Error) break
      deepest = await read(bytes)
    }
    assert.ok(depth > 30 && depth < 34, `${depth}`)
    assert.deepEqual(deepest, [nested(depth - 1)])
    await assert.rejects(encodeObjects([nested(depth)], { kind }), error => isB2ndError(error, 'argument', 'limit'))
  }
})

test('an abort, and an error of the values, leave nothing', async () => {
  const controller = new AbortController()
  let closed = false
  function* endless() {
    try {
      for (let k = 0; ; k++) {
        if (k === 3) controller.abort()
        yield k
      }
    } finally {
      closed = true
    }
  }
  const path = join(folder, 'aborted.b2z')
  const store = await createStore(path)
  await assert.rejects(store.addObjects('/a', endless(), { signal: controller.signal }), { name: 'AbortError' })
  assert.ok(closed)
  const failure = new Error('mine')
  await assert.rejects(
    store.addObjects(
      '/a',
      (async function* () {
        yield 1
        throw failure
      })(),
    ),
    error => error === failure,
  )
  assert.deepEqual(store.keys(), [])
  await store.close()
  assert.ok((await stat(path)).size < 4000)
})

/** A random value. */
function randomValue(random, depth = 0) {
  const { below, pick } = random
  const all = length => Array.from({ length }, () => randomValue(random, depth + 1))
  switch (below(depth < 4 ? 14 : 10)) {
    case 0:
      return null
    case 1:
      return !below(2)
    case 2:
      return below(600) - 300
    case 3:
      return pick([2n ** 53n, -(2n ** 53n) - 1n, 2n ** 64n - 1n, -(2n ** 63n), 2n ** 63n, 5n, -7n])
    case 4:
      return pick([0.5, Infinity, -Infinity, -0, NaN, 5e-324, 1e300, 2 ** 53, 2 ** 60, below(1e9) / 7])
    case 5:
    case 6:
      return Array.from({ length: below(40) }, () => pick(['a', 'é', '€', '𝄞', '\0', '"'])).join('')
    case 7:
      return Uint8Array.from({ length: below(40) }, () => below(256))
    case 8:
      return pick([Float64Array.of(0.5, below(9)), Int16Array.of(below(99)), new Uint32Array(), BigUint64Array.of(3n)])
    case 9:
      return new Set([below(9), 'x', 10 + below(9)])
    case 10:
    case 11:
      return all(below(5))
    case 12:
      return new Map(all(below(4)).map((value, k) => [`key ${k} 𝄞`, value]))
    default:
      return Object.fromEntries(all(below(4)).map((value, k) => [`name ${k}`, value]))
  }
}

/** A value as the script tells it. */
function told(value) {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return ['int', `${value}`]
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) return ['int', `${value}`]
    const bits = Buffer.alloc(8)
    bits.writeDoubleBE(value)
    return ['float', Number.isNaN(value) ? 'nan' : bits.toString('hex')]
  }
  if (Array.isArray(value)) return ['list', ...value.map(told)]
  if (value instanceof Set) return ['set', ...[...value].map(told)]
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')]
  if (ArrayBuffer.isView(value)) {
    const { dtype, shape, data } = plain(value)
    return ['array', dtype.str, shape, Buffer.from(data).toString('base64')]
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  return ['map', ...entries.map(([key, one]) => [key, told(one)])]
}

/** What is told, with sets and maps in order. */
function sorted(value) {
  if (!Array.isArray(value)) return value
  const parts = value.map(sorted)
  const text = part => JSON.stringify(part)
  return ['set', 'map'].includes(value[0])
    ? [value[0], ...parts.slice(1).sort((a, b) => (text(a) < text(b) ? -1 : 1))]
    : parts
}

const reference = async (...words) => JSON.parse(await python('objects_exchange.py', ...words))

test('python-blosc2 reads random sequences of each kind, alone and in a store', { skip }, async () => {
  const path = join(folder, 'random.b2z')
  const store = await createStore(path)
  const cases = []
  for (const [number, kind] of KINDS.entries()) {
    for (let seed = 1; seed <= 40; seed++) {
      const random = randomOf(1000 * number + seed)
      const length = seed === 1 ? 0 : random.below(40)
      const one = () =>
        kind === 'lists'
          ? random.below(9)
            ? Array.from({ length: random.below(6) }, () => randomValue(random))
            : null
          : randomValue(random)
      const values = Array.from({ length }, one)
      const options = {
        ...OPTIONS[kind],
        batchLength: 1 + random.below(12),
        blockLength: 1 + random.below(5),
        codec: random.pick(['zstd', 'lz4', 'blosclz', 'zlib', 'lz4hc']),
        clevel: random.below(10),
        attrs: { seed },
      }
      const bytes = await encodeObjects(values, options)
      assert.deepEqual((await read(bytes)).map(plain), values.map(plain), `${kind} ${seed}`)
      const file = join(folder, `${kind}${seed}.b2b`)
      await writeFile(file, bytes)
      await store.addObjects(`/${kind}/s${seed}`, values, options)
      cases.push({
        kind,
        seed,
        values,
        options,
        places: [
          [file, null],
          [path, `/${kind}/s${seed}`],
        ],
      })
    }
  }
  await store.close()
  const found = await reference('read', JSON.stringify(cases.flatMap(({ places }) => places)))
  const types = { objects: 'ObjectArray', batches: 'BatchArray', lists: 'ListArray' }
  for (const [k, { kind, seed, values, options }] of cases.entries()) {
    for (const { type, lengths, values: theirs, attrs } of found.slice(2 * k, 2 * k + 2)) {
      assert.equal(type, types[kind])
      assert.equal(attrs.seed, seed)
      assert.deepEqual(theirs.map(sorted), values.map(told).map(sorted), `${kind} ${seed}`)
      if (kind === 'batches')
        assert.deepEqual(
          lengths.slice(0, -1),
          lengths.slice(0, -1).map(() => options.batchLength),
        )
    }
  }
})

/** What becomes of a value that is read and written again: complex numbers and tuples are lists in JavaScript. */
const again = value =>
  Array.isArray(value)
    ? [['complex', 'tuple'].includes(value[0]) ? 'list' : value[0], ...value.slice(1).map(again)]
    : value

test('what python-blosc2 has written is read, written again and read by it', { skip }, async () => {
  const theirs = await reference('write', folder, '7', '40')
  const places = []
  for (const [k, { path, values }] of theirs.entries()) {
    const objects = await read(await readFile(path))
    assert.equal(objects.length, values.length)
    for (const kind of ['objects', 'batches']) {
      const file = join(folder, `again${k}${kind}.b2b`)
      await writeFile(file, await encodeObjects(objects, { kind, batchLength: 5 }))
      assert.deepEqual(await read(await readFile(file)), objects)
      places.push([file, null])
    }
  }
  const found = await reference('read', JSON.stringify(places))
  for (const [k, { values }] of found.entries())
    assert.deepEqual(values.map(sorted), theirs[k >> 1].values.map(again).map(sorted), places[k][0])
})
