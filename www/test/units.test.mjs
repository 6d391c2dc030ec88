// Unit tests of the parts of js/.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeMsgpack } from 'b2nd'
import { source } from './lib/source.mjs'

const bytes = (...values) =>
  Uint8Array.from(values.flatMap(value => (typeof value === 'string' ? [...Buffer.from(value)] : value)))

test('selections', async () => {
  const { indices, slice, strides } = await source('reading/selection')
  const all = [1, NaN, NaN, 1]
  assert.deepEqual([...indices()], [2, 0, 0, 0])
  assert.deepEqual([...indices([null, -1, 3n])], [...all, 0, -1, 0, 0, 0, 3, 0, 0])
  assert.deepEqual([...indices([slice(5), '...', slice(2, null, -1)])], [1, NaN, 5, 1, 2, 0, 0, 0, 1, 2, NaN, -1])
  assert.deepEqual([...indices([slice(null), slice(1, undefined)])], [...all, 1, NaN, 1, 1])
  // Zarrita's own.
  assert.deepEqual([...indices([{ start: 1, stop: 9, step: null }])], [1, 1, 9, 1])
  for (const wrong of [[1.5], ['x'], [NaN], [{}], [undefined], [true], [[1, 2]], 7]) {
    assert.throws(() => indices(wrong), { name: 'B2ndError', code: 'argument' }, JSON.stringify(wrong))
  }
  assert.deepEqual(strides([2, 3, 4]), [12, 4, 1])
  assert.deepEqual(strides([]), [])
})

test('MessagePack', async () => {
  const cases = [
    [[0x7f], 127],
    [[0xff], -1],
    [[0xc0], null],
    [[0xc2], false],
    [[0xc3], true],
    [[0xcc, 200], 200],
    [[0xcd, 1, 0], 256],
    [[0xce, 0xff, 0xff, 0xff, 0xff], 2 ** 32 - 1],
    [[0xd0, 0x80], -128],
    [[0xd1, 0xff, 0], -256],
    [[0xd2, 0x80, 0, 0, 0], -(2 ** 31)],
    [[0xcf, 0, 0x1f, 255, 255, 255, 255, 255, 255], 2 ** 53 - 1],
    [[0xcf, 255, 255, 255, 255, 255, 255, 255, 255], 2n ** 64n - 1n],
    [[0xd3, 128, 0, 0, 0, 0, 0, 0, 0], -(2n ** 63n)],
    [[0xca, 0x3f, 0x80, 0, 0], 1],
    [[0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0], 1.5],
    [bytes([0xa3], 'abc'), 'abc'],
    [bytes([0xd9, 2], 'h', 'x'), 'hx'],
    [[0xa5, 0xef, 0xbb, 0xbf, 0xff, 65], '\ufeff\ufffdA'],
    [[0xc4, 2, 1, 2], bytes([1, 2])],
    [[0xd4, 5, 9], { type: 5, data: bytes([9]) }],
    [[0xc7, 1, 0xff, 9], { type: -1, data: bytes([9]) }],
    [
      [0x92, 1, 0x91, 2],
      [1, [2]],
    ],
    [[0xdc, 0, 1, 7], [7]],
    [[0xdd, 0, 0, 0, 1, 7], [7]],
  ]
  for (const [packed, value] of cases) assert.deepEqual(await decodeMsgpack(Uint8Array.from(packed)), value)
  assert.deepEqual({ ...(await decodeMsgpack(bytes([0x82, 0xa1], 'a', [1, 5], [0xc3]))) }, { a: 1, 5: true })
  assert.deepEqual({ ...(await decodeMsgpack(bytes([0xde, 0, 1, 0xa1], 'a', [1]))) }, { a: 1 })
  // A key of this name is a key like others.
  assert.deepEqual(Object.keys(await decodeMsgpack(bytes([0x81, 0xa9], '__proto__', [1]))), ['__proto__'])
  for (const wrong of [
    [],
    [0xc1],
    [0x92, 1],
    [0xdd, 255, 255, 255, 255],
    [0xdf, 255, 255, 255, 255],
    [0xc6, 255, 255, 255, 255],
    [0xcd, 1],
    [1, 1],
    [0xd9, 9, 65],
  ]) {
    await assert.rejects(decodeMsgpack(Uint8Array.from(wrong)), { name: 'B2ndError', code: 'format' }, wrong.join())
  }
  await assert.rejects(decodeMsgpack(new Uint8Array(100_000).fill(0x91)), { code: 'limit' })
})

