// A server of Caterva2 as a source: against a stand-in with recorded answers, and against the program that B2ND_CATERVA2 names.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { accessible, DIST, says, settled, viewer } from '../lib/viewer.mjs'

const on = viewer()
const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
const EXAMPLES = join(DIST, 'examples')
const KEYS = ['/@public/deep/labels.b2nd', '/@public/field.b2nd', '/@public/other.h5/some/values']

/** What the server 2026.9.2 answers, as far as the viewer reads it. */
function recorded() {
  const frame = name => readFileSync(join(EXAMPLES, `${name}.b2nd`))
  const json = value => JSON.stringify(value)
  return {
    '/sub/api/roots': json({ '@public': { name: '@public' } }),
    '/sub/api/list/@public': json(['deep/labels.b2nd', 'field.b2nd', 'note.md', 'other.h5']),
    '/sub/api/list/@public/other.h5': json(['some/values']),
    '/sub/api/info/@public/field.b2nd': json({ shape: [24, 120, 160], schunk: {}, accept_ranges: 'bytes' }),
    '/sub/api/fetch/@public/field.b2nd': frame('field'),
    '/sub/api/info/@public/deep/labels.b2nd': json({ shape: [200, 300], schunk: {}, accept_ranges: 'bytes' }),
    '/sub/api/fetch/@public/deep/labels.b2nd': frame('labels'),
    '/sub/api/info/@public/other.h5/some/values': json({ shape: [200, 300], schunk: {}, accept_ranges: null }),
    '/sub/api/fetch/@public/other.h5/some/values': frame('labels'),
  }
}

const SEED = `
import sys, pathlib, shutil, h5py, blosc2
examples, root = map(pathlib.Path, sys.argv[1:])
(root / "deep").mkdir(parents=True)
shutil.copy(examples / "field.b2nd", root / "field.b2nd")
shutil.copy(examples / "labels.b2nd", root / "deep" / "labels.b2nd")
(root / "note.md").write_text("# A note")
with h5py.File(root / "other.h5", "w") as file:
    file.create_dataset("some/values", data=blosc2.open(str(examples / "labels.b2nd"))[:], chunks=(50, 50), compression="gzip")
`

