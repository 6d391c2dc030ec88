// Values and attributes agree with Python, and selections with NumPy.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, openArray, slice } from 'b2nd'
import { openFile } from 'b2nd/node'
import * as zarr from 'zarrita'
import { cases } from './lib/golden.mjs'
import { skip, withFiles } from './lib/python.mjs'

const argument = error => isB2ndError(error, 'argument')
const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const array = await openArray(readFileSync(path))
const whole = await array.get()
const [rows, columns, depth] = array.shape

test('addresses of Python objects are refused, but for their bytes', async () => {
  const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/dtype-le-i8.b2nd')
  const file = readFileSync(path)
  file.set(new TextEncoder().encode('|O8'), file.indexOf('<i8'))
  const objects = await openArray(file)
  await assert.rejects(objects.get(), error => isB2ndError(error, 'unsupported'))
  assert.ok((await objects.stored([])).length > 0)
})

test('values and attributes of every dtype', { skip }, () =>
  withFiles('values_files.py', async (folder, files) => {
    for (const { name, dtype, file, values, attributes } of files) {
      await using(await openFile(join(folder, file)), async array => {
        if (dtype) assert.equal(array.dtype, dtype)
        for (const [at, value] of values.entries()) {
          const item = await array.at(Math.floor(at / 4), at % 4)
          assert.deepEqual(plain(item), value, `${name} ${at}`)
        }
        if (name === 'struct') table((await array.get()).data, values)
        assert.deepEqual(JSON.parse(JSON.stringify(await array.attrs())), attributes)
        if (name === 'i8')
          await assert.rejects(array.get(null, { int64: 'number' }), error => isB2ndError(error, 'unsupported'))
        if (name === 'M8[s]') {
          const { data } = await array.get(null, { int64: 'number' })
          assert.deepEqual(
            [...data],
            values.map((_, k) => (k ? k : NaN)),
          )
        }
        await into(array, name)
      })
    }
  }),
)

/** Arrays that `getInto` accepts for these dtypes, in addition to the type that `get` returns. */
const KINDS = { f2: [Float32Array, globalThis.Float16Array], 'M8[s]': [Float64Array], 'm8[ms]': [Float64Array] }

/** `getInto` accepts every type that `get` can return. */
async function into(array, name) {
  const { data, shape, stride, width } = await array.get()
  if (!ArrayBuffer.isView(data)) return
  for (const kind of [data.constructor, ...(KINDS[name] ?? [])].filter(Boolean)) {
    const out = new kind(data.length + 2).subarray(1, data.length + 1)
    const read = await array.getInto(out, null, { int64: kind === Float64Array ? 'number' : 'bigint' })
    assert.equal(read.data, out)
    assert.deepEqual({ ...read, data: 0 }, { data: 0, shape, stride, width })
    const exact = kind === Float64Array ? (await array.get(null, { int64: 'number' })).data : kind.from(data)
    assert.deepEqual(out, exact, `${name} in ${kind.name}`)
    await assert.rejects(array.getInto(new kind(data.length + 1)), argument)
  }
  await assert.rejects(array.getInto(new DataView(new ArrayBuffer(data.byteLength))), argument)
  if (name.endsWith('i8'))
    await assert.rejects(array.getInto(new Float64Array(data.length)), error => isB2ndError(error, 'unsupported'))
}

/** Values in JSON; 64-bit values as text. */
const plain = value => JSON.parse(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part)))

/** The values of each field of a structure. */
function table(items, values) {
  assert.deepEqual([items.length, items.names], [values.length, ['x', 'pair', 'deep', 'big']])
  assert.deepEqual(plain([...items]), values)
  assert.deepEqual(
    items.column('x'),
    Int16Array.from(values, ({ x }) => x),
  )
  assert.deepEqual(items.column('pair'), Float32Array.from(values.flatMap(({ pair }) => pair)))
  assert.deepEqual(
    items.column('big'),
    BigInt64Array.from(values, ({ big }) => BigInt(big)),
  )
  assert.deepEqual(
    items.column('deep').column('name'),
    values.map(({ deep }) => deep.name),
  )
  assert.throws(() => items.column('none'), argument)
  assert.throws(() => items.row(values.length), argument)
}

async function using(array, work) {
  try {
    await work(array)
  } finally {
    await array.close()
  }
}

