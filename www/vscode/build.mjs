// Builds the extension. The package's build.mjs calls it.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { singleModule } from '../viewer/single.mjs'

const here = import.meta.dirname

/** `viewer` is the folder of the built viewer. */
export async function buildExtension(viewer) {
  const out = join(here, 'dist')
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'webview.js'), await singleModule(join(here, 'webview.ts'), viewer))
  copyFileSync(join(viewer, 'licences.txt'), join(out, 'licences.txt'))
  await build({
    absWorkingDir: here,
    entryPoints: ['extension.ts'],
    outfile: join(out, 'extension.cjs'),
    bundle: true,
    platform: 'node',
    // Editors load extensions with `require`.
    format: 'cjs',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  })
}
