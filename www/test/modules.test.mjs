// The folders of js/ import downwards only, and no file imports itself through others.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'

const js = join(import.meta.dirname, '../js')
/** The layers from bottom to top. The entries are in js/ itself; the command, cli.ts and its folder, is made of them. */
const LAYERS = [
  'base',
  'engine',
  'sources',
  'reading',
  'data',
  'workers',
  'arrays',
  'indexing',
  'store',
  'write',
  '',
  'cli',
]

test('folders of js/ import from those below them', () => {
  const layer = file => {
    const [folder] = file === 'cli.ts' ? ['cli'] : file.includes('/') ? file.split('/') : ['']
    const at = LAYERS.indexOf(folder)
    assert.notEqual(at, -1, `${file} is in a folder without a layer`)
    return at
  }
  const upward = edges(js).filter(([from, to]) => layer(from) < layer(to))
  assert.deepEqual(upward, [])
})

test('no file of js/ imports itself by way of others', () => {
  assert.deepEqual(cycles(edges(js)), [])
})

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

/** The imports of each file of a folder, types included. */
function edges(folder) {
  const files = readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replaceAll('\\', '/'))
  return files.flatMap(file => {
    const imports = readFileSync(join(folder, file), 'utf8').matchAll(
      /^(?:import|export)\b[^'"]*?\bfrom '(\.[^']*)\.js'$/gm,
    )
    return [...imports].map(([, path]) => [
      file,
      `${relative(folder, join(folder, file, '..', path)).replaceAll('\\', '/')}.ts`,
    ])
  })
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
