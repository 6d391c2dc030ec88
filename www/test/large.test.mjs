// Many chunks, large chunks, and sizes that a file only claims: the work per step, and the cost.

import assert from 'node:assert/strict'
import { mkdtemp, open as openHandle, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { python, skip } from './lib/python.mjs'

/** The number of calls of each wasm function, and its longest output in bytes. */
const calls = {}
const longest = {}
const { Instance } = WebAssembly
WebAssembly.Instance = class extends Instance {
  constructor(...parameters) {
    super(...parameters)
    const { exports } =
      Object.getPrototypeOf(Object.getPrototypeOf(this)) === Instance.prototype ? { exports: super.exports } : this
    const counted = Object.entries(exports).map(([name, value]) => [
      name,
      typeof value !== 'function'
        ? value
        : (...numbers) => {
            calls[name] = (calls[name] ?? 0) + 1
            const result = value(...numbers)
            if (result === 0) longest[name] = Math.max(longest[name] ?? 0, exports.output_len())
            return result
          },
    ])
    Object.defineProperty(this, 'exports', { value: Object.fromEntries(counted) })
  }
}
const { isB2ndError, openArray, slice } = await import('b2nd')
const { createPool } = await import('b2nd/pool')

let folder

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  if (!skip) await python('large_files.py', folder)
})
after(() => rm(folder, { recursive: true }))

/** Opens a file through a source. */
async function opened(name, options) {
  const file = await openHandle(join(folder, name))
  const read = async (offset, length) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset)
    return buffer.subarray(0, bytesRead)
  }
  return openArray({ read, close: () => file.close() }, options)
}

/** The cost of a call: calls of the wasm, and pauses that let other tasks run. */
async function counting(work) {
  for (const counts of [calls, longest]) for (const name in counts) delete counts[name]
  let turns = 0
  const timer = setInterval(() => turns++)
  try {
    return { result: await work(), turns, calls: { ...calls }, longest: { ...longest } }
  } finally {
    clearInterval(timer)
  }
}

test('chunks of few bytes are decoded many at a time', { skip }, async () => {
  const array = await opened('small.b2nd')
  const {
    result: { data },
    calls,
  } = await counting(() => array.get())
  assert.ok(
    data.length === 2_000_000 &&
      data.every((value, k) => value - Math.floor(k / 7) >= 0 && value - Math.floor(k / 7) < 4),
  )
  assert.ok(calls.decode <= 16, `decode was called ${calls.decode} times for 20 000 chunks`)
  assert.ok(array.traffic.requests <= 8, `${array.traffic.requests} requests`)
  const parts = []
  const { calls: again } = await counting(async () => {
    for await (const part of array.parts()) parts.push(part)
  })
  assert.equal(parts.length, 20_000)
  assert.deepEqual(parts[777], {
    start: [77_700],
    shape: [100],
    stride: [1],
    width: 1,
    data: data.slice(77_700, 77_800),
  })
  assert.ok(again.decode <= 16, `decode was called ${again.decode} times`)
  await array.close()
})

test('stored chunks of a row share a box', { skip }, async () => {
  const boxes = []
  const pool = createPool({ size: 1 })
  const decoder = {
    async decode(job, options) {
      const answer = await pool.decode(job, options)
      boxes.push(...answer.map(({ count }) => count))
      return answer
    },
  }
  try {
    for (const array of [await opened('tiles.b2nd', { decoder }), await opened('tiles.b2nd')]) {
      const item = (row, column) =>
        row >= 10 && row < 20 && column >= 50 && column < 60 ? 0 : row * 7 + column * 3 + 1
      const { data } = await array.get()
      assert.ok(data.every((value, k) => value === item(Math.floor(k / 203), k % 203)))
      const back = await array.get([slice(null, null, -1), slice(190, 5, -7)])
      assert.deepEqual(back.shape, [50, 27])
      assert.ok(back.data.every((value, k) => value === item(49 - Math.floor(k / 27), 190 - 7 * (k % 27))))
      const part = await array.get([slice(13, 17, 3), slice(48, 71)])
      assert.ok(part.data.every((value, k) => value === item(13 + 3 * Math.floor(k / 23), 48 + (k % 23))))
      await array.close()
    }
  } finally {
    pool.close()
  }
  const rows = [
    [10, 203],
    [10, 50],
    [10, 10],
    [10, 143],
    [10, 203],
    [10, 203],
    [10, 203],
  ]
  assert.deepEqual(boxes.slice(0, 7), rows)
})

test('converted numbers are copied to an array in steps', { skip }, async () => {
  const array = await opened('numbers.b2nd')
  const out = new Float64Array(3 << 20).fill(1)
  const copied = []
  out.set = (values, at) => {
    copied.push(values.length)
    Float64Array.prototype.set.call(out, values, at)
  }
  await array.getInto(out)
  assert.deepEqual(copied, [2 ** 20, 2 ** 20, 2 ** 20])
  assert.ok(out.every(value => value === 0))
  await array.close()
})

test('chunks are planned some at a time', { skip }, async () => {
  const array = await opened('small.b2nd')
  const { result, calls, longest } = await counting(() => array.plan())
  assert.deepEqual([result.chunks, result.blocks, result.decodedBytes, result.exact], [20_000, 20_000, 8_000_000, true])
  assert.ok(calls.batches >= 10, `${calls.batches} calls`)
  assert.ok(longest.batches < 2100 * 3 * 8, `an answer of ${longest.batches} bytes`)
  await array.close()
})

