// Rows that meet conditions, against the tool, and how little of a table is read for them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isB2ndError } from 'b2nd'
import { openStoreFile } from 'b2nd/node'
import { openStore } from 'b2nd/store'
import { FOLDER } from './lib/golden.mjs'

const CLI = join(import.meta.dirname, '../dist/cli.js')
const ROWS = 200_000
const CITIES = ['Łódź', 'Oslo', "O'Hare", 'São Paulo', '']
const folder = mkdtempSync(join(tmpdir(), 'b2nd-conditions-'))
const place = join(folder, 'table.b2z')
const tool = (...words) => execFileSync(process.execPath, [CLI, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 })

/** The cells of a row. */
const cells = k => ({
  n: k,
  x: k % 5 ? ((k * 7919) % 100_003) / 8 : null,
  flag: k % 3 > 0,
  t: new Date(Date.UTC(2026, 0, 1) + k * 60_000).toISOString().slice(0, 19),
  city: CITIES[(k * 31) % 5],
  s: `s${k % 997}`,
})
const isDeleted = k => k >= 1000 && k < 90_000 && (k - 1000) % 7 === 0
const rows = Array.from({ length: ROWS }, (_, k) => cells(k)).filter(({ n }) => !isDeleted(n))

before(() => {
  const line = ({ n, x, flag, t, city, s }) => [n, x ?? '', flag, t, `"${city}"`, s].join()
  const lines = ['n,x,flag,t,city,s', ...Array.from({ length: ROWS }, (_, k) => line(cells(k)))]
  writeFileSync(join(folder, 'table.csv'), lines.join('\n') + '\n')
  tool('create-table', join(folder, 'table.csv'), `${place}/t`)
  tool('add-columns', `${place}/t`, '--computed', 'twice = 2*x')
  tool('set', `${place}/t/_valid_rows`, '1000:90000:7', '--value', 'false')
})

after(() => rmSync(folder, { recursive: true }))

test('conditions have the rows that JavaScript finds', async () => {
  const table = await (await openStoreFile(place)).getTable('/t')
  assert.equal(table.length, rows.length)
  for (const [condition, meets] of [
    ['n >= 199990', ({ n }) => n >= 199_990],
    ['n < 1010 and n > 990', ({ n }) => n < 1010 && n > 990],
    ['n in (5, 77777, 123456, 199999)', ({ n }) => [5, 77_777, 123_456, 199_999].includes(n)],
    ['x > 12000.5 and flag', ({ x, flag }) => x > 12_000.5 && flag],
    ['x is null and n < 300', ({ x, n }) => x === null && n < 300],
    ['not x < 12400', ({ x }) => x !== null && !(x < 12_400)],
    ['t >= 2026-05-01T12:00 and t < 2026-05-01T14:30', ({ t }) => t >= '2026-05-01T12:00' && t < '2026-05-01T14:30'],
    ["city == 'Łódź' and n < 2000", ({ city, n }) => city === 'Łódź' && n < 2000],
    ["city != 'Oslo' and 150000 <= n < 150020", ({ city, n }) => city !== 'Oslo' && n >= 150_000 && n < 150_020],
    [`city == "O'Hare" and s == 's31'`, ({ city, s }) => city === "O'Hare" && s === 's31'],
    ["s in ('s1', 's2') and not flag", ({ s, flag }) => ['s1', 's2'].includes(s) && !flag],
    ['abs(x - 2000) < 0.6', ({ x }) => x !== null && Math.abs(x - 2000) < 0.6],
    ['twice > 24990 and n % 2 == 0', ({ x, n }) => 2 * x > 24_990 && n % 2 === 0],
    ['twice is null and n < 60', ({ x, n }) => x === null && n < 60],
    ['n == -1', () => false],
    ['n > 150000 or x < 3', ({ n, x }) => n > 150_000 || (x !== null && x < 3)],
    [[{ column: 'city', operator: '==', value: "O'Hare" }], ({ city }) => city === "O'Hare"],
    [
      [
        { column: 'n', operator: '>=', value: 199_000n },
        { column: 'x', operator: '<', value: 2000.5 },
        { column: 'flag', operator: '!=', value: true },
        { column: 't', operator: '>', value: '2026-05-19' },
      ],
      ({ n, x, flag, t }) => n >= 199_000 && x !== null && x < 2000.5 && !flag && t > '2026-05-19',
    ],
    [
      [
        { column: 'x', operator: 'is null' },
        { column: 's', operator: 'is not null' },
        { column: 'n', operator: '<', value: 50 },
        { column: 'n', operator: '>', value: -Infinity },
        { column: 'n', operator: '<', value: 1e21 },
      ],
      ({ x, n }) => x === null && n < 50,
    ],
  ]) {
    const found = await table.where(condition)
    const expected = rows.filter(meets)
    assert.equal(found.length, expected.length, condition)
    const numbers = await (await found.column('n')).get()
    assert.deepEqual(
      numbers.map(Number),
      expected.map(({ n }) => n),
      condition,
    )
    const places = rows.flatMap((row, number) => (meets(row) ? [number] : []))
    assert.deepEqual(Array.from(await table.find(condition)), places, condition)
  }
})

