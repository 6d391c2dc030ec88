// The test library itself: pages that fail on errors, and cross-origin rules.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'

const FILES = {
  '/index.html': '<!doctype html><title>quiet</title>',
  '/error.html': '<!doctype html><script>console.error("not good")</script>',
  '/throws.html': '<!doctype html><script>setTimeout(() => { throw new Error("nobody catches this") })</script>',
  '/rejects.html': '<!doctype html><script>Promise.reject(new Error("nor this"))</script>',
  '/missing.html': '<!doctype html><script src="no-such.js"></script>',
  '/closed.html': `<!doctype html><div></div><script>document.querySelector('div').attachShadow({ mode: 'open' }).innerHTML =
    '<button>Open</button><p>closed on Mondays</p>'</script>`,
  '/data': Buffer.from('0123456789'),
}
let browser, pages, data

before(async () => {
  browser = await launch()
  pages = await serve(FILES)
  data = await serve({ '/data': FILES['/data'] })
})

after(async () => {
  await browser?.close()
  await pages?.close()
  await data?.close()
})

test('a page that does not complain', async () => {
  assert.equal(await visit(browser, pages.url('/index.html'), page => page.title()), 'quiet')
})

for (const [path, message] of [
  ['/error.html', /not good/],
  ['/throws.html', /nobody catches this/],
  ['/rejects.html', /nor this/],
  ['/missing.html', /404/],
]) {
  test(`${path} fails`, () => assert.rejects(visit(browser, pages.url(path)), { message }))
  test(`${path} may be allowed`, () => visit(browser, pages.url(path), () => {}, { allow: [message] }))
}

for (const [what, wait] of [
  [`getByText('come in')`, page => page.getByText('come in').waitFor({ timeout: 100 })],
  [`document.title === 'open'`, page => page.waitForFunction(() => document.title === 'open', null, { timeout: 100 })],
  ['The test had 1000 ms', page => page.evaluate(() => new Promise(() => {}))],
]) {
  test(`who waits in vain learns what was there instead: ${what}`, async () => {
    const failure = await visit(browser, pages.url('/closed.html'), wait, { patience: 1000 }).catch(
      error => error.message,
    )
    for (const part of [what, '/closed.html has:', 'button "Open"', 'closed on Mondays'])
      assert.ok(failure.includes(part), failure)
  })
}

/** What a script of another origin sees of a range. */
function ask(manner) {
  data.manner = manner
  return visit(browser, pages.url('/index.html'), page =>
    page.evaluate(async url => {
      const response = await fetch(url, { headers: { Range: 'bytes=2-4' } })
      return [response.status, response.headers.get('content-range'), await response.text()]
    }, data.url('/data')),
  )
}

test('ranges across origins', async () => {
  assert.deepEqual(await ask('good'), [206, 'bytes 2-4/10', '234'])
  assert.deepEqual(await ask('no-cors-exposure'), [206, null, '234'])
})
