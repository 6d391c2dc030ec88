// The built viewer on a server of its own, the files that it is tried with, and hands to use it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { site } from './browser.mjs'
import { serve } from './server.mjs'

const www = join(import.meta.dirname, '..', '..')
export const DIST = join(www, 'dist', 'viewer')
const SCRIPT = join(www, 'viewer', 'files.py')
/** Below target, as all that is made. */
const HOME = join(www, '..', 'target', 'viewer')
/** Named by the script that made them: what is there is right, and never taken away below somebody who reads it. */
const madeBy = (script, name) =>
  join(HOME, `${name}-${createHash('sha256').update(readFileSync(script)).digest('hex').slice(0, 12)}`)
export const FILES = madeBy(SCRIPT, 'files')
/** Arrays of which a viewer easily shows too little. */
const TRUTH_SCRIPT = join(www, 'test', 'truth_files.py')
export const TRUTH = madeBy(TRUTH_SCRIPT, 'truth')
/** Arrays with an axis of channels. */
const CHANNELS_SCRIPT = join(www, 'test', 'channel_files.py')
export const CHANNELS = madeBy(CHANNELS_SCRIPT, 'channels')
/** Images with segmentations. */
const LABELS_SCRIPT = join(www, 'test', 'label_files.py')
export const LABELS = madeBy(LABELS_SCRIPT, 'labels')
/** A table of many rows. */
const TABLES_SCRIPT = join(www, 'test', 'table_files.py')
export const TABLES = madeBy(TABLES_SCRIPT, 'tables')
/** Images with smaller copies. */
const LEVELS_SCRIPT = join(www, 'test', 'level_files.py')
export const LEVELS = madeBy(LEVELS_SCRIPT, 'levels')
/** Arrays in other formats. */
const IMPORTS_SCRIPT = join(www, 'test', 'import_files.py')
export const IMPORTS = madeBy(IMPORTS_SCRIPT, 'imports')
export const GOLDEN = process.env.B2ND_GOLDEN ?? join(www, '..', 'tests', 'golden')
export const SHOTS = join(HOME, 'shots')
export const VIEWPORT = { width: 1200, height: 760 }

/** What the tests of a file have in common: a browser, a server, what is in its files, and ways to look at them. */
export function viewer() {
  const on = site(async () => {
    const server = await serveViewer()
    // Not in a hook of its own: those of a file start all at once.
    on.facts = JSON.parse(readFileSync(join(FILES, 'expected.json'), 'utf8'))
    return server
  })
  /**
   * Does something with the page; `place` is what comes behind its path. `layer` lets the graphics processor paint large planes: else
   * the canvas of a picture has all of it.
   */
  on.come = (place, work, { allow = [], layer = false, ...options } = {}) =>
    on.visit(`/index.html${place}`, work, {
      viewport: VIEWPORT,
      serviceWorkers: 'block',
      allow: [/Service Worker registration blocked/, /GPU stall due to ReadPixels/, ...allow],
      init: layer ? asGraphicsProcessor : withoutLayers,
      ...options,
    })
  /** The same with a file, once it is shown. */
  on.see = (file, work, options) =>
    on.come(
      `#url=files/${file}`,
      async page => {
        await settled(page)
        await work(page)
      },
      options,
    )
  return on
}

/** A browser without WebGL. */
function withoutLayers() {
  const own = Reflect.get(HTMLCanvasElement.prototype, 'getContext')
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind === 'webgl2' ? null : own.call(this, kind, ...rest)
  }
}

/** A browser whose WebGL, which the processor computes here, is called that of a graphics processor. */
function asGraphicsProcessor() {
  const own = Reflect.get(WebGL2RenderingContext.prototype, 'getParameter')
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    const info = this.getExtension('WEBGL_debug_renderer_info')
    return name === info?.UNMASKED_RENDERER_WEBGL ? 'a graphics processor' : own.call(this, name)
  }
}

/** Makes the files, unless they are there, and serves them beside the viewer. */
export async function serveViewer() {
  prepareFiles()
  return serve({
    '/files/': FILES,
    '/truth/': TRUTH,
    '/channels/': CHANNELS,
    '/labels/': LABELS,
    '/tables/': TABLES,
    '/levels/': LEVELS,
    '/imports/': IMPORTS,
    '/golden/': GOLDEN,
    '/': DIST,
    '/index': readFileSync(join(DIST, 'index.html')),
  })
}

/** Makes the files, unless they are there. */
export function prepareFiles() {
  mkdirSync(SHOTS, { recursive: true })
  makeFiles(FILES, SCRIPT, '--big')
  makeFiles(TRUTH, TRUTH_SCRIPT)
  makeFiles(CHANNELS, CHANNELS_SCRIPT)
  makeFiles(LABELS, LABELS_SCRIPT)
  makeFiles(TABLES, TABLES_SCRIPT)
  makeFiles(LEVELS, LEVELS_SCRIPT)
  makeFiles(IMPORTS, IMPORTS_SCRIPT)
}

