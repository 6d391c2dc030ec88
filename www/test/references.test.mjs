// Lazy arrays and proxies fail with their kind, or are read as they are stored.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, openArray, probe, slice } from 'b2nd'
import { openFile } from 'b2nd/node'
import { createPool } from 'b2nd/pool'
import { FOLDER } from './lib/golden.mjs'
import { python, skip } from './lib/python.mjs'

const path = name => join(FOLDER, 'blosc2-4.14.1', `${name}.b2nd`)
const NAMES = {
  'lazy-expression': 'lazyexpr',
  'lazy-function': 'lazyudf',
  'lazy-function-old': 'lazyudf',
  'proxy-nothing': 'proxy',
  'proxy-chunks': 'proxy',
  'proxy-blocks': 'proxy',
  'proxy-zeros': 'proxy',
}
const unsupported = what => error => isB2ndError(error, 'unsupported') && what.test(error.message)

test('they are refused by name, whatever is asked of them', async () => {
  for (const [name, reference] of Object.entries(NAMES)) {
    const array = await openFile(path(name))
    assert.equal(array.info.reference, reference)
    assert.deepEqual(array.shape, [30, 20])
    const refused = unsupported(
      reference === 'proxy' ? /^a proxy of another array: / : /^a lazy (expression|function): /,
    )
    const parts = async () => {
      for await (const part of array.parts()) assert.fail(`${name}: ${part.data}`)
    }
    const calls = [
      array.get(),
      array.get([3]),
      array.at(0, 0),
      array.plan(),
      array.prefetch(),
      array.stats(),
      array.chunkMap(),
      parts(),
      array.schunk.get(),
      array.schunk.chunk(0),
    ]
    await Promise.all(calls.map(call => assert.rejects(call, refused, name)))
    await array.close()
  }
  assert.equal((await probe(readFileSync(path('proxy-chunks')))).reference, 'proxy')
  assert.equal((await probe(readFileSync(path('sample')))).reference, null)
})

test('as they are stored: zeros, and of proxies the chunks that were fetched', async () => {
  const pool = createPool({ size: 1 })
  for (const decoder of [undefined, pool]) {
    const lazy = await openArray(readFileSync(path('lazy-expression')), { asStored: true, decoder })
    assert.ok((await lazy.get()).data.every(value => value === 0))
    const proxy = await openArray(readFileSync(path('proxy-chunks')), { asStored: true, decoder })
    const map = Array.from(await proxy.chunkMap())
    const missing = map.flatMap(({ nchunk, count, special }) =>
      special === 'unfetched' ? Array.from({ length: count }, (_, k) => nchunk + k) : [],
    )
    assert.deepEqual(missing, [2, 3, 4])
    const [rows, columns] = proxy.chunks
    assert.ok(
      (
        await proxy.get([
          { start: 0, stop: rows, step: 1 },
          { start: 0, stop: columns, step: 1 },
        ])
      ).data.some(value => value !== 0),
    )
    await assert.rejects(proxy.get(), error => unsupported(/chunk 2 was not fetched/)(error) && error.chunk === 2)
    await assert.rejects(
      proxy.schunk.chunk(4),
      error => unsupported(/chunk 4 was not fetched/)(error) && error.chunk === 4,
    )
  }
  pool.close()
  await assert.rejects(openArray(readFileSync(path('lazy-expression')), { asStored: 1 }), {
    code: 'argument',
    message: /asStored/,
  })
})

test('remote arrays and arrays of servers are refused by name', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  try {
    await python('reference_files.py', folder)
    const read = name => readFileSync(join(folder, `${name}.b2nd`))
    for (const [name, reference, message] of [
      ['remote-nothing', 'remote_array', /^a remote array: /],
      ['remote-chunk', 'remote_array', /^a remote array: /],
      ['c2array', 'c2array', /^an array on a Caterva2 server: /],
      ['unknown', 'b2o', /^a reference of an unknown kind: /],
    ]) {
      const array = await openArray(read(name))
      assert.deepEqual([array.info.reference, array.shape, array.dtype], [reference, [30, 20], '<i4'])
      await assert.rejects(array.get(), unsupported(message), name)
    }
    const none = await openArray(read('remote-nothing'), { asStored: true })
    await assert.rejects(none.get(), unsupported(/chunk 0 was not fetched/))
    const some = await openArray(read('remote-chunk'), { asStored: true })
    const { data } = await some.get([slice(10, 20), slice(12)])
    assert.deepEqual([...data], [...Array(120).keys()])
    await assert.rejects(some.get(), unsupported(/chunk 0 was not fetched/))
  } finally {
    await rm(folder, { recursive: true })
  }
})