/** Merges ranges with the wasm, as the package does. */
async function merging() {
  const [{ mergeBy }, { createEngine }] = await Promise.all([source('reading/ranges'), source('engine/engine')])
  const wasm = await readFile(new URL('../dist/b2nd.wasm', import.meta.url))
  const engine = createEngine(new WebAssembly.Module(wasm))
  return (ranges, options = {}) => mergeBy(engine, ranges, options)
}

test('merging ranges', async () => {
  const merge = await merging()
  const ranges = (...pairs) => pairs.map(([start, end]) => ({ part: -1, start, end }))
  assert.deepEqual(merge(ranges([100, 200], [0, 100], [150, 180])), ranges([0, 200]))
  // The smallest gaps first, as long as they are a small share of what is wanted, or what share they may be.
  const some = ranges([0, 100], [127, 227], [231, 331])
  assert.deepEqual(merge(some), ranges([0, 100], [127, 331]))
  assert.deepEqual(merge(some, { waste: 0.11 }), ranges([0, 331]))
  assert.deepEqual(merge(some, { waste: 0 }), some)
  // None that would take longer to read than a request more.
  assert.deepEqual(merge(some, { gap: 3 }), some)
  assert.deepEqual(merge(some, { gap: 4, waste: Infinity }), ranges([0, 100], [127, 331]))
  assert.deepEqual(merge(some, { gap: 0 }), some)
  assert.deepEqual(merge(ranges([0, 100], [100, 110]), { gap: 0 }), ranges([0, 110]))
  const far = ranges([0, 2 ** 22], [2 ** 22 + 2 ** 18 + 1, 2 ** 23])
  assert.deepEqual(merge(far), far)
  assert.deepEqual(merge(ranges([5, 5])), [])
  const parts = [
    { part: 1, start: 0, end: 9 },
    { part: 0, start: 9, end: 18 },
  ]
  assert.equal(merge(parts).length, 2)
  const large = 2 ** 23
  assert.equal(merge(ranges([0, large], [large, large + 10])).length, 2)
})

