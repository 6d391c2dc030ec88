// What people read when a file cannot be opened, and what they can do about it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hover, says, settled, shot, tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come, see } = on
const LOUD = { allow: [/status of \d+/, /ERR_/, /Failed to load/] }

/** Opens an address that the server answers as `answer` says. */
async function openAnswered(page, name, answer) {
  await page.route(`**/${name}`, answer)
  await page.getByLabel('URL').fill(on.server.url(`/files/${name}`))
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

const alert = page => page.getByRole('alert').first()

for (const [status, words] of [
  [500, /The server failed/],
  [403, /password or a login/],
  [404, /no such file/],
  [503, /busy/],
]) {
  test(`HTTP ${status} in words of its own`, () =>
    come(
      '',
      async page => {
        await openAnswered(page, 'answer.b2nd', route =>
          route.fulfill({ status, body: 'no', headers: { 'retry-after': '3600' } }),
        )
        await alert(page).waitFor()
        const text = await alert(page).innerText()
        assert.match(text, words)
        assert.equal(/password/.test(text), status === 403, text)
        // An address is written as it is.
        assert.doesNotMatch(text, /Http:/)
        assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), status === 404 ? 0 : 1)
      },
      LOUD,
    ))
}

test('a connection that breaks is no matter of CORS, and Retry opens the file', () =>
  see(
    'scalar.b2nd',
    async page => {
      on.server.manner = 'truncated'
      try {
        await page.getByLabel('URL').fill(on.server.url('/files/field.b2nd'))
        await page.getByRole('button', { name: 'Open', exact: true }).click()
        await alert(page).waitFor()
      } finally {
        on.server.manner = 'good'
      }
      const text = await alert(page).innerText()
      assert.match(text, /The connection broke/)
      assert.doesNotMatch(text, /Access-Control/)
      await page.getByRole('button', { name: 'Retry' }).click()
      await settled(page)
      assert.equal(await page.title(), 'field.b2nd – b2nd viewer')
    },
    LOUD,
  ))

test('an error is shown also if advice cannot be loaded, and another file opens', () =>
  come(
    '',
    async page => {
      await page.route('**/part-*.js', route => route.abort())
      await openAnswered(page, 'answer.b2nd', route => route.fulfill({ status: 500, body: 'no' }))
      await alert(page).waitFor()
      assert.match(await alert(page).innerText(), /Something went wrong[^]*500/)
      await page.unrouteAll()
      await page.getByLabel('URL').fill(on.server.url('/files/field.b2nd'))
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await settled(page)
    },
    LOUD,
  ))

/** An archive with an empty file `a`. */
const ZIP = [
  ['PK\x03\x04\x14\0', 20, '\x01\0', 2, 'a'],
  ['PK\x01\x02\x14\0\x14\0', 20, '\x01\0', 16, 'a'],
  ['PK\x05\x06', 4, '\x01\0\x01\0\x2f\0\0\0\x1f\0\0\0', 2],
]
  .flat()
  .map(part => (typeof part === 'number' ? '\0'.repeat(part) : part))
  .join('')

test('a page to log in, and other files that are none of ours', () =>
  come('', async page => {
    for (const [body, words] of [
      ['<!doctype html><title>Log in</title>', /This is a web page, not a file/],
      ['version https://git-lfs.github.com/spec/v1\noid sha256:0\n', /pointer of Git LFS/],
      ['\x89HDF\r\n\x1a\n', /This is an HDF5 file/],
      ['PK\x03\x04 and something', /The archive ends too early/],
      [ZIP, /This is a ZIP archive/],
      ['', /This file is empty/],
    ]) {
      const answer = route => route.fulfill({ status: 200, body: Buffer.from(body && body.padEnd(60), 'latin1') })
      await openAnswered(page, 'other.b2nd', answer)
      await alert(page).filter({ hasText: words }).waitFor()
      await page.getByRole('button', { name: 'close other.b2nd' }).click()
    }
  }))

test('a server that hangs can be left', () =>
  come('', async page => {
    await openAnswered(page, 'field.b2nd', () => {})
    await page.getByText('Opening field.b2nd').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await alert(page).filter({ hasText: 'Cancelled' }).waitFor()
    await page.unroute('**/field.b2nd')
    await page.getByRole('button', { name: 'Retry' }).click()
    await settled(page)
  }))

test('a read that hangs can be left', () =>
  see('big.b2nd', async page => {
    await page.evaluate(() => document.querySelector('b2nd-viewer').session.go(0, 100))
    await settled(page)
    // The first byte of what comes next never arrives.
    await page.route('**/big.b2nd', () => {})
    await page.evaluate(() => document.querySelector('b2nd-viewer').session.go(0, 300))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await alert(page).filter({ hasText: 'Cancelled' }).waitFor()
    await shot(page, 'cancelled')
    await page.unroute('**/big.b2nd')
    await page.getByRole('button', { name: 'Retry' }).click()
    await settled(page)
    await hover(page, 100, 200)
    await tells(page, /^\[300, 200, 100\] = -?\d+$/)
  }))

test('addresses that are none, and names that are no UTF-8', async () => {
  await come('', async page => {
    await page.getByLabel('URL').fill('http://[bad')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await says(alert(page), /“http:\/\/\[bad” is not an address/)
  })
  await come('#url=http://[bad', page => alert(page).filter({ hasText: 'is not an address' }).waitFor())
  await come(
    '',
    async page => {
      await openAnswered(page, '100%zz.b2nd', route => route.fulfill({ status: 404 }))
      await alert(page).filter({ hasText: 'There is no such file' }).waitFor()
      assert.equal(await page.title(), '100%zz.b2nd – b2nd viewer')
    },
    LOUD,
  )
  await come('', async page => {
    await page.evaluate(() => {
      const viewer = document.querySelector('b2nd-viewer')
      viewer.hidden = false
      viewer.setAttribute('src', 'http://[bad')
    })
    await alert(page)
      .filter({ hasText: /not a URL/ })
      .waitFor()
  })
})
