// The built viewer on a server of its own, the files that it is tried with, and hands to use it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from './server.mjs'

const www = join(import.meta.dirname, '..', '..')
const BUILT = join(www, 'dist', 'viewer')
const SCRIPT = join(www, 'viewer', 'files.py')
/** Below target, as all that is made. */
const HOME = process.env.B2ND_VIEWER_FILES ?? join(www, '..', 'target', 'viewer')
export const FILES = join(HOME, 'files')
export const GOLDEN = process.env.B2ND_GOLDEN ?? join(www, '..', 'tests', 'golden')
export const SHOTS = join(HOME, 'shots')

/** Makes the files, unless they are there and newer than their script, and serves them beside the viewer. */
export async function serveViewer() {
  mkdirSync(SHOTS, { recursive: true })
  const made = join(FILES, 'expected.json')
  if (!existsSync(made) || statSync(made).mtimeMs < statSync(SCRIPT).mtimeMs) {
    // `cargo xtask test` says which: one that has python-blosc2.
    execFileSync(process.env.B2ND_PYTHON ?? 'python3', [SCRIPT, FILES, '--big'], { stdio: 'inherit' })
  }
  return serve({ '/files/': FILES, '/golden/': GOLDEN, '/': BUILT, '/index': readFileSync(join(BUILT, 'index.html')) })
}

/** What the reference says that is in the files. */
export const expected = () => JSON.parse(readFileSync(join(FILES, 'expected.json'), 'utf8'))

/** Waits until the view has drawn what it is to show. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const viewer = document.querySelector('b2nd-viewer')
    return viewer?.session?.shown.length >= viewer?.session?.dataset.shape.length && viewer.stage.element.getAttribute('aria-busy') !== 'true'
  })
  await frames(page)
}

/** Two frames: what is to be drawn has been. */
export const frames = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Changes the view by a link, as somebody would who follows one. */
export async function look(page, parameters) {
  await page.evaluate(parameters => (document.querySelector('b2nd-viewer').state = parameters), parameters)
  await settled(page)
}

export const readout = page => page.locator('.readout').textContent()

/** Moves the mouse to an item of a picture. */
export async function hover(page, x, y, plane = 0) {
  const [left, top] = await page.evaluate(([x, y, plane]) => {
    const { view } = document.querySelector('b2nd-viewer').stage
    const picture = view.picture ?? view.pictures[plane]
    const box = picture.canvas.getBoundingClientRect()
    const [left, top] = picture.fromItems(x + 0.5, y + 0.5)
    return [box.left + left, box.top + top]
  }, [x, y, plane])
  await page.mouse.move(left, top)
  await frames(page)
}

/** The colour of an item of a picture, as [red, green, blue]. */
export function colour(page, x, y) {
  return page.evaluate(([x, y]) => {
    const { picture } = document.querySelector('b2nd-viewer').stage.view
    const [left, top] = picture.fromItems(x + 0.5, y + 0.5)
    const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    copy.drawImage(picture.canvas, -Math.floor(left * devicePixelRatio), -Math.floor(top * devicePixelRatio))
    return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }, [x, y])
}
