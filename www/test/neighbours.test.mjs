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

test('filters of HDF5 take back what h5py stored', { skip }, () =>
  withFiles('hdf5_files.py', async (folder, cases) => {
    await init()
    for (const { name, filter } of cases) {
      const plain = Buffer.from(hdf5Filters[filter](await readFile(join(folder, `${name}.stored`))))
      assert.ok(plain.equals(await readFile(join(folder, `${name}.plain`))), name)
    }
    assert.equal(cases.length, 90)
  }),
)
