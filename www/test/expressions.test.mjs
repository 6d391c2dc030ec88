// Expressions of arrays are NumPy's, and lazy arrays those of python-blosc2.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, NDArray, open, openArray, slice } from 'b2nd'
import { evaluate, LazyArray, operandsBeside } from 'b2nd/expression'
import { openArrayFile, openFile, operandsBesideFile } from 'b2nd/node'
import { arrayWriter, encodeArray, memoryFile } from 'b2nd/write'
import { FOLDER } from './lib/golden.mjs'
import { skip, withFiles } from './lib/python.mjs'
import { serve } from './lib/server.mjs'

const arrayOf = async (items, options) => openArray(await encodeArray(items, options))

/** The values in a file of the test, as `get` returns them. */
async function valuesIn(folder, { file, dtype, shape }) {
  const array = await arrayOf({ data: readFileSync(join(folder, file)), dtype, shape }, {})
  const { data } = await array.get()
  return data
}

/** Fails unless values are equal, or floats of about the same value. */
function mustBeClose(own, theirs, rounding, told) {
  assert.equal(own.length, theirs.length, told)
  assert.equal(own.constructor, theirs.constructor, told)
  for (const [k, value] of own.entries()) {
    const isClose =
      Object.is(value, theirs[k]) ||
      value === theirs[k] ||
      Math.abs(value - theirs[k]) <= rounding * (1 + Math.abs(theirs[k]))
    assert.ok(isClose, `${told}: item ${k} is ${value}, not ${theirs[k]}`)
  }
}

test(
  'values, parts, shapes and dtypes are those of NumPy; lazy arrays and operands in stores those of python-blosc2',
  { skip },
  () =>
    withFiles('expression_files.py', async (folder, { cases, lazy }) => {
      assert.ok(cases.length > 60 && lazy.length > 10, `${cases.length} ${lazy.length}`)
      for (const { text, operands, whole, part, selected, rounding } of cases) {
        const names = Object.entries(operands)
        const opened = await Promise.all(
          names.map(async ([name, file]) => [name, await openArrayFile(join(folder, file))]),
        )
        const array = await evaluate(text, Object.fromEntries(opened))
        assert.deepEqual([array.shape, array.dtype], [whole.shape, whole.dtype], text)
        const { data, shape } = await array.get()
        assert.deepEqual(shape, whole.shape)
        mustBeClose(data, await valuesIn(folder, whole), rounding, text)
        const some = await array.get(part.map(([start, step]) => slice(start, null, step)))
        assert.deepEqual(some.shape, selected.shape)
        mustBeClose(some.data, await valuesIn(folder, selected), rounding, `${text}, a part`)
        let seen = 0
        for await (const part of array.parts())
          assert.deepEqual(part.data, data.subarray(seen, (seen += part.data.length)), text)
        assert.equal(seen, data.length, text)
        await array.close()
        await Promise.all(opened.map(([, operand]) => operand.close()))
      }
      const server = await serve({ '/': folder })
      try {
        for (const { text, path, ...expected } of lazy) {
          const file = join(folder, path)
          const url = server.url(`/${path}`)
          const opened = [await openFile(file, { operands: operandsBesideFile(file) })]
          // Stores are named by absolute paths.
          if (!path.startsWith('members/')) opened.push(await open(url, { operands: operandsBeside(url) }))
          for (const array of opened) {
            assert.ok(array instanceof LazyArray && array instanceof NDArray)
            // The reference writes parts of operands in its own way.
            if (!text.includes('[')) assert.equal(array.expression, text)
            assert.deepEqual([array.shape, array.dtype], [expected.shape, expected.dtype])
            const { data } = await array.get()
            mustBeClose(data, await valuesIn(folder, expected), 1e-6, text)
            assert.equal(array.info.reference, 'lazyexpr')
            assert.ok('b2o' in (await array.attrs()))
            assert.ok(array.traffic.requests > 0)
            await array.close()
            await assert.rejects(array.get(), { code: 'argument', message: /closed/ })
          }
        }
      } finally {
        await server.close()
      }
    }),
)

test('an expression is an array', async () => {
  const a = await arrayOf(Float32Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3], chunks: [1, 3], blocks: [1, 2] })
  const b = await arrayOf(Int32Array.of(10, 20, 30))
  const array = await evaluate('a + 2*b', { a, b })
  assert.deepEqual(
    [array.shape, array.dtype, array.chunks, array.blocks, array.itemsize, array.info.kind, array.info.nbytes],
    [[2, 3], '<f8', [1, 3], [1, 2], 8, 'array', 48],
  )
  assert.ok(array.is('float64'))
  assert.deepEqual([...(await array.get([1, slice(null, null, -1)])).data], [66, 45, 24])
  assert.equal(await array.at(-1, 0), 24)
  const out = new Float64Array(3)
  await array.getInto(out, [0])
  assert.deepEqual([...out], [21, 42, 63])
  assert.deepEqual((await array.stats()).mean, 43.5)
  assert.deepEqual(await array.attrs(), {})
  // Arrays of arrays.
  const least = await evaluate('array - min(array)', { array })
  assert.deepEqual([...(await least.get()).data], [0, 21, 42, 3, 24, 45])
  // Reading within a loop over parts.
  for await (const { start, data } of least.parts(null)) {
    const again = await least.get(start.map((first, axis) => slice(first, first + [2, 3][axis])))
    assert.deepEqual([...again.data].slice(0, data.length), [...data])
  }
  await array.close()
  await assert.rejects(least.get(), { code: 'argument', message: /closed/ })
  assert.deepEqual([...(await b.get()).data], [10, 20, 30])
  const { data } = await (await evaluate('2 * 3 + sum(b)', { b })).get()
  assert.deepEqual([...data], [66n])
})

