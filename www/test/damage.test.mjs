// The published modules read damaged files: each read fails or returns data. None hangs, traps, or affects later reads.
//
// A sample of the files, of which the native tests read more; with B2ND_ALL_DAMAGE all.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as inlined from 'b2nd'
import * as codecs from 'b2nd/codecs'
import * as external from 'b2nd/external'
import { createPool } from 'b2nd/pool'
import { cut, exaggerate, flip } from './lib/damage.mjs'
import { cases, check, sha256 } from './lib/golden.mjs'

const LIMITS = { memory: 2 ** 22, metadata: 2 ** 20 }
/** The longest time of a read in milliseconds, on a busy machine. */
const PATIENCE = 5000
/** Where a chunk's header and the first block starts are. */
const CHUNK_HEAD = 64

/** Of so many files one is read. */
const SAMPLE = process.env.B2ND_ALL_DAMAGE ? 1 : 4

const files = (...kinds) =>
  cases
    .filter(({ kind, error, path }) => kinds.includes(kind) && !error && statSync(path).isFile())
    .map((golden, number) => ({ ...golden, number, bytes: new Uint8Array(readFileSync(golden.path)) }))
/** Every so many of a sample, so that each kind has its share. */
const some = (list, every, first = 0) => list.filter((_, at) => at % (every * SAMPLE) === first)

/** The outcomes of reads. */
class Count {
  failed = 0
  read = 0

  /** Makes one, that of `damage` to a file. */
  async attempt({ isB2ndError }, { file }, read) {
    const start = performance.now()
    try {
      const result = read()
      if (result instanceof Promise) await result
      this.read++
    } catch (error) {
      assert.ok(isB2ndError(error, 'format', 'unsupported', 'limit'), `${file}: ${error.stack}`)
      assert.ok(!/broke down/.test(error.message), `${file}: ${error.message}`)
      this.failed++
    }
    assert.ok(performance.now() - start < PATIENCE, `${file}: ${performance.now() - start} ms`)
  }

  report(what) {
    console.log(`${what}: ${this.failed} failed, ${this.read} gave data`)
    assert.ok(this.failed > 1000 && this.read > 100, what)
  }
}

const scalar = () => external.init({ bytes: readFileSync(fileURLToPath(import.meta.resolve('b2nd/b2nd.scalar.wasm'))) })
const blosc = new codecs.Blosc()

/** Entries of the package that decode chunks, their modules, and the number of files to test. */
const DECODERS = [
  {
    name: 'b2nd.wasm',
    library: inlined,
    every: 1,
    decode: bytes => inlined.decodeChunkSync(bytes, { limits: LIMITS }),
  },
  { name: 'codecs.wasm', library: codecs, every: 2, decode: bytes => blosc.decodeSync(bytes) },
  {
    name: 'b2nd.scalar.wasm',
    library: { ...external, init: scalar },
    every: 2,
    decode: bytes => external.decodeChunkSync(bytes, { limits: LIMITS }),
  },
]

for (const { name, library, every, decode } of DECODERS) {
  test(`chunks by ${name}`, async () => {
    await library.init()
    const count = new Count()
    for (const golden of some(files('chunk'), every)) {
      const { bytes, number, file, sha256: digest } = golden
      const { cbytes } = await inlined.chunkInfo(bytes)
      for (const damaged of cut(bytes.subarray(0, cbytes))) {
        assert.throws(
          () => decode(damaged),
          error => inlined.isB2ndError(error, 'format'),
          `${file} ${damaged.length}`,
        )
      }
      const changed = [...flip(bytes, 100), ...exaggerate(bytes, number, CHUNK_HEAD)]
      for (const damaged of changed) await count.attempt(inlined, golden, () => decode(damaged))
      assert.equal(sha256(decode(bytes)), digest, file)
    }
    count.report(name)
  })
}

test('a near match shortly before the end, with much input after it', async () => {
  const literals = (from, to) => Array.from({ length: to - from + 1 }, (_, k) => from + k)
  const stream = [0x2b, ...literals(1, 12), 0x20, 1, ...literals(16, 40).flatMap(literal => [0, literal])]
  const chunk = new Uint8Array(24 + stream.length)
  new Uint32Array(chunk.buffer, 4, 5).set([40, 40, chunk.length, 20, stream.length])
  chunk.set([2, 1, 0x10, 1])
  chunk.set(stream, 24)
  for (const { library, decode } of DECODERS) {
    await library.init()
    assert.deepEqual([...decode(chunk)], [...literals(1, 12), 11, 12, 11, ...literals(16, 40)])
  }
})

/** Reads everything in a frame. */
async function everything({ open, NDArray }, bytes, options) {
  const opened = await open(bytes, { limits: LIMITS, ...options })
  await opened.attrs()
  await (opened instanceof NDArray ? opened.get() : opened.select(null))
}

async function frames(library, list, damages, options) {
  await library.init()
  const count = new Count()
  for (const golden of list) {
    const { bytes, number, offset } = golden
    for (const damage of damages) {
      for (const damaged of damage(bytes, number)) {
        await count.attempt(library, golden, () => everything(library, damaged, { offset, ...options }))
      }
    }
    assert.equal(await check(library, golden, options), undefined, golden.file)
  }
  return count
}

const flips = bytes => flip(bytes, 16)

test('frames by b2nd.wasm', async () => {
  const list = files('array', 'schunk')
  const every = await frames(inlined, some(list, 1), [flips])
  every.report('flipped bits')
  const count = await frames(inlined, some(list, 8), [cut, bytes => flip(bytes, 100), exaggerate])
  count.report('sweep')
})

test('frames by b2nd.scalar.wasm', async () => {
  await scalar()
  const count = await frames(external, some(files('array', 'schunk'), 16, 3), [cut, flips, exaggerate])
  count.report('sweep')
})

test('frames in workers', async () => {
  const pool = createPool({ size: 2 })
  const count = await frames(inlined, some(files('array', 'schunk'), 1), [flips], { decoder: pool }).finally(() =>
    pool.close(),
  )
  count.report('workers')
})
