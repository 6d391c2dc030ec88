// The package as others find it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sizes } from '../sizes.mjs'

const ROOT = join(import.meta.dirname, '..')
const { devDependencies, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json')))

test('every export is there, types first', () => {
  for (const [name, target] of Object.entries(exports)) {
    for (const path of typeof target === 'string' ? [target] : Object.values(target)) {
      assert.ok(existsSync(join(ROOT, path)), `${name}: ${path}`)
    }
    if (typeof target === 'object') assert.equal(Object.keys(target)[0], 'types', name)
  }
})

test('development takes exact versions, those of the lock', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json')))
  assert.deepEqual(packages[''].devDependencies, devDependencies)
  for (const [name, version] of Object.entries(devDependencies)) {
    assert.equal(packages[`node_modules/${name}`].version, version, name)
  }
})

test('no entry has more than 14 kB of scripts', () => {
  const large = sizes().filter(({ js }) => js.gz > 14_000)
  assert.deepEqual(large, [])
})

test('bundlers find the worker and the wasm by what is written', () => {
  const text = name => readFileSync(join(ROOT, 'dist', name), 'utf8')
  assert.ok(text('pool.js').includes('new Worker(new URL("./worker.js",import.meta.url),{type:"module"})'))
  for (const name of ['b2nd.wasm', 'b2nd.scalar.wasm']) {
    assert.ok(text('external.js').includes(`new URL("./${name}",import.meta.url)`))
  }
})

test('importing does nothing: neither on a server nor where all is forbidden', () => {
  const script = `
    for (const name of ['fetch', 'WebAssembly', 'navigator', 'Worker', 'document', 'DecompressionStream', 'Blob', 'setTimeout']) {
      Object.defineProperty(globalThis, name, { get() { throw new Error(name + ' at import') }, configurable: true })
    }
    for (const name of ['b2nd', 'b2nd/external', 'b2nd/codecs', 'b2nd/zarr', 'b2nd/hdf5', 'b2nd/pool']) await import(name)`
  // As scripts with --disallow-code-generation-from-strings: what a strict content security policy forbids.
  execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script], { cwd: ROOT })
})

test('nothing of Node.js is imported but by b2nd/node', () => {
  for (const name of ['index', 'external', 'static', 'codecs', 'zarr', 'pool', 'worker']) {
    const seen = new Set()
    const visit = file => {
      if (seen.has(file)) return
      seen.add(file)
      const text = readFileSync(join(ROOT, 'dist', file), 'utf8')
      assert.doesNotMatch(text, /from ?["']node:|\beval\(|new Function\(/, file)
      for (const [, path] of text.matchAll(/from"\.\/([^"]+\.js)"/g)) visit(path)
    }
    visit(`${name}.js`)
  }
})
