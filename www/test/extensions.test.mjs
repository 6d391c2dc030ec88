// Values that MessagePack does not have, as attributes: read as objects are, and written as they were stored.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, openArray } from 'b2nd'
import { openObjects } from 'b2nd/store'
import { encodeArray } from 'b2nd/write'
import { skip, withFiles } from './lib/python.mjs'

const ITEMS = Int32Array.of(1, 2, 3)
const written = async layers => openArray(await encodeArray(ITEMS, layers))
const complex = Uint8Array.of(0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0)
/** The MessagePack of one attribute. */
const stored = async array => Buffer.from(await array.layers(true))

test('what the reference writes', { skip }, () =>
  withFiles('extension_files.py', async (folder, names) => {
    const array = await openArray(readFileSync(join(folder, '0.b2nd')))
    const objects = await openObjects(readFileSync(join(folder, '1.b2b')))
    const attrs = await array.attrs()
    assert.deepEqual(Object.keys(attrs), names)
    for (const [at, name] of names.entries()) assert.deepEqual(attrs[name], await objects.get(at), name)
    assert.deepEqual([attrs.complex, attrs.tuple[0], attrs.empty], [[1, -2.5], 1, []])
    assert.ok(attrs.set.has(1) && attrs.sets instanceof Set)
    assert.deepEqual([...(await (await openArray(attrs.frame.frame)).get()).data], [0, 1, 2, 3, 4])
    assert.deepEqual(array.metalayers.pair, [1, 'x'])

    const { b2nd: _, ...metalayers } = array.metalayers
    const copy = await written({ attrs, metalayers })
    assert.deepEqual(await copy.attrs(), attrs)
    for (const name of names) {
      const bytes = packed(await stored(array), name)
      assert.ok(bytes.length > 0)
      if (name === 'nested') continue // Its last number is 3.0, which becomes an integer.
      assert.ok(packed(await stored(copy), name).equals(bytes), name)
    }
    // Values from within others have stored forms, too.
    const { deep } = attrs.nested[0]
    assert.deepEqual((await (await written({ attrs: { deep } })).attrs()).deep, deep)
    assert.ok(
      packed(await stored(array), 'nested').includes(packed(await stored(await written({ attrs: { deep } })), 'deep')),
    )
  }),
)

/** The content of a metalayer: a text, then bytes. */
function packed(layers, name) {
  const key = Buffer.concat([Buffer.from([14, name.length, 0, 0, 0]), Buffer.from(name), Buffer.from([15])])
  const at = layers.indexOf(key) + key.length
  return layers.subarray(at + 4, at + 4 + layers.readUInt32LE(at))
}

test('what was read cannot be changed and written as it was', async () => {
  const set = { type: 45, data: Uint8Array.of(0x92, 1, 0xc4, 2, 7, 8) }
  const { z, s, list } = await (await written({ attrs: { z: { type: 44, data: complex }, s: set, list: [1] } })).attrs()
  assert.deepEqual([z, s], [[1, -2], new Set([1, Uint8Array.of(7, 8)])])
  for (const change of [() => (z[0] = 5), () => s.add(2), () => s.delete(1), () => s.clear()])
    assert.throws(change, TypeError)
  list.push(2)
  // Bytes cannot be frozen: changes of them are written.
  ;[...s][1][0] = 9
  const again = await (await written({ attrs: { s, list, plain: [...z] } })).attrs()
  assert.deepEqual(again.s, new Set([1, Uint8Array.of(9, 8)]))
  assert.deepEqual(
    [again.list, again.plain],
    [
      [1, 2],
      [1, -2],
    ],
  )
})

test('sets are written as the reference does', async () => {
  const sets = new Set([1, 'a', new Set([null])])
  const array = await written({ attrs: { sets } })
  assert.deepEqual((await array.attrs()).sets, sets)
  const bytes = [0xd7, 45, 0x93, 1, 0xa1, 97, 0xd5, 45, 0x91, 0xc0]
  assert.deepEqual([...packed(await stored(array), 'sets')], bytes)
})

test('unknown extensions stay as they are, and malformed ones are bytes', async () => {
  const unknown = { type: 5, data: Uint8Array.of(1) }
  const attrs = {
    unknown,
    wrong: [{ type: 44, data: complex.subarray(1) }],
    reference: { type: 43, data: Uint8Array.of(1) },
  }
  const read = await (await written({ attrs })).attrs()
  assert.deepEqual(read.unknown, unknown)
  assert.ok(read.wrong instanceof Uint8Array && read.wrong[0] === 0x91)
  assert.ok(read.reference instanceof Uint8Array)
})

test('nested sets take no more memory than the limit', async () => {
  let data = Uint8Array.of(0xdc, 0x27, 0x10, ...new Uint8Array(10_000).fill(0xc0))
  for (let k = 0; k < 12; k++) {
    const [high, low] = [data.length >> 8, data.length & 255]
    data = Uint8Array.of(0x91, 0xc8, high, low, 45, ...data)
  }
  const bytes = await encodeArray(ITEMS, { attrs: { deep: { type: 45, data } } })
  await (await openArray(bytes)).attrs()
  const tight = await openArray(bytes, { limits: { metadata: 100_000 } })
  await assert.rejects(tight.attrs(), error => isB2ndError(error, 'limit'))
})
