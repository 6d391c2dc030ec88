// The files whose references the Python package tests through zarr-python, xarray and Icechunk, through zarrita: ragged, big-endian, with
// constant chunks, of 1 to 5 dimensions, and in a store.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ReferenceStore } from '@zarrita/storage'
import { getSlice, register } from 'b2nd/zarr'
import * as zarr from 'zarrita'
import { skip, withFiles } from './lib/python.mjs'
import { serve } from './lib/server.mjs'

const CLI = join(import.meta.dirname, '../dist/cli.js')
/** The types of items that zarrita has. */
const KNOWN = /^[iuf]/
const native = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)

/** The references that the command writes. */
async function references({ file, member }, folder, server) {
  const path = join(folder, file, member ?? '')
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'refs', path, '--url', server.url(`/${file}`)])
  return ReferenceStore.fromSpec(JSON.parse(stdout))
}

test('zarrita reads 33 arrays by references', { skip }, () =>
  withFiles('../../python/tests/reference_files.py', async (folder, cases) => {
    register(zarr.registry)
    const server = await serve({ '/': folder })
    const stores = await Promise.all(cases.map(found => references(found, folder, server)))
    let count = 0
    for (const [k, { name, dtype }] of cases.entries()) {
      const opening = zarr.open.v3(stores[k], { kind: 'array' })
      if (!KNOWN.test(dtype)) {
        const reading = opening.then(array => zarr.get(array))
        await assert.rejects(reading, /data ?type/i, `${name}, of ${dtype}`)
        continue
      }
      const [array, expected] = [await opening, await readFile(join(folder, `${name}.items`))]
      assert.ok(native((await zarr.get(array)).data).equals(expected), name)
      assert.ok(native((await getSlice(array, null, { partial: true })).data).equals(expected), `${name}, by ranges`)
      count++
    }
    await server.close()
    assert.equal(count, 18)
  }),
)
