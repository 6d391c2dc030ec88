// The code of the published modules.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import binaryen from 'binaryen'
import LZMA from 'lzma/src/lzma_worker.js'

const DIST = join(import.meta.dirname, '../dist')
/** Vector instructions in the text of a module: `v128`, `i8x16` and others. */
const VECTOR = /\((?:v128|[if]\d+x\d+)\.[\w.]+/g
const read = name => readFileSync(join(DIST, name))

/** The number of each vector instruction in a module. */
function vectors(name) {
  const module = binaryen.readBinary(read(name))
  try {
    const text = module.emitText()
    assert.ok(text.includes('(func '), `${name} has code`)
    const counts = {}
    for (const [found] of text.matchAll(VECTOR)) counts[found.slice(1)] = (counts[found.slice(1)] ?? 0) + 1
    return counts
  } finally {
    module.dispose()
  }
}

for (const name of ['b2nd.wasm', 'codecs.wasm', 'zarr.wasm', 'zfp.wasm', 'write.wasm', 'archive.wasm']) {
  test(`${name} works on vectors`, () => {
    const counts = vectors(name)
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    console.log(`${name}: ${total} instructions of ${Object.keys(counts).length} kinds`)
    // Shuffles are nothing else.
    for (const kind of ['v128.load', 'v128.store', 'i8x16.shuffle'])
      assert.ok(counts[kind] > 10, `${kind}: ${counts[kind]}`)
  })
}

for (const name of ['b2nd.scalar.wasm', 'store.wasm'])
  test(`${name} works on none`, () => assert.deepEqual(vectors(name), {}))

test('modules import nothing', () => {
  for (const name of [
    'b2nd.wasm',
    'b2nd.scalar.wasm',
    'codecs.wasm',
    'zarr.wasm',
    'zfp.wasm',
    'expression.wasm',
    'store.wasm',
    'write.wasm',
    'archive.wasm',
  ]) {
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(read(name))), [], name)
  }
})

test('what is inside of the scripts is what lies beside them', async () => {
  const unpack = {
    b2nd: inflateRawSync,
    codecs: inflateRawSync,
    zfp: inflateRawSync,
    expression: inflateRawSync,
    store: inflateRawSync,
    write: bytes => LZMA.LZMA.decompress([...bytes]),
    archive: bytes => LZMA.LZMA.decompress([...bytes]),
  }
  for (const name of Object.keys(unpack)) {
    const { base64 } = await import(join(DIST, `${name}.inlined.js`))
    assert.ok(Buffer.from(unpack[name](Buffer.from(base64, 'base64'))).equals(read(`${name}.wasm`)), name)
  }
})
