// Servers: workerd and edge routes, which forbid compiling at run time, pages of Next.js, and the development server of Vite.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { launch, visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { app, ENV, EXPECTED, FILE, project, run, TOOLS, where } from './project.mjs'

const ANSWER = { data: EXPECTED, external: EXPECTED, entries: ['function', 'function', 'function'] }
const OWN = "import 'b2nd/worker'"
/** Browsers ask for no other. */
const ICON = '<link rel="icon" href="data:," />'
let server

before(async () => (server = await serve({ '/file': FILE })))
after(() => server?.close())

/** What a server that runs apps/server.js answers. */
async function ask(origin, path) {
  const response = await fetch(new URL(`${path}?url=${server.url('/file')}`, origin))
  return response.json()
}

/** Starts a server, and waits until it has said something that `pattern` matches; hands back the match. */
async function start(folder, program, args, pattern) {
  const child = spawn(where(program), args, { cwd: folder, env: ENV })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', text => (said += text))
  // What has said something else until then fails with it.
  const timer = setTimeout(() => child.kill(), 60_000)
  const match = await new Promise((resolve, reject) => {
    child.stdout.on('data', () => pattern.test(said) && resolve(pattern.exec(said)))
    child.on('exit', () => reject(new Error(said)))
  })
  clearTimeout(timer)
  return { child, match }
}

/** Reads in a page by each entry, and in workers. */
async function readInPage(origin) {
  const browser = await launch()
  try {
    await visit(browser, origin, async page => {
      const workers = []
      page.on('worker', worker => workers.push(new URL(worker.url()).protocol))
      await page.waitForFunction(() => globalThis.read)
      for (const options of [{}, { entry: 'b2nd/external' }, { size: 2 }, { size: 1, own: true }]) {
        const { data } = await page.evaluate(([url, options]) => read(url, options), [server.url('/file'), options])
        assert.deepEqual(data, EXPECTED)
      }
      assert.deepEqual(workers, ['http:', 'http:', 'http:'])
    })
  } finally {
    await browser.close()
  }
}

describe('workerd', () => {
  const CONFIG = `
    using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
      sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
    );
    const worker :Workerd.Worker = (
      modules = [
        (name = "app.js", esModule = embed "dist/app.js"),
        (name = "b2nd.wasm", wasm = embed "node_modules/b2nd/dist/b2nd.wasm"),
        (name = "codecs.wasm", wasm = embed "node_modules/b2nd/dist/codecs.wasm"),
        (name = "zarr.wasm", wasm = embed "node_modules/b2nd/dist/zarr.wasm"),
        (name = "zfp.wasm", wasm = embed "node_modules/b2nd/dist/zfp.wasm"),
        (name = "expression.wasm", wasm = embed "node_modules/b2nd/dist/expression.wasm"),
        (name = "write.wasm", wasm = embed "node_modules/b2nd/dist/write.wasm"),
      ],
      compatibilityDate = "2026-01-01",
    );`
  let child, origin
  before(async () => {
    const main = "import { answer } from './server.js'\nexport default { fetch: answer }"
    const folder = await project('workerd', {
      'server.js': await app('server.js'),
      'app.js': main,
      'config.capnp': CONFIG,
    })
    // As Cloudflare's own tool does: a module for each wasm.
    const conditions = ['--conditions=workerd,worker,browser', '--external:*.wasm']
    await run(folder, 'esbuild', ['app.js', '--bundle', '--format=esm', '--outdir=dist', ...conditions])
    const started = await start(folder, 'workerd', ['serve', 'config.capnp', '--control-fd=1'], /"port":(\d+)/)
    child = started.child
    origin = `http://127.0.0.1:${started.match[1]}`
  })
  after(() => child?.kill())

  test('all entries', async () => assert.deepEqual(await ask(origin, '/'), ANSWER))
})

describe('Next.js', () => {
  let child, origin
  before(async () => {
    const folder = await project('next', {
      'next.config.js': `export default { turbopack: { root: ${JSON.stringify(TOOLS)} } }`,
      'lib/page.js': await app('page.js'),
      'lib/own.js': OWN,
      'lib/server.js': await app('server.js'),
      'app/layout.js': `export default ({ children }) => <html><head>${ICON}</head><body>{children}</body></html>`,
      'app/page.js': "'use client'\nimport '../lib/page.js'\nexport default () => <p>b2nd</p>",
      'app/edge/route.js': "export { answer as GET } from '../../lib/server.js'\nexport const runtime = 'edge'",
      'app/node/route.js': "export { answer as GET } from '../../lib/server.js'",
    })
    await run(folder, 'next', ['build'])
    const started = await start(folder, 'next', ['start', '--hostname=127.0.0.1', '--port=0'], /(http:\S+)[^]*Ready/)
    child = started.child
    origin = started.match[1]
  })
  after(() => child?.kill())

  test('a route at the edge', async () => assert.deepEqual(await ask(origin, '/edge'), ANSWER))

  test('a route in Node.js', async () => assert.deepEqual(await ask(origin, '/node'), ANSWER))

  test('a page', () => readInPage(origin))
})

describe('Vite', () => {
  let child, origin
  before(async () => {
    const page = `<!doctype html><title>b2nd</title>${ICON}<script type="module" src="app.js"></script>`
    const folder = await project('vite', { 'app.js': await app('page.js'), 'own.js': OWN, 'index.html': page })
    const started = await start(folder, 'vite', ['--host=127.0.0.1', '--logLevel=info'], /(http:\S+:\d+\/)/)
    child = started.child
    origin = started.match[1]
  })
  after(() => child?.kill())

  test('a page', () => readInPage(origin))
})
