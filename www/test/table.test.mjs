// Tables and sequences of objects: golden ones, and random ones if B2ND_TABLES and B2ND_OBJECTS name folders.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, open, openArray } from 'b2nd'
import { folderSource, openStoreFile } from 'b2nd/node'
import { openObjects, openStore, Table } from 'b2nd/store'
import { encodeArray } from 'b2nd/write'
import { frameSource } from './lib/frames.mjs'
import { FOLDER } from './lib/golden.mjs'
import { zipped } from './lib/zip.mjs'

// By a name, its types would bring those of Node.js to the linter.
const ARROW = 'apache-arrow'
const arrow = await import(ARROW)
const NESTED = readFileSync(join(FOLDER, 'tables/nested.b2z'))
/** The frame of small members of a golden store, in which there are none. */
const EMBED = readFileSync(join(FOLDER, 'tables/010.b2d/embed.b2e'))
const CLI = join(import.meta.dirname, '../dist/cli.js')
const code = expected => error => isB2ndError(error, expected)
const lines = path =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

/** Compares a value with what the tool prints of it in JSON. There, too, integers beyond 2^53 are rounded when they are read. */
function same(value, expected, place) {
  const number = typeof value === 'bigint' ? Number(value) : value
  if (typeof number === 'number' && !Number.isFinite(number)) assert.equal(String(number), expected, place)
  else if (number === null || typeof number !== 'object')
    assert.ok(number === expected, `${place}: ${value}, ${expected}`)
  else if (value instanceof Uint8Array) assert.equal(Buffer.from(value).toString('hex'), expected.bin, place)
  else if (value.frame) assert.deepEqual([value.frame[2], expected.length], [98, 6], place)
  else if (value.dtype) assert.equal(value.shape[0] ?? 0, expected.length ?? 0, place)
  else if (Array.isArray(value) || value instanceof Set) {
    assert.equal(value.length ?? value.size, expected.length, place)
    ;[...value].forEach((item, at) => same(item, expected[at], place))
  } else {
    assert.deepEqual(Object.keys(value).sort(), Object.keys(expected).sort(), place)
    for (const [key, item] of Object.entries(value)) same(item, expected[key], place)
  }
}

/** The decimal places of seconds in the units of times. */
const PLACES = { s: 0, ms: 3, us: 6, ns: 9 }

/** A time as NumPy prints it, such as 1970-01-01T00:00:01.25, as a count of a unit. */
function counted(time, unit) {
  const [seconds, fraction = ''] = time.split('.')
  const digits = `${Date.parse(`${seconds}Z`) / 1000}${'0'.repeat(PLACES[unit])}`
  return BigInt(digits) + BigInt(fraction.padEnd(PLACES[unit], '0') || 0)
}

function sameCell(cell, expected, { kind, unit }, place) {
  if (kind === 'timestamp') {
    assert.equal(cell === null || cell === -(2n ** 63n), expected === null, place)
    if (expected !== null) assert.equal(cell, counted(expected, unit), place)
  } else same(cell, kind === 'ndarray' ? (expected?.flat(9) ?? null) : expected, place)
}

/** The cells of what `read` returns, as `get` returns them. */
function cellsOf({ values, nulls }, rows, { kind, item_shape: shape }) {
  const width = values.length / rows
  return Array.from({ length: rows }, (_, row) => {
    if (Array.isArray(values)) return values[row]
    if (nulls?.[row]) return null
    if (kind === 'bool') return values[row] !== 0
    return shape || kind.startsWith('complex') ? [...values.subarray(row * width, (row + 1) * width)] : values[row]
  })
}

