// A slice of a large chunk of Zarr in a page: what it reads of a server on another origin.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { register } from 'b2nd/zarr'
import { build } from 'esbuild'
import * as zarr from 'zarrita'
import { launch, visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'

const SHAPE = [200, 500, 500]

test('a slice of 1 % of a chunk of 100 MB reads less than 5 % of its bytes', async () => {
  // First: if there is none, nothing is left open.
  const browser = await launch()
  register(zarr.registry)
  const items = Int16Array.from({ length: 5e7 }, (_, k) => (k % 1500) * 8 + ((k * 7919) & 63))
  const codecs = [
    { name: 'bytes', configuration: { endian: 'little' } },
    { name: 'blosc', configuration: { cname: 'lz4', shuffle: 'shuffle', clevel: 1, typesize: 2, blocksize: 0 } },
  ]
  const files = new Map()
  const array = await zarr.create(files, { shape: SHAPE, chunkShape: SHAPE, dtype: 'int16', codecs })
  await zarr.set(array, null, { data: items, shape: SHAPE, stride: [250_000, 500, 1] })
  const server = await serve(
    Object.fromEntries([...files].map(([key, bytes]) => [`/a.zarr${key}`, Buffer.from(bytes)])),
  )
  const stdin = { contents: "export * from 'zarrita'", resolveDir: import.meta.dirname }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', platform: 'browser', write: false })
  const pages = await serve({
    '/index.html': '<!doctype html><title>b2nd</title>',
    '/dist/': join(import.meta.dirname, '../../dist'),
    '/zarrita.js': outputFiles[0].contents,
  })
  try {
    const sum = await visit(browser, pages.url('/index.html'), page =>
      page.evaluate(async url => {
        const zarr = await import('/zarrita.js')
        const { getSlice, register } = await import('/dist/zarr.js')
        register(zarr.registry)
        const array = await zarr.open.v3(new zarr.FetchStore(url), { kind: 'array' })
        const { data } = await getSlice(array, [zarr.slice(100, 102), null, null], { partial: true })
        return data.reduce((sum, item) => sum + item, 0)
      }, server.url('/a.zarr')),
    )
    assert.equal(
      sum,
      items.subarray(25_000_000, 25_500_000).reduce((sum, item) => sum + item, 0),
    )
    const chunk = files.get('/c/0/0/0').length
    assert.ok(server.bytes < 0.05 * chunk, `${server.bytes} of ${chunk} bytes`)
  } finally {
    await browser.close()
    await pages.close()
    await server.close()
  }
})
