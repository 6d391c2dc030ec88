// Makes dist/ of js/ and the wasm: `node build.mjs --modules FOLDER`, where the folder has simd.wasm, scalar.wasm and
// codec.wasm.
// `cargo xtask build` makes these and calls this.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateAsync } from '@gfx/zopfli'
import { build } from 'esbuild'
import { minify } from 'terser'
import { buildViewer } from './viewer/build.mjs'

/**
 * Each entry is one file: of dist/ ← of js/. `binary` is the file of js/ that knows where the wasm is; it stands in for
 * binary.ts. `wasm` is the module, by its name in dist/; it is a file beside the entry, unless `inside`. `beside` are files
 * that are imported by other entries' names: what they export is not there twice.
 */
const ENTRIES = [
  { out: 'index', file: 'index.ts', binary: 'binary.ts', wasm: 'b2nd' },
  { out: 'external', file: 'index.ts', binary: 'binary.external.ts', wasm: 'b2nd' },
  { out: 'static', file: 'index.ts', binary: 'binary.static.ts', wasm: 'b2nd' },
  { out: 'node', file: 'node.ts', beside: { './index.js': 'index', '../errors.js': 'index' } },
  { out: 'hdf5', file: 'hdf5.ts', binary: 'binary.ts', wasm: 'b2nd' },
  { out: 'static-hdf5', file: 'hdf5.ts', binary: 'binary.static.ts', wasm: 'b2nd' },
  { out: 'pool', file: 'pool.ts' },
  { out: 'worker', file: 'worker.ts' },
  // Chunks alone take less.
  { out: 'codecs', file: 'codecs.ts', binary: 'binary.ts', wasm: 'codecs' },
  { out: 'static-codecs', file: 'codecs.ts', binary: 'binary.static.ts', wasm: 'codecs' },
  { out: 'zarr', file: 'zarr.ts', beside: { './codecs.js': 'codecs' } },
  { out: 'static-zarr', file: 'zarr.ts', beside: { './codecs.js': 'static-codecs' } },
]
/** File of dist/ ← file of the folder with the modules. */
const WASM = { 'b2nd.wasm': 'simd.wasm', 'b2nd.scalar.wasm': 'scalar.wasm', 'codecs.wasm': 'codec.wasm' }

const { modules } = parseArgs({ options: { modules: { type: 'string' } } }).values
const js = join(import.meta.dirname, 'js')
const dist = join(import.meta.dirname, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const [to, from] of Object.entries(WASM)) copyFileSync(join(modules, from), join(dist, to))
for (const wasm of ['b2nd', 'codecs']) writeFileSync(join(dist, `${wasm}.inlined.js`), await inlinedModule(wasm))
for (const entry of ENTRIES) await bundle(entry)
types(import.meta.dirname)
types(join(import.meta.dirname, 'viewer'))
const { total } = await buildViewer(dist)
console.log(`viewer, first load: ${(total / 1000).toFixed(1)} kB gzip`)

async function bundle({ out, file, binary, wasm, beside }) {
  const { outputFiles } = await build({
    entryPoints: [join(js, file)],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*'],
    minify: true,
    write: false,
    logLevel: 'warning',
    plugins: [{ name: 'beside', setup: build => elsewhere(build, { binary, wasm, beside }) }],
  })
  // A twenty-fifth smaller when gzipped.
  const { code } = await minify(outputFiles[0].text, {
    module: true,
    ecma: 2022,
    // Constants stay where they are written: what is repeated stays alike.
    compress: { passes: 3, lhs_constants: false },
    // An error that nobody catches is shown with its line.
    format: { max_line_len: 4000 },
  })
  writeFileSync(join(dist, `${out}.js`), code)
}

/** What is not taken in from js/ as it is: the file that knows where the wasm is, the wasm, and other entries. */
function elsewhere({ onResolve }, { binary, wasm, beside = {} }) {
  onResolve({ filter: /^\.\/binary\.js$/ }, () => ({ path: join(js, binary) }))
  onResolve({ filter: /^\.\/inlined\.js$/ }, () => ({ path: `./${wasm}.inlined.js`, external: true }))
  onResolve({ filter: /^\.\/b2nd\.wasm$/ }, () => ({ path: `./${wasm}.wasm`, external: true }))
  onResolve({ filter: /\.js$/ }, ({ path }) => (path in beside ? { path: `./${beside[path]}.js`, external: true } : undefined))
}

/** The module that js/inlined.d.ts describes. Zopfli takes its time and saves a twentieth. */
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
