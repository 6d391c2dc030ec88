// Takes the screenshots for the READMEs: `node screenshots.mjs`, or those of some names. Needs the build and the test files. That of an
// editor, `vscode.png`, is taken by hand.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from '../test/lib/browser.mjs'
import { frames, hover, serveViewer, settled } from '../test/lib/viewer.mjs'

const PICTURES = [
  ['heatmap', 'field.b2nd&view=heatmap&index=7,0,0', 'light', 740, informed],
  ['planes', 'stack.b2nd&view=planes&map=inferno&index=12,88,92', 'dark', 700],
  [
    'statistics',
    'holes.b2nd&scale=log',
    'dark',
    710,
    async page => {
      await page.keyboard.press('s')
      await page.getByRole('button', { name: 'Of the whole array' }).click()
      await page.locator('.panel .plot').waitFor()
      await frames(page)
    },
  ],
  [
    'composite',
    'tissue.b2nd&view=composite&z=0&index=0,3,0,0&channels=_200_3200,0080ff_200_2800,ffff00_300_2600',
    'dark',
    760,
    async page => {
      await page.keyboard.press('h')
      await page.locator('.channel').nth(2).waitFor()
      await hover(page, 150, 110)
    },
  ],
  [
    'labels',
    'labels/case.b2nd&map=grey&index=0,6,28,34',
    'light',
    720,
    async page => {
      await page.keyboard.press('b')
      await page.getByRole('button', { name: 'Count all' }).click()
      await page.getByText('Counts of the whole array.').waitFor()
      await hover(page, 34, 30)
    },
  ],
  ['table', 'table.b2nd', 'light', 500],
  [
    'rows',
    'tables/many.b2z',
    'light',
    720,
    async page => {
      await page.getByRole('button', { name: 'Statistics' }).click()
      await page.getByLabel('statistics of').selectOption({ label: 'share' })
      await page.locator('.records .panel:not([aria-busy]) .plot:visible').waitFor()
    },
  ],
  [
    'compare',
    'warmer.b2nd&view=heatmap',
    'light',
    560,
    async page => {
      await page.getByLabel('URL').fill(`${PLACE}field.b2nd`)
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await settled(page)
      await page.getByRole('button', { name: 'warmer.b2nd', exact: true }).click()
      await settled(page)
      await page.getByLabel('compare with').selectOption('field.b2nd')
      await page.waitForFunction(() => document.querySelectorAll('b2nd-viewer')[2]?.session?.shown.length === 3)
    },
  ],
  [
    'line',
    'signal.b2nd&window=38000,52000,0,1',
    'light',
    500,
    page => page.locator('.view .plot').hover({ position: { x: 400, y: 200 } }),
  ],
]

/** What is told about the file is beside the picture. */
async function informed(page) {
  await page.keyboard.press('f')
  await frames(page)
  await hover(page, 90, 40)
}

const PLACE = 'https://data.example.org/'
const wanted = process.argv.slice(2)

const out = join(import.meta.dirname, 'screenshots')
mkdirSync(out, { recursive: true })
const [server, browser] = [await serveViewer(), await launch()]
for (const [name, link, colorScheme, height, work] of PICTURES) {
  if (wanted.length && !wanted.includes(name)) continue
  const context = await browser.newContext({ viewport: { width: 1080, height }, colorScheme, serviceWorkers: 'block' })
  const page = await context.newPage()
  // A constant address, so that the pictures are reproducible.
  await page.route(`${PLACE}**`, async route => {
    const place = route.request().url().slice(PLACE.length)
    const url = server.url(place.includes('/') ? `/${place}` : `/files/${place}`)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await page.goto(server.url(`/index.html#url=${PLACE}${link}`))
  if (link.includes('.b2z')) await page.locator('.records tbody tr').first().waitFor()
  else await settled(page)
  await work?.(page)
  await page.waitForTimeout(300)
  writeFileSync(join(out, `${name}.png`), await page.screenshot())
  await context.close()
}
await browser.close()
await server.close()
