// `b2nd view`: a file of this machine, in the viewer.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { visit } from '../lib/browser.mjs'
import { FILES, hover, IMPORTS, settled, tells, viewer, VIEWPORT } from '../lib/viewer.mjs'

const on = viewer()
const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

/** Starts the server as the command does, and does something with the address that it prints. */
async function serving(place, work, { words = ['--no-open'], env = {} } = {}) {
  const child = spawn(process.execPath, [CLI, 'view', place, '--until-closed', ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const ended = once(child, 'exit')
  try {
    const [line] = await once(child.stdout, 'data')
    await work(String(line).trim())
  } finally {
    // As when the command ends.
    child.stdin.end()
    assert.deepEqual(await ended, [0, null])
  }
}

/** Loads the address in a browser. */
const shown = (address, work) =>
  visit(
    on.browser,
    address,
    async page => {
      await settled(page)
      await work(page)
    },
    { viewport: VIEWPORT, serviceWorkers: 'block', allow: [/Service Worker/] },
  )

test('a file is shown, and nothing else of the disk', () =>
  serving(join(FILES, 'field.b2nd'), async address => {
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/\?url=file\/field\.b2nd$/)
    await shown(address, async page => {
      assert.equal(await page.title(), 'field.b2nd – b2nd viewer')
      await hover(page, 30, 40)
      await tells(page, /^\[11, 40, 30\] = [\d.-]+$/)
    })
    const { origin } = new URL(address)
    for (const path of [
      '/file/stack.b2nd',
      '/..%2f..%2fpackage.json',
      '/file/..%2fexpected.json',
      '/file/field.b2nd/00000000.chunk',
      '/%',
    ]) {
      assert.equal((await fetch(origin + path)).status, 404, path)
    }
    const part = await fetch(`${origin}/file/field.b2nd`, { headers: { Range: 'bytes=2-5' } })
    assert.equal(part.status, 206)
    assert.equal((await part.arrayBuffer()).byteLength, 4)
  }))

for (const [name, shape] of [
  ['fortran.npy', [4, 5, 6]],
  ['colours16.png', [9, 11, 3]],
])
  test(`a file in another format: ${name}`, () =>
    serving(join(IMPORTS, name), address =>
      shown(address, async page => {
        const found = await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.shape)
        assert.deepEqual(found, shape)
      }),
    ))

test('the directory of a sparse frame', () =>
  serving(join(FILES, 'sparse.b2nd'), address =>
    shown(address, async page => {
      await hover(page, 70, 50)
      await tells(page, '[50, 70] = 5070')
    }),
  ))

test('a name that is hard to write', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'b2nd-')), 'ä & b + 100 %.b2nd')
  copyFileSync(join(FILES, 'scalar.b2nd'), path)
  return serving(path, address => shown(address, page => page.locator('.scalar', { hasText: '42.125' }).waitFor()))
})

test('a URL', () =>
  serving(on.server.url('/files/scalar.b2nd?a=1&b=2'), async address => {
    assert.match(address, /\?url=http:\/\/127\.0\.0\.1:\d+\/files\/scalar\.b2nd%3Fa%3D1%26b%3D2$/)
    await shown(address, page => page.locator('.scalar', { hasText: '42.125' }).waitFor())
  }))

test('a file that is not there', async () => {
  const child = spawn(process.execPath, [CLI, 'view', 'none.b2nd'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [[message], [code]] = await Promise.all([once(child.stderr, 'data'), once(child, 'exit')])
  assert.equal(String(message), 'b2nd: there is no none.b2nd\n')
  assert.equal(code, 2)
})

test(
  'the browser is asked for where there is one',
  { skip: process.platform !== 'linux' && 'others have other programs' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'b2nd-'))
    const [program, out] = [join(folder, 'xdg-open'), join(folder, 'asked')]
    writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > '${out}.new' && mv '${out}.new' '${out}'\n`)
    chmodSync(program, 0o755)
    const env = { PATH: `${folder}${delimiter}${process.env.PATH}`, DISPLAY: ':0', CI: '' }
    for (const without of [{ CI: '1' }, { DISPLAY: '', WAYLAND_DISPLAY: '' }]) {
      await serving(join(FILES, 'scalar.b2nd'), () => sleep(300), { words: [], env: { ...env, ...without } })
      assert.equal(existsSync(out), false)
    }
    await serving(
      join(FILES, 'scalar.b2nd'),
      async address => {
        while (!existsSync(out)) await sleep(20)
        assert.equal(readFileSync(out, 'utf8'), address)
      },
      { words: [], env },
    )
  },
)