/** The items of `sample` that a selection takes, computed position by position. */
function expected(selection) {
  const axes = selection.includes('...') ? selection : [...selection, '...']
  const dots = axes.indexOf('...')
  const full = [...axes.slice(0, dots), ...Array(4 - axes.length).fill(null), ...axes.slice(dots + 1)]
  const [i, j, k] = full.map((index, axis) => positions(index, array.shape[axis]))
  const data = i.flatMap(a => j.flatMap(b => k.map(c => whole.data[(a * columns + b) * depth + c])))
  const shape = [i, j, k]
    .map(list => list.length)
    .filter((_, axis) => full[axis] === null || typeof full[axis] === 'object')
  return { data, shape }
}

function positions(index, length) {
  if (index === null) index = slice(null)
  if (typeof index !== 'object') return [Number(index) < 0 ? Number(index) + length : Number(index)]
  const step = Number(index.step ?? 1)
  const bound = (value, absent) => {
    if (value === null) return absent
    const at = Number(value) < 0 ? Number(value) + length : Number(value)
    return step > 0 ? Math.min(Math.max(at, 0), length) : Math.min(Math.max(at, -1), length - 1)
  }
  const list = []
  const [start, stop] =
    step > 0
      ? [bound(index.start, 0), bound(index.stop, length)]
      : [bound(index.start, length - 1), bound(index.stop, -1)]
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) list.push(at)
  return list
}

const SELECTIONS = [
  [],
  ['...'],
  [null, null, null],
  [0],
  [-1, '...', -1],
  [3n, slice(5n)],
  ['...', 7],
  [slice(2, 10, 3), slice(null, null, -1), 4],
  [slice(-3, null), '...', slice(-100, 100, 7)],
  [slice(8, 2), null, null],
  [slice(8, 2, -2), slice(1, -1), slice(3, 4)],
  [0, 0, 0],
  [rows - 1, columns - 1, depth - 1],
  [zarr.slice(1, 3), zarr.slice(4), null],
  [slice(0), 2],
  ['...', slice(null, null, -13)],
  [slice(null, null, 10 ** 12)],
  [slice(-(10 ** 12), 10 ** 12)],
]

test('selections', async () => {
  for (const selection of SELECTIONS) {
    const { data, shape, stride } = await array.get(selection)
    const should = expected(selection)
    const name = JSON.stringify(selection, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
    assert.deepEqual(shape, should.shape, name)
    assert.deepEqual([...data], should.data, name)
    assert.deepEqual(
      stride,
      shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1)),
    )
  }
})

test('parts make the whole, and plans tell their cost', async () => {
  for (const selection of SELECTIONS) {
    const { data, shape, stride } = await array.get(selection)
    const seen = new Float32Array(data.length).fill(NaN)
    for await (const part of array.parts(selection)) {
      part.data.forEach((value, at) => {
        const place = part.stride.reduce((sum, step, axis) => {
          return sum + (part.start[axis] + (Math.floor(at / step) % part.shape[axis])) * stride[axis]
        }, 0)
        seen[place] = value
      })
    }
    assert.deepEqual(seen, data)
    assert.equal((await array.plan(selection)).decodedBytes, data.byteLength)
    assert.equal(
      shape.reduce((a, b) => a * b, 1),
      data.length,
    )
  }
})

test('selections that are none', async () => {
  const wrong = [
    [rows],
    [-rows - 1],
    [0, 0, 0, 0],
    ['...', '...'],
    [slice(0, 1, 0)],
    [0.5],
    [NaN],
    ['1'],
    [undefined],
    [{}],
    'all',
    5,
    [Infinity],
    [slice(0.5)],
    [slice('a')],
    [true],
    [[0, 1]],
  ]
  for (const selection of wrong) {
    await assert.rejects(async () => array.get(selection), argument, JSON.stringify(selection))
    await assert.rejects(async () => array.plan(selection), argument)
  }
  await assert.rejects(array.at(0), argument)
  await assert.rejects(array.getInto(new Float64Array(1), [0, 0, 0]), argument)
  await assert.rejects(array.getInto(new Float32Array(2), [0, 0, 0]), argument)
})

test('into an array that is there', async () => {
  const out = new Float32Array(3 * depth).subarray(depth, 2 * depth)
  const { data } = await array.getInto(out, [2, 3])
  assert.equal(data, out)
  assert.deepEqual([...out], expected([2, 3]).data)
})

test('statistics', async () => {
  const stats = await array.stats(null, { bins: 16 })
  const finite = whole.data.filter(Number.isFinite)
  assert.equal(stats.count, whole.data.length)
  assert.equal(stats.min, Math.min(...finite))
  assert.equal(stats.max, Math.max(...finite))
  assert.ok(Math.abs(stats.mean - finite.reduce((a, b) => a + b, 0) / finite.length) < 1e-6 * (stats.max - stats.min))
  assert.equal(
    stats.histogram.counts.reduce((a, b) => a + b, 0),
    finite.length,
  )
})
