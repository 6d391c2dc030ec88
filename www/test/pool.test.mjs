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

test('workers write to shared memory themselves, and memory that they use again has the right values', () =>
  withPool({ size: 2 }, async pool => {
    for (const { path } of cases.filter(({ file }) => /^blosc2-4.14.1\/.*b2nd$/.test(file)).slice(0, 60)) {
      const bytes = readFileSync(path)
      const array = await openArray(bytes).catch(() => undefined)
      const expected = await array?.get().catch(() => undefined)
      if (!ArrayBuffer.isView(expected?.data)) continue
      const pooled = await openArray(bytes, { decoder: pool })
      assert.deepEqual((await pooled.get()).data, expected.data)
      const { constructor, byteLength } = expected.data
      const shared = new constructor(new SharedArrayBuffer(byteLength))
      let told
      const { data } = await pooled.getInto(shared, null, { onProgress: progress => (told = progress) })
      assert.equal(data, shared)
      assert.deepEqual(Array.from(shared), Array.from(expected.data), path)
      if (told) assert.equal(told.loaded, told.total)
    }
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
    const chunk = Array.from(await (await openArray(file)).chunkMap()).find(({ offset }) => offset !== null)
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

/** A worker of Node.js with another view of its messages. */
function disguised(worker, { hear = (message, tell) => tell(message) } = {}) {
  const listeners = { message: () => {}, error: () => {}, exit: () => {} }
  for (const name of ['error', 'exit']) worker.on(name, value => listeners[name](value))
  worker.on('message', message => hear(message, value => listeners.message(value)))
  return {
    on: (name, listener) => (listeners[name] = listener),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
  }
}

/** A read with one worker, to which `hear` listens first; and its values without workers. */
async function readWith({ hear, before = () => {} }) {
  let workers = 0
  const createWorker = () => {
    workers++
    const worker = new Worker(url)
    before(worker)
    return disguised(worker, { hear })
  }
  const pool = createPool({ size: 1, createWorker })
  try {
    const array = await openArray(file, { decoder: pool })
    const results = []
    for (let k = 0; k < 3; k++)
      results.push(
        await array.get().then(
          ({ data }) => data,
          error => error,
        ),
      )
    return { results, workers, expected: (await (await openArray(file)).get()).data }
  } finally {
    pool.close()
  }
}

const JUNK = [
  null,
  undefined,
  7,
  'ping',
  [],
  {},
  { job: null },
  { job: {} },
  { job: 'job' },
  { module: 7, recipe: 7, job: { nchunk: 1e300, array: 5, items: null } },
  {
    module: {},
    recipe: { answers: 'x' },
    job: { recipe: 1, tasks: 'x', indices: {}, starts: [], segments: 5, items: -1 },
  },
  {
    id: 1e300,
    recipe: { answers: 2 ** 53 },
    job: { nchunk: -1, array: [new Uint8Array(2)], items: new Uint8Array(1) },
  },
  // Huge lengths.
  { id: -2, job: { nchunk: 0, array: { length: 2 ** 53 }, items: { length: 2 ** 53, byteLength: 2 ** 53 } } },
  {
    id: -3,
    recipe: { answers: [{ length: 2 ** 53 }], limits: { memory: Infinity } },
    job: { tasks: { length: 2 ** 53 } },
  },
  {
    id: -4,
    recipe: { answers: { length: 2 ** 53 } },
    job: { tasks: new Float64Array(3).fill(2 ** 53), starts: { length: -1 } },
  },
]

test('a worker goes on after messages that are no requests', async () => {
  const before = worker => JUNK.forEach(message => worker.postMessage(message, []))
  const { results, workers, expected } = await readWith({ before })
  for (const data of results) assert.deepEqual(data, expected)
  assert.equal(workers, 1)
})

test('messages that answer no request are ignored', async () => {
  const hear = (message, tell) => {
    for (const junk of [...JUNK, { done: 'x' }, { id: -1, done: new Uint8Array(8) }, { id: message.id + 1, error: {} }])
      tell(junk)
    tell(message)
    // A second answer is not that of the next request.
    tell(message)
  }
  const { results, workers, expected } = await readWith({ hear })
  for (const data of results) assert.deepEqual(data, expected)
  assert.equal(workers, 1)
})

test('an answer that is none fails its read', async () => {
  for (const wrong of [{}, { done: 'x' }, { done: null }, { error: null }]) {
    const { results } = await readWith({ hear: ({ id }, tell) => tell({ id, ...wrong }) })
    for (const error of results) assert.ok(isB2ndError(error, 'unsupported'), `${JSON.stringify(wrong)}: ${error}`)
  }
})

test('a job that cannot be sent fails, and the worker has what the next one needs', () =>
  withPool({ size: 1 }, async pool => {
    const module = await getModule()
    const gone = new Uint8Array(8)
    structuredClone(gone, { transfer: [gone.buffer] })
    const failure = error => isB2ndError(error, 'argument') && /cannot be sent/.test(error.message)
    await assert.rejects(pool.encode({ array: [], nchunk: 0, items: gone }, { module }), failure)
    await assert.rejects(pool.encode({ array: [() => {}], nchunk: 0, items: new Uint8Array(8) }, { module }), failure)
    const array = await openArray(file, { decoder: pool })
    assert.deepEqual((await array.get()).data, (await (await openArray(file)).get()).data)
    assert.equal(pool.workers, 1)
  }))
