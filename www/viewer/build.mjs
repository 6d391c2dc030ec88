// Makes dist/viewer/: static files, to be put on any server. build.mjs of the package calls it.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const here = import.meta.dirname
const js = join(here, '..', 'js')
const STATIC = ['index.html', 'page.css', 'icon.svg', 'manifest.webmanifest']
const OPTIONS = {
  absWorkingDir: here,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  logLevel: 'warning',
  loader: { '.css': 'text' },
  // The element says how its workers are made.
  define: { WORKER_SOURCE: '""' },
  // The package has no side effects; elements and pages are nothing else.
  ignoreAnnotations: true,
}

/** `dist` holds the package already, and b2nd.wasm. */
export async function buildViewer(dist) {
  const out = join(dist, 'viewer')
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await build({
    ...OPTIONS,
    entryPoints: { page: join(here, 'page.ts'), 'b2nd-viewer': join(here, 'element.ts'), worker: join(js, 'worker.ts') },
    outdir: out,
    external: ['./b2nd.wasm'],
    plugins: [{ name: 'beside the page', setup: besides }],
  })
  for (const file of STATIC) copyFileSync(join(here, file), join(out, file))
  copyFileSync(join(dist, 'b2nd.wasm'), join(out, 'b2nd.wasm'))
  cpSync(join(here, 'examples'), join(out, 'examples'), { recursive: true })
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(out.length + 1).replaceAll('\\', '/')).sort()
  await build({
    ...OPTIONS,
    entryPoints: [{ in: join(here, 'sw.ts'), out: 'sw' }],
    outdir: out,
    define: { ...OPTIONS.define, FILES: JSON.stringify(files), VERSION: JSON.stringify(digest(out, files)) },
  })
  return firstLoad(out)
}

/** Of all of it, so that any change is a new version. */
function digest(out, files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(out, file)))
  return hash.digest('hex').slice(0, 12)
}

/** Bytes that a first visit loads, by `gzip -9`: all but examples and the service worker. */
export function firstLoad(out) {
  const files = [...STATIC, 'page.js', 'b2nd-viewer.js', 'worker.js', 'b2nd.wasm'].filter(file => file !== 'manifest.webmanifest')
  const sizes = Object.fromEntries(files.map(file => [file, gzipSync(readFileSync(join(out, file)), { level: 9 }).length]))
  return { sizes, total: Object.values(sizes).reduce((sum, size) => sum + size, 0) }
}

/** The wasm is a file of its own, and so is the element, for other pages to use. */
function besides(build) {
  build.onResolve({ filter: /^\.\/element\.js$/ }, () => ({ path: './b2nd-viewer.js', external: true }))
  build.onResolve({ filter: /^\.\/binary\.js$/ }, () => ({ path: join(js, 'engine/binary.external.ts') }))
}