/** Somebody else may do the same at the same time: whoever is first wins. */
function makeFiles(folder, script, ...options) {
  if (existsSync(folder)) return
  const draft = mkdtempSync(join(HOME, 'draft-'))
  try {
    // `cargo xtask test` says which: one that has python-blosc2.
    execFileSync(process.env.B2ND_PYTHON ?? 'python3', [script, draft, ...options], { stdio: 'inherit' })
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

export const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`) })

/** Waits until the view has drawn what it is to show, with what the file tells of its axes and chunks. */
export async function settled(page) {
  await frames(page)
  await page.waitForFunction(() => {
    const viewer = document.querySelector('b2nd-viewer')
    return (
      viewer?.session?.shown.length >= viewer?.session?.dataset.shape.length &&
      viewer.stage.element.getAttribute('aria-busy') !== 'true' &&
      !viewer.stage.facts.element.hasAttribute('aria-busy')
    )
  })
  await frames(page)
}

/** Two frames: what is to be drawn has been. */
export const frames = page =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Changes the view by a link, as somebody would who follows one. */
export async function look(page, parameters) {
  await page.evaluate(parameters => (document.querySelector('b2nd-viewer').state = parameters), parameters)
  await settled(page)
}

/**
 * Waits until an element has a text, or several have a list of texts, as they are in the page or as they look. Fails with what
 * is there instead.
 */
export async function says(place, expected) {
  const reads = Array.isArray(expected)
    ? [() => place.allTextContents(), () => place.allInnerTexts()]
    : [() => place.textContent(), () => place.innerText()]
  const fits = text => (expected instanceof RegExp ? expected.test(text) : isDeepStrictEqual(text, expected))
  let texts
  for (const end = Date.now() + PATIENCE; ; await sleep(20)) {
    texts = await Promise.all(reads.map(read => read()))
    if (texts.some(fits)) return
    if (Date.now() > end) break
  }
  if (expected instanceof RegExp) assert.match(texts[1], expected)
  else assert.deepEqual(texts[1], expected)
}

/** Milliseconds in which a text has to be there. */
const PATIENCE = 20_000

/** The same, of the line of status. */
export const tells = (page, expected) => says(page.locator('.readout'), expected)

/** What the line of status says, once the value is there. */
export async function readout(page) {
  const line = page.locator('.readout')
  for (;;) {
    const text = await line.textContent()
    if (!/(^|= )…$/.test(text)) return text
    await frames(page)
  }
}

/** The value in what the line of status says. */
export const valueIn = text => text.slice(text.indexOf('] = ') + 4)

export const plot = page => page.locator('.view .plot').first()

/** What is shown, as the session knows it. */
export const stateOf = (page, name) =>
  page.evaluate(name => document.querySelector('b2nd-viewer').session.state[name], name)

/** Numbers in different spellings are the same. */
export function same(text, value) {
  if (typeof value === 'number') assert.equal(Number(text), value)
  else if (Array.isArray(value))
    assert.deepEqual(
      text
        .replaceAll(' ', '')
        .match(/^(-?[\d.e-]+?)([+-][\d.e-]+)j$/)
        .slice(1)
        .map(Number)
        .map(Math.fround),
      value.map(Math.fround),
    )
  else assert.equal(text, { true: 'True', false: 'False' }[value] ?? String(value))
}

/** Chooses files as in a browser that has no handles. */
export async function choose(page, button, files) {
  await page.evaluate(() => {
    delete globalThis.showOpenFilePicker
    delete globalThis.showDirectoryPicker
  })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(files)
}

/** Moves the mouse to an item of a picture. */
export async function hover(page, x, y, plane = 0) {
  // A panel that was just opened narrows the canvas at once, and the picture in it with the next frame.
  await frames(page)
  const [left, top] = await page.evaluate(
    ([x, y, plane]) => {
      const { view } = document.querySelector('b2nd-viewer').stage
      const picture = view.picture ?? view.pictures[plane]
      const box = picture.canvas.getBoundingClientRect()
      const [left, top] = picture.fromItems(x + 0.5, y + 0.5)
      return [box.left + left, box.top + top]
    },
    [x, y, plane],
  )
  await page.mouse.move(left, top)
  await frames(page)
}

/** The colour of an item of a picture, as [red, green, blue]. */
export function colour(page, x, y) {
  return page.evaluate(
    ([x, y]) => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      const [left, top] = picture.fromItems(x + 0.5, y + 0.5)
      const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
      copy.drawImage(picture.canvas, -Math.floor(left * devicePixelRatio), -Math.floor(top * devicePixelRatio))
      return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3)
    },
    [x, y],
  )
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Axe finds nothing on a page. */
export async function accessible(page, what) {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`).join('; ')}`,
    )
  })
  assert.deepEqual(violations, [], what)
}