for (const folder of [join(FOLDER, 'tables'), process.env.B2ND_TABLES].filter(Boolean)) {
  test(`the tables in ${folder}`, async () => {
    let count = 0
    let typed = 0
    const units = new Set()
    for (const { path, rows, columns } of lines(join(folder, 'tables.jsonl'))) {
      const place = join(folder, path)
      const store = await openStoreFile(place)
      assert.deepEqual(store.tables(), [''])
      const table = await store.getTable()
      assert.equal(table.length, rows, path)
      for (const { kind, unit } of table.schema.columns) if (kind === 'timestamp') units.add(unit)
      assert.deepEqual(
        table.schema.columns.map(({ name, kind }) => [name, kind]),
        columns.map(({ name, kind }) => [name, kind]),
      )
      const read = await table.rows()
      for (const { name, cells } of columns) {
        const { spec } = await table.column(name)
        cells.forEach((cell, row) => sameCell(read[row][name], cell, spec, `${path} ${name} ${row}`))
        const middle = await (await table.column(name)).get(rows >> 2, rows - (rows >> 2))
        middle.forEach((cell, row) => assert.deepEqual(cell, read[row + (rows >> 2)][name], `${path} ${name} ${row}`))
        const column = await table.column(name)
        for (const [start, end] of [
          [0, rows],
          [rows >> 2, rows - (rows >> 2)],
          [rows, rows],
        ]) {
          const data = await column.read(start, end)
          typed += Number(ArrayBuffer.isView(data.values))
          const expected = await column.get(start, end)
          assert.deepEqual(cellsOf(data, end - start, spec), expected, `${path} ${name}`)
          assert.equal(data.nulls !== null, expected.includes(null), `${path} ${name}`)
        }
      }
      for (let row = 0; row < rows; row += 3) assert.deepEqual(await table.rows(row, row + 1), [read[row]], path)
      await store.close()
      count++
    }
    assert.ok(count >= 5 && typed > 50, `${typed} typed arrays`)
    if (folder.startsWith(FOLDER)) assert.deepEqual(units, new Set(Object.keys(PLACES)))
  })
}

test('rows come in batches', async () => {
  const store = await openStoreFile(join(FOLDER, 'tables/nulls.b2z'))
  const table = await store.getTable()
  const names = table.schema.columns.map(({ name }) => name)
  const rows = []
  const told = []
  for await (const { start, end, columns } of table.batches({
    size: 3,
    onProgress: ({ loaded }) => told.push(loaded),
  })) {
    assert.equal(start, rows.length)
    const cells = names.map((name, k) => cellsOf(columns[name], end - start, table.schema.columns[k]))
    for (let row = 0; row < end - start; row++)
      rows.push(Object.fromEntries(names.map((name, k) => [name, cells[k][row]])))
  }
  assert.deepEqual(rows, await table.rows())
  assert.equal(told.at(-1), table.length)
  assert.ok(rows.length > 3)
  const controller = new AbortController()
  await assert.rejects(async () => {
    for await (const { columns } of table.batches({
      columns: [names[0]],
      size: 1,
      end: 3,
      signal: controller.signal,
    })) {
      assert.deepEqual(Object.keys(columns), [names[0]])
      controller.abort(new Error('enough'))
    }
  }, /enough/)
  await assert.rejects(table.batches({ size: 0 }).next(), code('argument'))
  await assert.rejects(table.batches({ columns: ['nothing'] }).next(), code('argument'))
  await assert.rejects(table.batches({ end: table.length + 1 }).next(), code('argument'))
  await store.close()
})

test('columns as vectors of apache-arrow', async () => {
  let count = 0
  for (const { path, columns } of lines(join(FOLDER, 'tables/tables.jsonl'))) {
    const place = join(FOLDER, 'tables', path)
    const store = await openStoreFile(place)
    const table = await store.getTable()
    const names = []
    for (const { name } of columns) {
      const column = await table.column(name)
      const vector = await column.toArrow(arrow).catch(error => assert.ok(isB2ndError(error, 'unsupported')))
      if (!vector) continue
      names.push(name)
      const [cells, { nulls, values }] = [await column.get(), await column.read()]
      assert.equal(vector.length, cells.length, `${path} ${name}`)
      for (const [row, cell] of cells.entries()) {
        const isNone = column.spec.kind === 'timestamp' && cell === -(2n ** 63n)
        assert.equal(vector.isValid(row), cell !== null && !isNone, `${path} ${name} ${row}`)
        if (cell === null || isNone || column.spec.kind === 'timestamp') continue
        const value = vector.get(row)
        assert.deepEqual(Array.isArray(cell) ? [...value] : value, cell, `${path} ${name} ${row}`)
      }
      if (!nulls && values instanceof Float64Array && !Array.isArray(cells[0]))
        assert.equal(vector.data[0].values.length, values.length)
      count++
    }
    const part = await table.toArrow(arrow, { columns: names, start: table.length >> 1 })
    assert.equal(part.numRows, names.length && table.length - (table.length >> 1))
    const copy = arrow.tableFromIPC(arrow.tableToIPC(part))
    assert.deepEqual(copy.schema.fields.map(String), part.schema.fields.map(String))
    assert.deepEqual(
      names.map(name => copy.getChild(name).nullCount),
      names.map(name => part.getChild(name).nullCount),
    )
    await store.close()
  }
  assert.ok(count > 50, `${count} columns`)
})

