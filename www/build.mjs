// Makes dist/ of js/ and the wasm: `node build.mjs --modules FOLDER`, where the folder has simd.wasm and scalar.wasm.
// `cargo xtask build` makes these and calls this.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateRawSync } from 'node:zlib'
import { build } from 'esbuild'

/**
 * Each line is a build by itself: its entries (file of dist/ ← file of js/) share what they have in common, unless
 * `whole`, when each is one file and imports none. `binary` is the file of js/ that knows where the wasm is; it stands
 * in for binary.ts. `wasm` is which one that is.
 */
const BUILDS = [
  {
    binary: 'binary.ts',
    entries: { index: 'index.ts', node: 'node.ts', hdf5: 'hdf5.ts', pool: 'pool.ts' },
  },
  { binary: 'binary.ts', wasm: 'codec', entries: { codecs: 'codecs.ts', zarr: 'zarr.ts' } },
  { binary: 'binary.external.ts', entries: { external: 'index.ts' } },
  { binary: 'binary.static.ts', entries: { static: 'index.ts', 'static-hdf5': 'hdf5.ts' } },
  { binary: 'binary.static.ts', wasm: 'codec', entries: { 'static-codecs': 'codecs.ts', 'static-zarr': 'zarr.ts' } },
  { binary: 'binary.ts', entries: { worker: 'worker.ts' }, whole: true },
]
/** Modules by name: the file of dist/ that has it as it is ← file of the folder with the modules. */
const WASM = {
  reader: { file: 'b2nd.wasm', from: 'simd.wasm', inlined: 'inlined.js' },
  scalar: { file: 'b2nd.scalar.wasm', from: 'scalar.wasm' },
  codec: { file: 'b2nd.codec.wasm', from: 'codec.wasm', inlined: 'inlined.codec.js' },
}

const { modules } = parseArgs({ options: { modules: { type: 'string' } } }).values
const js = join(import.meta.dirname, 'js')
const dist = join(import.meta.dirname, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const wasm of Object.values(WASM)) {
  copyFileSync(join(modules, wasm.from), join(dist, wasm.file))
  if (wasm.inlined) writeFileSync(join(dist, wasm.inlined), inlinedModule(wasm))
}
const metafiles = []
for (const line of BUILDS) metafiles.push(await bundle(line))
declarations()
// What sizes.mjs goes by.
writeFileSync(join(modules, 'metafiles.json'), JSON.stringify(metafiles))

async function bundle({ binary, wasm = 'reader', entries, whole = false }) {
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
    external: ['node:*'],
    minify: true,
    // An error that nobody catches is shown with its line. It would break the wasm, too.
    ...(!whole && { lineLimit: 500 }),
    metafile: true,
    logLevel: 'warning',
    plugins: [{ name: 'binary', setup: build => standIn(build, binary, WASM[wasm], whole) }],
  })
  return metafile
}

function standIn(build, binary, wasm, whole) {
  build.onResolve({ filter: /^\.\/binary\.js$/ }, () => ({ path: join(js, binary) }))
  build.onResolve({ filter: /^\.\/b2nd\.wasm$/ }, () => ({ path: `./${wasm.file}`, external: true }))
  // A file beside the others, unless there are to be no others.
  build.onResolve({ filter: /^\.\/inlined\.js$/ }, () =>
    whole ? { path: 'inlined', namespace: 'inlined' } : { path: `./${wasm.inlined}`, external: true },
  )
  build.onLoad({ filter: /.*/, namespace: 'inlined' }, () => ({ contents: inlinedModule(wasm) }))
}

/** The module that js/inlined.d.ts describes. */
function inlinedModule({ from }) {
  const base64 = deflateRawSync(readFileSync(join(modules, from)), { level: 9 }).toString('base64')
  return `export const base64='${base64}'\n`
}

/** Checks the types, too. */
function declarations() {
  const tsc = join(import.meta.dirname, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '--project', import.meta.dirname], { stdio: 'inherit' })
  } catch {
    process.exit(1)
  }
}
