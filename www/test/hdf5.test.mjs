// The filters of HDF5 by themselves: neighbours.test.mjs has what h5py wrote.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { isB2ndError } from 'b2nd'
import { hdf5Filters, init } from 'b2nd/hdf5'
import { cases, sha256 } from './lib/golden.mjs'

test('take frames of any number of chunks', async () => {
  await init()
  const arrays = cases.filter(({ file, error, offset }) => /shape-.*b2nd$/.test(file) && !error && !offset)
  for (const { path, file, sha256: digest } of arrays) {
    if (statSync(path).isFile()) assert.equal(sha256(new Uint8Array(hdf5Filters[32026](readFileSync(path)))), digest, file)
  }
  assert.ok(arrays.length > 10)
})

test('take chunks of Blosc1 and Blosc2', async () => {
  await init()
  for (const { path, file, sha256: digest } of cases.filter(({ kind, error, offset }) => kind === 'chunk' && !error && !offset)) {
    for (const filter of Object.values(hdf5Filters)) {
      assert.equal(sha256(new Uint8Array(filter(readFileSync(path)))), digest, file)
    }
  }
})

test('refuse what is neither, and what is cut', async () => {
  await init()
  const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
  const frame = readFileSync(path)
  for (const bytes of [new Uint8Array(), new Uint8Array(16), new Uint8Array(100).fill(0xa5)]) {
    assert.throws(() => hdf5Filters[32026](bytes), error => isB2ndError(error, 'format'))
  }
  for (let length = 0; length < frame.length - 500; length += 97) {
    assert.throws(() => hdf5Filters[32026](frame.subarray(0, length)), error => isB2ndError(error, 'format'), `${length}`)
  }
})
