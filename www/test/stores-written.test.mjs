// Stores in archives that are created and changed, in turns with python-blosc2.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isB2ndError, NDArray } from 'b2nd'
import { fileSource } from 'b2nd/node'
import { openStore } from 'b2nd/store'
import { createStore, editStore, encodeArray, memoryFile } from 'b2nd/write'
import { FOLDER, sha256 } from './lib/golden.mjs'
import { python, skip } from './lib/python.mjs'

const code = expected => error => isB2ndError(error, expected)
const TREE = join(FOLDER, 'stores/tree.b2z')
const OPTIONS = { shape: [4, 6], dtype: '<i4', chunks: [4, 6], blocks: [2, 6] }
const ITEMS = Int32Array.from({ length: 24 }, (_, k) => k * k)
let folder
before(async () => (folder = await mkdtemp(join(tmpdir(), 'b2nd-'))))
after(() => rm(folder, { recursive: true }))

/** The arrays of a store: dtype, shape and SHA-256 of the items. */
async function arraysOf(openable) {
  const store = await openStore(openable)
  const arrays = {}
  for await (const [key, member] of store) {
    if (!(member instanceof NDArray)) continue
    const { data } = await member.get()
    const items = sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    arrays[key] = [member.dtype, member.shape, items]
  }
  await store.close()
  return arrays
}

const described = [OPTIONS.dtype, OPTIONS.shape, sha256(new Uint8Array(ITEMS.buffer))]

test('members are added, replaced, renamed and removed in memory', async () => {
  const file = memoryFile()
  const store = await createStore(file)
  assert.deepEqual([store.kind, store.keys()], ['TreeStore', []])
  await store.addArray('/group/a', ITEMS, OPTIONS)
  await store.addFrame('/frame', await encodeArray(ITEMS, OPTIONS))
  await store.addFrame('/blob', new Blob([await encodeArray(ITEMS, OPTIONS), 'more']))
  await store.setAttr('', 'title', { nested: [1, null] })
  await store.setAttr('/group', 'unit', 'm')
  assert.equal(file.bytes.length, 0)
  await store.commit()
  assert.deepEqual(await arraysOf(file.bytes), { '/blob': described, '/frame': described, '/group/a': described })
  const read = await openStore(file.bytes.slice())
  assert.equal((await read.attrs('/group')).unit, 'm')
  assert.deepEqual({ ...(await read.attrs()).title }, { nested: [1, null] })

  await store.rename('/group', '/moved/here')
  await store.remove('/blob')
  await store.addArray('/frame', [[1.5, 2.5]], { dtype: '<f8' })
  await store.setAttr('/moved/here', 'unit', undefined)
  await store.setAttr('/moved/here', 'scale', 2)
  assert.deepEqual(store.keys(), ['/frame', '/moved/here/a'])
  await store.close()
  const changed = await openStore(file.bytes.slice())
  assert.deepEqual(changed.keys(), ['/frame', '/moved/here/a'])
  assert.deepEqual((await (await changed.getArray('/frame')).get()).data, Float64Array.of(1.5, 2.5))
  assert.deepEqual({ ...(await changed.attrs('/moved/here')) }, { scale: 2 })
  await assert.rejects(store.commit(), code('argument'))
})

test('arrays are written piece by piece, and changed', async () => {
  const file = memoryFile()
  const store = await createStore(file, { kind: 'dict' })
  const writer = await store.arrayWriter('/a', OPTIONS)
  await writer.write([2], ITEMS.subarray(12, 18))
  await assert.rejects(store.commit(), /\/a is still being written/)
  assert.deepEqual(store.keys(), [])
  await writer.close()
  assert.deepEqual(store.keys(), ['/a'])
  const aborted = await store.arrayWriter('/b', OPTIONS)
  await aborted.abort()
  await store.commit()
  assert.equal(store.kind, 'DictStore')
  const editor = await store.edit('/a')
  await editor.resize([5, 6])
  await editor.set([4], 7)
  await editor.setMetalayer('unit', 'a metalayer of another length, so that the frame moves')
  await editor.close()
  await store.close()
  const array = await (await openStore(file.bytes)).getArray('/a')
  const { data } = await array.get()
  assert.deepEqual([...data.subarray(12, 18), ...data.subarray(24)], [...ITEMS.subarray(12, 18), 7, 7, 7, 7, 7, 7])
  assert.match(array.metalayers.unit, /another length/)
})

