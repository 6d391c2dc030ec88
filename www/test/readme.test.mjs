// The examples of the README run, with the URLs replaced.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { encodeArray } from 'b2nd/write'
import { cases, FOLDER } from './lib/golden.mjs'
import { python, skip } from './lib/python.mjs'
import { serve } from './lib/server.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const examples = [...readme.matchAll(/^## (.+)\n(?:(?!## ).*\n)*?```js.*\n([^]*?)^```$/gm)].map(([, title, code]) => ({
  title,
  code,
}))

/** The output of each. */
const PRINTED = {
  'In a page': /^\[ 12, 30, 40 \] <f4 [^]*\n\[ 16, 20 \] Float32Array\(320\)/,
  'In Node.js': /^[-.\de]+ [-.\de]+ [-.\de]+\n(.+ items from .+\n)+$/,
  'In workers': /^Float32Array\(1200\)/,
  Expressions: /^\[ 30, 20 \] <f8 Float64Array\(20\)[^]*\n\[ 30, 20 \] \{\n  count: 600,/,
  Stores: /^TreeStore \[[^]*'\/small'[^]*note: 'of a group'[^]*\[ 30 \]/,
  'Lists, masks and views': /^\[ 3, 30 \] \[ 12, 30 \] \[ 2 \]\n$/,
  Writing: /^\[ 480, 640 \] <u2 \[Object: null prototype\] \{ units: 'K' \} true\n$/,
  'Writing in parts': /^$/,
  'Changing files': /^$/,
  'Files that end early': /^2 of 4 false \[ 4000 \]\n$/,
  'With zarrita': /^Int32Array\(370\)/,
  'Slices of large chunks': /^Int32Array\(370\)[^]*\[ 10, 37 \]\n$/,
  'As a store of zarrita': /^float32 \[ 12, 30, 40 \] \[ \d+, \d+, \d+ \]\n$/,
  'Aborting and errors': /^http 404\n$/,
  'Cost of a selection': /^\d+ requests \d+\n$/,
}

test('all examples are known', () =>
  assert.deepEqual(
    examples.map(({ title }) => title),
    Object.keys(PRINTED),
  ))

/** An operand of expressions, with the shape of a lazy array of python-blosc2. */
const operand = await encodeArray(
  Int32Array.from({ length: 600 }, (_, k) => k),
  { shape: [30, 20] },
)

/** The file that one example writes and the next one changes. */
const measured = join(tmpdir(), `b2nd-${process.pid}.b2nd`)
after(() => rm(measured, { force: true }))

for (const { title, code } of examples) {
  const needsPython = code.includes('.zarr')
  test(title, { skip: needsPython && skip }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
    if (needsPython) await python('zarr_files.py', folder)
    const server = await serve({
      '/volume.b2nd': await readFile(path),
      '/run.b2z': await readFile(join(FOLDER, 'stores/tree.b2z')),
      '/a.b2nd': operand,
      '/b.b2nd': operand,
      '/lazy.b2nd': await readFile(join(FOLDER, 'blosc2-4.14.1/lazy-expression.b2nd')),
      '/array.zarr/': join(folder, 'v3-lz4-shuffle-i4'),
    })
    try {
      const here = code
        .replaceAll('https://example.org', server.origin)
        .replaceAll("'volume.b2nd'", JSON.stringify(path))
        .replaceAll("'measured.b2nd'", JSON.stringify(measured))
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', here], {
        cwd: import.meta.dirname,
        timeout: 30_000,
      })
      assert.equal(stderr, '')
      assert.match(stdout, PRINTED[title])
    } finally {
      await server.close()
      await rm(folder, { recursive: true })
    }
  })
}
