// The page and the element: size, policy, accessibility, small screens, offline.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { firstLoad } from '../../viewer/build.mjs'
import { visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { accessible, DIST, FILES, frames, hover, plot, settled, shot, tells, viewer, VIEWPORT } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on

test('the first load is small', () => {
  const { sizes, total } = firstLoad(DIST)
  console.log(
    `first load: ${(total / 1000).toFixed(1)} kB gzip: ${Object.entries(sizes)
      .map(([file, size]) => `${file} ${size}`)
      .join(', ')}`,
  )
  assert.ok(total <= 130_000, `${total} bytes`)
})

test('the page asks for little: no inline scripts, no styles in attributes', () => {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  assert.match(html, /default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'/)
  assert.doesNotMatch(html, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/)
})

test('nothing is left out of the build', () => {
  const files = readdirSync(DIST, { recursive: true })
  for (const file of [
    'index.html',
    'page.js',
    'b2nd-viewer.js',
    'worker.js',
    'decode.js',
    'rows.js',
    'page.css',
    'sw.js',
    'b2nd.wasm',
    'manifest.webmanifest',
    'icon.svg',
  ])
    assert.ok(files.includes(file), file)
  assert.ok(on.facts.field)
})

test('the element in another page', async () => {
  const page = `<!doctype html><html lang="en"><title>embedded</title><link rel="stylesheet" href="/frame.css">
    <script type="module" src="/b2nd-viewer.js"></script><b2nd-viewer src="/files/field.b2nd" state="view=line&amp;index=3,4,5"></b2nd-viewer>`
  const other = await serve({
    '/embedded.html': page,
    '/frame.css': 'body { block-size: 600px; margin: 0 }',
    '/files/': FILES,
    '/': DIST,
  })
  try {
    await visit(
      on.browser,
      other.url('/embedded.html'),
      async page => {
        await settled(page)
        assert.equal(await page.getByRole('button', { name: 'Line' }).getAttribute('aria-pressed'), 'true')
        assert.deepEqual(
          await page.evaluate(() => document.querySelector('b2nd-viewer').session.state.index),
          [3, 4, 5],
        )
        const detail = await page.evaluate(
          () =>
            new Promise(done => {
              const viewer = document.querySelector('b2nd-viewer')
              viewer.addEventListener('b2nd-state', ({ detail }) => done(detail))
              viewer.setAttribute('state', 'view=heatmap&index=7,0,0')
            }),
        )
        assert.equal(detail, 'index=7%2C0%2C0')
        await page.evaluate(() => document.querySelector('b2nd-viewer').setAttribute('src', '/files/scalar.b2nd'))
        await page.locator('.scalar', { hasText: '42.125' }).waitFor()
        const failed = await page.evaluate(
          () =>
            new Promise(done => {
              const viewer = document.querySelector('b2nd-viewer')
              viewer.addEventListener('b2nd-error', ({ detail }) => done(detail.code))
              viewer.setAttribute('src', '/frame.css')
            }),
        )
        assert.equal(failed, 'format')
      },
      { viewport: VIEWPORT },
    )
  } finally {
    await other.close()
  }
})

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

for (const [scheme, device] of [
  ['light', { viewport: VIEWPORT }],
  ['dark', { viewport: VIEWPORT }],
  ['light', PHONE],
]) {
  const { viewport } = device
  test(`axe finds nothing: ${scheme}, ${viewport.width} pixels`, () =>
    come(
      '',
      async page => {
        await accessible(page, 'welcome')
        for (const link of [
          'field.b2nd',
          'field.b2nd&view=planes',
          '../truth/hollow.b2nd&view=planes&index=2,10,10',
          '../channels/cells.b2nd&view=composite',
          'field.b2nd&view=line',
          'field.b2nd&view=table',
          'photo.b2nd',
          'labels.b2nd',
          'holes.b2nd',
          'waves.b2nd',
          'traces.b2nd',
          'table.b2nd',
          'words.b2nd&view=text',
          'scalar.b2nd',
          'sparse.b2nd/',
          '../truth/voxels.b2nd',
          '../truth/needle.b2nd',
          '../golden/blosc2-4.14.1/proxy-chunks.b2nd',
          'unknown.b2nd',
        ]) {
          await page.goto('about:blank')
          await page.goto(on.server.url(`/index.html#url=files/${link}`))
          await (link === 'unknown.b2nd' ? page.getByRole('alert').waitFor() : settled(page))
          await accessible(page, link)
          if (viewport !== VIEWPORT || scheme === 'dark')
            await shot(page, `${scheme}-${viewport.width}-${link.replace(/\W+/g, '-')}`)
        }
        for (const [key, link] of [
          ['h', 'field.b2nd'],
          ['h', '../channels/cells.b2nd&view=composite'],
          ['s', 'field.b2nd'],
          ['e', 'field.b2nd'],
          ['f', 'field.b2nd'],
          ['?', 'field.b2nd'],
        ]) {
          await page.goto('about:blank')
          await page.goto(on.server.url(`/index.html#url=files/${link}`))
          await settled(page)
          await page.keyboard.press(key)
          if (key !== 'f') await page.locator(key === '?' ? 'dialog' : '.panel').waitFor()
          await frames(page)
          if (key === 's') {
            await page.getByRole('button', { name: 'Of what is shown' }).click()
            await page.locator('.numbers').waitFor()
          }
          await accessible(page, `panel ${key} of ${link}`)
          await shot(page, `${scheme}-${viewport.width}-panel-${key}-${link.replace(/\W+/g, '-')}`)
        }
      },
      { colorScheme: scheme, ...device },
    ))
}

test('on a phone', () =>
  come(
    '#url=files/field.b2nd',
    async page => {
      await settled(page)
      assert.equal(await page.locator('.facts').isVisible(), false)
      await shot(page, 'phone')
      // Nothing is wider than the screen.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      const { width, height } = await plot(page).boundingBox()
      assert.ok(width > 250 && height > 250, `${width} × ${height}`)
      await plot(page).tap()
      await tells(page, /^\[11, \d+, \d+\] = /)
      await page.getByRole('button', { name: 'one on' }).tap()
      assert.equal(await page.getByLabel('index along axis 0').inputValue(), '12')
      await page.getByRole('button', { name: 'Info' }).tap()
      await page.getByText('Temperature over a day').waitFor()
      await page.getByRole('button', { name: 'Info' }).tap()
      await page.getByRole('button', { name: 'Statistics' }).tap()
      await page.getByRole('button', { name: 'Of what is shown' }).tap()
      await page.locator('.numbers').waitFor()
    },
    PHONE,
  ))

test('in a small window the page leaves space for the picture', () =>
  come(
    '#url=files/field.b2nd',
    async page => {
      await settled(page)
      const { height } = await plot(page).boundingBox()
      assert.ok(height > 90, `${height}`)
      const status = await page.locator('.status').boundingBox()
      assert.ok(status.y < 230, `${status.y}`)
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    },
    { viewport: { width: 320, height: 240 } },
  ))

test('in a small window several lines leave space for themselves', () =>
  come(
    '#url=files/traces.b2nd&view=line&x=1&y=0&lines=0,1,2,3,4,5',
    async page => {
      await settled(page)
      const { height } = await plot(page).boundingBox()
      assert.ok(height > 60, `${height}`)
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    },
    { viewport: { width: 320, height: 240 } },
  ))

test('offline after the first visit', async () => {
  const origin = await serve({ '/': DIST })
  const url = origin.url('/index.html')
  try {
    await visit(
      on.browser,
      url,
      async page => {
        await page.evaluate(() => navigator.serviceWorker.ready)
        await page.waitForFunction(() => navigator.serviceWorker.controller)
        await page.context().setOffline(true)
        await origin.close()
        await page.goto(`${url}#url=examples/stack.b2nd`)
        await page.reload()
        await settled(page)
        await hover(page, 50, 60)
        await tells(page, /^\[11, 60, 50\] = \d+$/)
        await shot(page, 'offline')
      },
      { viewport: VIEWPORT },
    )
  } finally {
    await origin.close().catch(() => {})
  }
})
