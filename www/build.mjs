// Makes dist/ of js/ and the wasm: `node build.mjs --modules FOLDER [--viewer]`, where the folder has simd.wasm, scalar.wasm
// and codec.wasm. With `--viewer` it makes the viewer and `b2nd/node` alone, which need only simd.wasm.
// `cargo xtask build` makes the modules and calls this.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateAsync } from '@gfx/zopfli'
import { build } from 'esbuild'
import { minify } from 'terser'
import { buildViewer } from './viewer/build.mjs'

/** Bundlers leave its name as it is where they do not know workers: an application may have a worker.js of its own. */
const WORKER = 'b2nd.worker'
/**
 * Each entry is one file: of dist/ ← of js/. `binary` is the file of js/ that knows where the wasm is; it stands in for
 * engine/binary.ts. `wasm` is what that imports. `beside` are files that are imported by other entries' names: what they export
 * is not there twice.
 */
const ENTRIES = [
  { out: WORKER, file: 'worker.ts' },
  { out: 'index', file: 'index.ts', binary: 'engine/binary.ts', wasm: './b2nd.inlined.js' },
  { out: 'external', file: 'index.ts', binary: 'engine/binary.external.ts' },
  { out: 'node', file: 'node.ts', beside: { './index.js': 'index', '../base/errors.js': 'index' } },
  { out: 'hdf5', file: 'hdf5.ts', binary: 'engine/binary.ts', wasm: './b2nd.inlined.js' },
  { out: 'pool', file: 'pool.ts' },
  // Chunks alone take less.
  { out: 'codecs', file: 'codecs.ts', binary: 'engine/binary.ts', wasm: './codecs.inlined.js' },
  { out: 'zarr', file: 'zarr.ts', beside: { './codecs.js': 'codecs' } },
  // workerd imports modules by their names, Next.js by their names with a query.
  ...compiled('static', ''),
  ...compiled('edge', '?module'),
]
/** File of dist/ ← file of the folder with the modules. */
const WASM = { 'b2nd.wasm': 'simd.wasm', 'b2nd.scalar.wasm': 'scalar.wasm', 'codecs.wasm': 'codec.wasm' }

const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json')))
const { modules, viewer } = parseArgs({ options: { modules: { type: 'string' }, viewer: { type: 'boolean' } } }).values
/** The names in dist/ that the viewer and `b2nd/node` load. */
const FIRST = ['b2nd.wasm', 'b2nd', WORKER, 'index', 'node']
const wanted = name => !viewer || FIRST.includes(name)
const js = join(import.meta.dirname, 'js')
const dist = join(import.meta.dirname, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const [to, from] of Object.entries(WASM)) if (wanted(to)) copyFileSync(join(modules, from), join(dist, to))
for (const wasm of ['b2nd', 'codecs'].filter(wanted))
  writeFileSync(join(dist, `${wasm}.inlined.js`), await inlinedModule(wasm))
for (const entry of ENTRIES) if (wanted(entry.out)) await bundle(entry)
const { total } = await buildViewer(dist)
if (!viewer) {
  types(import.meta.dirname)
  types(join(import.meta.dirname, 'viewer'))
  for (const [name, target] of Object.entries(exports)) if (target.types) folder(name, target)
}
console.log(`viewer, first load: ${(total / 1000).toFixed(1)} kB gzip`)

/** The entries for runtimes that compile no wasm themselves: they get it by an import with `query`. */
function compiled(name, query) {
  const binary = 'engine/binary.static.ts'
  return [
    { out: name, file: 'index.ts', binary, wasm: `./b2nd.wasm${query}` },
    { out: `${name}-hdf5`, file: 'hdf5.ts', binary, wasm: `./b2nd.wasm${query}` },
    { out: `${name}-codecs`, file: 'codecs.ts', binary, wasm: `./codecs.wasm${query}` },
    { out: `${name}-zarr`, file: 'zarr.ts', beside: { './codecs.js': `${name}-codecs` } },
  ]
}

async function bundle({ out, file, ...entry }) {
  const outfile = join(dist, `${out}.js`)
  const {
    outputFiles: [{ text: content }, { text }],
  } = await build({
    entryPoints: [join(js, file)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*'],
    // The worker is there when the pool is made.
    define:
      file === 'pool.ts'
        ? { WORKER_SOURCE: JSON.stringify(readFileSync(join(dist, `${WORKER}.js`), 'utf8').replace(/\/\/#.*\s*$/, '')) }
        : {},
    minify: true,
    // The package has js/, too.
    sourcemap: 'external',
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
    plugins: [{ name: 'beside', setup: build => elsewhere(build, entry) }],
  })
  // A twenty-fifth smaller when gzipped.
  const { code, map } = await minify(text, {
    module: true,
    ecma: 2022,
    // Constants stay where they are written: what is repeated stays alike.
    compress: { passes: 3, lhs_constants: false },
    // An error that nobody catches is shown with its line.
    format: { max_line_len: 4000 },
    sourceMap: { content, url: `${out}.js.map` },
  })
  writeFileSync(outfile, code)
  writeFileSync(`${outfile}.map`, map)
}

/** What is not taken in from js/ as it is: the file that knows where the wasm is, the wasm, and other entries. */
function elsewhere({ onResolve }, { binary, wasm, beside = {} }) {
  onResolve({ filter: /^\.\/binary\.js$/ }, () => ({ path: join(js, binary) }))
  onResolve({ filter: /^\.\/(inlined\.js|b2nd\.wasm)$/ }, () => ({ path: wasm, external: true }))
  onResolve({ filter: /\.js$/ }, ({ path }) =>
    path in beside ? { path: `./${beside[path]}.js`, external: true } : undefined,
  )
}

/** The module that js/engine/inlined.d.ts describes. Zopfli takes its time and saves a twentieth. */
async function inlinedModule(wasm) {
  const deflated = await deflateAsync(readFileSync(join(dist, `${wasm}.wasm`)), {})
  return `export const base64='${Buffer.from(deflated).toString('base64')}'\n`
}

/** Checks the types of a folder with a tsconfig.json; that of the package writes declarations, too. */
function types(folder) {
  const tsc = join(import.meta.dirname, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '--project', folder], { stdio: 'inherit' })
  } catch {
    process.exit(1)
  }
}

/** Where what knows no `exports` looks for an entry: a folder of its name. */
function folder(name, { types, default: main }) {
  if (name === '.') return
  mkdirSync(join(import.meta.dirname, name), { recursive: true })
  const text = JSON.stringify({ type: 'module', main: join('..', main), types: join('..', types) })
  writeFileSync(join(import.meta.dirname, name, 'package.json'), `${text}\n`)
}
