// Zarrita reads with the codec of this package, and chunks of HDF5 pass its filters.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileSystemStore } from '@zarrita/storage'
import { Blosc } from 'b2nd/codecs'
import { hdf5Filters, hdf5FiltersWith, init, isB2ndError } from 'b2nd/hdf5'
import { register } from 'b2nd/zarr'
import * as zarr from 'zarrita'
import { FOLDER, sha256 } from './lib/golden.mjs'
import { skip, withFiles } from './lib/python.mjs'

test('zarrita reads what zarr-python wrote', { skip }, () =>
  withFiles('zarr_files.py', async (folder, cases) => {
    register(zarr.registry)
    assert.equal(zarr.registry.get('blosc')(), Blosc)
    for (const { name, dtype } of cases) {
      const store = new FileSystemStore(join(folder, name))
      const array = await zarr.open(store, { kind: 'array' })
      const { data } = await zarr.get(array)
      const expected = await readFile(join(folder, `${dtype.slice(1)}.bytes`))
      assert.ok(Buffer.from(data.buffer, data.byteOffset, data.byteLength).equals(expected), name)
    }
    assert.equal(cases.length, 90)
  }),
)

/** Passes stored chunks through the filters, and returns their number. */
async function unfilter(folder, cases) {
  await init()
  for (const { name, filter, nbytes, sha256: digest } of cases) {
    const items = new Uint8Array(hdf5Filters[filter](await readFile(join(folder, `${name}.stored`))))
    assert.deepEqual([items.length, sha256(items)], [nbytes, digest], name)
  }
  return cases.length
}

test('filters of HDF5 take back what h5py stored, chunks without a frame, and frames with several chunks', async () => {
  const folder = join(FOLDER, 'hdf5')
  const cases = JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8'))
  assert.equal(await unfilter(folder, cases), 15)
})

test('filters of HDF5 keep to the limits that they are made with', async () => {
  const folder = join(FOLDER, 'hdf5')
  const cases = JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8'))
  for (const { name, filter, nbytes } of cases) {
    const stored = await readFile(join(folder, `${name}.stored`))
    // Blocks are decoded beside the result.
    const enough = hdf5FiltersWith({ limits: { memory: 3 * nbytes + 2 ** 16 } })
    assert.equal(enough[filter](stored).byteLength, nbytes, name)
    const little = hdf5FiltersWith({ limits: { memory: nbytes - 1 } })
    assert.throws(
      () => little[filter](stored),
      error => isB2ndError(error, 'limit') && /`limits.memory` allows/.test(error.message),
      name,
    )
  }
  assert.throws(
    () => hdf5FiltersWith({ limits: { memory: -1 } }),
    error => isB2ndError(error, 'argument'),
  )
  assert.throws(
    () => hdf5FiltersWith(7),
    error => isB2ndError(error, 'argument'),
  )
})

test('the same with all codecs and shuffles', { skip }, () =>
  withFiles('hdf5_files.py', async (folder, cases) => assert.equal(await unfilter(folder, cases), 99)),
)
