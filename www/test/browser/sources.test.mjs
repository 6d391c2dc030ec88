// Sources that only browsers have: chosen files, and handles of files and directories.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArray } from 'b2nd'
import { openFile } from 'b2nd/node'
import { site } from '../lib/browser.mjs'
import { cases } from '../lib/golden.mjs'
import { serve } from '../lib/server.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const sparse = cases.find(({ file, kind, error }) => kind === 'array' && !error && file.includes('sparse'))
const half = cases.find(
  ({ dtype, kind, error, path }) => kind === 'array' && !error && dtype === '<f2' && statSync(path).isFile(),
)
const on = site(() =>
  serve({
    '/index.html': '<!doctype html><title>sources</title><input type="file">',
    '/dist/': join(import.meta.dirname, '../../dist'),
    '/sample.b2nd': readFileSync(path),
    '/sparse/': sparse.path,
    '/half.b2nd': readFileSync(half.path),
  }),
)

const page = work => on.visit('/index.html', work)

test('where a redirect led is asked from then on', async () => {
  on.server.moved = { '/old.b2nd': '/sample.b2nd' }
  on.server.reset()
  const { data } = await (await openArray(readFileSync(path))).get([3])
  const read = await page(page =>
    page.evaluate(async () => {
      const { openArray } = await import('/dist/index.js')
      const array = await openArray('/old.b2nd')
      return [...(await array.get([3])).data]
    }),
  )
  assert.deepEqual(read, [...data])
  const asked = path => on.server.requests.filter(request => request.path === path).length
  assert.deepEqual([asked('/old.b2nd'), asked('/sample.b2nd') > 1], [1, true])
})

test('float16 is read into both arrays that can have it', async () => {
  const same = await page(page =>
    page.evaluate(async () => {
      const { openArray } = await import('/dist/index.js')
      const array = await openArray('/half.b2nd')
      const { data } = await array.get()
      const [narrow, wide] = [new Float16Array(data.length), new Float32Array(data.length)]
      await array.getInto(narrow)
      await array.getInto(wide)
      return [
        data instanceof Float32Array,
        data.length > 0,
        data.every((value, k) => Object.is(value, narrow[k]) && Object.is(value, wide[k])),
      ]
    }),
  )
  assert.deepEqual(same, [true, true, true])
})

test('a file that was chosen', async () => {
  const { data } = await (await openArray(readFileSync(path))).get([3])
  const chosen = await page(async page => {
    await page.setInputFiles('input', path)
    return page.evaluate(async () => {
      const { openArray } = await import('/dist/index.js')
      const array = await openArray(document.querySelector('input').files[0])
      return [...(await array.get([3])).data]
    })
  })
  assert.deepEqual(chosen, [...data])
})

test('handles of a file and of a directory', async () => {
  const { data } = await (await openFile(path)).get([3])
  const { data: whole } = await (await openFile(sparse.path)).get()
  const read = await page(page =>
    page.evaluate(async names => {
      const { isB2ndError, openArray } = await import('/dist/index.js')
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle('sparse', { create: true })
      const write = async (folder, name, url) => {
        const file = await (await folder.getFileHandle(name, { create: true })).createWritable()
        await file.write(await (await fetch(url)).blob())
        await file.close()
      }
      await write(root, 'sample.b2nd', '/sample.b2nd')
      for (const name of names) await write(folder, name, `/sparse/${name}`)
      const file = await openArray(await root.getFileHandle('sample.b2nd'))
      const array = await openArray(folder)
      const missing = await openArray(root).catch(error => isB2ndError(error, 'source'))
      return [[...(await file.get([3])).data], Array.from((await array.get()).data, Number), missing]
    }, readdirSync(sparse.path)),
  )
  assert.deepEqual(read, [[...data], Array.from(whole, Number), true])
})
