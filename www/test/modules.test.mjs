// The folders of js/ and of viewer/ import downwards only, and no file imports itself through others. Imports are those that
// TypeScript's parser finds: of types and values, and those of code that is loaded later.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import typescript from 'typescript5'

/** From bottom to top: folders, and files outside of any. */
const LAYERS = {
  // The other entries are in js/ itself; the command is made of them.
  js: [
    'base',
    'engine',
    'sources',
    'reading',
    'expression',
    'data',
    'workers',
    'arrays',
    'indexing',
    'store',
    'write',
    'zarr',
    '*.ts',
    'cli',
    'cli.ts',
  ],
  // The element `b2nd-viewer`, and the page around it, whose service worker stands alone.
  viewer: [
    'dom.ts',
    'rules.ts',
    'keys.ts',
    'model',
    'open',
    'draw',
    'views',
    'panels',
    'shortcuts.ts',
    'stage.ts',
    'element.ts',
    'page',
    'page.ts',
    'sw.ts',
  ],
}

for (const [root, layers] of Object.entries(LAYERS)) {
  const files = readdirSync(join(import.meta.dirname, '..', root), { recursive: true })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map(name => name.replaceAll('\\', '/'))
  const texts = files.map(name => [name, readFileSync(join(import.meta.dirname, '..', root, name), 'utf8')])
  const edges = texts.flatMap(([name, text]) => imports(name, text)).filter(([, to]) => files.includes(to))

  test(`folders of ${root}/ import from those below them`, () => {
    const upward = edges.filter(([from, to]) => layerOf(layers, from) < layerOf(layers, to))
    assert.deepEqual(upward, [])
  })

  test(`no file of ${root}/ imports itself by way of others`, () => {
    assert.deepEqual(cycles(edges), [])
  })

  test(`files of ${root}/ begin with what they are, not with imports`, () => {
    const late = texts.filter(([, text]) => /^import (?:(?!\n\n)[^])*\n\/\//.test(text))
    assert.deepEqual(
      late.map(([name]) => name),
      [],
    )
  })
}

test('a circle of imports is found', () => {
  assert.deepEqual(
    cycles([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
    ]),
    ['b → c → b'],
  )
})

test('imports of types and those of code that is loaded later are found', () => {
  const text = `import type { A } from './a.js'
export { b } from '../b.js'
const c = await import('./c.js')
let d: import('../d.js').D
import 'other'`
  assert.deepEqual(
    imports('folder/file.ts', text).map(([, to]) => to),
    ['folder/a.ts', 'b.ts', 'folder/c.ts', 'd.ts'],
  )
})

/** The place of a file or of its folder among the layers. */
function layerOf(layers, file) {
  const [name] = file.split('/')
  const at = layers.indexOf(layers.includes(name) || name !== file ? name : '*.ts')
  assert.notEqual(at, -1, `${file} has no layer`)
  return at
}

/** A file with each of those that it imports. */
function imports(file, text) {
  const paths = typescript.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
  return paths
    .filter(path => path.startsWith('.'))
    .map(path => [file, posix.join(file, '..', path).replace(/\.js$/, '.ts')])
}

function cycles(edges) {
  const imports = {}
  for (const [from, to] of edges) (imports[from] ??= []).push(to)
  const done = new Set()
  const found = []
  const visit = (file, path) => {
    if (path.includes(file)) return found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const to of imports[file] ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file in imports) visit(file, [])
  return found
}
