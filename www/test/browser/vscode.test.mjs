// The editor for VS Code: its extension with a stand-in of the editor's API, and its page in Chromium.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { encodeArray } from 'b2nd/write'
import { launch, visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { FILES, LABELS, prepareFiles, readout, hover } from '../lib/viewer.mjs'
import { load, standIn } from '../lib/vscode.mjs'

const home = join(import.meta.dirname, '..', '..', 'vscode')
/** Files that the editor itself reads. */
const files = { '/x.b2nd': null }
const { vscode, registered, watchers, tell } = standIn(files)
let browser
let server

before(async () => {
  prepareFiles()
  load(join(home, 'dist', 'extension.cjs'), vscode).activate({ extensionUri: vscode.Uri.file(home), subscriptions: [] })
  browser = await launch()
  server = await serve({ '/dist/': join(home, 'dist') })
})
after(async () => {
  await browser?.close()
  await server?.close()
})

/**
 * Opens a file as the editor does. `work` gets the page and the messages that it was sent, with the number of their bytes. Returns what
 * was read of the file.
 */
async function edit(uri, work) {
  const { provider } = registered['b2nd.viewer']
  const document = await provider.openCustomDocument(uri)
  const sent = []
  let hear
  let page
  const origin = server.url('').replace(/\/$/, '')
  const webview = {
    cspSource: origin,
    asWebviewUri: ({ path }) => `${origin}${path.slice(home.length)}`,
    onDidReceiveMessage: use => ((hear = use), { dispose() {} }),
    postMessage: ({ bytes, ...message }) => {
      sent.push({ ...message, bytes: bytes?.length })
      // A page gets bytes as text here, and as bytes in an editor.
      return page.evaluate(
        ([message, text]) =>
          postMessage({
            ...message,
            ...(text !== null && { bytes: Uint8Array.from(atob(text), c => c.charCodeAt(0)) }),
          }),
        [message, bytes ? Buffer.from(bytes).toString('base64') : null],
      )
    },
  }
  provider.resolveCustomEditor(document, { webview, onDidDispose() {} })
  assert.deepEqual(
    webview.options.localResourceRoots.map(({ path }) => path),
    [join(home, 'dist')],
  )
  await visit(
    browser,
    'about:blank',
    async opened => {
      page = opened
      await page.exposeFunction('toExtension', message => hear(message))
      await page.route(`${origin}/page`, route => route.fulfill({ contentType: 'text/html', body: webview.html }))
      await page.addInitScript(() => {
        let kept
        globalThis.acquireVsCodeApi = () => ({
          // A test may hold messages back.
          postMessage: message => void (globalThis.held?.push(message) ?? globalThis.toExtension(message)),
          getState: () => kept,
          setState: state => (kept = state),
        })
      })
      await page.goto(`${origin}/page`)
      await page.waitForFunction(() => {
        const viewer = document.querySelector('b2nd-viewer')
        return (
          viewer?.session?.shown.length >= viewer?.session?.dataset.shape.length &&
          viewer.stage.element.getAttribute('aria-busy') !== 'true'
        )
      })
      await work(page, sent)
    },
    { viewport: { width: 1000, height: 700 } },
  )
  document.dispose()
  return sent.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
}

/** Waits until the page shows an array of a shape in a view, with a segmentation over it or without. */
const shows = (page, ...wanted) =>
  page.waitForFunction(([shape, view, isOverlaid]) => {
    const { session } = document.querySelector('b2nd-viewer')
    if (!session || session.state.view !== view || Boolean(session.overlay) !== isOverlaid) return false
    return session.dataset.shape.join() === shape && session.shown.length >= session.dataset.shape.length
  }, wanted)

test('an image with its segmentation, under the policy of the page', async () => {
  const read = await edit(vscode.Uri.file(join(LABELS, 'case.b2nd')), async page => {
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.overlay?.counts().size)
    await hover(page, 30, 28)
    assert.match(await readout(page), /= -?\d/)
  })
  assert.ok(read > 0)
})

test('of a large file only what is shown is read', async () => {
  const path = join(FILES, 'planes.b2nd')
  const read = await edit(vscode.Uri.file(path), async () => {})
  const { length } = readFileSync(path)
  assert.ok(read < length / 2, `${read} of ${length} bytes`)
})

