// Every kind of source gives the same items.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { open as openHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { isB2ndError, open, openArray, probe } from 'b2nd'
import { fileSource, openFile } from 'b2nd/node'
import { cases } from './lib/golden.mjs'
import { serve } from './lib/server.mjs'

const { path, shape, dtype } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const bytes = new Uint8Array(readFileSync(path))
const { data: expected } = await (await openArray(bytes)).get()
const sparse = cases.find(({ file, kind, error }) => kind === 'array' && !error && file.includes('sparse'))
const code = expected => error => isB2ndError(error, expected)

async function reads(openable, options) {
  const array = await openArray(openable, options)
  assert.deepEqual((await array.get()).data, expected)
  await array.close()
}

/** A buffer with other bytes before and after the file. */
const within = (buffer = new ArrayBuffer(bytes.length + 24)) => {
  new Uint8Array(buffer, 8).set(bytes)
  return buffer
}

/** Handles of the File System Access API for a file and a directory. */
const handle = file => ({ kind: 'file', name: file, getFile: async () => new File([readFileSync(file)], file) })
const directory = folder => ({
  kind: 'directory',
  name: folder,
  getFileHandle: async name => handle(join(folder, name)),
})

const SOURCES = {
  ArrayBuffer: () => bytes.slice().buffer,
  SharedArrayBuffer: () => {
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    return shared
  },
  Uint8Array: () => bytes,
  'a view into a buffer': () => new Uint8Array(within(), 8, bytes.length),
  'a view of other items': () => new Int32Array(within(new ArrayBuffer((bytes.length + 24) & ~3)), 8),
  DataView: () => new DataView(within(), 8, bytes.length),
  Blob: () => new Blob([bytes]),
  File: () => new File([bytes], 'sample.b2nd'),
  'a handle of a file': () => handle(path),
  'byteLength and slice': () => ({
    byteLength: bytes.length,
    slice: async (start, end) => bytes.slice(start, end).buffer,
  }),
  'byteLength and slice, at once': () => ({
    byteLength: bytes.length,
    slice: (start, end) => bytes.slice(start, end).buffer,
  }),
  'a source': () => ({ read: async (offset, length) => bytes.slice(offset, offset + length) }),
  'a source of Node.js': () => fileSource(path),
}

for (const [name, source] of Object.entries(SOURCES)) test(name, async () => reads(await source()))

test('URLs and requests', async () => {
  const server = await serve({ '/file': Buffer.from(bytes) })
  try {
    const url = server.url('/file')
    for (const target of [url, new URL(url), new Request(url), `${url}?signed=yes#part`]) await reads(target)
  } finally {
    await server.close()
  }
})

test('paths and handles of Node.js', async () => {
  for (const file of [path, pathToFileURL(path)]) {
    const array = await openFile(file)
    assert.deepEqual((await array.get()).data, expected)
    await array.close()
  }
  const handle = await openHandle(path)
  const array = await openFile(handle)
  assert.deepEqual((await array.get()).data, expected)
  await array.close()
  assert.ok((await handle.stat()).size, 'who opened it closes it')
  await handle.close()
  await assert.rejects(openFile(`${path}.none`), code('source'))
})

test('a frame somewhere in a file', async () => {
  for (const openable of [new Uint8Array(within()), new Blob([within()])]) await reads(openable, { offset: 8 })
})

test('sparse frames: by their path, their URL, the handle of their directory', async () => {
  const { data } = await (await openFile(sparse.path)).get()
  const server = await serve({ '/frame/': sparse.path })
  const base = server.url('/frame/')
  try {
    for (const openable of [base, new URL(base), new Request(base), `${base}?signed=yes`, directory(sparse.path)]) {
      const array = await openArray(openable)
      assert.equal(array.info.sparse, true)
      assert.deepEqual((await array.get()).data, data)
      await array.close()
    }
    await assert.rejects(open(directory(path)), code('source'), 'not the directory of a sparse frame')
  } finally {
    await server.close()
  }
})

test('a source is closed with what was opened', async () => {
  let closed = 0
  const source = { read: async (offset, length) => bytes.slice(offset, offset + length), close: () => void closed++ }
  await (await open(source)).close()
  assert.equal(closed, 1)
  const found = await probe(source)
  assert.deepEqual([found.shape, found.dtype, closed], [shape, dtype, 2])
})

test('a source that fails, or gives something else', async () => {
  const broken = { byteLength: 1000, slice: async () => Promise.reject(new Error('no disk')) }
  await assert.rejects(open(broken), error => isB2ndError(error, 'source') && /no disk/.test(error.message))
  const saved = Object.assign(new Error('saved anew'), { name: 'NotReadableError' })
  await assert.rejects(open({ byteLength: 1000, slice: () => Promise.reject(saved) }), code('changed'))
})

test('what cannot be opened', async () => {
  for (const nothing of [undefined, null, 5, {}, [], () => {}]) await assert.rejects(open(nothing), code('argument'))
  await assert.rejects(open('no url'), code('argument'))
})

test(
  'files that nobody closes are closed, without a warning',
  { skip: !existsSync('/proc/self/fd') && 'there is no /proc' },
  () => {
    const program = `
    import { readdirSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { openFile } from 'b2nd/node'
    process.on('warning', warning => console.log(warning.message))
    const path = ${JSON.stringify(path)}
    const read = async () => void await (await openFile(path)).get([0])
    for (let k = 0; k < 8; k++) await read()
    const kept = await openFile(path)
    const files = () => readdirSync('/proc/self/fd').length
    const before = files()
    for (let k = 0; k < 20 && files() > before - 8; k++) {
      gc()
      await sleep(20)
    }
    console.log(before - files(), (await kept.get([0])).data.length)`
    const options = { cwd: import.meta.dirname, encoding: 'utf8', timeout: 20_000 }
    const printed = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program], options)
    assert.equal(printed, '8 1200\n')
  },
)

test('a file opens without the network code of Node.js, which takes long to load', () => {
  const script = `
    import { openFile } from 'b2nd/node'
    await (await openFile(process.argv[1])).close()
    console.log(process.moduleLoadList.filter(name => name.includes('undici')).join())`
  const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
  const options = { cwd: import.meta.dirname, encoding: 'utf8' }
  assert.equal(
    execFileSync(process.execPath, ['--input-type=module', '-e', script, path], options),
    execFileSync(process.execPath, ['--input-type=module', '-e', script.replace(/await \(.*\n/, '\n'), path], options),
  )
})
