// Bundles the viewer as one module for hosts that have no files beside it: wasm and workers are in it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { OPTIONS, PLUGINS } from './build.mjs'

const www = join(import.meta.dirname, '..')
/** The workers, by the names by which the viewer loads them. */
const WORKERS = { 'worker.js': 'js/worker.ts', 'decode.js': 'viewer/open/decode.ts' }

/** The text of the module. `viewer` is the folder of the built viewer, which has the wasm. */
export async function singleModule(entry, viewer) {
  const files = {}
  for (const [name, path] of Object.entries(WORKERS)) files[name] = await bundled(join(www, path), [])
  const writing = await bundled(join(www, 'js', 'write.ts'), [])
  return bundled(entry, [{ name: 'files in the module', setup: build => inline(build, viewer, files, writing) }])
}

async function bundled(entry, plugins) {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [entry],
    write: false,
    plugins: [...plugins, ...PLUGINS],
  })
  return outputFiles[0].text
}

/** Addresses of files become addresses of what is in them. What writes has a wasm and so an engine of its own. */
function inline(build, viewer, workers, writing) {
  build.onResolve({ filter: /\/js\/write\.js$/ }, ({ path }) => ({ path, namespace: 'write' }))
  build.onLoad({ filter: /./, namespace: 'write' }, () => ({ contents: writing }))
  build.onLoad({ filter: /[\\/](?:js|viewer)[\\/].*\.ts$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replaceAll(
      /new URL\('\.\/([\w.-]+)', import\.meta\.url\)/g,
      (_, name) => `new URL(${addressOf(name, viewer, workers)})`,
    ),
    loader: 'ts',
  }))
}

/** Workers have the page's origin: from an address with data they would have none. */
function addressOf(name, viewer, workers) {
  const source = workers[name]
  if (source) return `URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/javascript' }))`
  // All browsers that run such hosts have SIMD; workers that the package itself starts are not used.
  const file = name.replace('.scalar', '')
  return file.endsWith('.wasm')
    ? `'data:application/wasm;base64,${readFileSync(join(viewer, file), 'base64')}'`
    : `'data:,'`
}
