// Pages that bundlers make: they decode here, and in workers wherever these come from.
import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openArray } from 'b2nd'
import { launch, visit } from '../lib/browser.mjs'
import { cases } from '../lib/golden.mjs'
import { serve } from '../lib/server.mjs'
import { BUILDS } from './builds.mjs'
import { project } from './project.mjs'

const FILE = await readFile(cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd').path)
const EXPECTED = [...(await (await openArray(FILE)).get([null, null, 3])).data]
const PAGE = policy => `<!doctype html><title>b2nd</title>
  <meta http-equiv="Content-Security-Policy" content="${policy}"><script type="module" src="./app.js"></script>`
/** The strictest policy that each form of the worker runs with. */
const POLICIES = {
  file: "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'",
  inside: "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:",
}
let browser

before(async () => (browser = await launch()))
after(() => browser?.close())

for (const [name, { build, workers, beside = [], settings }] of Object.entries(BUILDS)) {
  describe(name, () => {
    let server
    before(async () => {
      const app = await readFile(join(import.meta.dirname, 'apps/browser.js'))
      const folder = await project(`browser-${name}`, { 'app.js': app, 'index.html': PAGE(POLICIES[workers]) }, settings)
      await build(folder)
      for (const file of beside) await cp(join(folder, 'node_modules/b2nd/dist', file), join(folder, 'dist', file))
      const made = name === 'vite' || name.startsWith('parcel') ? await readFile(join(folder, 'dist/index.html')) : PAGE(POLICIES[workers])
      server = await serve({ '/file': FILE, '/index.html': made, '/': join(folder, 'dist') })
    })
    after(() => server?.close())

    /** What a page reads, and the addresses of its workers. */
    const read = options => visit(browser, server.url('/index.html'), async page => {
      const addresses = new Set()
      page.on('worker', worker => addresses.add(new URL(worker.url()).protocol))
      await page.waitForFunction(() => globalThis.read)
      return { ...await page.evaluate(options => read('/file', options), options), addresses: [...addresses] }
    }, { allow: workers === 'inside' ? [/status of 404/] : [] })

    for (const entry of ['b2nd', 'b2nd/external']) {
      test(entry, async () => {
        assert.deepEqual(await read({ entry }), { data: EXPECTED, ran: 0, ours: true, name: 'B2ndError', addresses: [] })
      })
    }
    test('b2nd/pool', async () => {
      const { data, ran, addresses } = await read({ workers: 2 })
      assert.deepEqual({ data, ran }, { data: EXPECTED, ran: 2 })
      assert.deepEqual(addresses.at(-1), { file: 'http:', inside: 'blob:' }[workers])
    })
  })
}
