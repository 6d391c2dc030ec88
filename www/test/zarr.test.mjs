// The codecs `b2nd` and `blosc2` in zarrita. The arrays in the codec `b2nd` are those that the command makes of frames of
// python-blosc2, and frames again of what zarrita writes.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { FileSystemStore, ReferenceStore } from '@zarrita/storage'
import { chunkInfo, isB2ndError } from 'b2nd'
import { openFile } from 'b2nd/node'
import { Blosc2, getSlice, register, zarrStore } from 'b2nd/zarr'
import * as zarr from 'zarrita'
import { FOLDER } from './lib/golden.mjs'
import { serve } from './lib/server.mjs'

const CLI = join(import.meta.dirname, '../dist/cli.js')
const FRAMES = join(FOLDER, 'blosc2-4.14.1')
/** Byte orders, dictionaries, plugins, blocks that do not divide chunks, 1 to 16 dimensions, and special chunks. */
const CHOSEN =
  /^(dtype-(b1|i1|be-[fiu][48]|le-([fi][48]|u2))|dict|nd\w+-[48]|ndcell-3d-c3|sample|shape-(0[39]|1|20)|special-mixed-frame)/
const folder = mkdtempSync(join(tmpdir(), 'b2nd-zarr-'))
after(() => rmSync(folder, { recursive: true }))
register(zarr.registry)

const b2nd = (...words) => promisify(execFile)(process.execPath, [CLI, ...words])
const stored = name => zarr.open(new FileSystemStore(join(folder, name)), { kind: 'array' })
const native = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)
const read = async path => native((await (await openFile(path)).get(null, { int64: 'bigint' })).data)

test('zarrita reads the arrays of frames, and frames are made of what it writes', async () => {
  let count = 0
  for (const name of readdirSync(FRAMES).filter(file => CHOSEN.test(file) && file.endsWith('.b2nd'))) {
    const frame = join(FRAMES, name)
    await b2nd('unpack', frame, join(folder, name))
    const [array, expected] = [await stored(name), await read(frame)]
    const { data, shape, stride } = await zarr.get(
      array,
      array.shape.map(() => null),
    )
    assert.ok(native(data).equals(expected), name)
    count++
    // Without a parameter nothing is encoded with it.
    if (name.startsWith('ndlz')) continue
    await zarr.set(array, null, { data, shape, stride })
    await b2nd('pack', join(folder, name), join(folder, `again-${name}`))
    assert.ok((await read(join(folder, `again-${name}`))).equals(expected), `${name}, again`)
  }
  assert.ok(count > 20, `${count} arrays`)
})

test('a chunk that is not what the configuration says fails', async () => {
  const frame = join(FRAMES, 'sample.b2nd')
  await b2nd('unpack', frame, join(folder, 'refused'))
  const { codecs, chunk_grid: grid } = JSON.parse(readFileSync(join(folder, 'refused/zarr.json'), 'utf8'))
  const meta = { dataType: 'float32', shape: grid.configuration.chunk_shape, codecs }
  const load = await zarr.registry.get('b2nd')()
  const chunk = readFileSync(join(folder, 'refused/c/0/0/0'))
  const codec = (changes, more) => load.fromConfig({ ...codecs[0].configuration, ...changes }, { ...meta, ...more })
  const code = expected => error => isB2ndError(error, expected)
  assert.ok((await codec().decode(chunk)).data.length > 0)
  // Decoding needs no codec and no filter by name.
  assert.ok((await codec({ cname: 'unknown', filters: ['77'] }).decode(chunk)).data.length > 0)
  await assert.rejects(codec({ cname: 'unknown' }).encode(await codec().decode(chunk)), code('argument'))
  await assert.rejects(codec({ block_shape: [1, 1, 1] }).decode(chunk), code('format'))
  await assert.rejects(codec({}, { dataType: 'int16' }).decode(chunk), code('format'))
  for (const length of [0, 16, 40, chunk.length - 1]) {
    await assert.rejects(codec().decode(chunk.subarray(0, length)), code('format'), `${length} bytes`)
  }
  for (const changes of [
    { block_shape: [1] },
    { block_shape: [0, 1, 1] },
    { endian: undefined },
    { clevel: 10 },
    { extra: 1 },
  ]) {
    assert.throws(() => codec(changes), code('argument'), JSON.stringify(changes))
  }
  assert.throws(() => codec({}, { codecs: [{ name: 'transpose' }, ...codecs] }), code('unsupported'))
  const rounded = codec({ endian: 'big', filters: ['trunc_prec:10'] })
  await assert.rejects(rounded.encode(await codec().decode(chunk)), code('argument'))
})

