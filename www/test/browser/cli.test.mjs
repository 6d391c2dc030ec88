// `b2nd view` in a browser: the page that the command serves.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { launch, visit } from '../lib/browser.mjs'
import { FOLDER } from '../lib/golden.mjs'

test('b2nd view shows the file', async () => {
  const sample = join(FOLDER, 'blosc2-4.14.1/sample.b2nd')
  const server = spawn(process.execPath, [join(import.meta.dirname, '../../dist/cli.js'), 'view', sample, '--no-open'])
  const browser = await launch()
  try {
    const address = await new Promise(resolve => server.stdout.once('data', text => resolve(String(text).trim())))
    await visit(browser, address, async page => {
      await page.locator('b2nd-viewer .view .plot').first().waitFor()
    })
  } finally {
    await browser.close()
    server.kill()
  }
})
