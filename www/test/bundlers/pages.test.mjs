// Pages built by bundlers decode in the page and in workers, under the policies that the README names.

import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { launch, visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { BUNDLERS } from './pages.mjs'
import { app, EXPECTED, FILE, project } from './project.mjs'

const page = workers => `<!doctype html><title>b2nd</title>
  <meta http-equiv="Content-Security-Policy" content="script-src 'self' 'wasm-unsafe-eval'; worker-src ${workers}">
  <script type="module" src="./app.js"></script>`
const STRICT = page("'self'")
const NAMES = ['NDArray', 'Pool', 'B2ndError', 'B2ndError']
let browser

before(async () => (browser = await launch()))
after(() => browser?.close())

/** What `read` of the page's script finds, and where its workers come from. */
const read = (url, options, allow = []) =>
  visit(
    browser,
    url,
    async page => {
      const workers = []
      page.on('worker', worker => workers.push(new URL(worker.url()).protocol))
      await page.waitForFunction(() => globalThis.read)
      return { ...(await page.evaluate(options => read('/file', options), options)), workers }
    },
    { allow },
  )

for (const [name, { build, finds, html, settings }] of Object.entries(BUNDLERS)) {
  describe(name, () => {
    let folder, server
    before(async () => {
      const files = { 'app.js': await app('page.js'), 'own.js': "import 'b2nd/worker'", 'index.html': STRICT }
      folder = await project(`page-${name.replaceAll(' ', '-')}`, files, settings)
      await build(folder)
      const strict = html ? await readFile(join(folder, 'dist/index.html')) : STRICT
      server = await serve({
        '/file': FILE,
        '/strict.html': strict,
        '/blob.html': page("'self' blob:"),
        '/': join(folder, 'dist'),
      })
    })
    after(() => server?.close())

    const beside = file => cp(join(folder, 'node_modules/b2nd/dist', file), join(folder, 'dist', file))

    test('b2nd', async () => {
      assert.deepEqual(await read(server.url('/strict.html'), {}), { data: EXPECTED, names: NAMES, workers: [] })
    })

    test('b2nd/external', async () => {
      if (!finds) for (const file of ['b2nd.wasm', 'b2nd.scalar.wasm']) await beside(file)
      const { data } = await read(server.url('/strict.html'), { entry: 'b2nd/external' })
      assert.deepEqual(data, EXPECTED)
    })

    if (finds)
      test('b2nd/worker in a worker of the application', async () => {
        const { data, workers } = await read(server.url('/strict.html'), { size: 1, own: true })
        assert.deepEqual({ data, workers }, { data: EXPECTED, workers: ['http:'] })
      })

    if (!finds)
      test('b2nd/pool, the worker in the script', async () => {
        const { data, workers } = await read(server.url('/blob.html'), { size: 2 }, [/status of 404/])
        assert.deepEqual(data, EXPECTED)
        assert.equal(workers.filter(protocol => protocol === 'blob:').length, 2)
      })

    test('b2nd/pool, the worker in a file', async () => {
      if (!finds) await beside('b2nd.worker.js')
      const { data, workers } = await read(server.url('/strict.html'), { size: 2 })
      assert.deepEqual({ data, workers }, { data: EXPECTED, workers: ['http:', 'http:'] })
    })
  })
}