test('what was found is a table: its columns, rows and batches, and a condition on it', async () => {
  const table = await (await openStoreFile(place)).getTable('/t')
  const oslo = await table.where("city == 'Oslo' and n < 100000")
  const near = await oslo.where('x < 500')
  const expected = rows.filter(({ n, x, city }) => city === 'Oslo' && n < 100_000 && x !== null && x < 500)
  assert.ok(expected.length > 100)
  assert.deepEqual(
    await near.rows(0, near.length, ['x', 'city', 'twice']),
    expected.map(({ x, city }) => ({ x, city, twice: 2 * x })),
  )
  const { values, nulls } = await (await near.column('x', 'float64')).read(3, 60)
  assert.deepEqual(
    [...values],
    expected.slice(3, 60).map(({ x }) => x),
  )
  assert.ok(!nulls?.includes(1))
  let count = 0
  for await (const batch of near.batches({ columns: ['city'], size: 100 })) {
    assert.ok(batch.columns.city.values.every(city => city === 'Oslo'))
    count += batch.end - batch.start
  }
  assert.equal(count, near.length)
  const numbers = await oslo.find('x < 500', { limit: 40 })
  const inOslo = await oslo.rows(0, oslo.length, ['x'])
  assert.deepEqual(
    Array.from(numbers, number => inOslo[number].x),
    expected.slice(0, 40).map(({ x }) => x),
  )
  await assert.rejects(near.rows(0, near.length + 1), error => isB2ndError(error, 'argument'))
  const none = await table.where('n < 0')
  assert.deepEqual([none.length, await none.rows(), (await (await none.column('x')).read()).values.length], [0, [], 0])
})

test('a limit ends the search', async () => {
  const table = await (await openStoreFile(place)).getTable('/t')
  const steps = []
  const first = await table.where('flag', { limit: 3, onProgress: ({ loaded }) => steps.push(loaded) })
  assert.deepEqual(
    await (await first.column('n')).get(),
    rows
      .filter(({ flag }) => flag)
      .slice(0, 3)
      .map(({ n }) => BigInt(n)),
  )
  assert.equal(steps.length, 1)
  assert.ok(steps[0] < table.length)
  assert.equal((await table.where('flag', { limit: 0 })).length, 0)
  await assert.rejects(table.where('flag', { limit: 1.5 }), error => isB2ndError(error, 'argument'))
})

test('indexes tell what need not be read', async () => {
  const bytes = readFileSync(place)
  let read = 0
  const source = {
    size: bytes.length,
    read: async (offset, length) => {
      read += length
      return bytes.subarray(offset, offset + length)
    },
  }
  const table = await (await openStore(source)).getTable('/t')
  const before = read
  assert.equal((await table.where('123456 <= n < 123466')).length, 10)
  const share = (read - before) / bytes.length
  assert.ok(share < 0.02, `${share} of the bytes`)
})

test('full indexes have the rows that the tool finds', async () => {
  const path = join(FOLDER, 'tables/indexed.b2z')
  const table = await (await openStoreFile(path)).getTable()
  for (const condition of ['x in (7, 5990, 3)', 'x < 50 and z > 3']) {
    const found = await table.where(condition)
    const expected = tool('get', path, '-f', 'ndjson', '--columns', 'x', '--where', condition)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).x)
    assert.deepEqual(await (await found.column('x')).get(), expected, condition)
  }
})

test('errors, signals and progress', async () => {
  const table = await (await openStoreFile(place)).getTable('/t')
  for (const [condition, text] of [
    ['n >', /syntax error at byte 3/],
    ['absent > 3', /"absent", which is no stored column/],
    ['1 < 2', /names no column/],
    ["n == 'a'", /different kinds/],
    ['n + 1', /booleans/],
    [[], /condition/],
    [[null], /condition/],
    [[{ column: 'n', operator: '~', value: 1 }], /operator/],
    [[{ column: 'n', operator: '==', value: [] }], /value/],
    [[{ column: 'n', operator: '==', value: NaN }], /value/],
    [[{ column: 'city', operator: '==' }], /value/],
    [[{ column: 'ab`sent', operator: '==', value: 1 }], /"ab`sent"/],
  ])
    await assert.rejects(table.where(condition), error => isB2ndError(error, 'argument') && text.test(error.message))
  const stopped = new Error('stopped')
  await assert.rejects(table.where('n > 0', { signal: AbortSignal.abort(stopped) }), error => error === stopped)
  await assert.rejects(table.where('n > 0', { onProgress: 1 }), error => isB2ndError(error, 'argument'))
  const steps = []
  await table.where('n > 0', { onProgress: ({ loaded, total }) => steps.push([loaded, total]) })
  assert.deepEqual(steps.at(-1), [table.length, table.length])
  assert.ok(steps.length > 1 && steps[0][0] < table.length)
})