test('tables in a frame of frames, with computed columns', async () => {
  const store = await openStore(readFileSync(join(FOLDER, 'tables/members.b2e')))
  assert.deepEqual(store.keys(), ['/array', '/group/table'])
  const table = await store.getTable('/group/table')
  assert.deepEqual(
    table.schema.columns.map(({ name, kind }) => [name, kind]),
    [
      ['a', 'int32'],
      ['b', 'float64'],
      ['double', 'int32'],
    ],
  )
  assert.deepEqual(table.schema.computed, [
    { name: 'sum', dtype: 'float64', expression: '((a * 2) + b)', inputs: ['a', 'b'] },
  ])
  assert.deepEqual(await table.rows(), [
    { a: 1, b: 0.5, double: 2 },
    { a: 2, b: 1.5, double: 4 },
    { a: 3, b: 2.5, double: 6 },
  ])
  assert.deepEqual(await table.rows(1, 3, ['a', 'sum']), [
    { a: 2, sum: 5.5 },
    { a: 3, sum: 8.5 },
  ])
  const sum = await table.column('sum', 'float64')
  assert.deepEqual(await sum.read(), { values: Float64Array.of(2.5, 5.5, 8.5), nulls: null })
  assert.equal((await sum.toArrow(arrow)).get(2), 8.5)
  await assert.rejects(store.getTable('/array'), code('argument'))
  await assert.rejects(store.getTable('/group'), code('argument'))
  await assert.rejects(store.getTable(), code('argument'))
})

test('computed columns are those of the tool', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-computed-'))
  const tool = (...words) => execFileSync(process.execPath, [CLI, ...words], { encoding: 'utf8', maxBuffer: 1 << 24 })
  const place = join(folder, 'table.b2z')
  const row = k => [
    k % 5 ? k * 7919 : '',
    k % 7 ? (k / 8).toFixed(3) : '',
    k % 2 ? 'true' : 'false',
    `2026-01-${10 + (k % 20)}T00:00:00`,
    `s${k}`,
  ]
  const csv = ['x,y,flag,t,s', ...Array.from({ length: 9000 }, (_, k) => row(k).join())]
  writeFileSync(join(folder, 'table.csv'), csv.join('\n') + '\n')
  tool('create-table', join(folder, 'table.csv'), `${place}/t`)
  const columns = {
    sum: 'x + 2*y',
    small: '0 <= x < 70000',
    root: 'sqrt(y)',
    large: 'x * 3000000000',
    power: 'x ** 2',
    either: 'where(flag, x, y)',
    only: '~flag',
  }
  const added = Object.entries(columns).flatMap(([name, text]) => ['--computed', `${name} = ${text}`])
  tool('add-columns', `${place}/t`, ...added)
  // Rows that are deleted.
  tool('set', `${place}/t/_valid_rows`, '20:1500:3', '--value', 'false')
  const table = await (await openStoreFile(place)).getTable('/t')
  const names = Object.keys(columns)
  assert.deepEqual(
    table.schema.computed.map(({ name }) => name),
    names,
  )
  const printed = tool('get', `${place}/t`, '-f', 'ndjson', '--columns', names.join())
  const expected = printed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const rows = await table.rows(0, table.length, names)
  assert.ok(rows.length > 8000 && rows.length < 9000)
  assert.equal(rows.length, expected.length)
  for (const [at, row] of rows.entries())
    for (const name of names) same(row[name], expected[at][name], `${name}, row ${at}`)
  const { values, nulls } = await (await table.column('large', 'int64')).read(3, 60)
  assert.ok(values instanceof BigInt64Array)
  for (const [k, value] of values.entries()) if (!nulls[k]) assert.equal(value, BigInt(rows[3 + k].large))
  assert.deepEqual(
    [...nulls],
    rows.slice(3, 60).map(({ large }) => Number(large === null)),
  )
  rmSync(folder, { recursive: true })
})

