// Firefox and WebKit read the golden files, with and without workers, and show arrays in the viewer. All of the viewer's
// tests are for Chromium.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { cases, FOLDER } from '../lib/golden.mjs'
import { serve } from '../lib/server.mjs'
import { DIST, FILES, GOLDEN, IMPORTS, prepareFiles } from '../lib/viewer.mjs'
import { firefox, webkit } from '../lib/webdriver.mjs'

// `cargo xtask test` says which programs.
const { B2ND_FIREFOX, B2ND_WEBKIT, B2ND_XVFB, B2ND_MINIBROWSER } = process.env
const ENGINES = { Firefox: () => firefox(B2ND_FIREFOX), WebKit: () => webkit(B2ND_WEBKIT, B2ND_XVFB, B2ND_MINIBROWSER) }

const HANDS = '<script src="/engines/hands.js"></script>'
const SMALL = `<!doctype html><html lang="en"><title>embedded</title><link rel="stylesheet" href="/small.css">${HANDS}
  <script type="module" src="/b2nd-viewer.js"></script><div><b2nd-viewer src="/files/field.b2nd"></b2nd-viewer></div>`
const TABLE = readFileSync(join(GOLDEN, 'tables/tables.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(JSON.parse)
  .find(({ path }) => path === '001.b2z')
let server

before(async () => {
  prepareFiles()
  server = await serve({
    '/golden.html': `<!doctype html><title>golden</title>${HANDS}`,
    '/small.html': SMALL,
    '/small.css': 'body { margin: 0 } div { inline-size: 640px; block-size: 420px }',
    '/index.html': readFileSync(join(DIST, 'index.html'), 'utf8').replace('<head>', `<head>${HANDS}`),
    '/golden/': FOLDER,
    '/files/': FILES,
    '/imports/': IMPORTS,
    '/dist/': join(DIST, '..'),
    '/lib/': join(import.meta.dirname, '../lib'),
    '/engines/': import.meta.dirname,
    '/': DIST,
  })
})
after(() => server?.close())

/** Of a sparse frame the page has to know which files there are. */
const told = cases.map(({ path, ...golden }) => ({
  ...golden,
  files: statSync(path).isDirectory() ? readdirSync(path) : null,
}))

for (const [name, start] of Object.entries(ENGINES)) {
  describe(name, () => {
    let browser
    before(async () => (browser = await start()))
    after(() => browser?.end())

    const quiet = async () => assert.deepEqual(await browser.run('complaints'), [])
    /** What is told of an item is what it is. */
    const point = async (x, y) => {
      const { at, text, item } = await browser.run('point', [x, y])
      assert.equal(Math.fround(text), Math.fround(item))
      return at
    }

    for (const [entry, workers] of [
      ['index', false],
      ['external', true],
    ]) {
      test(`golden files, ${entry}${workers ? ', workers' : ''}`, async () => {
        await browser.go(server.url('/golden.html'))
        const { wrong, methods } = await browser.run('golden', { entry, workers, cases: told })
        assert.deepEqual(wrong, [])
        assert.ok(told.length > 1000)
        // There is no method under the name of a symbol that the browser does not have.
        assert.ok(methods.includes('decode') && !methods.includes('undefined'), `${methods}`)
        await quiet()
      })
    }

    const shown = wanted => browser.run('shown', wanted)
    const give = (url, how = 'choose') => browser.run('give', { url, how })

    test('the viewer: choose, step, zoom, export, drop', async () => {
      await browser.go(server.url('/index.html'))
      await give('/files/field.b2nd')
      await shown({ name: 'field', index: [11] })
      assert.deepEqual(await point(30, 40), [11, 40, 30])
      // Keys are for what was opened.
      await browser.press('.')
      await shown({ index: [12] })
      assert.deepEqual(await point(30, 40), [12, 40, 30])
      await browser.run('wheel', { deltaY: 3, shiftKey: true })
      assert.equal((await shown({ index: [13] })).span, null)
      await browser.run('wheel')
      const { span } = await shown({ index: [13], isPart: true })
      assert.ok(span > 90 && span < 125, `${span} of 160 items`)
      await browser.press('0', 'e')
      await shown({ index: [13], isPart: false })
      assert.deepEqual(await browser.run('csv', 13), [120, 160, true])
      assert.deepEqual(await browser.run('save', 13), [[120, 160], '<f4', true])
      for (const view of ['line', 'table', 'planes']) {
        await browser.run('view', view)
        await shown({ view })
      }
      await give('/files/labels.b2nd', 'drop')
      await shown({ name: 'labels' })
      assert.deepEqual(await point(100, 50), [50, 100])
      await quiet()
    })

    test('files in other formats', async () => {
      await browser.go(server.url('/index.html'))
      for (const [name, shape, dtype] of [
        ['floats.npy', [23, 31], '<f4'],
        ['colours16.png', [9, 11, 3], '<u2'],
        ['stack.tif', [3, 10, 12], '<u2'],
        ['matrix.csv', [3, 3], '<f8'],
      ]) {
        await give(`/imports/${name}`)
        await shown({ name })
        assert.deepEqual(await browser.run('compare', `/imports/${name}.expected.npy`), [shape, dtype, true], name)
      }
      await quiet()
    })

    test('a store and a table', async () => {
      await browser.go(server.url('/index.html'))
      await give('/files/store.b2z')
      await shown()
      await browser.run('click', ['.members', 'ramp'])
      await shown({ name: 'ramp' })
      await browser.run('view', 'heatmap')
      await shown({ name: 'ramp', view: 'heatmap' })
      assert.deepEqual(await point(3, 4), [4, 3])
      await give('/golden/tables/001.b2z')
      const { heads, cells } = await browser.run('row')
      assert.deepEqual(
        heads,
        TABLE.columns.map(({ name }) => name),
      )
      for (const [at, { kind, cells: stored }] of TABLE.columns.entries())
        if (/^u?int|^utf8$/.test(kind)) assert.equal(cells[at], String(stored[0]), kind)
      await quiet()
    })

    test('the element in a page of others', async () => {
      await browser.go(server.url('/small.html'))
      await browser.run('shown', { name: 'field' })
      const { size, colours, cut } = await browser.run('measure')
      assert.deepEqual([size, cut], [[640, 420], 0])
      assert.ok(colours > 100, `${colours} colours`)
      await quiet()
    })
  })
}
