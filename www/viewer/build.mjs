// Builds dist/viewer/: static files for any server. The package's build.mjs calls it.

import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { minify } from 'terser'

const here = import.meta.dirname
const js = join(here, '..', 'js')
const STATIC = ['index.html', 'page.css', 'icon.svg', 'manifest.webmanifest']
/** How the viewer is bundled. */
export const OPTIONS = {
  absWorkingDir: here,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  logLevel: 'warning',
  // The element creates its workers.
  define: { WORKER_SOURCE: '""' },
  // The package has no side effects, but elements and pages consist of them.
  ignoreAnnotations: true,
}

/** What all bundles with the viewer need: styles as text, wasm from a file, and no decoders that a page's policy forbids. */
export const PLUGINS = [
  { name: 'styles and wasm', setup: parts },
  { name: 'no wasm as text', setup: without },
]

/** `dist` must already contain b2nd.wasm, store.wasm, expression.wasm and write.wasm, `modules` export.wasm. */
export async function buildViewer(dist, modules) {
  const out = join(dist, 'viewer')
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const inputs = new Set()
  for (const [name, path] of Object.entries({
    page: join(here, 'page.ts'),
    'b2nd-viewer': join(here, 'element.ts'),
    worker: join(js, 'worker.ts'),
    // Loaded when first needed, with a wasm of its own.
    write: join(js, 'write.ts'),
    // A worker for files in other formats.
    decode: join(here, 'open', 'decode.ts'),
    // A worker for questions about all rows of a table.
    rows: join(here, 'open', 'rows-worker.ts'),
  })) {
    const { metafile } = await build({
      ...OPTIONS,
      metafile: true,
      entryPoints: { [name]: path },
      outdir: out,
      // What is imported when it is asked for, and what that shares with the rest. All lie in one folder, as the wasm does.
      splitting: true,
      chunkNames: 'part-[hash]',
      external: ['./b2nd.wasm', './store.wasm', './expression.wasm', './export.wasm'],
      plugins: [
        { name: 'beside the page', setup: besides },
        { name: 'one first part', setup: build => together(build, path) },
        ...PLUGINS,
      ],
    })
    for (const input of Object.keys(metafile.inputs)) inputs.add(input)
  }
  const placed = [...inputs].find(input => input.includes(join(here, '..')))
  if (placed) throw new Error(`${placed}: the names of parts would depend on where the project lies`)
  writeFileSync(join(out, 'licences.txt'), licences(inputs))
  for (const file of STATIC) copyFileSync(join(here, file), join(out, file))
  writeFileSync(join(out, 'page.css'), await minified(join(here, 'page.css')))
  preload(out)
  for (const file of firstScripts(out)) await shorten(join(out, file))
  for (const file of ['b2nd.wasm', 'store.wasm', 'expression.wasm', 'write.wasm'])
    copyFileSync(join(dist, file), join(out, file))
  copyFileSync(join(modules, 'export.wasm'), join(out, 'export.wasm'))
  cpSync(join(here, 'examples'), join(out, 'examples'), { recursive: true })
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(out.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
  await build({
    ...OPTIONS,
    entryPoints: [{ in: join(here, 'sw.ts'), out: 'sw' }],
    outdir: out,
    define: {
      ...OPTIONS.define,
      FILES: JSON.stringify(hashes(out, files)),
      VERSION: JSON.stringify(digest(out, files)),
    },
  })
  return firstLoad(out)
}

/** The hash of each file, in the form of the attribute `integrity`. */
function hashes(out, files) {
  const hash = file =>
    createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('base64')
  return Object.fromEntries(files.map(file => [file, `sha256-${hash(file)}`]))
}

/** A hash of all files, so that any change is a new version. */
function digest(out, files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(out, file)))
  return hash.digest('hex').slice(0, 12)
}

/** The static imports of a script, recursively. */
function imported(out, file, files = new Set()) {
  if (files.has(file)) return files
  files.add(file)
  const script = readFileSync(join(out, file), 'utf8')
  for (const [, name] of script.matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g)) imported(out, name, files)
  return files
}