/** A source of counting bytes whose reads wait for `release`. */
function held(length) {
  const reads = []
  return {
    reads,
    source: {
      read: (offset, count, { signal }) =>
        new Promise((resolve, reject) => {
          const answer = () =>
            resolve(
              Uint8Array.from({ length: Math.max(0, Math.min(count, length - offset)) }, (_, k) => (offset + k) % 256),
            )
          reads.push({ offset, count, answer, fail: reject, signal })
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    },
  }
}

const range = (start, end) => ({ part: -1, start, end })

async function cacheOf(length, options = {}) {
  const { createCache } = await source('reading/cache')
  const { source: bytes, reads } = held(length)
  const merge = await merging()
  return { cache: createCache(bytes, { bytes: 1000, concurrency: 8, merge, ...options }), reads }
}

test('the cache reads what is missing, once', async () => {
  const { cache, reads } = await cacheOf(500)
  const [first, second] = [cache.read([range(0, 100)])[0], cache.read([range(50, 150)])[0]]
  await sleep()
  assert.deepEqual(
    reads.map(({ offset, count }) => [offset, count]),
    [
      [0, 100],
      [100, 50],
    ],
  )
  for (const read of reads) read.answer()
  assert.equal((await first).length, 100)
  assert.deepEqual(
    Array.from((await second).subarray(0, 60)),
    Array.from({ length: 60 }, (_, k) => 50 + k),
  )
  assert.deepEqual(
    [...(await cache.read([range(20, 140)])[0])],
    Array.from({ length: 120 }, (_, k) => 20 + k),
  )
  assert.deepEqual(cache.cost([range(0, 160)]), { requests: 1, bytes: 10 })
  const end = cache.read([range(490, 600)])[0]
  await sleep()
  reads[2].answer()
  assert.equal((await end).length, 10)
  // Where it ends is known now.
  assert.equal((await cache.read([range(495, 700)])[0]).length, 5)
  assert.deepEqual(cache.traffic, { requests: 3, bytes: 160 })
})

test('the cache keeps what was used last', async () => {
  const { cache, reads } = await cacheOf(5000, { bytes: 250 })
  const get = async (start, end) => {
    const count = reads.length
    const got = cache.read([range(start, end)])[0]
    await sleep()
    reads[count]?.answer()
    await got
    return reads.length - count
  }
  assert.equal(await get(0, 100), 1)
  assert.equal(await get(1000, 1100), 1)
  assert.equal(await get(0, 100), 0)
  assert.equal(await get(2000, 2100), 1)
  assert.equal(await get(0, 100), 0)
  assert.equal(await get(1000, 1100), 1)
})

test('a read ends with the last who waits for it', async () => {
  const { cache, reads } = await cacheOf(500)
  const [one, two] = [new AbortController(), new AbortController()]
  const first = cache.read([range(0, 100)], one.signal)[0]
  const second = cache.read([range(0, 100)], two.signal)[0]
  await sleep()
  one.abort(new Error('one'))
  await assert.rejects(first, /one/)
  assert.equal(reads[0].signal.aborted, false)
  two.abort(new Error('two'))
  await assert.rejects(second, /two/)
  assert.equal(reads[0].signal.aborted, true)
  // Neither what was stopped nor what failed is remembered.
  const third = cache.read([range(0, 100)])[0]
  await sleep()
  reads[1].fail(new Error('three'))
  await assert.rejects(third, /three/)
  const fourth = cache.read([range(0, 100)])[0]
  await sleep()
  reads[2].answer()
  assert.equal((await fourth).length, 100)
})

test('so many reads at a time', async () => {
  const { cache, reads } = await cacheOf(5000, { concurrency: 2 })
  const all = cache.read([0, 1, 2, 3, 4].map(k => range(1000 * k, 1000 * k + 10)))
  for (const started of [2, 3, 4, 5, 5]) {
    await sleep()
    assert.equal(reads.length, started)
    reads.find(read => !read.done && (read.done = true)).answer()
  }
  await Promise.all(all)
  const stop = new AbortController()
  const stopped = cache.read(
    [0, 1, 2].map(k => range(1000 * k + 500, 1000 * k + 510)),
    stop.signal,
  )
  await sleep()
  stop.abort()
  await Promise.allSettled(stopped)
  const next = cache.read([range(900, 910)])[0]
  await sleep()
  reads.at(-1).answer()
  assert.equal((await next).length, 10)
})

test('cells of the map of chunks', async () => {
  const { cellsOf, nextTouched } = await source('../viewer/model/chunks')
  const zeros = { nchunk: 0, count: 2 ** 27, offset: null, extent: 0, special: 'zeros' }
  const { cells, group } = await cellsOf([zeros], 100)
  assert.deepEqual([cells.length, group], [2 ** 13, 2 ** 14])
  assert.deepEqual(cells[77], { ratio: NaN, extent: 0, offset: null, special: 'zeros' })
  const places = [
    { nchunk: 0, count: 20_000, offset: null, extent: 0, special: 'nan' },
    { nchunk: 20_000, count: 1, offset: 50, extent: 25, special: null },
    { nchunk: 20_001, count: 1, offset: 75, extent: 5, special: null },
    { nchunk: 20_002, count: 2 ** 15 - 20_002, offset: null, extent: 0, special: 'zeros' },
  ]
  const some = await cellsOf(places, 100)
  assert.deepEqual([some.group, some.cells.length], [4, 2 ** 13])
  assert.deepEqual(some.cells.slice(4999, 5002), [
    { ratio: NaN, extent: 0, offset: null, special: 'nan' },
    { ratio: 200 / 30, extent: 30, offset: 50, special: null },
    { ratio: NaN, extent: 0, offset: null, special: 'zeros' },
  ])
  const [grid, chunks] = [
    [4, 5, 3],
    [10, 7, 2],
  ]
  for (const cuts of [
    [3, 8, 1],
    [{ start: 5, stop: 40, step: 15 }, { start: 9, stop: 35, step: 1 }, 4],
    [39, { start: 3, stop: 3, step: 1 }, 0],
  ]) {
    const touched = Array.from({ length: 60 }, (_, chunk) => {
      const at = [Math.floor(chunk / 15), Math.floor(chunk / 3) % 5, chunk % 3]
      return at.every((place, axis) => {
        const [cut, low] = [cuts[axis], place * chunks[axis]]
        const positions =
          typeof cut === 'number'
            ? [cut]
            : Array.from({ length: Math.ceil((cut.stop - cut.start) / cut.step) }, (_, k) => cut.start + k * cut.step)
        return positions.some(position => position >= low && position < low + chunks[axis])
      })
    })
    for (let from = 0; from <= 60; from++) {
      const first = touched.indexOf(true, from)
      assert.equal(
        nextTouched(cuts, chunks, grid, from),
        first < 0 ? Infinity : first,
        `${JSON.stringify(cuts)} from ${from}`,
      )
    }
  }
})

test('data are converted in steps, between which others have their turn', async t => {
  const { toData, toDataInSteps } = await source('data/convert')
  // Each step takes longer than others wait.
  let time = 0
  t.mock.method(performance, 'now', () => (time += 30))
  const types = [
    ['|S3', { kind: 'bytes', size: 3 }],
    ['<U2', { kind: 'str', size: 8, order: '<' }],
    ['>f4', { kind: 'float', size: 4, order: '>' }],
    ['<i8', { kind: 'int', size: 8, order: '<' }],
    ['<f8', { kind: 'float', size: 8, order: '<' }],
  ]
  for (const [name, type] of types) {
    const stored = Uint8Array.from({ length: 24 * 20_000 }, (_, k) => (k % type.size > 3 ? 0 : (k * 7) % 128))
    const expected = toData(type, stored.slice(), 'number')
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    assert.deepEqual(await toDataInSteps(type, stored.slice(), 'number'), expected, name)
    clearInterval(timer)
    // What is as it is stored takes no time.
    assert.ok(name === '<f8' ? turns === 0 : turns > 3, `${turns} turns for ${name}`)
    if (name === '<f8') continue
    const abort = new AbortController()
    const stopped = toDataInSteps(type, stored.slice(), 'number', abort.signal)
    abort.abort(new Error('enough'))
    await assert.rejects(stopped, /enough/, name)
  }
})

test('decoded data have the byte order of the machine, unless they are the stored bytes', async () => {
  const { dtypeOf } = await source('../viewer/model/dtypes')
  const cases = [
    [{ kind: 'float', size: 8, order: '>' }, '<f8'],
    [{ kind: 'float', size: 2, order: '>' }, '<f2'],
    [{ kind: 'float', size: 16, order: '>' }, '>f16'],
    [{ kind: 'complex', size: 32, order: '>' }, '>c32'],
    [{ kind: 'complex', size: 16, order: '>' }, '<c16'],
    [{ kind: 'datetime', size: 8, order: '>', unit: 'ns', count: 25 }, '<M8[25ns]'],
    [{ kind: 'str', size: 12, order: '>' }, '<U3'],
    [{ kind: 'bool', size: 1, order: '|' }, '|b1'],
  ]
  for (const [type, dtype] of cases) assert.equal(dtypeOf(type), dtype)
})

test('pickles of plain data are read, all others refused', async () => {
  const { unpickled } = await source('../viewer/model/pickle')
  const of = text => unpickled(Uint8Array.from(Buffer.from(text, 'latin1')))
  // {'a': [1, 300, -2, 1.5, None, True, 'é'], 'b': (b'x', {})}
  const data =
    '\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01a\x94]\x94(K\x01M,\x01J\xfe\xff\xff\xffG\x3f\xf8\x00\x00\x00\x00\x00\x00N\x88\x8c\x02\xc3\xa9\x94e\x8c\x01b\x94C\x01x\x94}\x94\x86\x94u.'
  assert.deepEqual(of(data), { a: [1, 300, -2, 1.5, null, true, 'é'], b: [Uint8Array.of(120), {}] })
  for (const [what, text] of [
    ['a function', '\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x02ls\x85R.'],
    ['a class', '\x80\x04\x8c\x02os\x8c\x06system\x93.'],
    ['an old name of a function', 'cos\nsystem\n.'],
    ['a list twice', '\x80\x04]\x94(h\x00h\x00e.'],
    ['no end', '\x80\x04K'],
    ['no value', '\x80\x04.'],
    ['no list', '\x80\x04K\x01K\x01a.'],
    ['a mark', '\x80\x04(.'],
  ])
    assert.throws(() => of(text), TypeError, what)
})

test('conditions of a form become those of the library, and values that do not fit are refused', async () => {
  const { comparisonOf } = await source('../viewer/model/conditions')
  const comparison = (column, test, value) => comparisonOf({ column: 0, test, value }, { name: 'a`', ...column })
  const moment = { kind: 'timestamp', unit: 'ms' }
  for (const [column, test, value, expected] of [
    [{ kind: 'float64' }, '≠', '-1e300', ['!=', -1e300]],
    [{ kind: 'int64' }, '≤', ' 9007199254740993 ', ['<=', 9007199254740993n]],
    [{ kind: 'utf8' }, '=', ` a'`, ['==', ` a'`]],
    [{ kind: 'dictionary' }, '>', '', ['>', '']],
    [{ kind: 'bool' }, '=', 'False', ['==', false]],
    [moment, '≥', '2026-01-01 02:00+02:00', ['>=', '2026-01-01 02:00+02:00']],
    [moment, 'is null', '', ['is null']],
    [{ kind: 'list' }, 'is not null', '', null],
    [{ kind: 'utf8' }, 'contains', 'x', null],
  ]) {
    const found = comparison(column, test, value)
    const [operator, cell] = expected ?? []
    const wanted = expected && { column: 'a`', operator, ...(cell !== undefined && { value: cell }) }
    assert.deepEqual(found, wanted, `${column.kind} ${test} ${value}`)
  }
  for (const [column, value] of [
    [{ kind: 'float64' }, 'x'],
    [{ kind: 'int64' }, ''],
    [{ kind: 'int64' }, '0x10'],
    [{ kind: 'bool' }, '1'],
    [moment, 'yesterday'],
    [{ kind: 'list' }, '1'],
  ])
    assert.throws(() => comparison(column, '=', value), { name: 'B2ndError', code: 'argument' }, value)
})

test('rows that a table finds are sorted and plotted without reading the others', async () => {
  const { RowQueries } = await source('../viewer/model/row-queries')
  let read = 0
  const asked = []
  const queries = new RowQueries({
    columns: [
      { name: 'a', kind: 'int32' },
      { name: 'b', kind: 'timestamp', unit: 's' },
    ],
    length: 1e6,
    find: async condition => (asked.push(condition), Float64Array.of(10, 500_000, 999_999)),
    cells: async (column, start, end) => {
      read += end - start
      return Array.from({ length: end - start }, (_, k) => (column ? BigInt(start + k) : -start - k))
    },
  })
  const conditions = [
    { column: 0, test: '<', value: '5' },
    { column: 1, test: 'is not null', value: '' },
  ]
  const found = await queries.select({ conditions, search: '', order: { column: 0, descending: false } })
  assert.deepEqual([...found], [999_999, 500_000, 10])
  const comparisons = [
    { column: 'a', operator: '<', value: 5n },
    { column: 'b', operator: 'is not null' },
  ]
  assert.deepEqual(asked, [comparisons])
  const [{ values }] = await queries.pair(0, 1, found)
  assert.deepEqual([...values], [-999_999, -500_000, -10])
  assert.ok(read <= 9 * 256, `${read}`)
})

test('many rows that a table finds are read with their whole column, not one by one', async () => {
  const { RowQueries } = await source('../viewer/model/row-queries')
  let reads = 0
  const queries = new RowQueries({
    columns: [{ name: 'a', kind: 'int32' }],
    length: 1e6,
    find: async () => Float64Array.from({ length: 3000 }, (_, k) => 333 * k),
    cells: async (_, start, end) => (reads++, Array.from({ length: end - start }, (_, k) => start + k)),
  })
  const conditions = [{ column: 0, test: '>', value: '5' }]
  const found = await queries.select({ conditions, search: '', order: { column: 0, descending: true } })
  assert.deepEqual([found[0], found[2999], found.length], [998_667, 0, 3000])
  assert.ok(reads <= 31, `${reads}`)
})

test('damaged chunks of many blocks, and many damaged blocks, are not read one by one', async () => {
  const { Missing } = await source('../viewer/model/missing')
  const { B2ndError } = await source('../js/base/errors')
  const read = async (form, cuts) => {
    const missing = Missing.none(form)
    let reads = 0
    const get = async ([{ start }]) => {
      reads++
      throw Object.assign(new B2ndError('format', 'a block'), { chunk: Math.floor(start / form.chunks[0]) })
    }
    for await (const part of missing.read(cuts, get)) assert.fail(`${part}`)
    return [reads, missing.holes([0], 0, null, [0, form.shape[0], 0, 1])]
  }
  const cuts = [{ start: 0, stop: 1e6, step: 1 }]
  assert.deepEqual(await read({ shape: [1e6], chunks: [1e6], blocks: [1] }, cuts), [
    1,
    [{ x: 0, y: 0, width: 1e6, height: 1, why: 'damaged' }],
  ])
  const [reads, holes] = await read({ shape: [1e6], chunks: [1000], blocks: [1] }, cuts)
  assert.ok(reads <= 1024 + 1000 && holes.length <= 2024, `${reads} reads, ${holes.length} holes`)
  assert.equal(
    holes.reduce((sum, { width }) => sum + width, 0),
    1e6,
  )
})

test('the condition that does not fit is named', async () => {
  const { RowQueries } = await source('../viewer/model/row-queries')
  const { B2ndError } = await source('../js/base/errors')
  const find = async comparisons => {
    if (comparisons.some(({ value }) => value === '2026-13-01')) throw new B2ndError('argument', 'no date')
    return new Float64Array()
  }
  const columns = [
    { name: 'a', kind: 'int8' },
    { name: 'when', kind: 'timestamp', unit: 's' },
  ]
  const queries = new RowQueries({ columns, length: 5, find })
  const conditions = [
    { column: 0, test: '=', value: '1' },
    { column: 1, test: '>', value: '2026-13-01' },
  ]
  await assert.rejects(queries.select({ conditions, search: '', order: null }), /column when has times/)
})

test('rows that are more than a computer has memory for are refused', async () => {
  const { RowQueries } = await source('../viewer/model/row-queries')
  const cells = () => assert.fail('nothing is read')
  const queries = new RowQueries({ columns: [{ name: 'a', kind: 'int8' }], length: 2 ** 45, cells })
  const order = { column: 0, descending: false }
  for (const selection of [
    { conditions: [], search: 'a', order: null },
    { conditions: [], search: '', order },
    { conditions: [{ column: 0, test: '=', value: '1' }], search: '', order: null },
  ])
    await assert.rejects(queries.select(selection), { name: 'B2ndError', code: 'limit' })
  await assert.rejects(queries.statistics(0, null), { name: 'B2ndError', code: 'limit' })
  assert.equal(await queries.select({ conditions: [], search: '', order: null }), null)
})

test('positions of lines: numbers and ranges as in Python, at most eight', async () => {
  const { positionsIn } = await source('../viewer/model/lines')
  for (const [text, expected] of [
    ['3', [3]],
    ['3, 3, 1', [3, 1]],
    ['-1, 2:5', [9, 2, 3, 4]],
    ['::3', [0, 3, 6, 9]],
    ['-3:', [7, 8, 9]],
    ['-9999999999999:2', [0, 1]],
    ['0:1000000000000', [0, 1, 2, 3, 4, 5, 6, 7]],
    ['10, -11, 5:5, x, 1.5, --1', null],
    ['', null],
  ])
    assert.deepEqual(positionsIn(text, 10), expected, text)
})

test('smaller copies have the lengths divided by whole numbers, rounded up', async () => {
  const { factorsOf } = await source('../viewer/model/pyramid')
  for (const [shape, small, expected] of [
    [
      [5001, 3000],
      [2501, 1500],
      [2, 2],
    ],
    [
      [8, 100, 100],
      [8, 25, 50],
      [1, 4, 2],
    ],
    [[100, 100], [100, 100], null],
    [[100, 100], [50, 51], null],
    [[100, 100], [100], null],
    [[100, 100], [200, 200], null],
    [[100, 100], [0, 50], null],
  ])
    assert.deepEqual(factorsOf(shape, small), expected)
})