for (const name of ['row.b2nd', 'cube.b2nd']) {
  test(`a long chunk is decoded piece by piece: ${name}`, { skip }, async () => {
    const array = await opened(name)
    const {
      result: { data },
      calls,
      longest,
    } = await counting(() => array.get())
    assert.ok(data.every((value, k) => value === k))
    assert.ok(calls.decode >= 6 && calls.decode <= 24, `${calls.decode} calls for 48 MiB`)
    assert.ok(longest.decode <= 2 ** 23 + 1000, `${longest.decode} bytes at a stretch`)
    let next = 0
    for await (const part of array.parts()) {
      assert.ok(part.data.byteLength <= 2 ** 23)
      next += part.data.length
    }
    assert.equal(next, data.length)
    // Nothing is asked for twice: a request for the chunk and its head, one for the index, one to open.
    assert.ok(array.traffic.requests <= 3, `${array.traffic.requests} requests`)
    const some = array.shape.map(length => slice(length - 2, 1, -3))
    const pool = createPool({ size: 2 })
    const pooled = await opened(name, { decoder: pool })
    assert.deepEqual((await pooled.get(some)).data, (await array.get(some)).data)
    pool.close()
    await pooled.close()
    await array.close()
  })
}

test('others have their turn while a long chunk is decoded, and the signal is looked at', { skip }, async () => {
  const array = await opened('cube.b2nd')
  const abort = new AbortController()
  const reading = array.get(null, {
    signal: abort.signal,
    onProgress: ({ loaded }) => loaded && abort.abort(new Error('enough')),
  })
  const { calls } = await counting(() => assert.rejects(reading, /enough/))
  // Fewer than all, which are six or more. How many are under way when it aborts depends on what else the machine does.
  assert.ok((calls.decode ?? 0) < 6, `${calls.decode} calls after the first piece`)
  await array.close()
})

test('what a file claims takes no memory', { skip }, async () => {
  const array = await opened('claims.b2nd')
  const before = process.memoryUsage().rss
  const map = Array.from(await array.chunkMap())
  assert.deepEqual(map, [{ nchunk: 0, count: 2 ** 27, offset: null, extent: 0, special: 'zeros' }])
  assert.equal(await array.schunk.nchunks(), 2 ** 27)
  const { result, calls } = await counting(() => array.plan())
  assert.deepEqual(result, {
    requests: 0,
    bytes: 0,
    requestsMax: 0,
    bytesMax: 0,
    exact: true,
    decodedBytes: 2 ** 27,
    chunks: 2 ** 27,
    blocks: 0,
  })
  assert.ok(calls.plan <= 3, `${calls.plan} calls for zeros`)
  await array.prefetch()
  assert.equal(await array.at(2 ** 27 - 1), 0)
  const { data } = await array.get([slice(2 ** 26, 2 ** 26 + 5000)])
  assert.ok(data.length === 5000 && data.every(value => value === 0))
  const taken = process.memoryUsage().rss - before
  assert.ok(taken < 2 ** 26, `${taken} bytes`)
  await array.close()
})

test('what streams may be longer than memory', { skip }, async () => {
  const array = await opened('long.b2nd')
  const size = 6 * 2 ** 30
  const { decodedBytes, chunks } = await array.plan()
  assert.deepEqual([decodedBytes, chunks], [size, 96])
  await array.prefetch()
  let bytes = 0
  for await (const { start, data } of array.parts([slice(null, null, -1)])) {
    assert.equal(start[0], size - bytes - data.length)
    assert.ok(data.length <= 2 ** 23 && data.every(value => value === 0))
    if ((bytes += data.length) > 2 ** 26) break
  }
  const { count, max } = await array.stats([slice(size - 2 ** 22, null)])
  assert.deepEqual([count, max], [2 ** 22, 0])
  await assert.rejects(
    array.get(),
    error =>
      isB2ndError(error, 'limit') && error.message.includes(`${size} bytes`) && error.message.includes('limits.memory'),
  )
  await array.close()
})

/** Seeded random numbers from 0 to 1. */
function numbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

test('estimates are near what reading takes, and never below', { skip }, async () => {
  const random = numbers(7)
  const axis = length => {
    const at = Math.floor(random() * length)
    const kind = random()
    if (kind < 0.35) return at
    if (kind < 0.6) return null
    if (kind < 0.85) return slice(at, at + 1 + Math.floor((random() * length) / 4))
    return slice(at, null, 1 + Math.floor(random() * 9))
  }
  let rough = 0
  const files = ['volume0.b2nd', 'volume1.b2nd', 'volume2.b2nd', 'volume3.b2nd', 'line.b2nd']
  for (let round = 0; round < 200; round++) {
    const name = files[round % files.length]
    const options = [{}, { waste: 0 }, { gap: 2 ** 20, waste: 1 }][Math.floor(random() * 3)]
    const array = await opened(name, options)
    const fixed = [
      [null, 77 % array.shape[1], null],
      [null, null, 77 % array.shape[2]],
    ]
    const selection = round < 10 && array.shape.length === 3 ? fixed[round % 2] : array.shape.map(axis)
    const cost = await array.plan(selection)
    const before = array.traffic
    await array.get(selection)
    const { traffic } = array
    for (const what of ['requests', 'bytes']) {
      const real = traffic[what] - before[what]
      const says = `${name} [${JSON.stringify(selection)}] ${JSON.stringify(options)}: ${real} ${what}, plan ${JSON.stringify(cost)}`
      assert.ok(real <= cost[`${what}Max`] && cost[what] <= cost[`${what}Max`], says)
      assert.ok(real <= 2 * cost[what] && cost[what] <= 2 * real, says)
      if (cost.exact) assert.equal(real, cost[what], says)
    }
    if (!cost.exact) rough++
    await array.close()
  }
  assert.ok(rough > 50, `${rough} estimates`)
})
