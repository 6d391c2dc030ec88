// The test server itself.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { MANNERS } from './lib/manners.mjs'
import { serve } from './lib/server.mjs'

const CONTENT = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251))

/** Runs `work` with a server and a function that asks it for a range. */
async function asking(options, work) {
  const server = await serve({ '/file': CONTENT, '/lib/': import.meta.dirname }, options)
  const ask = (range, init = {}) =>
    fetch(server.url('/file'), { ...init, headers: { ...(range && { Range: range }), ...init.headers } })
  try {
    await work(ask, server)
  } finally {
    await server.close()
  }
}

async function body(response) {
  return Buffer.from(await response.arrayBuffer())
}

test('ranges', () =>
  asking({}, async ask => {
    for (const [range, start, end] of [
      ['bytes=10-19', 10, 20],
      ['bytes=990-', 990, 1000],
      ['bytes=-5', 995, 1000],
      ['bytes=900-5000', 900, 1000],
    ]) {
      const response = await ask(range)
      assert.equal(response.status, 206)
      assert.equal(response.headers.get('content-range'), `bytes ${start}-${end - 1}/1000`)
      assert.deepEqual(await body(response), CONTENT.subarray(start, end))
    }
    const beyond = await ask('bytes=1000-')
    assert.equal(beyond.status, 416)
    assert.equal(beyond.headers.get('content-range'), 'bytes */1000')
    assert.equal((await body(await ask())).length, 1000)
  }))

test('conditions', () =>
  asking({}, async ask => {
    const etag = (await ask('bytes=0-0')).headers.get('etag')
    assert.equal((await ask('bytes=0-0', { headers: { 'If-Range': etag } })).status, 206)
    assert.equal((await ask('bytes=0-0', { headers: { 'If-Range': '"other"' } })).status, 200)
    assert.equal((await ask('bytes=0-0', { headers: { 'If-Match': '"other"' } })).status, 412)
  }))

test('folders, and nothing outside of them', () =>
  asking({}, async (_, server) => {
    const script = await fetch(server.url('/lib/server.test.mjs'))
    assert.equal(script.headers.get('content-type'), 'text/javascript')
    assert.equal((await fetch(server.url('/lib/no-such-file'))).status, 404)
    assert.equal((await fetch(server.url('/lib/%2e%2e%2fpackage.json'))).status, 404)
  }))

test('it counts', () =>
  // Long enough for all requests to be there at once, on a busy machine, too.
  asking({ latency: 500 }, async (ask, server) => {
    await Promise.all([ask('bytes=0-9').then(body), ask('bytes=10-29').then(body), ask(null, { method: 'HEAD' })])
    assert.equal(server.peak, 3)
    assert.equal(server.bytes, 30)
    assert.deepEqual(server.requests.map(({ method }) => method).sort(), ['GET', 'GET', 'HEAD'])
    server.reset()
    const controller = new AbortController()
    const gone = ask('bytes=0-9', { signal: controller.signal })
    // Aborted any earlier, the request may never leave, and the server would have nothing to count.
    while (!server.requests.length) await sleep(1)
    controller.abort()
    await assert.rejects(gone, { name: 'AbortError' })
    while (!server.requests[0].aborted) await sleep(5)
    assert.equal(server.bytes, 0)
  }))

/** What each manner shows to somebody who asks for bytes 10 to 19. */
const SHOWN = {
  good: async ask => assert.deepEqual(await body(await ask()), CONTENT.subarray(10, 20)),
  'no-range': async ask => {
    const response = await ask()
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('accept-ranges'), null)
    assert.equal((await body(response)).length, 1000)
  },
  'wrong-range': async ask => {
    const response = await ask()
    assert.equal(response.headers.get('content-range'), 'bytes 9-18/1000')
    assert.deepEqual(await body(response), CONTENT.subarray(9, 19))
  },
  short: async ask => {
    const response = await ask()
    assert.equal(response.headers.get('content-range'), 'bytes 10-14/1000')
    assert.equal((await body(response)).length, 5)
  },
  truncated: async ask => {
    const response = await ask()
    assert.equal(response.headers.get('content-length'), '10')
    await assert.rejects(body(response))
  },
  busy: async ask => {
    const response = await ask()
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '0'])
    assert.deepEqual(await body(await ask()), CONTENT.subarray(10, 20))
  },
  'away for long': async ask => assert.equal((await ask()).headers.get('retry-after'), '3600'),
  changing: async ask => {
    const etags = [(await ask()).headers.get('etag'), (await ask()).headers.get('etag')]
    assert.notEqual(etags[0], etags[1])
  },
  slow: async ask => {
    const start = performance.now()
    assert.deepEqual(await body(await ask()), CONTENT.subarray(10, 20))
    assert.ok(performance.now() - start > 100)
  },
  'no-cors-exposure': async ask => assert.equal((await ask()).headers.get('access-control-expose-headers'), null),
  gzip: async ask => {
    const response = await ask()
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.notEqual(response.headers.get('content-length'), '10')
    assert.deepEqual(await body(response), CONTENT.subarray(10, 20))
  },
  broken: async ask => assert.equal((await ask()).status, 500),
}

for (const manner of MANNERS) {
  test(`manner: ${manner}`, () => asking({ manner }, ask => SHOWN[manner](() => ask('bytes=10-19'))))
}
