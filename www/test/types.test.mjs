// TypeScript programs compile: the examples of the READMEs and types_usage.ts, with various `lib` and `moduleResolution`.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const MODULES = join(ROOT, 'node_modules')
/** TypeScript 7 has no `node10` resolution. */
const COMPILERS = { 5: join(MODULES, 'typescript5/bin/tsc'), 7: join(MODULES, 'typescript/bin/tsc') }
const OPTIONS = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, target: 'es2022' }
const USAGE = 'types_usage.ts'
let folder
let examples

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/b2nd'), 'junction')
  for (const name of ['@types', 'zarrita'])
    symlinkSync(join(MODULES, name), join(folder, 'node_modules', name), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  copyFileSync(join(import.meta.dirname, USAGE), join(folder, USAGE))
  const codes = ['README.md', '../README.md'].flatMap(file => [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```js.*\n([^]*?)^```$/gm),
  ])
  examples = codes.map(([, code], k) => {
    writeFileSync(join(folder, `example${k}.ts`), code)
    return `example${k}.ts`
  })
})

after(() => rm(folder, { recursive: true }))

/** The diagnostics of the compiler. */
async function compile(version, files, options) {
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }))
  const run = promisify(execFile)(process.execPath, [COMPILERS[version], '--project', config])
  return run.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

const RESOLUTIONS = { bundler: { module: 'esnext', moduleResolution: 'bundler' }, node16: { module: 'node16' } }

for (const [lib, resolution] of [
  ['es2020', 'bundler'],
  ['es2022', 'node16'],
  ['esnext', 'bundler'],
]) {
  test(`in a page: ${lib}, ${resolution}`, async () => {
    const options = { ...RESOLUTIONS[resolution], lib: [lib, 'dom'], types: [], skipLibCheck: false }
    assert.equal(await compile(7, [USAGE], options), '')
  })
}

// Types of zarrita's are not all right for node16.
for (const [lib, resolution] of [
  ['es2020', 'bundler'],
  ['esnext', 'node16'],
]) {
  test(`examples: ${lib}, ${resolution}`, async () => {
    assert.ok(examples.length >= 6)
    const options = { ...RESOLUTIONS[resolution], lib: [lib, 'dom'], types: ['node'], skipLibCheck: true }
    assert.equal(await compile(7, examples, options), '')
  })
}

test('in Node.js, without what pages have', async () => {
  assert.equal(
    await compile(7, [USAGE, ...examples], {
      ...RESOLUTIONS.node16,
      lib: ['es2022'],
      types: ['node'],
      skipLibCheck: true,
    }),
    '',
  )
})

test('node10', async () => {
  // Types of others are not found by it.
  const options = {
    module: 'esnext',
    moduleResolution: 'node10',
    lib: ['es2020', 'dom'],
    types: ['node'],
    skipLibCheck: true,
  }
  assert.equal(await compile(5, [USAGE, ...examples], options), '')
})

test('it is compiled at all', async () => {
  writeFileSync(
    join(folder, 'wrong.ts'),
    `import { openArray } from 'b2nd'\nexport const shape: string = (await openArray('x')).shape`,
  )
  assert.match(await compile(7, ['wrong.ts'], { ...RESOLUTIONS.node16, lib: ['es2022', 'dom'], types: [] }), /TS2322/)
})
