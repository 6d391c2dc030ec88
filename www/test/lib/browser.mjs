// Chromium for tests. A page fails its test if it reports an error.

import { after, before } from 'node:test'
import { chromium, errors } from 'playwright-core'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser that remembers nothing: each start has a folder of its own for what it keeps, and takes it away. */
export function launch() {
  // `cargo xtask test` says which program.
  const executablePath = process.env.B2ND_CHROMIUM ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: FLAGS })
}

/** What the tests of a file have in common: a browser, and the server that `serve` starts. Both are there once tests run. */
export function site(serve) {
  const on = {}
  before(async () => {
    on.browser = await launch()
    on.server = await serve()
  })
  after(async () => {
    await on.browser?.close()
    await on.server?.close()
  })
  /** As `visit` below, a page of the server. */
  on.visit = (path, work, options) => visit(on.browser, on.server.url(path), work, options)
  return on
}

/** Notes of the graphics driver on its own speed, as when the browser takes a picture of the page. */
const DRIVER = /GL Driver Message \(OpenGL, Performance/

/**
 * Opens `url` in a page, lets `work` do something with it, and closes it. Fails on errors that nobody caught, on
 * `console.error` and on `console.warn`, unless one of the patterns in `allow` matches the message. After a wait in vain,
 * or when `work` takes more than `patience` milliseconds, the error's message has what was on the page instead. `init` runs in the
 * page before its scripts.
 */
export async function visit(browser, url, work = () => {}, { allow = [], patience = 180_000, init, ...options } = {}) {
  const context = await browser.newContext(options)
  const complaints = []
  const complain = text => {
    if (![DRIVER, ...allow].some(pattern => pattern.test(text))) complaints.push(text)
  }
  const page = await context.newPage()
  try {
    page.on('console', message => {
      const { url = '', lineNumber = 0 } = message.location()
      if (['error', 'warning'].includes(message.type())) complain(`${message.text()} (${url}:${lineNumber})`)
    })
    page.on('pageerror', error => complain(error.stack ?? String(error)))
    page.on('crash', () => complain('the page crashed'))
    nameConditions(page)
    if (init) await page.addInitScript(init)
    await page.goto(url)
    const result = await within(patience, work(page))
    // Messages that were sent before this come before its answer.
    await page.evaluate(() => new Promise(done => setTimeout(done)))
    if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`)
    return result
  } catch (error) {
    // Why it failed is often what it complained about.
    if (complaints.length > 0) error.complaints = complaints
    if (error instanceof errors.TimeoutError)
      throw new Error(`${error.message}\n${await present(page)}`, { cause: error })
    throw error
  } finally {
    await context.close()
  }
}

/** Playwright's errors name the selector that was waited for. Here they name a condition, too. */
function nameConditions(page) {
  const wait = page.waitForFunction.bind(page)
  page.waitForFunction = (condition, ...rest) =>
    wait(condition, ...rest).catch(error => {
      error.message += ` Waiting for ${condition}`
      throw error
    })
}

async function within(milliseconds, work) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new errors.TimeoutError(`The test had ${milliseconds} ms.`)), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** The page as an assistive program finds it, shadow trees included. */
async function present(page) {
  const tree = await page
    .locator('body')
    .ariaSnapshot({ timeout: 2000 })
    .catch(error => error.message)
  return `Instead, ${page.url()} has:\n${tree.slice(0, 5000)}`
}
