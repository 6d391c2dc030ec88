// The published package.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sizes } from '../sizes.mjs'

const ROOT = join(import.meta.dirname, '..')
const json = path => JSON.parse(readFileSync(join(ROOT, path)))
const { devDependencies, exports, ...manifest } = json('package.json')
/** The files that `npm pack` takes. */
const packed = () =>
  JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts=false'], { cwd: ROOT, stdio: 'pipe' }),
  )[0]

test('every export is there, types first', () => {
  for (const [name, target] of Object.entries(exports)) {
    for (const path of typeof target === 'string' ? [target] : Object.values(target)) {
      assert.ok(existsSync(join(ROOT, path)), `${name}: ${path}`)
    }
    if (typeof target === 'object') assert.equal(Object.keys(target)[0], 'types', name)
  }
})

test('what knows no `exports` finds every entry by a folder of its name', () => {
  for (const [name, { types, default: main }] of Object.entries(exports)) {
    if (!types) continue
    const found = name === '.' ? manifest : json(join(name, 'package.json'))
    assert.deepEqual(
      [found.main, found.types].map(path => join(name, path)),
      [main, types].map(path => join(path)),
      name,
    )
  }
})

test('the package has what it names and what its source maps lead to, and no examples', () => {
  const { files, size } = packed()
  const paths = new Set(files.map(({ path }) => path))
  for (const [name, { types }] of Object.entries(exports)) {
    if (types && name !== '.') assert.ok(paths.has(join(name, 'package.json')), name)
  }
  // Entries for the edge have the code of the others and no maps: eight copies would add 75 kB.
  const scripts = [...paths].filter(path => /^dist\/(?!static|edge)[\w.-]+(?<!inlined)\.js$/.test(path))
  for (const script of scripts) {
    const [, map] = /\n\/\/# sourceMappingURL=(.+)$/.exec(readFileSync(join(ROOT, script), 'utf8')) ?? []
    assert.ok(paths.has(`dist/${map}`), script)
    for (const source of json(`dist/${map}`).sources) assert.ok(paths.has(join('dist', source)), `${map}: ${source}`)
  }
  assert.ok(scripts.length >= 8)
  assert.deepEqual(
    [...paths].filter(path => path.includes('examples')),
    [],
  )
  // Of these, the module that changes stores takes 321 kB, of which 34 kB for sequences of objects, whose scripts take 14 kB more, and that of
  // expressions 525 kB, of which 15 kB for computed columns and 140 kB for conditions: in a script, in a file for runtimes that compile no
  // bytes, and in the viewer.
  assert.ok(size < 4_000_000, `${size} bytes`)
})

test('an incomplete build is not packed; a complete one has its licences and where it comes from', () => {
  const { files } = packed()
  const paths = files.map(({ path }) => path)
  for (const name of ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']) assert.ok(paths.includes(name), name)
  assert.match(manifest.repository.url, /github/)
  assert.match(manifest.homepage, /^https:/)
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-'))
  try {
    mkdirSync(join(folder, 'www'))
    for (const name of ['package.json', 'prepack.mjs']) copyFileSync(join(ROOT, name), join(folder, 'www', name))
    const pack = () =>
      execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts=false'], { cwd: join(folder, 'www'), stdio: 'pipe' })
    assert.throws(pack, /incomplete.*dist\/index\.js/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('stacks lead to the sources', () => {
  const script =
    "import { openArray } from 'b2nd'; Error.stackTraceLimit = 20; openArray(new Uint8Array(40)).catch(error => console.log(error.stack))"
  const stack = execFileSync(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  assert.match(stack, /^B2ndError: .*\n(?:.*\n)*.*www\/js\/arrays\/open\.ts:\d+/)
})

test('development takes exact versions, those of the lock', () => {
  const { packages } = json('package-lock.json')
  assert.deepEqual(packages[''].devDependencies, devDependencies)
  for (const [name, version] of Object.entries(devDependencies)) {
    // What has another name than its own: `npm:NAME@VERSION`.
    assert.equal(packages[`node_modules/${name}`].version, version.replace(/^npm:.*@/, ''), name)
  }
})

test('the README names the versions of the bundlers that are tested', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const named = [...readme.match(/^Tested with .*$/m)[0].matchAll(/([\w.]+) (\d+\.\d+)/g)]
  const tested = json('test/bundlers/tools/package.json').devDependencies
  for (const [, name, version] of named) {
    assert.ok(tested[name.toLowerCase().replace('.js', '')].startsWith(version), name)
  }
  assert.equal(named.length, 9)
})

test('no entry of a page has more than 16.95 kB of scripts, but that of expressions, which has another one', () => {
  const large = sizes().filter(({ entry, js }) => !['node', 'expression'].includes(entry) && js.gz > 16_950)
  assert.deepEqual(large, [])
})

/** Bytes by gzip, with all imports. */
const LARGEST = {
  index: 80_100,
  external: 83_900,
  hdf5: 69_800,
  pool: 5_060,
  // With what arrays have; the first array that has an expression or statistics loads 170 kB, of which 42 kB are for
  // conditions on tables.
  expression: 252_300,
  codecs: 62_600,
  zarr: 64_250,
  write: 114_300,
  // `b2nd/write` loads it when the first store is changed, or the first sequence of objects is written, which takes 17.8 kB of it.
  'write.archive': 152_300,
}

test('entries have at most so many bytes', () => {
  const total = Object.fromEntries(sizes().map(({ entry, wasm, js }) => [entry, wasm.gz + js.gz]))
  for (const [entry, most] of Object.entries(LARGEST)) assert.ok(total[entry] <= most, `${entry}: ${total[entry]}`)
})

test('what stores mean is less than what their chunks need: at most 45 kB', () => {
  const { length } = gzipSync(readFileSync(join(ROOT, 'dist/store.wasm')), { level: 9 })
  assert.ok(length <= 45_000, `${length} bytes`)
})

test('bundlers find the worker and the wasm by what is written', () => {
  const text = name => readFileSync(join(ROOT, 'dist', name), 'utf8')
  assert.ok(text('pool.js').includes('new Worker(new URL("./b2nd.worker.js",import.meta.url),{type:"module"})'))
  for (const name of ['b2nd.wasm', 'b2nd.scalar.wasm']) {
    assert.ok(text('external.js').includes(`new URL("./${name}",import.meta.url)`))
  }
})

test('importing does nothing: neither on a server nor where all is forbidden', () => {
  const script = `
    for (const name of ['fetch', 'WebAssembly', 'navigator', 'Worker', 'document', 'DecompressionStream', 'Blob', 'setTimeout']) {
      Object.defineProperty(globalThis, name, { get() { throw new Error(name + ' at import') }, configurable: true })
    }
    for (const name of ['b2nd', 'b2nd/external', 'b2nd/codecs', 'b2nd/zarr', 'b2nd/hdf5', 'b2nd/pool', 'b2nd/store', 'b2nd/indexing', 'b2nd/expression', 'b2nd/write']) await import(name)`
  // As scripts with --disallow-code-generation-from-strings: what a strict content security policy forbids.
  execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script], {
    cwd: ROOT,
  })
})

test('nothing of Node.js is imported but by b2nd/node', () => {
  for (const name of [
    'index',
    'external',
    'static',
    'codecs',
    'zarr',
    'pool',
    'b2nd.worker',
    'store',
    'indexing',
    'expression',
    'lazy',
    'stats',
    'write',
  ]) {
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
