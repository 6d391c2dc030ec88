// The package reads files that were changed in all ways: each read returns data, the same in all ways of reading, or fails with a
// typed error, in bounded time and memory.
//
// B2ND_MUTATIONS sets the number of files of each kind, B2ND_SEED another seed; a file that is at fault is kept where the message says.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { init, isB2ndError, open, slice } from 'b2nd'
import { hdf5Filters, init as initHdf5 } from 'b2nd/hdf5'
import { openObjects, openStore } from 'b2nd/store'
import { FOLDER } from './lib/golden.mjs'
import { MOST, mutated, Random } from './lib/mutation.mjs'

const LIMITS = { memory: 2 ** 24, metadata: 2 ** 20 }
/** The most processor time of a file in milliseconds, on a slow machine. */
const PATIENCE = 2_000
/** The most memory that the process takes, in KiB. */
const MOST_MEMORY = 400 * 1024
const COUNT = Number(process.env.B2ND_MUTATIONS ?? 1000)
const SEED = Number(process.env.B2ND_SEED ?? 1)

/** The golden files in a folder whose names end like this, if they are small. */
const seeds = (folder, pattern) =>
  readdirSync(join(FOLDER, folder), { recursive: true })
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(FOLDER, folder, name))
    .filter(path => statSync(path).isFile() && statSync(path).size <= MOST)
    .map(path => new Uint8Array(readFileSync(path)))

/** Its result, or nothing if it fails as it may. */
async function tried(read) {
  try {
    return await read()
  } catch (error) {
    if (!isB2ndError(error, 'format', 'unsupported', 'limit') || /broke down/.test(error.message)) throw error
    return undefined
  }
}

/** What is no longer a table or a sequence of objects is for the caller to know. */
function notOne(error) {
  if (!isB2ndError(error, 'argument') || !/ is not a /.test(error.message)) throw error
}

/** Reads changed files, and the golden ones themselves. */
async function check(name, files, read, mostMemory = MOST_MEMORY) {
  assert.ok(files.length > 0)
  const random = new Random(SEED)
  let slowest = 0
  let count = 0
  const attempt = async bytes => {
    const start = process.cpuUsage()
    try {
      if ((await read(bytes)) !== undefined) count++
    } catch (error) {
      const path = join(tmpdir(), `b2nd-mutated-${name}`)
      writeFileSync(path, bytes)
      throw new Error(path, { cause: error })
    }
    const { user, system } = process.cpuUsage(start)
    slowest = Math.max(slowest, (user + system) / 1000)
  }
  for (const bytes of files) await attempt(bytes)
  for (let number = 0; number < COUNT; number++) await attempt(mutated(random, files))
  const memory = process.resourceUsage().maxRSS
  const processor = process.cpuUsage()
  const seconds = ((processor.user + processor.system) / 1e6).toFixed(1)
  console.log(
    `${name}: ${count} of ${files.length + COUNT} gave data, ${slowest.toFixed()} ms of processor time for the slowest;`,
    `so far ${seconds} s, ${memory >> 10} MiB`,
  )
  assert.ok(slowest < PATIENCE, `${slowest} ms`)
  assert.ok(memory < mostMemory, `${memory} KiB`)
  assert.ok(count >= files.length / 2, `${count} gave data`)
}

/** Reads a frame, all of it and parts. */
async function frame(reader) {
  const all = await tried(() => reader.get())
  await tried(() => reader.attrs())
  const { length } = reader.shape ?? [reader.nbytes]
  if (all === undefined || length === 0 || all instanceof Uint8Array) return all
  const first = await reader.get([slice(0, 1)].slice(0, length))
  // The data of structures are those of their fields, which are not lists.
  if (typeof all.data.slice === 'function') assert.deepEqual(first.data, all.data.slice(0, first.data.length))
  return all
}

/** Reads objects, all of them and one by one. */
async function objects(sequence) {
  const { length } = sequence
  const all = await tried(() => sequence.slice(0, Math.min(length, 1000)))
  for (const index of [0, length >> 1, length - 1]) {
    if (index < 0 || index >= length) continue
    const one = await tried(() => sequence.get(index))
    if (all && index < all.length) assert.deepEqual(one, all[index])
  }
  return all
}

/** Reads a table, all columns together and each by itself. */
async function table(read) {
  const length = Math.min(read.length, 200)
  const rows = await tried(() => read.rows(0, length))
  await tried(() => read.attrs())
  for (const { name } of read.schema.columns) {
    const column = await tried(() => read.column(name))
    const cells = column && (await tried(() => column.get(0, length)))
    if (!cells) continue
    assert.equal(cells.length, length)
    for (let row = 0; row < length; row += 1 + (length >> 2))
      assert.deepEqual(await column.get(row, row + 1), [cells[row]], `row ${row} of ${name}`)
  }
  return rows
}

async function store(bytes) {
  const opened = await tried(() => openStore(bytes, { limits: LIMITS }))
  if (!opened) return undefined
  for (const key of opened.keys().slice(0, 12)) {
    const reader = await tried(() => opened.get(key))
    await tried(() => opened.attrs(key))
    if (reader) await frame(reader)
  }
  await tried(() => opened.attrs())
  for (const group of opened.tables().slice(0, 4)) {
    const read = await tried(() => opened.getTable(group).catch(notOne))
    if (read) await table(read)
  }
  await opened.close()
  return opened
}

await init()
await initHdf5()

test('frames that were changed', () =>
  check('frames', seeds('', /\.(b2nd|b2frame|chunk|caterva)$/), async bytes => {
    const reader = await tried(() => open(bytes, { limits: LIMITS }))
    return reader && frame(reader)
  }))

test('stores that were changed', () => check('stores', seeds('stores', /\.b2[ze]$/), store))

test('tables that were changed', () => check('tables', seeds('tables', /\.b2[ze]$/), store))

test('objects that were changed', () =>
  check('objects', seeds('objects', /^\d.*\.b2b$/), async bytes => {
    const sequence = await tried(() => openObjects(bytes, { limits: LIMITS }).catch(notOne))
    return sequence && objects(sequence)
  }))

test('stored chunks of HDF5 that were changed', () =>
  // This filter has no limits besides those of the library: a chunk decodes to 1 GiB at most.
  check('chunks', seeds('hdf5', /\.stored$/), bytes => tried(() => hdf5Filters[32026](bytes)), 2 ** 21))