test('members of the reference stay as they are, those in the frame of small members as well', async () => {
  const file = memoryFile(await readFile(TREE))
  const before = await arraysOf(file.bytes.slice())
  const store = await editStore(file)
  const frame = await store.edit('/small')
  await frame.close()
  await store.addArray('/new', ITEMS, OPTIONS)
  await store.commit()
  assert.deepEqual(await arraysOf(file.bytes.slice()), { ...before, '/new': described })
  await store.remove('/small')
  await store.close()
  const { '/small': _, ...others } = before
  assert.deepEqual(await arraysOf(file.bytes), { ...others, '/new': described })
  // Without a change nothing is written.
  const same = file.bytes.slice()
  await (await editStore(file)).close()
  assert.deepEqual(file.bytes, same)
})

test('a file in Node.js is replaced at once, and nothing is left beside it', async () => {
  const path = join(folder, 'tree.b2z')
  await copyFile(TREE, path)
  const old = await readFile(path)
  const store = await editStore(path)
  await assert.rejects(editStore(path), code('source'))
  await store.addArray('/new', ITEMS, OPTIONS)
  assert.deepEqual(await readFile(path), old)
  await store.abort()
  assert.deepEqual([await readFile(path), await readdir(folder)], [old, ['tree.b2z']])

  const second = await editStore(path)
  await second.addArray('/new', ITEMS, OPTIONS)
  await second.commit()
  assert.deepEqual((await arraysOf(await fileSource(path)))['/new'], described)
  await second.addFrame('/again', await fileSource(join(FOLDER, 'blosc2-4.14.1/sample.b2nd')))
  await second.close()
  assert.deepEqual(await readdir(folder), ['tree.b2z'])
  assert.ok('/again' in (await arraysOf(await fileSource(path))))

  // Another program replaces the archive.
  const third = await editStore(path)
  await third.remove('/again')
  await writeFile(`${path}.new`, old)
  await rename(`${path}.new`, path)
  await assert.rejects(third.commit(), code('changed'))
  await third.abort()
  assert.deepEqual(await readFile(path), old)
  await rm(path)
  const created = await createStore(path)
  await assert.rejects(stat(path))
  await created.close()
  assert.deepEqual((await openStore(await fileSource(path))).keys(), [])
  assert.deepEqual(await readdir(folder), ['tree.b2z'])
  await rm(path)
})

test('a process that is killed leaves the old archive, and the next one its place', async () => {
  const path = join(folder, 'killed.b2z')
  await copyFile(TREE, path)
  const old = await readFile(path)
  // The archive gets its place by a rename.
  const script = `
    import { editStore } from 'b2nd/write'
    const store = await editStore(process.argv[1])
    await store.addArray('/new', new Int32Array(1000), { chunks: [100] })
    const { promises } = process.getBuiltinModule('node:fs')
    const { rename } = promises
    promises.rename = async (...of) => {
      if (process.argv[2] === 'after') await rename(...of)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => setInterval(() => {}, 1000))
    }
    await store.commit()`
  for (const when of ['before', 'after']) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, path, when], {
      cwd: import.meta.dirname,
    })
    const [, signal] = await once(child, 'exit')
    assert.equal(signal, 'SIGKILL', when)
    if (when === 'before') assert.deepEqual(await readFile(path), old)
    else assert.ok('/new' in (await arraysOf(await fileSource(path))))
  }
  // An empty directory may be about to get its file, until it is a minute old.
  for (const name of await readdir(folder)) if (name.endsWith('.tmp')) await utimes(join(folder, name), 0, 0)
  const store = await editStore(path)
  await store.remove('/new')
  await store.close()
  assert.deepEqual(Object.keys(await arraysOf(await fileSource(path))), Object.keys(await arraysOf(old)))
  assert.deepEqual(await readdir(folder), ['killed.b2z'])
  await rm(path)
})

/** A file handle of browsers, whose streams replace the content when they are closed. */
function handleOf(file, limit = Infinity) {
  return {
    kind: 'file',
    getFile: async () => new Blob([file.bytes.slice()]),
    async createWritable() {
      const next = memoryFile()
      return {
        async write({ position, data }) {
          if (position + data.length > limit) throw new Error('quota')
          next.write(position, data)
        },
        truncate: async length => next.truncate(length),
        async close() {
          file.truncate(0)
          file.write(0, next.bytes)
        },
        abort: async () => {},
        seek: async () => {},
      }
    },
  }
}

test('file handles of browsers and streams', async () => {
  const file = memoryFile()
  const store = await createStore(handleOf(file))
  await store.addArray('/a', ITEMS, OPTIONS)
  await store.commit()
  await store.addArray('/b', ITEMS, OPTIONS)
  await store.close()
  assert.deepEqual(await arraysOf(file.bytes), { '/a': described, '/b': described })

  const full = file.bytes.slice()
  const refused = await editStore(handleOf(file, 100))
  await refused.remove('/a')
  await assert.rejects(refused.commit(), code('source'))
  await assert.rejects(refused.commit(), code('source'))
  await refused.abort()
  assert.deepEqual(file.bytes, full)

  const pieces = []
  const stream = new Writable({
    write(piece, _, done) {
      pieces.push(piece)
      done()
    },
  })
  const streamed = await createStore(stream)
  await streamed.addArray('/a', ITEMS, OPTIONS)
  await streamed.close()
  assert.deepEqual(await arraysOf(Buffer.concat(pieces)), { '/a': described })
})

