// Builds dist/ from js/ and the wasm: `node build.mjs --modules FOLDER [--viewer]`. The folder holds simd.wasm, scalar.wasm,
// codec.wasm, zarr.wasm, zfp.wasm, expression.wasm, store.wasm, export.wasm, write.wasm, archive.wasm and tool.wasm. `--viewer` builds only the viewer and its server, which need simd.wasm,
// store.wasm, expression.wasm, export.wasm and write.wasm.
// `cargo xtask build` builds the modules and calls this script.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deflateAsync } from '@gfx/zopfli'
import { build } from 'esbuild'
import LZMA from 'lzma/src/lzma_worker.js'
import { minify } from 'terser'
import { buildWidget } from './jupyter/build.mjs'
import { buildViewer } from './viewer/build.mjs'
import { buildExtension } from './vscode/build.mjs'

/** Bundlers that do not know workers keep this name: it must not clash with a worker.js of the application. */
const WORKER = 'b2nd.worker'
/** What writing imports when it is needed. */
const BESIDE_WRITE = { './archive.js': 'write.archive' }
/** What several entries import when it is needed. */
const LATER = {
  '../engine/zfp.js': 'zfp',
  '../expression/engine.js': 'expression.engine',
  './lazy.js': 'lazy',
  '../data/stats.js': 'stats',
}
/** What expressions import from other entries. */
const BESIDE_EXPRESSION = { './index.js': 'index', './arrays/lazy.js': 'lazy', './store.js': 'store' }
/**
 * The entries: `out` in dist/ is bundled from `file` in js/. `binary` replaces engine/binary.ts, which locates the wasm, and
 * `wasm` is what it imports. `beside` maps files to entries that are imported instead of bundled, so that classes exist once.
 * Entries with `map: false` have the code of another entry with another `wasm`, and no source map.
 */
const ENTRIES = [
  { out: WORKER, file: 'worker.ts' },
  { out: 'index', file: 'index.ts', binary: 'engine/binary.ts', wasm: './b2nd.inlined.js' },
  { out: 'external', file: 'index.ts', binary: 'engine/binary.external.ts' },
  {
    out: 'node',
    file: 'node.ts',
    beside: { './index.js': 'index', '../base/errors.js': 'index', './store.js': 'store' },
  },
  { out: 'hdf5', file: 'hdf5.ts', binary: 'engine/binary.ts', wasm: './b2nd.inlined.js' },
  { out: 'pool', file: 'pool.ts' },
  // What reading imports for the first array with ZFP.
  { out: 'zfp', file: 'engine/zfp.ts', binary: 'engine/binary.ts', wasm: './zfp.inlined.js' },
  // What reading imports for the first lazy array and for statistics, and the wasm for both.
  { out: 'lazy', file: 'arrays/lazy.ts', beside: { './ndarray.js': 'index' } },
  { out: 'stats', file: 'data/stats.ts' },
  {
    out: 'expression.engine',
    file: 'expression/engine.ts',
    binary: 'engine/binary.ts',
    wasm: './expression.inlined.js',
  },
  { out: 'expression', file: 'expression.ts', beside: BESIDE_EXPRESSION },
  // Encodes and decodes chunks only, with a smaller module.
  { out: 'codecs', file: 'codecs.ts', binary: 'engine/binary.ts', wasm: './codecs.inlined.js' },
  { out: 'zarr', file: 'zarr.ts', beside: { './codecs.js': 'codecs', './zarr/parts.js': 'zarr.parts' } },
  // What zarr.ts imports for parts of chunks and when an array has the codec b2nd; and that, when it encodes.
  {
    out: 'zarr.parts',
    file: 'zarr/parts.ts',
    beside: { '../write/zarr.js': 'zarr.b2nd' },
    binary: 'engine/binary.ts',
    wasm: './zarr.inlined.js',
  },
  { out: 'zarr.b2nd', file: 'write/zarr.ts', binary: 'engine/binary.packed.ts', wasm: './write.inlined.js' },
  // What stores, tables and objects mean is a module of its own, without decoders.
  {
    out: 'store',
    file: 'store.ts',
    beside: { ...besideStore('index'), '../expression/engine.js': 'expression.engine' },
    binary: 'engine/binary.ts',
    wasm: './store.inlined.js',
  },
  { out: 'indexing', file: 'indexing.ts' },
  {
    out: 'write',
    file: 'write.ts',
    beside: BESIDE_WRITE,
    binary: 'engine/binary.packed.ts',
    wasm: './write.inlined.js',
  },
  // Stores that are changed; `b2nd/write` loads it when the first one is.
  { out: 'write.archive', file: 'write/archive.ts', binary: 'engine/binary.packed.ts', wasm: './archive.inlined.js' },
  { out: 'cli', file: 'cli.ts', banner: '#!/usr/bin/env node' },
  { out: 'cli.remote', file: 'cli/remote-worker.ts' },
  // workerd imports wasm by name, Next.js by name with a query.
  ...compiled('static', ''),
  ...compiled('edge', '?module'),
]
/** What stores import from the entry of arrays. */
function besideStore(entry) {
  const files = ['./index.js', '../arrays/ndarray.js', '../reading/selection.js']
  return Object.fromEntries(files.map(file => [file, entry]))
}
/** File of dist/ ← file of the folder with the modules. */
const WASM = {
  'b2nd.wasm': 'simd.wasm',
  'b2nd.scalar.wasm': 'scalar.wasm',
  'codecs.wasm': 'codec.wasm',
  'zarr.wasm': 'zarr.wasm',
  'zfp.wasm': 'zfp.wasm',
  'expression.wasm': 'expression.wasm',
  'store.wasm': 'store.wasm',
  'write.wasm': 'write.wasm',
  'archive.wasm': 'archive.wasm',
  // Of the command.
  'tool.wasm': 'tool.wasm',
}

