// The Zarr codec: configurations, output buffers, and invalid input.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isB2ndError } from 'b2nd'
import { Blosc, init } from 'b2nd/codecs'
import Numcodecs from 'numcodecs/blosc'
import { cases, sha256 } from './lib/golden.mjs'

const code = expected => error => isB2ndError(error, expected)
const chunks = cases.filter(({ kind, error, offset }) => kind === 'chunk' && !error && !offset)

test('takes the configurations of Zarr 2 and 3', () => {
  assert.equal(Blosc.codecId, 'blosc')
  const accepted = [
    undefined,
    { id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1, blocksize: 0 },
    { id: 'blosc', cname: 'zstd', clevel: 1, shuffle: -1, blocksize: 0 },
    { cname: 'zlib', clevel: 9, shuffle: 'bitshuffle', typesize: 8, blocksize: 65536 },
    { cname: 'blosclz', clevel: 0, shuffle: 'noshuffle' },
  ]
  for (const config of accepted) assert.equal(Blosc.fromConfig(config).kind, 'bytes_to_bytes')
  for (const config of [{ cname: 'gzip' }, { shuffle: 3 }, { shuffle: 'byteshuffle' }]) {
    assert.throws(() => Blosc.fromConfig(config), code('argument'))
  }
})

test('has the constructor, the attributes and the defaults of numcodecs', async () => {
  const given = ({ clevel, cname, shuffle, blocksize }) => ({ clevel, cname, shuffle, blocksize })
  for (const args of [[], [9], [1, 'zstd'], [2, 'zlib', 2], [3, 'lz4hc', -1, 4096]]) {
    const [ours, theirs] = [new Blosc(...args), new Numcodecs(...args)]
    assert.deepEqual(given(ours), given(theirs))
    const plain = Uint8Array.from({ length: 20_000 }, (_, k) => k >> 5)
    assert.deepEqual(await theirs.decode(await ours.encode(plain)), plain)
  }
  const named = ({ COMPRESSORS, NOSHUFFLE, SHUFFLE, BITSHUFFLE, AUTOSHUFFLE }) => [
    ...COMPRESSORS,
    NOSHUFFLE,
    SHUFFLE,
    BITSHUFFLE,
    AUTOSHUFFLE,
  ]
  assert.deepEqual(named(Blosc), named(Numcodecs))
})

test('decodes chunks, in arrays that are there, too', async () => {
  await init()
  const blosc = Blosc.fromConfig()
  for (const { path, nbytes, sha256: digest, file } of chunks) {
    const chunk = readFileSync(path)
    const out = new Uint8Array(nbytes + 3).fill(7)
    const decoded = [await blosc.decode(chunk), blosc.decodeSync(chunk), await blosc.decode(chunk, out)]
    for (const plain of decoded) assert.equal(sha256(plain), digest, file)
    assert.equal(decoded[2].buffer, out.buffer)
    assert.deepEqual([...out.subarray(nbytes)], [7, 7, 7])
    if (nbytes) await assert.rejects(blosc.decode(chunk, out.subarray(0, nbytes - 1)), code('argument'))
  }
  assert.ok(chunks.length > 300)
})

test('refuses what is no chunk', async () => {
  const blosc = new Blosc()
  for (const bytes of [new Uint8Array(), new Uint8Array(16), new Uint8Array(16).fill(0xa5)]) {
    await assert.rejects(blosc.decode(bytes), isB2ndError)
  }
})

test('what numcodecs takes without a word, damaged, fails or has the length that it says', async () => {
  const plain = Uint8Array.from({ length: 400_000 }, (_, k) => Math.sqrt(k) * 3)
  const numcodecs = Numcodecs.fromConfig({ id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1 })
  const chunk = await numcodecs.encode(plain)
  const cut = chunk.subarray(0, chunk.length >> 1)
  const flipped = new Uint8Array(chunk)
  for (const at of [40, 4000, 20_000]) flipped[at] ^= 0xff
  for (const bytes of [cut, flipped, new Uint8Array(16).fill(0xa5)]) {
    const theirs = await numcodecs.decode(bytes)
    assert.notDeepEqual(theirs, plain, 'garbage')
    await assert.rejects(Blosc.fromConfig().decode(bytes), code('format'))
  }
  assert.deepEqual(await Blosc.fromConfig().decode(chunk), plain)
})
