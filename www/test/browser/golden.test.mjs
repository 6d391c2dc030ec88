// Chromium reads every golden file with the same digests as Node.js and native code, with each way to load the wasm, and reports
// no error.

import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { site } from '../lib/browser.mjs'
import { cases, FOLDER } from '../lib/golden.mjs'
import { serve } from '../lib/server.mjs'

const on = site(() =>
  serve({
    '/index.html': '<!doctype html><title>golden</title>',
    '/dist/': join(import.meta.dirname, '../../dist'),
    '/lib/': join(import.meta.dirname, '../lib'),
    '/golden/': FOLDER,
  }),
)

/** What the page has to know: of a sparse frame, which files there are. */
const told = cases.map(({ path, ...golden }) => ({
  ...golden,
  files: statSync(path).isDirectory() ? readdirSync(path) : null,
}))

/** Reads all cases in the page. Runs there. Returns what is wrong. */
async function all({ entry, workers, cases }) {
  const library = await import(`/dist/${entry}.js`)
  const { createPool } = await import('/dist/pool.js')
  const { checkCase } = await import('/lib/check.mjs')
  const { open } = await import('/lib/sources.mjs')
  const pool = workers ? createPool({ size: workers }) : undefined
  const wrong = []
  for (const golden of cases) {
    const complaint = await checkCase(library, golden, { source: golden => open(library, golden), decoder: pool })
    if (complaint) wrong.push(`${golden.file}: ${complaint}`)
  }
  const ran = pool?.workers ?? 0
  pool?.close()
  return { wrong, ran }
}

for (const [entry, workers] of [
  ['index', 0],
  ['external', 0],
  ['index', 2],
]) {
  test(`${entry}, ${workers} workers`, async () => {
    const { wrong, ran } = await on.visit('/index.html', page => page.evaluate(all, { entry, workers, cases: told }))
    assert.ok(wrong.length === 0, `${wrong.length} of ${told.length} are wrong:\n${wrong.slice(0, 20).join('\n')}`)
    assert.equal(ran, workers)
    assert.ok(told.length > 1000, 'the corpus is there')
  })
}
