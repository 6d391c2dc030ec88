// Cut and changed files fail or give data; they do not hang, nor break the decoder for those that come after.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { chunkInfo, decodeChunkSync, init, isB2ndError, NDArray, open } from 'b2nd'
import { createPool } from 'b2nd/pool'
import { cases, sha256 } from './lib/golden.mjs'

/** Numbers that look random and are the same each time. */
function random(seed) {
  return below => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
}

const small = { memory: 2 ** 22, metadata: 2 ** 20 }
const files = kind => cases.filter(({ kind: is, error, path }) => is === kind && !error && statSync(path).isFile())
/** So that each kind has its share. */
const some = (list, count) => list.filter((_, at) => at % Math.ceil(list.length / count) === 0)

function* damaged(bytes, next) {
  for (let k = 0; k < 8; k++) yield bytes.subarray(0, next(bytes.length))
  for (let k = 0; k < 24; k++) {
    const changed = new Uint8Array(bytes)
    // Headers are where most can go wrong.
    for (let flips = 1 + next(3); flips > 0; flips--) changed[next(k % 2 ? 64 : 2 ** 20) % bytes.length] ^= 1 << next(8)
    yield changed
  }
}

test('chunks', async () => {
  await init()
  const next = random(1)
  const count = { failed: 0, decoded: 0 }
  for (const { path, nbytes, file } of files('chunk')) {
    const chunk = readFileSync(path)
    for (const bytes of damaged(chunk, next)) {
      try {
        const plain = decodeChunkSync(bytes, { limits: small })
        // What is as long as its header says.
        assert.equal(plain.length, (await chunkInfo(bytes.subarray(0, 32))).nbytes, file)
        count.decoded++
      } catch (error) {
        assert.ok(isB2ndError(error, 'format', 'unsupported', 'limit'), `${file}: ${error.stack}`)
        assert.ok(!/broke down/.test(error.message), `${file}: ${error.message}`)
        count.failed++
      }
    }
    assert.equal(decodeChunkSync(chunk).length, nbytes)
  }
  console.log(`chunks: ${count.failed} failed, ${count.decoded} gave data`)
})

test('chunks that were cut anywhere fail', async () => {
  await init()
  for (const { path, file } of some(files('chunk'), 40)) {
    const chunk = readFileSync(path)
    const { cbytes } = await chunkInfo(chunk)
    for (let length = 0; length < cbytes; length += 1 + (length >> 5)) {
      assert.throws(
        () => decodeChunkSync(chunk.subarray(0, length)),
        error => isB2ndError(error, 'format'),
        `${file} ${length}`,
      )
    }
  }
})

async function frames(options) {
  const next = random(2)
  const count = { failed: 0, read: 0 }
  for (const { path, file, offset } of some([...files('array'), ...files('schunk')], 120)) {
    const frame = readFileSync(path)
    for (const bytes of damaged(frame, next)) {
      try {
        const opened = await open(bytes, { offset, limits: small, ...options })
        await opened.attrs()
        await (opened instanceof NDArray ? opened.get() : opened.select(null))
        count.read++
      } catch (error) {
        assert.ok(isB2ndError(error, 'format', 'unsupported', 'limit'), `${file}: ${error.stack}`)
        assert.ok(!/broke down/.test(error.message), `${file}: ${error.message}`)
        count.failed++
      }
    }
  }
  console.log(`frames: ${count.failed} failed, ${count.read} gave data`)
  const { path, sha256: digest } = files('schunk').find(({ offset }) => !offset)
  assert.equal(sha256(await (await open(readFileSync(path))).select(null)), digest)
}

test('frames', () => frames())

test('frames in workers', async () => {
  const pool = createPool({ size: 2 })
  await frames({ decoder: pool }).finally(() => pool.close())
})