/** Preloads all scripts of the page, so that they load in parallel. */
function preload(out) {
  const page = join(out, 'index.html')
  const link = '<link rel="modulepreload" href="b2nd-viewer.js">'
  const links = [...imported(out, 'page.js')].slice(1).map(file => link.replace('b2nd-viewer.js', file))
  writeFileSync(page, readFileSync(page, 'utf8').replace(link, links.join('\n    ')))
}

const firstScripts = out => [...imported(out, 'page.js'), ...imported(out, 'worker.js')]

/** Saves 3 % of the initial download. */
async function shorten(file) {
  const { code } = await minify(readFileSync(file, 'utf8'), {
    module: true,
    ecma: 2022,
    compress: { passes: 3, lhs_constants: false, hoist_funs: true },
  })
  writeFileSync(file, code)
}

/** The bytes of a first visit with `gzip -9`, without examples, the service worker, and parts that are loaded on demand. */
export function firstLoad(out) {
  const files = [...STATIC, ...firstScripts(out), 'b2nd.wasm'].filter(file => file !== 'manifest.webmanifest')
  const sizes = Object.fromEntries(
    files.map(file => [file, gzipSync(readFileSync(join(out, file)), { level: 9 }).length]),
  )
  return { sizes, total: Object.values(sizes).reduce((sum, size) => sum + size, 0) }
}

/**
 * What is loaded at once goes into one part. Else the bundler makes a part of each set of modules that some of those share that are
 * loaded later, which compress less well: here these all share all that is loaded at once.
 */
function together(build, entry) {
  build.onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, namespace }) => {
    if (kind !== 'dynamic-import' || namespace === 'later' || resolveDir.includes('node_modules')) return undefined
    const found = await build.resolve(path, { resolveDir, kind: 'import-statement' })
    return found.external ? found : { path: fromHere(found.path), namespace: 'later' }
  })
  build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) => ({
    contents: `import ${JSON.stringify(fromHere(entry))}\nexport * from ${JSON.stringify(path)}`,
    resolveDir: here,
  }))
}

/** The names of parts depend on these paths: they must not depend on where the project lies. */
const fromHere = path => `./${relative(here, path).replaceAll('\\', '/')}`

const minified = async path =>
  (await transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true, target: OPTIONS.target })).code

/** Decoders that compile wasm from text, which the page's policy forbids: they are left out. */
function without(build) {
  build.onResolve({ filter: /^\.\/(lerc|zstd)\.js$/ }, ({ path, importer }) =>
    importer.includes('geotiff') ? { path, namespace: 'absent' } : undefined,
  )
  build.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
    contents: `throw new Error('unsupported compression ${path.slice(2, -3)}')`,
  }))
}

/** The licences of other packages whose code is in the viewer. */
function licences(inputs) {
  const folders = [...inputs].flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  return [...new Set(folders)]
    .sort()
    .map(folder => {
      const path = join(here, folder)
      const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json')))
      const file = readdirSync(path).find(name => /^licen[cs]e/i.test(name))
      return `${name} ${version} (${license})\n\n${file ? readFileSync(join(path, file), 'utf8').trim() : ''}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** The wasm and the element are separate files, for use by other pages. */
function besides(build) {
  build.onResolve({ filter: /^\.\/element\.js$/ }, () => ({ path: './b2nd-viewer.js', external: true }))
  build.onResolve({ filter: /^\.\/decode\.js$/ }, ({ importer }) =>
    importer.endsWith('decoded.ts') ? { path: './decode.js', external: true } : undefined,
  )
  build.onResolve({ filter: /\/js\/write\.js$/ }, () => ({ path: './write.js', external: true }))
}

function parts(build) {
  build.onLoad({ filter: /\.css$/ }, async ({ path }) => ({ contents: await minified(path), loader: 'text' }))
  build.onResolve({ filter: /^\.\/binary\.js$/ }, ({ importer }) => ({
    path: importer.replace(/\w+\.ts$/, 'binary.external.ts'),
  }))
}