test('zarrita reads frames by references', async () => {
  const server = await serve({ '/': FRAMES })
  for (const name of ['dict-lz4-2d', 'dtype-be-f8', 'dtype-le-i2', 'sample', 'special-mixed-frame']) {
    const frame = join(FRAMES, `${name}.b2nd`)
    const { stdout } = await b2nd('refs', frame, '--url', server.url(`/${name}.b2nd`))
    const array = await zarr.open.v3(ReferenceStore.fromSpec(JSON.parse(stdout)), { kind: 'array' })
    const expected = await read(frame)
    assert.ok(native((await zarr.get(array)).data).equals(expected), name)
    assert.ok(native((await getSlice(array, null, { partial: true })).data).equals(expected), `${name}, by ranges`)
  }
  await server.close()
})

test('zarrita writes and reads chunks of Blosc2', async () => {
  const items = Float64Array.from({ length: 50 * 37 }, (_, k) => Math.sin(k / 11))
  for (const cname of ['blosclz', 'lz4', 'lz4hc', 'zlib', 'zstd']) {
    for (const shuffle of ['noshuffle', 'shuffle', 'bitshuffle']) {
      const codecs = [
        { name: 'bytes', configuration: { endian: 'little' } },
        { name: 'blosc2', configuration: { cname, shuffle, clevel: 5, typesize: 8, blocksize: 0 } },
      ]
      const store = new Map()
      const options = { shape: [50, 37], chunkShape: [20, 16], dtype: 'float64', codecs }
      const array = await zarr.create(store, { ...options, data_type: 'float64', chunk_shape: [20, 16] })
      await zarr.set(array, null, { data: items, shape: [50, 37], stride: [37, 1] })
      assert.deepEqual((await zarr.get(array)).data, items)
      const info = await chunkInfo(store.get('/c/0/0'))
      assert.equal(info.version, 5)
    }
  }
  await assert.rejects(Blosc2.fromConfig({ cname: 'snappy' }).encode(new Uint8Array(100)), isB2ndError)
})

test('zarrita reads arrays by their chunks and by their blocks', async () => {
  let count = 0
  for (const name of readdirSync(FRAMES).filter(file => CHOSEN.test(file) && file.endsWith('.b2nd'))) {
    const array = await openFile(join(FRAMES, name))
    if (!array.blocks) continue
    const { data: expected } = await array.get()
    for (const divide of ['chunks', 'blocks']) {
      const opened = await zarr.open(zarrStore(array, { divide }), { kind: 'array' })
      assert.deepEqual(
        opened.chunks,
        array[divide].map(length => length || 1),
      )
      const { data } = await zarr.get(opened, null)
      assert.ok(native(data.buffer ? data : Uint8Array.from(data)).equals(native(expected)), `${name}, ${divide}`)
    }
    count++
  }
  assert.ok(count > 20, `${count} arrays`)
  const sample = await openFile(join(FRAMES, 'sample.b2nd'))
  const store = zarrStore(sample)
  for (const key of ['/c/99/0/0', '/c/0', '/zgroup', '/c/0/0/0/0']) assert.equal(await store.get(key), undefined, key)
  assert.throws(() => zarrStore(sample, { divide: 'rows' }), /'chunks' or 'blocks' needed, not rows/)
})
