// Decoding in workers gives the same results and errors as decoding in the page, can be aborted, and leaves no worker behind.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { getModule, isB2ndError, openArray } from 'b2nd'
import { createPool } from 'b2nd/pool'
import { cases } from './lib/golden.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const file = readFileSync(path)
const code = expected => error => isB2ndError(error, expected)
const url = new URL(import.meta.resolve('b2nd/worker'))

async function withPool(options, work) {
  const pool = createPool(options)
  try {
    await work(pool)
  } finally {
    pool.close()
  }
}

test('many reads at once use no more workers than there may be', () =>
  withPool({ size: 3 }, async pool => {
    const expected = await (await openArray(file)).get()
    const arrays = await Promise.all(Array.from({ length: 20 }, () => openArray(file, { decoder: pool })))
    for (const { data } of await Promise.all(arrays.map(array => array.get()))) assert.deepEqual(data, expected.data)
    assert.equal(pool.workers, 3)
  }))

test('bytes that others use are left alone', () =>
  withPool({ size: 1 }, async pool => {
    const bytes = new Uint8Array(file)
    const array = await openArray(bytes, { decoder: pool })
    await array.get()
    assert.ok(Buffer.from(bytes).equals(file))
  }))

test('an aborted read rejects with the reason, and the pool goes on', () =>
  withPool({ size: 1 }, async pool => {
    const array = await openArray(file, { decoder: pool })
    const reason = new Error('enough')
    const abort = new AbortController()
    const reads = Array.from({ length: 30 }, () => array.get(null, { signal: abort.signal }))
    const others = array.get()
    abort.abort(reason)
    for (const read of reads) await assert.rejects(read, error => error === reason)
    assert.deepEqual((await others).data, (await (await openArray(file)).get()).data)
    await assert.rejects(array.get(null, { signal: abort.signal }), error => error === reason)
  }))

test('errors are those of this thread', () =>
  withPool({ size: 1 }, async pool => {
    const damaged = new Uint8Array(file)
    const chunk = (await (await openArray(file)).chunkMap()).find(({ offset }) => offset !== null)
    damaged.fill(0xff, chunk.offset + 32, chunk.offset + 96)
    const failure = async options =>
      (await openArray(damaged, options)).get().then(
        () => undefined,
        error => error,
      )
    const [here, there] = [await failure({}), await failure({ decoder: pool })]
    assert.equal(here.code, 'format')
    assert.deepEqual({ ...there }, { ...here })
    assert.equal(there.message, here.message)
    assert.ok(there instanceof here.constructor)
  }))

test('workers end when idle and start anew', () =>
  withPool({ size: 2, idleMs: 20 }, async pool => {
    const array = await openArray(file, { decoder: pool })
    await array.get()
    assert.ok(pool.workers > 0)
    await sleep(100)
    assert.equal(pool.workers, 0)
    await array.get()
    assert.ok(pool.workers > 0)
  }))

test('a worker may come from elsewhere, or not at all', async () => {
  let made = 0
  const createWorker = () => (made++, new Worker(url))
  await withPool({ size: 1, createWorker }, async pool => {
    await (await openArray(file, { decoder: pool })).get()
    assert.equal(made, 1)
  })
  for (const broken of [
    () => new Worker('throw new Error("no")', { eval: true }),
    () => {
      throw new Error('none')
    },
  ]) {
    await withPool({ size: 2, createWorker: broken }, async pool => {
      await assert.rejects((await openArray(file, { decoder: pool })).get())
      await assert.rejects((await openArray(file, { decoder: pool })).get())
    })
  }
})

test('a worker that dies fails its job and no other', () => {
  const workers = []
  const createWorker = () => (workers.push(new Worker(url)), workers.at(-1))
  return withPool({ size: 1, createWorker }, async pool => {
    const array = await openArray(file, { decoder: pool })
    await array.get()
    await workers[0].terminate()
    await array.get()
    const dying = array.get()
    while (pool.workers === 0) await sleep(1)
    await sleep(0)
    await workers[1].terminate()
    await dying.catch(code('unsupported'))
    await array.get()
  })
})

test('a closed pool fails', async () => {
  const pool = createPool({ size: 1 })
  const array = await openArray(file, { decoder: pool })
  const reads = Array.from({ length: 5 }, () => array.get())
  const settled = Promise.allSettled(reads)
  await sleep(0)
  pool.close()
  for (const { status, reason } of await settled) if (status === 'rejected') assert.equal(reason.code, 'argument')
  await assert.rejects(array.get(), code('argument'))
  assert.equal(pool.workers, 0)
  assert.throws(() => createPool({ size: 0 }), code('argument'))
})

test('a program ends although its pool is open', () => {
  const program = `
    import { openArray } from 'b2nd'
    import { createPool } from 'b2nd/pool'
    import { readFileSync } from 'node:fs'
    const array = await openArray(readFileSync(${JSON.stringify(path)}), { decoder: createPool({ idleMs: 60_000 }) })
    console.log((await array.get()).data.length)`
  const run = () =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      timeout: 10_000,
      encoding: 'utf8',
    })
  assert.match(run(), /^\d+\n$/)
})

test('the module is compiled once', async () => {
  assert.equal(await getModule(), await getModule())
})