test('stores, tables and objects are iterated over, and closed at the end of `await using`', async () => {
  const folder = folderSource(join(FOLDER, 'tables/010.b2d'))
  const opened = new Set()
  const file = async path => {
    const source = await folder.file(path)
    opened.add(source)
    return { ...source, close: () => (opened.delete(source), source.close()) }
  }
  const store = await openStore({ ...folder, file })
  const before = opened.size
  const table = await store.getTable()
  const rows = []
  for await (const row of table) rows.push(row)
  assert.deepEqual(rows, await table.rows())
  assert.ok(opened.size > before)
  await table.close()
  assert.equal(opened.size, before)
  const again = await store.getTable()
  assert.equal((await again.rows()).length, rows.length)
  const keys = []
  for await (const [key, member] of store) {
    keys.push(key)
    await member.close()
  }
  assert.deepEqual(keys, store.keys())
  for (const closeable of [again, store]) {
    await closeable[Symbol.asyncDispose]?.()
    await closeable.close()
  }
  assert.equal(opened.size, 0)
  const inner = await openStore(readFileSync(join(FOLDER, 'tables/members.b2e')))
  const member = await inner.getTable('/group/table')
  await member.close()
  assert.deepEqual((await (await inner.getTable('/group/table')).rows(0, 1))[0], { a: 1, b: 0.5, double: 2 })
})

test('an index of objects counts from the end if it is negative', async () => {
  const path = join(FOLDER, 'objects/000.b2b')
  const objects = await openObjects(readFileSync(path))
  const all = []
  for await (const value of objects) all.push(value)
  assert.deepEqual(all, await objects.slice())
  assert.deepEqual(await objects.get(-1), all.at(-1))
  assert.deepEqual(await objects.get(-objects.length), all[0])
  for (const index of [objects.length, -objects.length - 1, 0.5])
    await assert.rejects(objects.get(index), code('argument'))
  await objects[Symbol.asyncDispose]?.()
  await objects.close()
})

test('nulls are compared as the column stores them', async () => {
  const table = await (await openStore(readFileSync(join(FOLDER, 'tables/nulls.b2z')))).getTable()
  const [largest, between] = [2n ** 64n - 1n, 2n ** 60n + 1n]
  const nulls = table.schema.columns.slice(0, 5).map(({ null_value }) => null_value)
  assert.deepEqual(nulls, [largest, between, 2n ** 53n + 1n, -999.1, 0])
  const [first, second, , fourth] = await Promise.all(
    table.schema.columns.slice(0, 4).map(async ({ name }) => (await table.column(name)).get()),
  )
  assert.deepEqual(new Set(first), new Set([0n, 5n, null, largest - 1n]))
  assert.deepEqual(new Set(second), new Set([2n ** 53n, between - 1n, null, between + 1n]))
  assert.deepEqual(new Set(fourth), new Set([-999.125, -999, 0.5, null]))
})

test('stale columns are refused, and read as they are stored if asked for', async () => {
  const bytes = readFileSync(join(FOLDER, 'tables/stale.b2z'))
  const table = await (await openStore(bytes)).getTable()
  assert.deepEqual(table.schema.stale, ['double', 'four'])
  const isStale = error => isB2ndError(error, 'unsupported') && /double is stale/.test(error.message)
  await assert.rejects(table.column('double'), isStale)
  await assert.rejects(table.rows(), isStale)
  assert.deepEqual(await table.rows(0, 1, ['a', 'half']), [{ a: 100, half: 0.25 }])
  const stored = await (await openStore(bytes, { asStored: true })).getTable()
  assert.deepEqual(await (await stored.column('double')).get(), [2, 4, 6])
})

