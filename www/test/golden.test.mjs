// Every golden file decodes to the values in its manifest, with each module and in each runtime.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as inlined from 'b2nd'
import * as external from 'b2nd/external'
import { fileSource } from 'b2nd/node'
import { createPool } from 'b2nd/pool'
import { cases, check } from './lib/golden.mjs'

async function all(library, options) {
  const wrong = []
  for (const golden of cases) {
    const complaint = await check(library, golden, options)
    if (complaint) wrong.push(`${golden.file}: ${complaint}`)
  }
  assert.ok(wrong.length === 0, `${wrong.length} of ${cases.length} are wrong:\n${wrong.slice(0, 20).join('\n')}`)
  assert.ok(cases.length > 1000, 'the corpus is there')
}

test('from memory', () => all(inlined))

test('from files', () => all(inlined, { source: ({ path }) => fileSource(path) }))

test('range by range', () => {
  const through = open => (source, options) => open(source instanceof Uint8Array ? new Blob([source]) : source, options)
  return all({ ...inlined, open: through(inlined.open), openArray: through(inlined.openArray) })
})

test('with the wasm without SIMD, given as bytes', async () => {
  await external.init({ bytes: readFileSync(fileURLToPath(import.meta.resolve('b2nd/b2nd.scalar.wasm'))) })
  await all(external)
})

test('in workers', async () => {
  const pool = createPool({ size: 2 })
  await all(inlined, { decoder: pool }).finally(() => pool.close())
})
