// Chunks outside of frames, and the Zarr codec: what this package encodes, others decode.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileSystemStore } from '@zarrita/storage'
import { chunkInfo, decodeChunk, isB2ndError } from 'b2nd'
import { Blosc, init } from 'b2nd/codecs'
import { encodeChunk, encodeChunkSync, init as initWrite } from 'b2nd/write'
import { register } from 'b2nd/zarr'
import Numcodecs from 'numcodecs/blosc'
import * as zarr from 'zarrita'
import { python, skip, withFiles } from './lib/python.mjs'
import { randomOf } from './lib/random-arrays.mjs'

const CODECS = ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd']
const code = expected => error => isB2ndError(error, expected)
const { below } = randomOf(7)
/** Smooth numbers, noise, runs, and none. */
const PLAIN = [
  Float32Array.from({ length: 40_000 }, (_, k) => Math.sin(k / 100) * 100),
  Uint8Array.from({ length: 70_001 }, () => below(256)),
  Uint16Array.from({ length: 30_000 }, (_, k) => k >> 7),
  new Float64Array(10_000),
  new Uint8Array(),
  Uint8Array.of(1, 2, 3),
]
const bytesOf = plain => Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength)

test('chunks decode to the bytes that they were made of', async () => {
  await initWrite()
  for (const plain of PLAIN) {
    for (const codec of CODECS) {
      for (const filters of [[], ['shuffle'], ['bitshuffle']]) {
        for (const format of ['blosc1', 'blosc2']) {
          const odd = format === 'blosc1' && plain.byteLength % plain.BYTES_PER_ELEMENT
          if (odd) continue
          const chunk = encodeChunkSync(plain, { codec, filters, format, clevel: 1 + below(9) })
          const name = `${codec} ${filters} ${format} ${plain.length}`
          assert.ok(bytesOf(plain).equals(await decodeChunk(chunk)), name)
          assert.ok(chunk.length <= plain.byteLength + 32, name)
          const { version, typesize } = await chunkInfo(chunk)
          assert.deepEqual([version, typesize], [format === 'blosc1' ? 2 : 5, plain.BYTES_PER_ELEMENT])
        }
      }
    }
  }
})

test('the options reach the chunk', async () => {
  const plain = PLAIN[0]
  const info = await chunkInfo(
    await encodeChunk(plain, {
      codec: 'zlib',
      filters: ['trunc_prec:10', 'bitshuffle'],
      blocksize: 8192,
      splitMode: 'never',
    }),
  )
  assert.deepEqual([info.codec, info.blocksize, info.split], [4, 8192, false])
  const filters = [
    { id: 4, meta: 10 },
    { id: 2, meta: 0 },
  ]
  assert.deepEqual(info.filters, filters)
  const lengths = []
  for (const clevel of [0, 1, 10]) lengths.push((await encodeChunk(plain, { codec: 'lz4hc', clevel })).length)
  assert.equal(lengths[0], plain.byteLength + 32)
  assert.ok(lengths[1] > lengths[2], String(lengths))
})

test('invalid options fail, and are named', async () => {
  const wrong = {
    codec: ['snappy2', 5],
    clevel: [-1, 11, 1.5, '5'],
    filters: ['shuffle', ['shufle'], ['trunc_prec:x'], ['shuffle:300'], new Array(7).fill('shuffle')],
    splitMode: ['sometimes'],
    useDict: [1],
    typesize: [0, 1.5],
    blocksize: [-1],
    format: ['zarr'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const named = error => isB2ndError(error, 'argument') && error.message.startsWith(`${name}: `)
      await assert.rejects(encodeChunk(new Uint8Array(99), { [name]: value }), named, `${name}: ${value}`)
    }
  }
  await assert.rejects(encodeChunk([1, 2, 3]), code('argument'))
  await assert.rejects(encodeChunk(new Uint8Array(100), { codec: 'snappy' }), code('unsupported'))
  const inapplicable = { format: 'blosc1', filters: ['delta'] }
  const message = /^filter 3 cannot be applied here$/
  await assert.rejects(encodeChunk(new Uint8Array(100), inapplicable), { code: 'argument', message })
})

test('the codec of Zarr encodes for numcodecs', async () => {
  await init()
  const numcodecs = Numcodecs.fromConfig({ id: 'blosc' })
  for (const plain of PLAIN.slice(0, 4)) {
    for (const cname of CODECS) {
      for (const shuffle of [-1, 0, 1, 2, 'noshuffle', 'shuffle', 'bitshuffle']) {
        const config = { cname, clevel: 5, shuffle, blocksize: 0 }
        const blosc = Blosc.fromConfig(config)
        const chunk = await blosc.encode(plain)
        assert.ok(bytesOf(plain).equals(await numcodecs.decode(chunk)), JSON.stringify(config))
        assert.deepEqual(blosc.encodeSync(plain), chunk)
        assert.equal(chunk[0], 2)
        assert.equal(chunk[3], plain.BYTES_PER_ELEMENT)
      }
    }
  }
})

