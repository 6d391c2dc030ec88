// Makes dist/ of js/ and the wasm: `node build.mjs --modules FOLDER`, where the folder has simd.wasm, scalar.wasm and
// codec.wasm.
// `cargo xtask build` makes these and calls this.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildViewer } from './viewer/build.mjs'

/**
 * Each line is a build by itself: its entries (file of dist/ ← file of js/) share what they have in common, unless
 * `whole`, when each is one file and imports none. `binary` is the file of js/ that knows where the wasm is; it stands
 * in for binary.ts. `wasm` is the module, by its name in dist/.
 */
const BUILDS = [
  { binary: 'binary.ts', wasm: 'b2nd', entries: { index: 'index.ts', node: 'node.ts', hdf5: 'hdf5.ts', pool: 'pool.ts' } },
  { binary: 'binary.external.ts', wasm: 'b2nd', entries: { external: 'index.ts' } },
  { binary: 'binary.static.ts', wasm: 'b2nd', entries: { static: 'index.ts', 'static-hdf5': 'hdf5.ts' } },
  { binary: 'binary.ts', wasm: 'b2nd', entries: { worker: 'worker.ts' }, whole: true },
  // Chunks alone take less.
  { binary: 'binary.ts', wasm: 'codecs', entries: { codecs: 'codecs.ts', zarr: 'zarr.ts' } },
  { binary: 'binary.static.ts', wasm: 'codecs', entries: { 'static-codecs': 'codecs.ts', 'static-zarr': 'zarr.ts' } },
]
/** File of dist/ ← file of the folder with the modules. */
const WASM = { 'b2nd.wasm': 'simd.wasm', 'b2nd.scalar.wasm': 'scalar.wasm', 'codecs.wasm': 'codec.wasm' }

const { modules } = parseArgs({ options: { modules: { type: 'string' } } }).values
const js = join(import.meta.dirname, 'js')
const dist = join(import.meta.dirname, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const [to, from] of Object.entries(WASM)) copyFileSync(join(modules, from), join(dist, to))
const metafiles = []
for (const wasm of ['b2nd', 'codecs']) writeFileSync(join(dist, `${wasm}.inlined.js`), inlinedModule(wasm))
for (const line of BUILDS) metafiles.push(await bundle(line))
types(import.meta.dirname)
types(join(import.meta.dirname, 'viewer'))
const { total } = await buildViewer(dist)
console.log(`viewer, first load: ${(total / 1000).toFixed(1)} kB gzip`)
// What sizes.mjs goes by.
writeFileSync(join(modules, 'metafiles.json'), JSON.stringify(metafiles))

async function bundle({ binary, wasm, entries, whole = false }) {
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: Object.entries(entries).map(([out, file]) => ({ in: join(js, file), out })),
    outdir: dist,
    bundle: true,
    splitting: !whole,
    // Beside the entries, so that a URL relative to a module means the same in all of them.
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*', './*.wasm', './*.inlined.js'],
    minify: true,
    // An error that nobody catches is shown with its line. It would break the wasm, too.
    ...(!whole && { lineLimit: 500 }),
    metafile: true,
    logLevel: 'warning',
    plugins: [
      { name: 'wasm', setup: build => (whole ? inlined(build, wasm) : beside(build, wasm)) },
      { name: 'binary', setup: build => standIn(build, binary) },
    ],
  })
  return metafile
}

function standIn(build, binary) {
  build.onResolve({ filter: /^\.\/binary\.js$/ }, () => ({ path: join(js, binary) }))
}

/** Takes the module from a file beside the entry. */
function beside(build, wasm) {
  build.onResolve({ filter: /^\.\/inlined\.js$/ }, () => ({ path: `./${wasm}.inlined.js`, external: true }))
  build.onResolve({ filter: /^\.\/b2nd\.wasm$/ }, () => ({ path: `./${wasm}.wasm`, external: true }))
}

/** Puts the module into what is one file. */
function inlined(build, wasm) {
  build.onResolve({ filter: /^\.\/inlined\.js$/ }, () => ({ path: 'inlined', namespace: 'inlined' }))
  build.onLoad({ filter: /.*/, namespace: 'inlined' }, () => ({ contents: inlinedModule(wasm) }))
}

/** The module that js/inlined.d.ts describes. */
function inlinedModule(wasm) {
  const base64 = deflateRawSync(readFileSync(join(dist, `${wasm}.wasm`)), { level: 9 }).toString('base64')
  return `export const base64='${base64}'\n`
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
