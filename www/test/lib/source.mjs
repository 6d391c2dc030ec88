// Imports single modules of js/, to test what the package does not export.

import { join } from 'node:path'
import { build } from 'esbuild'

/** The module `js/NAME.ts`; its folder is part of the name. */
export async function source(name) {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../js', `${name}.ts`)],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    plugins: [{ name: 'without WebAssembly', setup: unbuilt }],
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}

/** What the package's build makes is left out: only the code is tested. */
function unbuilt(build) {
  build.onResolve({ filter: /^\.\/inlined\.js$/ }, () => ({ path: 'inlined', namespace: 'unbuilt' }))
  build.onLoad({ filter: /.*/, namespace: 'unbuilt' }, () => ({ contents: "export const base64 = ''" }))
}