test('what is no expression of the operands is told, and what it would take', async () => {
  const a = await arrayOf(Float32Array.of(1, 2, 3))
  const b = await arrayOf(Int32Array.of(1, 2))
  const texts = await arrayOf(['x', 'y', 'z'])
  const refused = {
    'a +': /syntax error at byte 3/,
    'nothing(a)': /"nothing", which is no known function/,
    'a + c': /operands: c is no array/,
    'a + b': /shapes of the operands do not fit/,
    'sum(a, axis=1)': /axis 1 does not exist/,
    'texts + 1': /do not have the dtype <U1/,
    'a + toString': /operands: toString is no array/,
  }
  for (const [text, message] of Object.entries(refused))
    await assert.rejects(evaluate(text, { a, b, texts }), { code: 'argument', message }, text)
  await assert.rejects(evaluate(7, {}), { code: 'argument', message: /^expression: / })
  await assert.rejects(evaluate('a', { a: [1, 2] }), { code: 'argument', message: /^operands: a / })
  await assert.rejects(evaluate('a', { a }, { limit: 1 }), { code: 'argument', message: /^limit: / })
  await assert.rejects((await evaluate('b ** (-b)', { b })).get(), { code: 'argument', message: /negative powers/ })
  const empty = await arrayOf(new Float32Array(0))
  await assert.rejects((await evaluate('max(a)', { a: empty })).get(), { code: 'argument', message: /no items/ })
  const small = await evaluate('a + 1', { a }, { limits: { memory: 8 } })
  await assert.rejects(small.get(), { code: 'limit' })
  await assert.rejects((await evaluate('a', { a })).get([7]), { code: 'argument' })
})

test('an array of a few bytes that claims many items is computed at once', async () => {
  // 8 TB.
  const file = memoryFile()
  const options = { dtype: '<f8', shape: [10 ** 12], chunks: [10 ** 6], blocks: [10 ** 5] }
  await (await arrayWriter(file, options)).close()
  const a = await openArray(file.bytes)
  const { data } = await (await evaluate('sum(a + 1)', { a })).get()
  assert.deepEqual([...data], [10 ** 12])
})

test('operands of a stored lazy array are opened by who is asked to, and closed with it', async () => {
  const bytes = readFileSync(join(FOLDER, 'blosc2-4.14.1/lazy-expression.b2nd'))
  const asked = []
  let closed = 0
  const items = Int32Array.from({ length: 600 }, (_, k) => k)
  const operands = async operand => {
    asked.push(operand)
    const frame = await encodeArray(items, { shape: [30, 20] })
    return { read: async (offset, length) => frame.subarray(offset, offset + length), close: () => void closed++ }
  }
  const array = await open(bytes, { operands })
  assert.deepEqual(
    asked.map(({ name, key }) => [name, key]),
    asked.map(({ name }) => [name, null]),
  )
  assert.equal(asked.length, 2)
  assert.ok(asked.every(({ path }) => path.endsWith('.b2nd')))
  assert.equal(await array.at(2, 3), 3 * 43)
  await array.close()
  assert.equal(closed, 2)
  // Without them nothing is opened.
  await assert.rejects((await open(bytes)).get(), { code: 'unsupported' })
  await assert.rejects(open(bytes, { operands: () => new Uint8Array(9) }), error => isB2ndError(error))
  await assert.rejects(open(bytes, { operands: true }), { code: 'argument', message: /^operands: / })
  const elsewhere = operandsBeside('https://example.org/folder/lazy.b2nd')
  for (const path of ['//example.com/a.b2nd', '///a'])
    await assert.rejects(elsewhere({ name: 'a', path, key: null }), {
      code: 'argument',
      message: /another origin|operand/,
    })
})

test('aborting ends an evaluation, and others go on', async () => {
  const a = await arrayOf(new Float64Array(1_000_000).fill(2), { chunks: [100_000], blocks: [10_000] })
  const array = await evaluate('a * 2', { a })
  await assert.rejects(array.get(null, { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
  const controller = new AbortController()
  const aborted = array.get(null, { signal: controller.signal })
  controller.abort(new Error('enough'))
  await assert.rejects(aborted, /enough/)
  let parts = 0
  for await (const { data } of array.parts()) {
    assert.equal(data[0], 4)
    if (++parts === 2) break
  }
  assert.equal((await array.get([slice(999_999, null)])).data[0], 4)
})
