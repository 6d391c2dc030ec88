// Archives that lie: each reads right, or the error tells whose fault it is, as tests/library/zips.rs says.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError } from 'b2nd'
import { openStore } from 'b2nd/store'
import { zipped } from './lib/zip.mjs'

const FOLDER = join(import.meta.dirname, '../../tests/common/zips')
const SAID = JSON.parse(readFileSync(join(FOLDER, 'said.json'), 'utf8'))

/** The first item of each member, or whose fault it is that it cannot be read. */
async function said(bytes) {
  try {
    const store = await openStore(bytes)
    const value = async key => (await (await store.getArray(key)).get()).data[0]
    const members = store.keys().map(async key => [key, await value(key).catch(codeOf)])
    return Object.fromEntries(await Promise.all(members))
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error) {
  if (!isB2ndError(error)) throw error
  return error.code
}

for (const [name, expected] of Object.entries(SAID))
  test(name, async () => assert.deepEqual(await said(readFileSync(join(FOLDER, `${name}.b2z`))), expected))

test('a name of 65 530 bytes', async () => {
  const [array, embed] = await Promise.all(
    ['a.b2nd', 'embed.b2e'].map(name => bytesOf(readFileSync(join(FOLDER, 'plain.b2z')), name)),
  )
  const store = await openStore(zipped({ [`${'n'.repeat(65_525)}.b2nd`]: array, 'embed.b2e': embed }))
  const [key] = store.keys()
  assert.equal(key.length, 65_526)
  assert.deepEqual([...(await (await store.getArray(key)).get()).data], [1])
})

/** The bytes of a member, which follow its name. */
function bytesOf(archive, name) {
  const at = archive.indexOf(name)
  return archive.subarray(at + name.length, at + name.length + archive.readUInt32LE(at - 12))
}
