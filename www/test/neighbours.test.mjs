// Zarrita reads with the codec of this package, and chunks of HDF5 pass its filters.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileSystemStore } from '@zarrita/storage'
import { Blosc } from 'b2nd/codecs'
import { hdf5Filters, init } from 'b2nd/hdf5'
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

test('the same with all codecs and shuffles', { skip }, () =>
  withFiles('hdf5_files.py', async (folder, cases) => assert.equal(await unfilter(folder, cases), 99)),
)