test('of a plane that does not compress a sample of blocks is read first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-vscode-'))
  try {
    const shape = [6000, 4000]
    const data = Float32Array.from({ length: shape[0] * shape[1] }, (_, k) => Math.sin(k * k))
    const frame = await encodeArray(data, { shape, chunks: [1000, 1000], blocks: [100, 100], clevel: 0 })
    writeFileSync(join(folder, 'plane.b2nd'), frame)
    const read = await edit(vscode.Uri.file(join(folder, 'plane.b2nd')), async page => {
      assert.match(await page.locator('.stage').innerText(), /sample/i)
    })
    assert.ok(read < 12e6, `${read} of ${frame.length} bytes`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a pipe in the place of a segmentation is not waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-vscode-'))
  try {
    copyFileSync(join(LABELS, 'large.b2nd'), join(folder, 'x.b2nd'))
    execFileSync('mkfifo', [join(folder, 'x_seg.b2nd')])
    await edit(vscode.Uri.file(join(folder, 'x.b2nd')), async () => {})
    await assert.rejects(
      edit(vscode.Uri.file(join(folder, 'x_seg.b2nd')), async () => {}),
      /is no file/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a file that changes is shown anew, in the view that was chosen', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-vscode-'))
  const [path, segmentation] = ['x[1].b2nd', 'x[1]_seg.b2nd'].map(name => join(folder, name))
  const replace = name => {
    copyFileSync(join(LABELS, name), path)
    tell('change', vscode.Uri.file(path))
  }
  try {
    copyFileSync(join(LABELS, 'large.b2nd'), path)
    await edit(vscode.Uri.file(path), async page => {
      await page.getByText('Table', { exact: true }).click()
      await shows(page, '1800,2400', 'table', false)
      replace('large_seg.b2nd')
      replace('colour_seg.b2nd')
      await shows(page, '60,80', 'table', false)
      copyFileSync(path, segmentation)
      tell('create', vscode.Uri.file(segmentation))
      await shows(page, '60,80', 'table', true)
      rmSync(path)
      tell('delete', vscode.Uri.file(path))
      replace('large.b2nd')
      rmSync(segmentation)
      tell('delete', vscode.Uri.file(segmentation))
      await shows(page, '1800,2400', 'table', false)
    })
    assert.equal(watchers.size, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('reads that were asked for before a file changed are not answered from the new one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-vscode-'))
  const path = join(folder, 'x.b2nd')
  try {
    copyFileSync(join(FILES, 'planes.b2nd'), path)
    await edit(vscode.Uri.file(path), async (page, sent) => {
      await page.evaluate(() => {
        globalThis.held = []
        document.querySelector('b2nd-viewer').state = 'view=heatmap&index=3,0,0'
      })
      await page.waitForFunction(() => globalThis.held.length)
      const early = await page.evaluate(() => globalThis.held.map(({ id }) => id))
      // Not shorter than the old one: there are bytes where the old one is read.
      const shape = [2000, 2000]
      const data = Uint16Array.from({ length: 4e6 }, (_, k) => k)
      writeFileSync(path, await encodeArray(data, { shape, clevel: 0 }))
      tell('change', vscode.Uri.file(path))
      await page.getByText(/^Opening/).waitFor()
      await page.evaluate(() => {
        const { held, toExtension } = globalThis
        globalThis.held = undefined
        return Promise.all(held.map(toExtension))
      })
      assert.deepEqual(
        sent.filter(({ id }) => early.includes(id)),
        early.map(id => ({ kind: 'answer', id, error: 'the file has changed', bytes: undefined })),
      )
      await shows(page, shape.join(), 'heatmap', false)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a file of another file system is read whole, one that is absent is an error', async () => {
  files['/x.b2nd'] = readFileSync(join(LABELS, 'large.b2nd'))
  await edit(new vscode.Uri('remote', '/x.b2nd'), async page => {
    const shape = await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.shape)
    assert.deepEqual(shape, [1800, 2400])
  })
  await assert.rejects(
    edit(vscode.Uri.file('/absent.b2nd'), async () => {}),
    { code: 'ENOENT' },
  )
})