const freePort = () =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** Starts the program with the same datasets. */
async function program(path) {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-caterva2-'))
  execFileSync(join(dirname(path), 'python'), ['-c', SEED, EXAMPLES, join(folder, 'state', 'public')])
  const port = await freePort()
  const words = ['--listen', `localhost:${port}`, '--statedir', join(folder, 'state')]
  const child = spawn(path, words, {
    cwd: folder,
    env: { ...process.env, CATERVA2_SECRET: 'x', PYTHONPATH: '' },
    stdio: 'ignore',
  })
  const url = `http://localhost:${port}/`
  const close = async () => {
    child.kill()
    await new Promise(done => child.once('exit', done))
    rmSync(folder, { recursive: true })
  }
  for (let k = 0; k < 120; k++) {
    if (
      await fetch(`${url}api/roots`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, close }
    await sleep(500)
  }
  await close()
  throw new Error('the server did not start')
}

/** A server where one user sees more than others, as 2026.9.2 answers. */
async function withLogin() {
  const bytes = readFileSync(join(EXAMPLES, 'field.b2nd'))
  const answers = {
    '/sub/api/list/@public': [],
    '/sub/api/list/@shared': ['field.b2nd'],
    '/sub/api/info/@shared/field.b2nd': { shape: [24, 120, 160], schunk: {}, accept_ranges: 'bytes' },
  }
  const answer = async (request, response) => {
    const path = decodeURIComponent(request.url)
    const isSignedIn = request.headers.cookie === 'c2subauth=token'
    const end = (status, body = '', headers = {}) => response.writeHead(status, headers).end(body)
    if (path.startsWith('/sub/auth/jwt/')) {
      if (request.method !== 'POST') return end(405)
      if (path.endsWith('logout')) return end(204, '', { 'set-cookie': 'c2subauth=""; Max-Age=0; Path=/' })
      const fields = new URLSearchParams(await text(request))
      const fits = fields.get('username') === 'user@example.org' && fields.get('password') === 'secret & safe'
      return fits ? end(204, '', { 'set-cookie': 'c2subauth=token; HttpOnly; Path=/; SameSite=lax' }) : end(400)
    }
    if (path === '/sub/api/roots') {
      const roots = ['@public', ...(isSignedIn ? ['@shared'] : [])]
      return end(200, JSON.stringify(Object.fromEntries(roots.map(name => [name, { name }]))))
    }
    if (path === '/sub/moved') return end(302, '', { location: 'api/roots' })
    if (path === '/sub/elsewhere') return end(302, '', { location: '/beside' })
    if (path.includes('@shared') && !isSignedIn) return end(404)
    if (path in answers) return end(200, JSON.stringify(answers[path]))
    if (path !== '/sub/api/fetch/@shared/field.b2nd') return end(404)
    const [start, stop] = /(\d+)-(\d+)/.exec(request.headers.range).slice(1).map(Number)
    const part = bytes.subarray(start, stop + 1)
    end(206, part, { 'content-range': `bytes ${start}-${start + part.length - 1}/${bytes.length}` })
  }
  const server = createHttpServer((request, response) => void answer(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

test('through the command, whoever signs in sees more, until signing out', async () => {
  const server = await withLogin()
  const url = `http://127.0.0.1:${server.address().port}/sub/`
  const child = spawn(process.execPath, [CLI, 'view', url, '--proxy', '--no-open', '--until-closed'])
  try {
    const address = String((await once(child.stdout, 'data'))[0]).trim()
    assert.match(address, /\?url=through\/$/)
    const work = async page => {
      const keys = () => page.locator('.members [data-key]').evaluateAll(all => all.map(one => one.dataset.key))
      await page.getByLabel('user name').fill('user@example.org')
      await page.getByLabel('password').fill('wrong')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await says(page.locator('.account .hint'), 'The server knows no such name and password.')
      assert.deepEqual(await keys(), [])
      await accessible(page, 'signing in')
      await page.getByLabel('password').fill('secret & safe')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      await settled(page)
      assert.deepEqual(await keys(), ['/@shared/field.b2nd'])
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      assert.deepEqual(await keys(), [])
    }
    const allow = [/40[045]/, /Service Worker/]
    await visit(on.browser, address, work, { serviceWorkers: 'block', allow })
    const { origin } = new URL(address)
    const status = async (path, init) => (await fetch(`${origin}/through/${path}`, init)).status
    assert.equal(await status('api/roots'), 200)
    // Redirects stay below the address.
    assert.equal(await status('moved'), 200)
    assert.equal(await status('elsewhere'), 502)
    // Neither what is beside the address, nor other methods, nor what another site asks for.
    assert.equal(await status('%2e%2e/api/roots'), 404)
    assert.equal(await status('api/roots', { method: 'DELETE' }), 405)
    const sent = { method: 'POST', body: 'username=a&password=b', headers: { origin: 'http://example.org' } }
    assert.equal(await status('auth/jwt/login', sent), 403)
  } finally {
    child.stdin.end()
    await once(child, 'exit')
    server.closeAllConnections()
    server.close()
  }
})

const servers = {
  'recorded answers': async () => {
    const server = await serve(recorded())
    return { url: server.url('/sub/'), close: () => server.close(), requests: server.requests }
  },
}
if (process.env.B2ND_CATERVA2) servers['caterva2'] = () => program(process.env.B2ND_CATERVA2)

for (const [name, start] of Object.entries(servers)) {
  let server
  before(async () => (server = await start()))
  after(() => server?.close())
  /** The address of a frame is asked for first; none is at that of a server. */
  const options = { allow: [/404/] }

  test(`${name}: the tree of datasets, which are arrays with the address of their frame`, () =>
    on.come(
      `#url=${server.url}&member=/@public/field.b2nd`,
      async page => {
        await settled(page)
        const keys = await page
          .locator('.members [data-key]')
          .evaluateAll(all => all.map(one => one.dataset.key).sort())
        assert.deepEqual(keys, KEYS)
        const found = await page.evaluate(async () => {
          const { dataset } = document.querySelector('b2nd-viewer').session
          const { data } = await dataset.read([0, { start: 0, stop: 1, step: 1 }, { start: 0, stop: 3, step: 1 }])
          return { shape: dataset.shape, url: dataset.url, remote: dataset.remote, first: [...data] }
        })
        const own = await on.come('#url=examples/field.b2nd', async page => {
          await settled(page)
          return page.evaluate(async () => {
            const { dataset } = document.querySelector('b2nd-viewer').session
            return [...(await dataset.read([0, { start: 0, stop: 1, step: 1 }, { start: 0, stop: 3, step: 1 }])).data]
          })
        })
        const url = new URL('api/fetch/@public/field.b2nd', server.url).href.replace('@', '%40')
        assert.deepEqual(found, { shape: [24, 120, 160], url, remote: true, first: own })
      },
      options,
    ))

  test(`${name}: stored arrays come in ranges, others as a whole`, () =>
    on.come(
      `#url=${server.url}&member=/@public/deep/labels.b2nd`,
      async page => {
        await settled(page)
        const sums = []
        for (const key of ['/@public/deep/labels.b2nd', '/@public/other.h5/some/values']) {
          await page.locator(`.members [data-key="${key}"]`).click()
          await page.waitForFunction(
            key => document.querySelector('b2nd-viewer').state.includes(encodeURIComponent(key)),
            key,
          )
          await settled(page)
          sums.push(
            await page.evaluate(async () => {
              const { dataset } = document.querySelector('b2nd-viewer').session
              const all = dataset.shape.map(stop => ({ start: 0, stop, step: 1 }))
              return (await dataset.read(all)).data.reduce((sum, value) => sum + Number(value), 0)
            }),
          )
        }
        assert.ok(sums[0] > 1000)
        assert.equal(sums[1], sums[0])
        if (!server.requests) return
        const ranges = path => server.requests.filter(one => one.path.endsWith(path)).map(({ range }) => range)
        assert.ok(ranges('/fetch/@public/deep/labels.b2nd').every(range => range))
        assert.deepEqual(ranges('/fetch/@public/other.h5/some/values'), [null])
      },
      options,
    ))
}

test('an address without a server keeps its own error', () =>
  on.come(
    '#url=none/',
    async page => {
      await page.locator('[role=alert]:visible').waitFor()
      assert.match(await page.locator('[role=alert]:visible').innerText(), /404|not found/i)
    },
    { allow: [/404/] },
  ))
