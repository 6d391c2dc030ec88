// TypeScript finds the types of every entry, whichever way it looks for them.
import { before, test } from 'node:test'
import { project, run } from './project.mjs'

const APP = `
  import { openArray, type NDArray } from 'b2nd'
  import { Blosc } from 'b2nd/codecs'
  import { openArray as openExternal } from 'b2nd/external'
  import { hdf5Filters } from 'b2nd/hdf5'
  import { fileSource } from 'b2nd/node'
  import { createPool } from 'b2nd/pool'
  import 'b2nd/worker'
  import { register } from 'b2nd/zarr'

  export const arrays: Promise<NDArray>[] = [
    openArray('https://example.org', { decoder: createPool({ size: 2 }) }),
    openExternal(await fileSource('file')),
  ]
  export const entries: [Blosc, typeof register, number] = [new Blosc(), register, Object.keys(hdf5Filters).length]
  // @ts-expect-error: what is found is not \`any\`.
  createPool({ size: 'two' })`
/** Names of `moduleResolution`, and a \`module\` that goes with each. */
const SETTINGS = { node10: 'esnext', bundler: 'esnext', nodenext: 'nodenext' }
let folder

before(async () => (folder = await project('types', { 'app.ts': APP })))

for (const [moduleResolution, module] of Object.entries(SETTINGS)) {
  test(moduleResolution, () => run(folder, 'tsc', [
    'app.ts', '--noEmit', '--strict', '--target', 'es2022', '--module', module, '--moduleResolution', moduleResolution,
    '--lib', 'es2023,dom,esnext.disposable', '--types', 'node', '--skipLibCheck',
  ]))
}
