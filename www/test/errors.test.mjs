// Every failure is a `B2ndError` that says what is wrong, also if other code causes it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { B2ndError, open, openArray } from 'b2nd'
import { openFile } from 'b2nd/node'
import { createPool } from 'b2nd/pool'
import { build } from 'esbuild'
import { cases } from './lib/golden.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const file = readFileSync(path)

/** Fails with a code and a message. */
const as = (code, message) => error => {
  assert.ok(error instanceof B2ndError, `${error?.stack ?? error}`)
  assert.equal(error.code, code, error.message)
  assert.match(error.message, message)
  return true
}

test('sources that give something else', async () => {
  for (const given of [undefined, null, 'bytes', 5, [1, 2], {}]) {
    const wrong = as('source', /8192 bytes asked for, the source gave/)
    await assert.rejects(open({ read: () => given }), wrong)
    await assert.rejects(open({ read: async () => given }), wrong)
    await assert.rejects(open({ byteLength: 9000, slice: async () => given }), wrong)
    await assert.rejects(open({ part: () => ({ read: () => given }) }), wrong)
    await assert.rejects(open({ part: async () => given }), as('source', /has no `read`/))
  }
  await assert.rejects(
    open({ read: async () => new Uint8Array(10_000) }),
    as('source', /8192 bytes asked for, the source gave 10000/),
  )
})

test('sources that give what has bytes', async () => {
  const some = (offset, length) => new Uint8Array(file).slice(offset, offset + length)
  for (const make of [
    bytes => bytes,
    bytes => bytes.buffer,
    bytes => new DataView(bytes.buffer),
    bytes => Buffer.from(bytes),
  ]) {
    const array = await openArray({ read: (offset, length) => make(some(offset, length)) })
    assert.equal((await array.get([0, 0, 0])).data.length, 1)
  }
})

test('sources that throw', async () => {
  const thrown = [new Error('no disk'), new TypeError('no disk'), 'no disk', { message: 'no disk' }]
  for (const what of thrown) {
    const fail = () => {
      throw what
    }
    const broken = [
      { read: fail },
      { read: async () => fail() },
      { byteLength: 9000, slice: fail },
      { part: fail },
      { part: async () => fail() },
      { part: () => ({ read: fail }) },
      { kind: 'file', getFile: fail },
      { kind: 'file', getFile: async () => fail() },
    ]
    for (const source of broken) {
      await assert.rejects(open(source), error => as('source', /no disk/)(error) && error.cause === what)
    }
    const read = async (offset, length) => new Uint8Array(file).slice(offset, offset + length)
    await assert.rejects((await open({ read, close: fail })).close(), as('source', /no disk/))
  }
  await assert.rejects(
    open({
      read: () => {
        throw undefined
      },
    }),
    as('source', /undefined/),
  )
  const own = new B2ndError('limit', 'mine')
  await assert.rejects(
    open({
      read: async () => {
        throw own
      },
    }),
    error => error === own,
  )
})

test('files that are not there', () => assert.rejects(openFile(`${path}.none`), as('source', /ENOENT/)))

test('decoders that fail', async () => {
  const broken = [
    () => {
      throw new Error('no power')
    },
    () => Promise.reject(new Error('no power')),
  ]
  for (const decode of broken) {
    await assert.rejects((await openArray(file, { decoder: { decode } })).get(), as('unsupported', /no power/))
  }
  for (const decode of [() => undefined, async () => null, () => ({})]) {
    await assert.rejects((await openArray(file, { decoder: { decode } })).get(), as('unsupported', /it gave/))
  }
})

test('workers that cannot be made', async () => {
  for (const createWorker of [
    () => {
      throw new Error('no threads')
    },
    () => undefined,
  ]) {
    const pool = createPool({ createWorker })
    await assert.rejects((await openArray(file, { decoder: pool })).get(), as('unsupported', /createWorker/))
    pool.close()
  }
})

/** Runs a program that imports the package. Returns what it prints, line by line. */
function run(program) {
  const options = { cwd: import.meta.dirname, encoding: 'utf8', timeout: 20_000 }
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], options).trim().split('\n')
}

test('what is no wasm of this package', () => {
  const lines = run(`
    import { init, initSync, getModule, decodeChunk } from 'b2nd'
    const bad = new Uint8Array(8), empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)
    const told = error => console.log(error.name, error.code, error.message)
    for (const bytes of [bad, empty]) {
      await init({ bytes }).catch(told)
      await getModule({ bytes }).catch(told)
      try { initSync({ bytes }) } catch (error) { told(error) }
    }
    await init({ module: new WebAssembly.Module(empty) }).catch(told)
    await init({ url: 'http://localhost:1/b2nd.wasm' }).catch(told)
    await init({ url: 'data:text/plain,nothing' }).catch(told)
    await decodeChunk(new Uint8Array(3)).catch(told)`)
  assert.equal(lines.length, 10)
  for (const line of lines.slice(0, 3)) assert.match(line, /^B2ndError argument the wasm: .*magic/)
  for (const line of lines.slice(3, 7)) assert.match(line, /^B2ndError argument the wasm: .*b2nd/)
  assert.match(lines[7], /^B2ndError network the wasm at http:\/\/localhost:1\/b2nd.wasm/)
  assert.match(lines[8], /^B2ndError argument the wasm: /)
  assert.match(lines[9], /^B2ndError format truncated/, 'what failed is tried anew')
})

test('classes have their names in whatever a bundler makes of them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  try {
    const contents = `
      import { B2ndError, NDArray, SChunk, StructArray, isB2ndError, open } from 'b2nd'
      import { Blosc } from 'b2nd/codecs'
      import { Pool } from 'b2nd/pool'
      console.log([B2ndError, NDArray, SChunk, StructArray, Blosc, Pool].map(type => type.name).join())
      open(null).catch(error => console.log(error.name, isB2ndError(error), error.stack.split(':')[0], String(error).split(':')[0]))`
    const bundle = join(folder, 'bundle.mjs')
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      outfile: bundle,
    })
    const printed = execFileSync(process.execPath, [bundle], { encoding: 'utf8' })
    assert.equal(printed, 'B2ndError,NDArray,SChunk,StructArray,Blosc,Pool\nB2ndError true B2ndError B2ndError\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a pool works in a script that is no module', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  try {
    const contents = `
      import { openArray } from 'b2nd'
      import { createPool } from 'b2nd/pool'
      const read = async () => (await openArray(require('node:fs').readFileSync(process.argv[2]), { decoder: createPool() })).get([0])
      read().then(({ data }) => console.log(data.length))`
    const script = join(folder, 'script.cjs')
    await build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      format: 'iife',
      logLevel: 'error',
      outfile: script,
      platform: 'node',
    })
    const printed = execFileSync(process.execPath, [script, path], { encoding: 'utf8' })
    assert.equal(printed, '1200\n')
  } finally {
    await rm(folder, { recursive: true })
  }
})