test('errors name what is wrong', async () => {
  const store = await createStore(memoryFile())
  await store.addArray('/a', ITEMS, OPTIONS)
  for (const key of ['a', '/', '/a/b', '/a/../c', '/__vlmeta__', '/c:d'])
    await assert.rejects(store.addArray(key, ITEMS, OPTIONS), code('argument'), key)
  await store.addArray('/group/b', ITEMS, OPTIONS)
  await assert.rejects(store.addArray('/group', ITEMS, OPTIONS), code('argument'))
  await assert.rejects(store.rename('/nothing', '/c'), code('argument'))
  await assert.rejects(store.rename('/a', '/group'), code('argument'))
  await assert.rejects(store.remove('/nothing'), code('argument'))
  await assert.rejects(store.edit('/nothing'), code('argument'))
  await assert.rejects(store.setAttr('/a', 'name', 1), code('argument'))
  await assert.rejects(store.addFrame('/c', new Uint8Array(100)), code('format'))
  await assert.rejects(store.addFrame('/c', (await encodeArray(ITEMS, OPTIONS)).subarray(0, 200)), code('changed'))
  await assert.rejects(store.addFrame('/c', 7), code('argument'))
  assert.deepEqual(store.keys(), ['/a', '/group/b'])
  await assert.rejects(createStore(memoryFile(), { kind: 'embed' }), code('argument'))
  for (const name of ['run.b2d', 'run.b2e']) {
    const path = join(folder, name)
    await assert.rejects(createStore(path), code('unsupported'))
    await assert.rejects(createStore(pathToFileURL(path)), /no archive \(\.b2z\): `b2nd repack` converts stores/)
    await assert.rejects(editStore(path), code('unsupported'))
  }
  await assert.rejects(editStore(memoryFile(new Uint8Array(100))), code('unsupported'))
  await assert.rejects(editStore(memoryFile(await encodeArray(ITEMS, OPTIONS))), code('unsupported'))
  await assert.rejects(editStore(memoryFile(await readFile(TREE)), { limits: { memory: 1000 } }), code('limit'))
  const file = memoryFile(await readFile(TREE))
  const others = { write() {}, truncate() {} }
  await assert.rejects(editStore({ read: (...range) => file.read(...range), ...others }), code('unsupported'))
})

test('python-blosc2 reads what was written and changes it, in turns', { skip }, async () => {
  const path = join(folder, 'turns.b2z')
  const reference = async (...changes) => JSON.parse(await python('store_exchange.py', path, JSON.stringify(changes)))
  const store = await createStore(path)
  await store.addArray('/group/a', ITEMS, OPTIONS)
  await store.addArray('/texts', ['a', 'bcd'], { chunks: [2], blocks: [2] })
  await store.setAttr('', 'title', 'made here')
  await store.setAttr('/group', 'unit', 'm')
  await store.close()
  const first = await reference(['read', ''], ['read', '/group'])
  assert.deepEqual(first.members['/group/a'], described)
  assert.deepEqual(Object.keys(first.members).sort(), ['/group/a', '/texts'])
  assert.deepEqual(first.attributes, { '': { title: 'made here' }, '/group': { unit: 'm' } })

  const second = await reference(
    ['set', '/small', [3]],
    ['set', '/large', [40, 500]],
    ['delete', '/texts'],
    ['attr', '', 'by', 'them'],
    ['read', ''],
  )
  assert.deepEqual(await arraysOf(await fileSource(path)), second.members)

  const editor = await editStore(path)
  await editor.rename('/small', '/group/small')
  const large = await editor.edit('/large')
  await large.set([0], 1)
  await large.close()
  await editor.addFrame('/group/a', await encodeArray(Float32Array.of(1, 2), { chunks: [2], blocks: [2] }))
  await editor.setAttr('', 'by', undefined)
  await editor.close()
  const third = await reference(['read', ''], ['read', '/group'])
  assert.deepEqual(third.members, await arraysOf(await fileSource(path)))
  assert.deepEqual(Object.keys(third.members).sort(), ['/group/a', '/group/small', '/large'])
  assert.deepEqual(third.members['/group/small'], second.members['/small'])
  assert.deepEqual(third.attributes, { '': { title: 'made here' }, '/group': { unit: 'm' } })
  await rm(path)
})
