// Firefox and WebKit read the golden files, with and without workers, and show arrays in the viewer. All of the viewer's
// tests are for Chromium.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { cases, FOLDER } from '../lib/golden.mjs'
import { serve } from '../lib/server.mjs'
import { DIST, FILES, prepareFiles } from '../lib/viewer.mjs'
import { firefox, webkit } from '../lib/webdriver.mjs'

// `cargo xtask test` says which programs.
const { B2ND_FIREFOX = '/usr/bin/firefox-esr', B2ND_WEBKIT = '/usr/bin/WebKitWebDriver' } = process.env
const ENGINES = { Firefox: () => firefox(B2ND_FIREFOX), WebKit: () => webkit(B2ND_WEBKIT) }

const HANDS = '<script src="/engines/hands.js"></script>'
const SMALL = `<!doctype html><html lang="en"><title>embedded</title><link rel="stylesheet" href="/small.css">${HANDS}
  <script type="module" src="/b2nd-viewer.js"></script><div><b2nd-viewer src="/files/field.b2nd"></b2nd-viewer></div>`
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

    test('the viewer: choose, step, zoom, export, drop', async () => {
      await browser.go(server.url('/index.html'))
      await browser.run('give', { name: 'field.b2nd', how: 'choose' })
      await browser.run('shown', 'field')
      assert.deepEqual(await point(30, 40), [11, 40, 30])
      // Keys are for what was opened.
      await browser.press('.')
      await browser.run('shown')
      assert.deepEqual(await point(30, 40), [12, 40, 30])
      assert.deepEqual(await browser.run('wheel', { deltaY: 3, shiftKey: true }), [null, 13])
      const [span, position] = await browser.run('wheel')
      assert.ok(span > 90 && span < 125 && position === 13, `${span} of 160 items at ${position}`)
      await browser.press('0', 'e')
      assert.deepEqual(await browser.run('csv', 13), [120, 160, true])
      for (const view of ['line', 'table', 'planes']) await browser.run('view', view)
      await browser.run('give', { name: 'labels.b2nd', how: 'drop' })
      await browser.run('shown', 'labels')
      assert.deepEqual(await point(100, 50), [50, 100])
      await quiet()
    })

    test('the element in a page of others', async () => {
      await browser.go(server.url('/small.html'))
      await browser.run('shown', 'field')
      const { size, colours, cut } = await browser.run('measure')
      assert.deepEqual([size, cut], [[640, 420], 0])
      assert.ok(colours > 100, `${colours} colours`)
      await quiet()
    })
  })
}
