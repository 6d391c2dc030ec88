// Before `npm pack` and `npm publish`: an incomplete build fails.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const { bin, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const paths = [...Object.values(exports), bin].flatMap(target =>
  typeof target === 'string' ? target : Object.values(target),
)
const files = [...paths, 'dist/tool.wasm', 'dist/cli.remote.js', 'dist/viewer/index.html', 'LICENSE']
const missing = [...new Set(files)].filter(file => !existsSync(join(folder, file)))
if (missing.length) {
  console.error(`incomplete: run cargo xtask build. These are missing: ${missing.join(', ')}`)
  process.exit(1)
}
