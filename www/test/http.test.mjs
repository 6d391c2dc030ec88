// Reading from correct and faulty servers: requests, results, errors, and aborting.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isB2ndError, openArray, slice } from 'b2nd'
import { cases } from './lib/golden.mjs'
import { serve } from './lib/server.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const file = readFileSync(path)
const whole = (await (await openArray(file)).get()).data
const code = expected => error => isB2ndError(error, expected) && error.url?.startsWith('http')

async function served(options, work) {
  const server = await serve({ '/file': file, '/cut': file.subarray(0, 20_000) }, options)
  try {
    await work(server, server.url('/file'))
  } finally {
    await server.close()
  }
}

/** Reads the whole array, with bounded retries. */
async function read(url, options = {}) {
  const array = await openArray(url, { signal: AbortSignal.timeout(20_000), ...options })
  return (await array.get()).data
}

test('a good server is asked once to open, and never by HEAD', () =>
  served({}, async (server, url) => {
    const array = await openArray(url)
    assert.equal(server.requests.length, 1)
    assert.equal(server.bytes, 8192)
    assert.deepEqual(array.traffic, { requests: 1, bytes: 8192 })
    assert.deepEqual((await array.get()).data, whole)
    const { length } = server.requests
    await array.get()
    assert.equal(server.requests.length, length, 'what was read is held')
    assert.ok(server.requests.every(({ method, range }) => method === 'GET' && /^bytes=\d+-\d+$/.test(range)))
    assert.equal(array.traffic.bytes, server.bytes)
  }))

for (const manner of ['good', 'no-range', 'short', 'busy', 'slow', 'no-cors-exposure']) {
  test(`${manner}: the data come`, () => served({ manner }, async (_, url) => assert.deepEqual(await read(url), whole)))
}

for (const [manner, expected] of [
  ['wrong-range', 'source'],
  ['truncated', 'network'],
  ['changing', 'changed'],
  ['gzip', 'source'],
  ['broken', 'http'],
]) {
  test(`${manner}: fails as ${expected}`, () =>
    served({ manner }, async (_, url) => {
      await assert.rejects(read(url, { retries: 1 }), code(expected))
    }))
}

test('a server that only has whole files is asked once, and not for large ones', () =>
  served({ manner: 'no-range' }, async (server, url) => {
    await read(url)
    assert.equal(server.requests.length, 1)
    await assert.rejects(read(url, { maxWhole: 10_000 }), code('not-ranged'))
  }))

test('what is busy is asked again, as often as wanted', () =>
  served({ manner: 'busy' }, async (server, url) => {
    await assert.rejects(read(url, { retries: 0 }), error => code('http')(error) && error.status === 429)
    server.reset()
    assert.deepEqual(await read(url, { retries: 1 }), whole)
    assert.deepEqual(
      server.requests.slice(0, 2).map(({ status }) => status),
      [429, 206],
    )
  }))

test('what is missing, cut or no server fails', () =>
  served({}, async (server, url) => {
    await assert.rejects(read(server.url('/none')), error => code('http')(error) && error.status === 404)
    assert.equal(server.requests.length, 1, 'asked once')
    await assert.rejects(read(server.url('/cut')), error => isB2ndError(error, 'format'))
    await server.close()
    await assert.rejects(read(url, { retries: 1 }), code('network'))
    await assert.rejects(read('not a url'), error => isB2ndError(error, 'argument'))
  }).catch(error => assert.equal(error.code, 'ERR_SERVER_NOT_RUNNING')))

test('a file that changes between reads fails, and is not mixed', () =>
  served({}, async (server, url) => {
    const array = await openArray(url)
    server.manner = 'changing'
    await assert.rejects(array.get(), code('changed'))
  }))

test('reads that failed are tried anew', () =>
  served({}, async (server, url) => {
    const array = await openArray(url, { retries: 0 })
    server.manner = 'broken'
    await assert.rejects(array.get(), code('http'))
    server.manner = 'good'
    assert.deepEqual((await array.get()).data, whole)
  }))

test('an aborted read rejects with the reason and leaves no request', () =>
  served({}, async (server, url) => {
    const array = await openArray(url)
    server.latency = 300
    const reason = { why: 'scrolled away' }
    const abort = new AbortController()
    const reading = array.get(null, { signal: abort.signal })
    await sleep(50)
    abort.abort(reason)
    await assert.rejects(reading, error => error === reason)
    await sleep(400)
    assert.ok(server.requests.length > 1)
    assert.ok(
      server.requests.slice(1).every(({ aborted }) => aborted),
      'all were stopped',
    )
    server.latency = 0
    assert.deepEqual((await array.get()).data, whole)
    await assert.rejects(openArray(url, { signal: abort.signal }), error => error === reason)
  }))

test('pauses between attempts end when aborted', () =>
  served({ manner: 'broken' }, async (_, url) => {
    const reason = new Error('no more')
    const abort = new AbortController()
    setTimeout(() => abort.abort(reason), 100)
    const start = performance.now()
    await assert.rejects(openArray(url, { signal: abort.signal, retries: 20 }), error => error === reason)
    assert.ok(performance.now() - start < 2000)
  }))

