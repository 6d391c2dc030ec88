// Arrays in the codecs of Blosc, exchanged with zarr-python: its arrays are read here, and those that are not in shards are written
// again, for it to read. numcodecs encodes and decodes the chunks in `blosc` there; those in `blosc2` and `b2nd` are among them if the
// package of ../../python is installed.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileSystemStore } from '@zarrita/storage'
import { getSlice, register } from 'b2nd/zarr'
import * as zarr from 'zarrita'
import { python, skip, withFiles } from './lib/python.mjs'

const SIGNED = { i1: Int8Array, i2: Int16Array, i4: Int32Array, i8: BigInt64Array }
const UNSIGNED = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, u8: BigUint64Array }
const TYPES = { ...SIGNED, ...UNSIGNED, f4: Float32Array, f8: Float64Array }
const strides = shape => shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1))

/** The items in C order, whatever order they are in. */
function ordered({ data, shape, stride }) {
  const items = new data.constructor(data.length)
  const steps = strides(shape)
  for (let k = 0; k < items.length; k++) {
    const at = steps.reduce((sum, step, axis) => sum + (Math.floor(k / step) % shape[axis]) * stride[axis], 0)
    items[k] = data[at]
  }
  return items
}

test('zarrita and zarr-python read what the other wrote', { skip }, () =>
  withFiles('zarr_exchange.py', async (folder, cases) => {
    register(zarr.registry)
    const written = []
    for (const { name, dtype, sharded } of cases) {
      // Zarrita has no complex numbers.
      if (!(dtype in TYPES)) continue
      const array = await zarr.open(new FileSystemStore(join(folder, name)), { kind: 'array' })
      const bytes = await readFile(join(folder, `${name}.items`))
      const expected = new TYPES[dtype](new Uint8Array(bytes).buffer)
      assert.deepEqual(ordered(await zarr.get(array)), expected, name)
      assert.deepEqual(ordered(await getSlice(array, null, { partial: true })), expected, `${name}, by ranges`)
      const middle = array.shape.map(length => zarr.slice(length >> 2, (length >> 2) + 1 + (length >> 3)))
      const [part, same] = [await getSlice(array, middle, { partial: true }), await zarr.get(array, middle)]
      assert.deepEqual(
        [part.shape, part.stride, part.data],
        [same.shape, same.stride, same.data],
        `${name}, the middle`,
      )
      // Zarrita writes no shards.
      if (sharded) continue
      const items = expected.toReversed()
      await zarr.set(array, null, { data: items, shape: array.shape, stride: strides(array.shape) })
      await writeFile(join(folder, `${name}.items`), items)
      written.push(name)
    }
    await writeFile(join(folder, 'written.json'), JSON.stringify(written))
    const count = written.length
    assert.ok(count >= 80, `${count} arrays`)
    assert.deepEqual(JSON.parse(await python('zarr_exchange.py', folder, 'read')), { wrong: [], count })
  }),
)