/**
 * The wasm that LZMA compresses: `b2nd/write` has 101 500 bytes by gzip, and with deflate it would have 111 900; the decoder, js/engine/lzma.ts,
 * is 900 of them. Decompressing takes about 40 ms in JavaScript, which is little for whoever writes and much for whoever reads a slice.
 */
const PACKED = ['write', 'archive']

const { exports } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json')))
const { modules, viewer } = parseArgs({ options: { modules: { type: 'string' }, viewer: { type: 'boolean' } } }).values
/** What the viewer and its server load from dist/. */
const FIRST = [
  'b2nd.wasm',
  'store.wasm',
  'expression.wasm',
  'write.wasm',
  'b2nd',
  'store',
  'write',
  WORKER,
  'expression',
  'expression.engine',
  'lazy',
  'stats',
  'index',
  'node',
  'indexing',
  'cli',
]
const wanted = name => !viewer || FIRST.includes(name)
const js = join(import.meta.dirname, 'js')
const dist = join(import.meta.dirname, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
for (const [to, from] of Object.entries(WASM)) if (wanted(to)) copyFileSync(join(modules, from), join(dist, to))
for (const wasm of ['b2nd', 'codecs', 'zarr', 'zfp', 'expression', 'store', 'write', 'archive'].filter(wanted))
  writeFileSync(join(dist, `${wasm}.inlined.js`), await inlinedModule(wasm))
for (const entry of ENTRIES) if (wanted(entry.out)) await bundle(entry)
const { total } = await buildViewer(dist, modules)
if (!viewer) {
  await buildWidget(join(dist, 'viewer'))
  await buildExtension(join(dist, 'viewer'))
  types(import.meta.dirname)
  types(join(import.meta.dirname, 'viewer'))
  for (const [name, target] of Object.entries(exports)) if (target.types) folder(name, target)
  // npm takes licences from the folder of the package only.
  for (const name of ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE'])
    copyFileSync(join(import.meta.dirname, '..', name), join(import.meta.dirname, name))
}
console.log(`viewer, first load: ${(total / 1000).toFixed(1)} kB gzip`)

/** The entries for runtimes that forbid compiling wasm and import it with `query` instead. */
function compiled(name, query) {
  const common = { binary: 'engine/binary.static.ts', map: false }
  return [
    {
      out: name,
      file: 'index.ts',
      ...common,
      beside: { '../engine/zfp.js': `${name}-zfp`, './lazy.js': `${name}-lazy`, '../data/stats.js': `${name}-stats` },
      wasm: `./b2nd.wasm${query}`,
    },
    { out: `${name}-zfp`, file: 'engine/zfp.ts', ...common, wasm: `./zfp.wasm${query}` },
    {
      out: `${name}-lazy`,
      file: 'arrays/lazy.ts',
      map: false,
      beside: { './ndarray.js': name, '../expression/engine.js': `${name}-expression.engine` },
    },
    {
      out: `${name}-stats`,
      file: 'data/stats.ts',
      map: false,
      beside: { '../expression/engine.js': `${name}-expression.engine` },
    },
    { out: `${name}-expression.engine`, file: 'expression/engine.ts', ...common, wasm: `./expression.wasm${query}` },
    {
      out: `${name}-expression`,
      file: 'expression.ts',
      map: false,
      beside: { './index.js': name, './arrays/lazy.js': `${name}-lazy`, './store.js': `${name}-store` },
    },
    { out: `${name}-hdf5`, file: 'hdf5.ts', ...common, wasm: `./b2nd.wasm${query}` },
    { out: `${name}-codecs`, file: 'codecs.ts', ...common, wasm: `./codecs.wasm${query}` },
    {
      out: `${name}-zarr`,
      file: 'zarr.ts',
      map: false,
      beside: { './codecs.js': `${name}-codecs`, './zarr/parts.js': `${name}-zarr.parts` },
    },
    {
      out: `${name}-zarr.parts`,
      file: 'zarr/parts.ts',
      ...common,
      beside: { '../write/zarr.js': `${name}-zarr.b2nd` },
      wasm: `./zarr.wasm${query}`,
    },
    { out: `${name}-zarr.b2nd`, file: 'write/zarr.ts', ...common, wasm: `./write.wasm${query}` },
    {
      out: `${name}-store`,
      file: 'store.ts',
      ...common,
      beside: { ...besideStore(name), '../expression/engine.js': `${name}-expression.engine` },
      wasm: `./store.wasm${query}`,
    },
    { out: `${name}-indexing`, file: 'indexing.ts', map: false },
    {
      out: `${name}-write`,
      file: 'write.ts',
      ...common,
      beside: { './archive.js': `${name}-write.archive` },
      wasm: `./write.wasm${query}`,
    },
    { out: `${name}-write.archive`, file: 'write/archive.ts', ...common, wasm: `./archive.wasm${query}` },
  ]
}

async function bundle({ out, file, map = true, banner = '', ...entry }) {
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
    // The worker is built before the pool, which contains its source.
    define:
      file === 'pool.ts'
        ? { WORKER_SOURCE: JSON.stringify(readFileSync(join(dist, `${WORKER}.js`), 'utf8').replace(/\/\/#.*\s*$/, '')) }
        : {},
    minify: true,
    // js/ is part of the package.
    sourcemap: 'external',
    sourcesContent: false,
    banner: { js: banner },
    write: false,
    logLevel: 'warning',
    plugins: [{ name: 'beside', setup: build => elsewhere(build, entry) }],
  })
  // This saves 4 % of the gzipped size.
  const { code, map: mapped } = await minify(text, {
    module: true,
    ecma: 2022,
    // These settings give the smallest gzipped size.
    compress: { passes: 3, lhs_constants: false, hoist_funs: true },
    // Runtimes print the whole line of an uncaught error.
    format: { max_line_len: 4000 },
    ...(map && { sourceMap: { content, url: `${out}.js.map` } }),
  })
  writeFileSync(outfile, code)
  if (map) writeFileSync(`${outfile}.map`, mapped)
}

/** Resolves imports that are not bundled from js/ as they are: binary.ts, the wasm, and other entries. */
function elsewhere({ onResolve }, { binary, wasm, beside = {} }) {
  onResolve({ filter: /^\.\/binary\.js$/ }, () => ({ path: join(js, binary) }))
  onResolve({ filter: /^\.\/(inlined\.js|b2nd\.wasm)$/ }, () => ({ path: wasm, external: true }))
  beside = { ...LATER, ...beside }
  onResolve({ filter: /\.js$/ }, ({ path }) =>
    path in beside ? { path: `./${beside[path]}.js`, external: true } : undefined,
  )
}

/** The module that js/engine/inlined.d.ts declares. Zopfli is slow and saves 5 %. */
async function inlinedModule(wasm) {
  const bytes = readFileSync(join(dist, `${wasm}.wasm`))
  const compressed = PACKED.includes(wasm) ? lzma(bytes) : await deflateAsync(bytes, {})
  return `export const base64='${Buffer.from(compressed).toString('base64')}'\n`
}

/** Levels above 5 need more memory to decompress, and save nothing. */
function lzma(bytes) {
  return LZMA.LZMA.compress([...bytes], 5)
}

/** Checks the types of a folder with its tsconfig.json. That of the package also emits declarations. */
function types(folder) {
  const tsc = join(import.meta.dirname, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '--project', folder], { stdio: 'inherit' })
  } catch {
    process.exit(1)
  }
}

/** Creates a folder for an entry, where tools that do not know `exports` look for it. */
function folder(name, { types, default: main }) {
  if (name === '.') return
  mkdirSync(join(import.meta.dirname, name), { recursive: true })
  const text = JSON.stringify({ type: 'module', main: join('..', main), types: join('..', types) })
  writeFileSync(join(import.meta.dirname, name, 'package.json'), `${text}\n`)
}
