// Takes the pictures of the README: `node screenshots.mjs`, after the build and with the files of the tests there.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from '../test/lib/browser.mjs'
import { frames, hover, serveViewer, settled } from '../test/lib/viewer.mjs'

const PICTURES = [
  ['heatmap', 'field.b2nd&view=heatmap&index=7,0,0', 'light', page => hover(page, 90, 40)],
  ['planes', 'stack.b2nd&view=planes&map=inferno&index=12,88,92', 'dark'],
  ['statistics', 'holes.b2nd&scale=log', 'dark', async page => {
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Of the whole array' }).click()
    await page.locator('.panel .plot').waitFor()
    await frames(page)
  }],
  ['table', 'table.b2nd', 'light'],
]

const out = join(import.meta.dirname, 'screenshots')
mkdirSync(out, { recursive: true })
const [server, browser] = [await serveViewer(), await launch()]
for (const [name, link, colorScheme, work] of PICTURES) {
  const context = await browser.newContext({ viewport: { width: 960, height: 600 }, colorScheme, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(server.url(`/index.html#url=files/${link}`))
  await settled(page)
  await work?.(page)
  await page.waitForTimeout(300)
  writeFileSync(join(out, `${name}.png`), await page.screenshot())
  await context.close()
}
await browser.close()
await server.close()