test('reads of the same bytes are shared, and one who leaves stops nobody else', () =>
  served({}, async (server, url) => {
    const array = await openArray(url)
    await array.chunkMap()
    const { length } = server.requests
    server.latency = 100
    const abort = new AbortController()
    const leaving = array.get(null, { signal: abort.signal })
    const staying = Array.from({ length: 20 }, (_, k) =>
      array.get(null, k % 2 ? {} : { signal: new AbortController().signal }),
    )
    const one = array.get(null)
    await sleep(20)
    abort.abort()
    await assert.rejects(leaving, { name: 'AbortError' })
    for (const { data } of await Promise.all([...staying, one])) assert.deepEqual(data, whole)
    const ranges = server.requests.slice(length).map(({ range }) => range)
    assert.equal(new Set(ranges).size, ranges.length, 'nothing was asked for twice')
  }))

test('no more requests run at once than there may', () =>
  served({ latency: 20 }, async (server, url) => {
    const arrays = await Promise.all(Array.from({ length: 3 }, () => openArray(url, { concurrency: 1, cache: 0 })))
    server.reset()
    await Promise.all(arrays.map(array => Promise.all([array.get([0]), array.get([11]), array.get([slice(3, 9)])])))
    assert.ok(server.peak <= 3, `${server.peak} at once`)
  }))

test('fetch can be replaced, and requests with headers given', () =>
  served({}, async (_, url) => {
    const asked = []
    const spy = request => (asked.push(request.headers.get('authorization')), fetch(request))
    const request = new Request(url, { headers: { authorization: 'me' } })
    assert.deepEqual(await read(request, { fetch: spy }), whole)
    assert.ok(asked.length > 0 && asked.every(value => value === 'me'))
  }))

test('closing stops all', () =>
  served({}, async (server, url) => {
    const array = await openArray(url)
    server.latency = 200
    const reading = array.get()
    await sleep(30)
    await array.close()
    await assert.rejects(reading, error => isB2ndError(error, 'argument'))
    await assert.rejects(array.get(), error => isB2ndError(error, 'argument'))
    await sleep(250)
    assert.ok(server.requests.slice(1).every(({ aborted }) => aborted))
  }))

test('a server that wants to be asked much later is not waited for', () =>
  served({ manner: 'away for long' }, async (server, url) => {
    await assert.rejects(read(url), error => code('http')(error) && error.status === 503 && /3600/.test(error.message))
    assert.equal(server.requests.length, 1)
  }))

const asked = (server, path) => server.requests.filter(request => request.path === path).length

test('where a redirect led is asked from then on', () =>
  served({ moved: { '/old': '/file' } }, async server => {
    assert.deepEqual(await read(server.url('/old')), whole)
    assert.equal(asked(server, '/old'), 1)
    assert.ok(asked(server, '/file') > 1)
  }))

test('where a redirect led may be gone: it is followed anew', async () => {
  const files = { '/first': file, '/second': file }
  const server = await serve(files, { moved: { '/old': '/first' } })
  try {
    const array = await openArray(server.url('/old'), { retries: 0, cache: 0 })
    delete files['/first']
    server.moved['/old'] = '/second'
    assert.deepEqual((await array.get([0])).data, whole.slice(0, 1200))
    const { length } = server.requests
    assert.deepEqual((await array.get([11])).data, whole.slice(-1200))
    assert.ok(server.requests.slice(length).every(({ path }) => path === '/second'))
  } finally {
    await server.close()
  }
})

test('credentials are for one origin', () =>
  served({}, async (other, target) =>
    served({ moved: { '/old': target, '/near': '/file' } }, async server => {
      const headers = { authorization: 'me' }
      assert.deepEqual(await read(new Request(server.url('/old'), { headers })), whole)
      assert.ok(other.requests.length > 1)
      assert.ok(other.requests.every(({ authorization }) => authorization === null))
      assert.deepEqual(await read(new Request(server.url('/near'), { headers })), whole)
      assert.ok(server.requests.every(({ authorization }) => authorization === 'me'))
    }),
  ))

test('a fetch that is given gets what was opened, whatever redirects there are', () =>
  served({ moved: { '/old': '/file' } }, async server => {
    const url = server.url('/old')
    const seen = new Set()
    await read(url, { fetch: request => (seen.add(request.url), fetch(request)) })
    assert.deepEqual([...seen], [url])
  }))

test('a redirect in a circle is told as such', () =>
  served({ moved: { '/loop': '/loop' } }, async server => {
    await assert.rejects(read(server.url('/loop'), { retries: 0 }), error => {
      return code('network')(error) && /redirect/.test(error.message) && !/CORS/.test(error.message)
    })
  }))

test('a fetch that is given may fail in any way', async () => {
  const url = 'http://localhost/x.b2nd'
  const wrong = [() => undefined, () => ({}), async () => 'text']
  for (const fetch of wrong) await assert.rejects(openArray(url, { fetch, retries: 0 }), code('source'))
  const broken = [
    () => {
      throw new Error('no token')
    },
    () => Promise.reject(new Error('no token')),
    () => Promise.reject('no token'),
  ]
  for (const fetch of broken) {
    await assert.rejects(
      openArray(url, { fetch, retries: 0 }),
      error => code('network')(error) && /no token/.test(error.message),
    )
  }
})