test('both modules that encode give the same bytes', async () => {
  for (const plain of PLAIN.slice(0, 3)) {
    const typesize = plain.BYTES_PER_ELEMENT
    for (const codec of CODECS) {
      for (let clevel = 1; clevel <= 9; clevel += 1) {
        const ofCodecs = await Blosc.fromConfig({ cname: codec, clevel, shuffle: 1, typesize }).encode(plain)
        const ofWrite = await encodeChunk(plain, {
          codec,
          clevel,
          typesize,
          format: 'blosc1',
          splitMode: 'forward_compat',
        })
        assert.deepEqual(ofCodecs, ofWrite, `${codec} ${clevel}`)
      }
    }
  }
})

test('names and numbers of filters mean the same, and sizes of items come from the configuration or the data type', async () => {
  const bytes = new Uint8Array(PLAIN[0].buffer)
  const encode = (config, meta) => Blosc.fromConfig({ cname: 'lz4', ...config }, meta).encode(bytes)
  const shuffled = await encode({ shuffle: 'shuffle', typesize: 4 })
  for (const [config, meta] of [
    [{ shuffle: 1, typesize: 4 }],
    [{ shuffle: 1 }, { dataType: 'float32' }],
    [{ shuffle: -1 }, { dataType: '<f4' }],
    [{}, { dataType: 'int32' }],
  ]) {
    assert.deepEqual(await encode(config, meta), shuffled, JSON.stringify([config, meta]))
  }
  const alone = await encode({ shuffle: 1 })
  assert.ok(alone.length > shuffled.length, 'bytes have nothing to shuffle')
  const steps = Uint8Array.from({ length: 5000 }, (_, k) => k >> 6)
  const bits = await Blosc.fromConfig({ shuffle: -1 }, { dataType: 'bool' }).encode(steps)
  assert.equal(bits[2] & 5, 4, 'bitshuffle for bytes')
  // Half of the last item is missing.
  const odd = await Blosc.fromConfig({ shuffle: 'bitshuffle', typesize: 4 }).encode(bytes.subarray(0, 9998))
  assert.ok(Buffer.from(bytes.subarray(0, 9998)).equals(await decodeChunk(odd)))
  const snappy = await Blosc.fromConfig({ cname: 'snappy' }).encode(steps)
  assert.ok(snappy.length < 1000 && snappy[2] >> 5 === 2)
  assert.deepEqual(await decodeChunk(snappy), steps)
  for (const config of [{ clevel: 10 }, { clevel: '5' }, { typesize: 0 }, { blocksize: -1 }]) {
    assert.throws(() => Blosc.fromConfig(config), code('argument'))
  }
})

test('zarr-python reads what zarrita wrote, and numcodecs decodes the chunks', { skip }, () =>
  withFiles('zarr_written.py', async (folder, cases) => {
    register(zarr.registry)
    const arrays = {
      '<i4': Int32Array.from({ length: 50 * 37 }, (_, k) => Math.floor(k / 3)),
      '<f8': Float64Array.from({ length: 50 * 37 }, (_, k) => Math.sin(Math.floor(k / 11))),
      '|u1': Uint8Array.from({ length: 50 * 37 }, (_, k) => Math.floor(k / 40) % 251),
    }
    for (const { name, dtype } of cases) {
      const array = await zarr.open(new FileSystemStore(join(folder, name)), { kind: 'array' })
      await zarr.set(array, null, { data: arrays[dtype], shape: [50, 37], stride: [37, 1] })
    }
    for (const [dtype, items] of Object.entries(arrays)) {
      await writeFile(join(folder, `${dtype.slice(1)}.bytes`), bytesOf(items))
    }
    let count = 0
    for (const plain of PLAIN.slice(0, 4)) {
      for (const cname of CODECS) {
        for (const shuffle of [0, 1, 2]) {
          const chunk = await Blosc.fromConfig({ cname, shuffle, clevel: 1 + below(9) }).encode(plain)
          await writeFile(join(folder, `${count}.chunk`), chunk)
          await writeFile(join(folder, `${count++}.plain`), bytesOf(plain))
        }
      }
    }
    assert.deepEqual(JSON.parse(await python('zarr_written.py', folder, 'read')), { wrong: [], chunks: count })
    assert.equal(cases.length, 90)
  }),
)
