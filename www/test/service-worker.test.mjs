// The viewer's service worker: what it takes into its cache, and what it answers.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'

const DIST = join(import.meta.dirname, '../dist/viewer')
const SCOPE = 'https://example.org/viewer/'

/** The service worker in a scope of its own, with caches of these names. */
function worker(names = []) {
  const [listeners, added, deleted] = [{}, [], []]
  const cache = {
    addAll: async requests => void added.push(...requests),
    match: async path => ({ path, redirected: false }),
  }
  const caches = {
    open: async name => (names.includes(name) || names.push(name), cache),
    keys: async () => names,
    delete: async name => void deleted.push(name),
  }
  function Request(url, options) {
    return Object.assign(this, { url, ...options })
  }
  const self = {
    addEventListener: (name, use) => (listeners[name] = use),
    registration: { scope: SCOPE },
    skipWaiting: async () => {},
    clients: { claim: async () => {} },
  }
  runInContext(
    readFileSync(join(DIST, 'sw.js'), 'utf8'),
    createContext({ self, caches, Request, fetch: () => assert.fail() }),
  )
  const dispatch = async name => {
    const waiting = []
    listeners[name]({ waitUntil: promise => waiting.push(promise) })
    await Promise.all(waiting)
  }
  /** What it answers to a request; undefined if it leaves that to the network. */
  const ask = async (url, { method = 'GET', range = null } = {}) => {
    let answer
    listeners.fetch({ request: { url, method, headers: { get: () => range } }, respondWith: given => (answer = given) })
    return Promise.resolve(answer).then(given => given?.path)
  }
  return { listeners, added, deleted, names, dispatch, ask }
}

test('it takes no messages', () => {
  assert.deepEqual(Object.keys(worker().listeners).sort(), ['activate', 'fetch', 'install'])
})

test('it keeps only what was built, past the caches of HTTP', async () => {
  const { dispatch, added } = worker()
  await dispatch('install')
  assert.ok(added.some(({ url }) => url === 'index.html'))
  for (const { url, cache, integrity } of added) {
    const hash = createHash('sha256')
      .update(readFileSync(join(DIST, url)))
      .digest('base64')
    assert.deepEqual([url, cache, integrity], [url, 'no-cache', `sha256-${hash}`])
  }
})

test('it leaves the caches of other pages of the origin alone', async () => {
  const others = ['b2nd-viewer 0 https://example.org/other/', 'b2nd-viewer 0 https://example.org/viewer/x/', 'mine']
  const { dispatch, deleted, names } = worker([...others, `b2nd-viewer 0 ${SCOPE}`])
  await dispatch('install')
  assert.equal(names.length, 5)
  await dispatch('activate')
  assert.deepEqual(deleted, [`b2nd-viewer 0 ${SCOPE}`])
})

test('it answers only for files of the page', async () => {
  const { ask } = worker()
  assert.equal(await ask(SCOPE), 'index.html')
  assert.equal(await ask(`${SCOPE}?url=https://evil.example/#url=x`), 'index.html')
  assert.equal(await ask(`${SCOPE}b2nd-viewer.js?1`), 'b2nd-viewer.js')
  for (const url of [
    `${SCOPE}constructor`,
    `${SCOPE}__proto__`,
    `${SCOPE}toString?x`,
    `${SCOPE}../b2nd-viewer.js`,
    `${SCOPE}%2e%2e/b2nd-viewer.js`,
    `${SCOPE}/b2nd-viewer.js`,
    `${SCOPE}b2nd-viewer.js/`,
    `${SCOPE}b2nd%2Dviewer.js`,
    `${SCOPE}sw.js`,
    'https://example.org/viewer',
    'https://example.org/other/b2nd-viewer.js',
    'https://evil.example/viewer/b2nd-viewer.js',
    'https://example.org.evil.example/viewer/index.html',
  ])
    assert.equal(await ask(url), undefined, url)
  assert.equal(await ask(`${SCOPE}index.html`, { method: 'POST' }), undefined)
})