test('tables in groups', async () => {
  const store = await openStore(NESTED)
  assert.deepEqual(store.tables(), ['/group/table'])
  const table = await store.getTable('/group/table/')
  assert.ok(table instanceof Table)
  assert.deepEqual(await table.rows(0, 2), [
    { number: 1, text: 'one' },
    { number: 2, text: null },
  ])
  assert.deepEqual(await table.rows(2, 3, ['number']), [{ number: 3 }])
  assert.deepEqual(await table.rows(1, 1), [])
  await assert.rejects(table.rows(0, 4), code('argument'))
  await assert.rejects(table.column('none'), code('argument'))
  const [{ name, kind }] = table.schema.columns
  assert.equal(await table.column(name, kind), await table.column(name))
  await assert.rejects(table.column(name, 'complex64'), {
    code: 'argument',
    message: `column ${name} is of the kind ${kind}, not complex64`,
  })
  await assert.rejects(store.getTable('/array'), code('argument'))
  await assert.rejects(store.getObjects('/array'), code('argument'))
})

for (const folder of [join(FOLDER, 'objects'), process.env.B2ND_OBJECTS].filter(Boolean)) {
  test(`the objects in ${folder}`, async () => {
    let count = 0
    for (const { path, values } of lines(join(folder, 'objects.jsonl'))) {
      const store = await openStore(archive(readFileSync(join(folder, path))))
      const objects = await store.getObjects('/member')
      assert.equal(objects.length, values.length, path)
      ;(await objects.slice()).forEach((value, at) => same(value, values[at], `${path} ${at}`))
      for (let at = 0; at < values.length; at += 7) same(await objects.get(at), values[at], `${path} ${at}`)
      await assert.rejects(objects.get(values.length), code('argument'))
      await objects.close()
      count++
    }
    assert.ok(count >= 8)
  })
}

test('objects that are stored as Arrow are refused', async () => {
  const store = await openStore(archive(readFileSync(join(FOLDER, 'objects/arrow.b2b'))))
  await assert.rejects(store.getObjects('/member'), code('unsupported'))
  const table = await (await openStore(readFileSync(join(FOLDER, 'tables/arrow.b2z')))).getTable()
  assert.deepEqual(await table.rows(0, 3, ['number']), [{ number: 1 }, { number: 2 }, { number: 4 }])
  await assert.rejects(table.column('words'), code('unsupported'))
  await assert.rejects(table.rows(0, 3, ['number', 'words']), code('unsupported'))
  // Without names such columns are left out, as the tool leaves them out.
  assert.deepEqual(await table.rows(0, 3), [{ number: 1 }, { number: 2 }, { number: 4 }])
  assert.deepEqual((await table.rows()).length, table.length)
})

test('an array within an object is opened from its bytes', async () => {
  const objects = await openObjects(readFileSync(join(FOLDER, 'objects/001.b2b')))
  const { frame } = await objects.get(3)
  assert.deepEqual([...(await (await openArray(frame)).get()).data].map(Number), [0, 1, 2, 3, 4, 5])
})

test('columns have names with commas', async () => {
  const schema = '{"columns": [{"name": "a,b", "kind": "int8"}, {"name": "a", "kind": "int8"}]}'
  const column = await encodeArray([1, 2], { dtype: 'i1' })
  const table = await tableOf(schema, [3, 4], 'i1', { '_cols/a,b.b2nd': column })
  assert.deepEqual(await table.rows(0, 1), [{ 'a,b': 1, a: 3 }])
  assert.deepEqual(await table.rows(1, 2, ['a,b']), [{ 'a,b': 2 }])
})

/** A store that is a table of one column, `a`, with these items, and more files. */
async function tableOf(schema, items, dtype, more = {}) {
  const files = {
    '_meta.b2f': await encodeArray([0], { dtype: 'i1', attrs: { kind: 'ctable', schema } }),
    '_valid_rows.b2nd': await encodeArray(
      items.map(() => true),
      { dtype: '?' },
    ),
    '_cols/a.b2nd': await encodeArray(items, { dtype }),
    ...more,
    'embed.b2e': EMBED,
  }
  return (await openStore(new Uint8Array(zipped(files)))).getTable()
}

