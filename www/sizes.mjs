// What a page loads for each entry of dist/, as it is and by `gzip -9`: `node sizes.mjs --modules FOLDER` after build.mjs.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const { modules } = parseArgs({ options: { modules: { type: 'string' } } }).values
const dist = join(import.meta.dirname, 'dist')
/** The wasm inside of a script is the only string that is as long. */
const INLINED = /(["'`])[A-Za-z0-9+/=]{4096,}\1/g

const rows = [['entry', 'wasm', 'js', 'wasm gz', 'js gz', 'total gz']]
for (const metafile of JSON.parse(readFileSync(join(modules, 'metafiles.json')))) {
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    // A chunk that is imported when needed counts as an entry with esbuild.
    if (entryPoint && !/-[A-Z0-9]{8}\.js$/.test(path)) rows.push(row(path, metafile))
  }
}
for (const name of ['b2nd.wasm', 'b2nd.scalar.wasm', 'codecs.wasm']) {
  const { raw, gz } = measure(readFileSync(join(dist, name)))
  rows.push([name, raw, '', gz, '', gz])
}
print(rows)

/** An entry with all that it imports, now or later. */
function row(path, metafile) {
  const files = [...reach(path, metafile)].map(file => readFileSync(join(dist, basename(file)), 'utf8'))
  const total = files.map(measure).reduce(add)
  const js = files.map(text => measure(text.replace(INLINED, '""'))).reduce(add)
  // Where it is a file of its own, that with SIMD.
  const external = files.map(text => /["'`]\.\/((?:b2nd|codecs)\.wasm)["'`]/.exec(text)?.[1]).find(name => name)
  const { raw, gz } = external
    ? measure(readFileSync(join(dist, external)))
    : { raw: total.raw - js.raw, gz: total.gz - js.gz }
  return [basename(path, '.js'), raw, js.raw, gz, js.gz, gz + js.gz]
}

function reach(path, metafile, found = new Set()) {
  if (found.has(path)) return found
  found.add(path)
  for (const { path: next, external } of metafile.outputs[path].imports) {
    if (!external) reach(next, metafile, found)
    else if (next.endsWith('.inlined.js')) found.add(next)
  }
  return found
}

function measure(bytes) {
  return { raw: Buffer.byteLength(bytes), gz: gzipSync(bytes, { level: 9 }).length }
}

function add(a, b) {
  return { raw: a.raw + b.raw, gz: a.gz + b.gz }
}

function print(rows) {
  const width = column => Math.max(...rows.map(row => String(row[column]).length))
  for (const row of rows) {
    console.log(row.map((cell, column) => String(cell)[column ? 'padStart' : 'padEnd'](width(column))).join('  '))
  }
}
