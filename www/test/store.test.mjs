// Stores of python-blosc2: golden ones, random ones if B2ND_STORES names a folder, damage, and requests.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, open, openArray } from 'b2nd'
import { openStoreFile } from 'b2nd/node'
import { openStore } from 'b2nd/store'
import { frameSource } from './lib/frames.mjs'
import { FOLDER, sha256 } from './lib/golden.mjs'
import { serve } from './lib/server.mjs'
import { zipped } from './lib/zip.mjs'

const TREE = readFileSync(join(FOLDER, 'stores/tree.b2z'))
const code = expected => error => isB2ndError(error, expected)
const says = text => error => isB2ndError(error) && error.message.includes(text)

/** The bytes of a member's items. */
async function items(member) {
  const read = await member.get()
  if (read instanceof Uint8Array) return read
  const { data } = read
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
}

for (const folder of [join(FOLDER, 'stores'), process.env.B2ND_STORES].filter(Boolean)) {
  test(`members and attributes of the stores in ${folder}`, async () => {
    let count = 0
    for (const line of readFileSync(join(folder, 'stores.jsonl'), 'utf8').trim().split('\n')) {
      const { path, kind, members, tables = {}, attributes } = JSON.parse(line)
      const place = join(folder, path)
      const store = await openStoreFile(place)
      const isOfTable = key => Object.keys(tables).some(table => key.startsWith(`${table}/_`))
      const keys = store.keys().filter(key => !isOfTable(key))
      assert.deepEqual([store.kind, keys], [kind, Object.keys(members).sort()], path)
      for (const [group, rows] of Object.entries(tables)) assert.equal((await store.getTable(group)).length, rows)
      for (const [key, digest] of Object.entries(members)) {
        const member = await store.get(key)
        // Texts and complex numbers are not handed out as they are stored.
        if (/^[|<][uif]/.test(member.dtype ?? '|u1')) assert.equal(sha256(await items(member)), digest, path + key)
        else assert.equal((await member.get()).shape.join(), member.shape.join())
      }
      for (const [group, note] of Object.entries(attributes)) assert.equal((await store.attrs(group)).note, note)
      await store.close()
      count++
    }
    assert.ok(count >= 2)
  })
}

test('errors name what is wrong', async () => {
  const store = await openStore(TREE)
  assert.equal(store.storage('/small'), 'embedded')
  assert.equal(store.storage('/group/image'), 'archive')
  assert.equal(store.storage('/nothing'), undefined)
  await assert.rejects(store.get('/nothing'), code('argument'))
  assert.deepEqual((await store.getArray('/group/image')).shape, [20, 30])
  await assert.rejects(store.getArray('/group/items'), code('argument'))
  await assert.rejects(openStore(TREE, { cache: -1 }), code('argument'))
  // The viewer then opens it as an array.
  const folder = await openStore('https://example.org/run.b2d/').catch(error => error)
  assert.ok(code('unsupported')(folder) && says('a directory without a list of its files')(folder))
  await assert.rejects(openStoreFile(join(FOLDER, 'stores/absent.b2z')), code('source'))
  await assert.rejects(openStoreFile(join(FOLDER, 'objects')), says('not a store'))
  await assert.rejects(openStore(readFileSync(join(FOLDER, 'blosc2-4.14.1/sample.b2nd'))), code('unsupported'))
  const compressed = new Uint8Array(TREE)
  const entry = compressed.findLastIndex((_, at) => TREE.subarray(at, at + 4).toString('latin1') === 'PK\x01\x02')
  const first = TREE.indexOf('PK\x01\x02', 0, 'latin1')
  assert.ok(first < entry)
  compressed[first + 10] = 8
  const changed = await openStore(compressed)
  const key = changed.keys().find(key => changed.storage(key) === 'compressed')
  await assert.rejects(changed.get(key), code('unsupported'))
})

test('a cut archive is damaged at any length', async () => {
  for (let length = 4; length < TREE.length; length++)
    await assert.rejects(openStore(TREE.subarray(0, length)), code('format'), `${length} bytes`)
})

test('flipped bits in the directory: an error or a store', async () => {
  const start = TREE.indexOf('PK\x01\x02', 0, 'latin1')
  for (let bit = start * 8; bit < TREE.length * 8; bit += 3) {
    const bytes = new Uint8Array(TREE)
    bytes[bit >> 3] ^= 1 << (bit & 7)
    try {
      const store = await openStore(bytes)
      for (const key of store.keys()) await store.get(key)
    } catch (error) {
      assert.ok(isB2ndError(error), `bit ${bit}: ${error}`)
    }
  }
})

test('a member behind HTTP takes the requests of its own file', async () => {
  const image = readFileSync(join(FOLDER, 'blosc2-4.14.1/sample.b2nd'))
  const server = await serve({ '/store.b2z': archive({ 'g/sample.b2nd': image }), '/sample.b2nd': image })
  try {
    const store = await openStore(server.url('/store.b2z'))
    assert.ok(server.requests.length <= 3, `${server.requests.length} requests for the catalogue`)
    const cost = async opening => {
      const before = [server.requests.length, server.bytes]
      const array = await opening()
      await array.get([0])
      return [server.requests.length - before[0], server.bytes - before[1]]
    }
    const bare = await cost(() => open(server.url('/sample.b2nd')))
    // With the member's own header.
    const [requests, bytes] = await cost(() => store.get('/g/sample'))
    assert.equal(requests, bare[0])
    assert.ok(bytes >= bare[1] && bytes <= bare[1] + 200, `${bytes} bytes, ${bare[1]} of its own file`)
  } finally {
    await server.close()
  }
})

/** An archive with these files, large bytes that nobody needs, and the frame of small members of the golden one. */
function archive(files) {
  const start = TREE.lastIndexOf('PK\x03\x04', undefined, 'latin1')
  const embed = TREE.subarray(start + 30 + 'embed.b2e'.length, TREE.indexOf('PK\x01\x02', 0, 'latin1'))
  return zipped({ ...files, 'rest.bin': new Uint8Array(2 ** 20), 'embed.b2e': embed })
}

test('what is a store is opened as one', async () => {
  await assert.rejects(openArray(TREE), says('a zip archive: use `openStore`'))
  await assert.rejects(openArray(readFileSync(join(FOLDER, 'stores/embed.b2e'))), says('`openStore` of a store'))
  const packed = new Uint8Array(zipped({ 'packed.b2e': readFileSync(join(FOLDER, 'stores/embed.b2e')) }))
  await assert.rejects(openStore(packed), says('an archive without embed.b2e is no store'))
})

test('remote members have URLs', async () => {
  const bytes = text => Buffer.from(text, 'latin1')
  const far = '\x82\xa7urlbase\xb4https://example.org/\xa4path\xae@public/a.b2nd'
  const vlmeta = { estore_metadata: bytes(`\x81\xa9embed_map\x81\xa4/far${far}`) }
  const store = await openStore(frameSource({ meta: { b2embed: bytes('\x81\xa7version\x01') }, vlmeta }))
  assert.deepEqual([store.storage('/far'), store.storage('/none')], ['remote', undefined])
  assert.deepEqual([store.url('/far'), store.url('/none')], ['https://example.org/@public/a.b2nd', undefined])
  await assert.rejects(store.get('/far'), /stored elsewhere, at https/)
})