test('schemas have the texts and numbers of their JSON', async () => {
  const column = entry => `{"columns": [{"name": "a", "kind": "x", ${entry}}]}`
  for (const [entry, items, dtype, cells] of [
    ['"null_value": "\\u0001b"', ['\u0001b', 'a'], '<U2', [null, 'a']],
    ['"null_value": "\\u00012"', ['\u00012', 'a'], '<U2', [null, 'a']],
    ['"null_value": "NaN"', ['NaN', 'a'], '<U3', [null, 'a']],
    ['"null_value": "12345678901234567890"', ['12345678901234567890', 'a'], '<U20', [null, 'a']],
    ['"null_value": NaN', [1, NaN], '<f8', [1, null]],
    ['"null_value": -Infinity', [1, -Infinity], '<f8', [1, null]],
    ['"null_value": 1.12345678901234567890', [1, 1.1234567890123457], '<f8', [1, null]],
    ['"null_value": 9007199254740993', [2n ** 53n, 2n ** 53n + 1n], '<i8', [2n ** 53n, null]],
    ['"null_value": -1', [2n ** 64n - 1n, 0n], '<u8', [2n ** 64n - 1n, 0n]],
    ['"null_value": 5.5', [5n, 6n], '<u8', [5n, 6n]],
    // As the tool reads them: half of a pair is no character, zeros of both signs are one null, and a value that no item has is none.
    ['"null_value": "a"', ['\ud800', 'a'], '<U1', ['\ufffd', null]],
    ['"null_value": "\\ud800"', ['\ud800', 'a'], '<U1', ['\ufffd', 'a']],
    ['"null_value": 0', [0, -0, 1], '<f4', [null, null, 1]],
    ['"null_value": 300', [44, 1], '|u1', [44, 1]],
    ['"null_value": 1e400', [1, Infinity], '<f8', [1, null]],
  ]) {
    const table = await tableOf(column(entry), items, dtype)
    assert.deepEqual(await (await table.column('a')).get(), cells, entry)
  }
})

test('schemas cost little, however they are written', { timeout: 5000 }, async () => {
  const tail = (text, value) => `{"columns": [{"name": "a", "kind": "x", "null_value": ${value}}], "more": ${text}}`
  for (const text of ['\\"'.repeat(5e4), '"' + '\\'.repeat(1e5 + 1), `"${'\\'.repeat(1e5 + 1)}"`, '1'.repeat(1e6)])
    await assert.rejects(tableOf(tail(text, '0') + '"', [0], 'i1'), code('format'))
  const zeros = { __bytes__: true, base64: Buffer.from(`${'\0'.repeat(2e5)}a`).toString('base64') }
  const table = await tableOf(tail('0', JSON.stringify(zeros)), ['a'], '|S1')
  assert.deepEqual(await (await table.column('a')).get(), ['a'])
})

test('keys of any kind', async () => {
  const map = Buffer.from('8292cf7fffffffffffffff0105cf7ffffffffffffffe06', 'hex')
  const { metalayers } = await open(frameSource({ meta: { map } }))
  assert.deepEqual(Object.entries(metalayers.map), [
    ['[9223372036854775807,1]', 5],
    ['9223372036854775806', 6],
  ])
  const store = await openStore(archive(readFileSync(join(FOLDER, 'objects/000.b2b'))))
  const objects = await store.getObjects('/member')
  assert.deepEqual(await objects.get(1n), await objects.get(1))
  for (const key of [2 ** 63 - 1, 2n ** 63n - 1n, -1 - objects.length, 0.5, '0', NaN, null])
    await assert.rejects(objects.get(key), code('argument'), `${key}`)
})

/** A store with this frame as its only member: the archive of a golden store with another directory. */
const archive = frame => new Uint8Array(zipped({ 'member.b2b': frame, 'embed.b2e': EMBED }))

test('damage is an error, or other values', async () => {
  const bytes = Uint8Array.from(NESTED)
  let failed = 0
  for (let at = 0; at < bytes.length; at += 23) {
    bytes[at] ^= 0x41
    try {
      await (await (await openStore(bytes)).getTable('/group/table')).rows()
    } catch (error) {
      assert.ok(isB2ndError(error), `byte ${at}: ${error.stack}`)
      failed++
    }
    bytes[at] ^= 0x41
  }
  assert.ok(failed > 50, `${failed}`)
})
