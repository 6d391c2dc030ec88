// Reads the arrays with ZFP that tests/interop/random_files.py wrote, whole and in slices, in this thread and in workers:
// `node zfp.mjs FOLDER`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as library from 'b2nd'
import { createPool } from 'b2nd/pool'
import { checkCase } from '../lib/check.mjs'

const [folder] = process.argv.slice(2)
const cases = readFileSync(join(folder, 'cases.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(line => JSON.parse(line))
  .filter(({ file }) => file.startsWith('zfp-'))
const source = ({ file }) => readFileSync(join(folder, file))
const pool = createPool({ size: 2 })
const wrong = []
for (const golden of cases) {
  for (const options of [{}, { decoder: pool }]) {
    const complaint = await checkCase(library, golden, { source, ...options })
    if (complaint) wrong.push(`${golden.file}: ${complaint}`)
  }
}
pool.close()
assert.deepEqual(wrong, [])
assert.ok(cases.length >= 100, `${cases.length} arrays`)
console.log(`${cases.length} arrays with ZFP, read in two ways`)
