// The package in a page: reads across origins, and decodes in the page and in workers, with each way to load the wasm.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openArray } from 'b2nd'
import { launch, visit } from '../lib/browser.mjs'
import { cases } from '../lib/golden.mjs'
import { serve } from '../lib/server.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src *"
let browser, pages, data, expected

before(async () => {
  browser = await launch()
  pages = await serve({
    '/index.html': `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>b2nd</title>`,
    '/alone.html': `<!doctype html><meta http-equiv="Content-Security-Policy" content="worker-src 'none'"><title>b2nd</title>`,
    '/dist/': join(import.meta.dirname, '../../dist'),
  })
  data = await serve({ '/file': readFileSync(path), '/index.html': '<!doctype html><title>b2nd</title>' })
  expected = [...(await (await openArray(readFileSync(path))).get([null, null, 3])).data]
})

after(async () => {
  await browser?.close()
  await pages?.close()
  await data?.close()
})

/** What a page reads, of the package's own site unless told otherwise, and how many workers did it. */
function read(entry, workers, site = pages.url('/index.html')) {
  return visit(browser, site, page =>
    page.evaluate(
      async ({ entry, workers, url, dist }) => {
        const { openArray } = await import(`${dist}${entry}.js`)
        const { createPool } = await import(`${dist}pool.js`)
        const pool = workers ? createPool({ size: workers }) : undefined
        const array = await openArray(url, { decoder: pool })
        // Two reads at a time, for two workers: so small an array is one's work.
        const [{ data }] = await Promise.all([1, 2].map(() => array.get([null, null, 3])))
        const ran = pool?.workers ?? 0
        pool?.close()
        return { data: [...data], ran }
      },
      { entry, workers, url: data.url('/file'), dist: pages.url('/dist/') },
    ),
  )
}

for (const entry of ['index', 'external']) {
  for (const workers of [0, 2]) {
    test(`${entry}, ${workers} workers`, async () => {
      const { data, ran } = await read(entry, workers)
      assert.deepEqual(data, expected)
      assert.equal(ran, workers)
    })
  }
}

test('a page of another site than the package', async () => {
  assert.deepEqual(await read('index', 2, data.url('/index.html')), { data: expected, ran: 2 })
})

test('where a policy forbids workers, reading in them fails and says so', async () => {
  const failure = await visit(
    browser,
    pages.url('/alone.html'),
    page =>
      page.evaluate(async url => {
        const { openArray } = await import('/dist/index.js')
        const { createPool } = await import('/dist/pool.js')
        const array = await openArray(url, { decoder: createPool() })
        return array.get().then(
          () => null,
          ({ name, code, message }) => ({ name, code, message }),
        )
      }, data.url('/file')),
    { allow: [/Content Security Policy/] },
  )
  assert.deepEqual(failure, {
    name: 'B2ndError',
    code: 'unsupported',
    message: 'the worker failed to start: does a policy forbid it?',
  })
})

test('errors of workers are those of the page', async () => {
  const broken = new Uint8Array(readFileSync(path))
  const [{ offset }] = await (await openArray(broken)).chunkMap()
  broken.fill(0xff, offset + 32, offset + 96)
  const failure = await visit(browser, pages.url('/index.html'), page =>
    page.evaluate(
      async bytes => {
        const { openArray, isB2ndError } = await import('/dist/index.js')
        const { createPool } = await import('/dist/pool.js')
        const array = await openArray(Uint8Array.from(bytes), { decoder: createPool() })
        return array.get().then(
          () => null,
          error => ({ ours: isB2ndError(error, 'format'), chunk: error.chunk }),
        )
      },
      [...broken],
    ),
  )
  assert.deepEqual(failure, { ours: true, chunk: 0 })
})

test('the example of the README', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, code] = /^```js browser\n([^]*?)^```$/m.exec(readme)
  const map = JSON.stringify({ imports: { b2nd: '/dist/index.js' } })
  const script = code.replace('https://example.org/volume.b2nd', data.url('/file'))
  const page = `<!doctype html><script type="importmap">${map}</script><script type="module">${script}</script>`
  const site = await serve({ '/index.html': page, '/dist/': join(import.meta.dirname, '../../dist') })
  try {
    const text = await visit(browser, 'about:blank', async page => {
      const printed = []
      page.on('console', message => printed.push(message.text()))
      await page.goto(site.url('/index.html'))
      while (printed.length < 2) await page.waitForTimeout(20)
      return printed.join('\n')
    })
    assert.match(text, /^\[12, 30, 40\] <f4 .*\n\[16, 20\] Float32Array\(320\)/)
  } finally {
    await site.close()
  }
})
