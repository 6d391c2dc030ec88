// The sizes of the entries in dist/, raw and by `gzip -9`: run `node sizes.mjs` after build.mjs.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ENTRIES = [
  'index',
  'external',
  'node',
  'hdf5',
  'pool',
  'b2nd.worker',
  'codecs',
  'zarr',
  'zarr.parts',
  'zfp',
  'expression',
  'write',
  'write.archive',
]
const dist = join(import.meta.dirname, 'dist')
/** The wasm in a script: no other string is as long. */
const INLINED = /(["'`])[A-Za-z0-9+/=]{4096,}\1/g

/** For each entry the raw and gzipped bytes of the wasm and of the JavaScript. */
export const sizes = () => ENTRIES.map(row)

/** The sizes of an entry with its imports. */
function row(entry) {
  const files = [...reach(`${entry}.js`)].map(file => readFileSync(join(dist, file), 'utf8'))
  const total = files.map(measure).reduce(add)
  const js = files.map(text => measure(text.replace(INLINED, '""'))).reduce(add)
  // A separate file: the one with SIMD counts.
  const external = files
    .map(text => /["'`]\.\/((?:b2nd|codecs|zarr|zfp|expression|store|write|archive)\.wasm)["'`]/.exec(text)?.[1])
    .find(name => name)
  const { raw, gz } = external
    ? measure(readFileSync(join(dist, external)))
    : { raw: total.raw - js.raw, gz: total.gz - js.gz }
  return { entry, wasm: { raw, gz }, js }
}

function reach(file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  const imported = readFileSync(join(dist, file), 'utf8').matchAll(/(?:from|import) ?["']\.\/([\w.-]+\.js)["']/g)
  for (const [, next] of imported) reach(next, found)
  return found
}

function measure(bytes) {
  return { raw: Buffer.byteLength(bytes), gz: gzipSync(bytes, { level: 9 }).length }
}

function add(a, b) {
  return { raw: a.raw + b.raw, gz: a.gz + b.gz }
}

function print() {
  const rows = [['entry', 'wasm', 'js', 'wasm gz', 'js gz', 'total gz']]
  for (const { entry, wasm, js } of sizes()) rows.push([entry, wasm.raw, js.raw, wasm.gz, js.gz, wasm.gz + js.gz])
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
    const { raw, gz } = measure(readFileSync(join(dist, name)))
    rows.push([name, raw, '', gz, '', gz])
  }
  const width = column => Math.max(...rows.map(row => String(row[column]).length))
  for (const row of rows) {
    console.log(row.map((cell, column) => String(cell)[column ? 'padStart' : 'padEnd'](width(column))).join('  '))
  }
}

if (process.argv[1] === import.meta.filename) print()
