// The widget in JupyterLab: files, arrays and URLs, read by the kernel or the browser; the state in both directions.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { launch, visit } from '../lib/browser.mjs'

/** `cargo xtask test` says which: one with JupyterLab and the package. */
const PYTHON = process.env.B2ND_JUPYTER ?? 'python3'
const folder = mkdtempSync(join(tmpdir(), 'b2nd-jupyter-'))
let browser
let lab
let address

before(async () => {
  browser = await launch()
  // Nothing of the user's own settings.
  const own = Object.fromEntries(
    ['HOME', 'JUPYTER_CONFIG_DIR', 'JUPYTER_DATA_DIR', 'JUPYTER_RUNTIME_DIR', 'IPYTHONDIR'].map(name => [
      name,
      join(folder, 'home'),
    ]),
  )
  const options = [
    '--no-browser',
    '--allow-root',
    '--ip=127.0.0.1',
    '--port=0',
    '--ServerApp.root_dir=.',
    '--IdentityProvider.token=',
  ]
  lab = spawn(
    PYTHON,
    [
      '-m',
      'jupyterlab',
      ...options,
      '--LabApp.news_url=None',
      '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
    ],
    { cwd: folder, env: { ...process.env, ...own }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let log = ''
  lab.stderr.on('data', data => (log += data))
  for (let k = 0; k < 600 && !address; k++) {
    await sleep(100)
    address = /http:\/\/127\.0\.0\.1:\d+\/lab/.exec(log)?.[0]
  }
  assert.ok(address, log)
})

after(async () => {
  await browser?.close()
  if (lab) {
    const ended = new Promise(done => lab.once('exit', done))
    lab.kill('SIGTERM')
    await Promise.race([ended, sleep(5000)])
    lab.kill('SIGKILL')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Runs cells, and looks at the notebook with what they show. */
async function notebook(name, cells, work) {
  const code = cells.map((source, k) => ({
    cell_type: 'code',
    id: `cell-${k}`,
    source,
    metadata: {},
    outputs: [],
    execution_count: null,
  }))
  const kernelspec = { name: 'python3', display_name: 'Python 3', language: 'python' }
  writeFileSync(
    join(folder, `${name}.ipynb`),
    JSON.stringify({ cells: code, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }),
  )
  // JupyterLab itself complains about some things.
  await visit(
    browser,
    `${address}/tree/${name}.ipynb?reset`,
    async page => {
      // Kernels start slowly on machines with other things to do.
      page.setDefaultTimeout(90_000)
      await page.getByRole('button', { name: /\| Idle$/ }).waitFor()
      await page.locator('.jp-CodeCell .cm-content').first().click()
      await page.keyboard.press('Shift+Enter')
      await work(page)
    },
    { allow: [/./], viewport: { width: 1200, height: 900 } },
  )
}

/** Waits until the viewer shows something, and returns what. */
const shown = page =>
  page
    .waitForFunction(() => {
      const viewer = document.querySelector('b2nd-viewer')
      return (
        viewer?.session?.shown.length >= viewer?.session?.dataset.shape.length &&
        viewer.stage.element.getAttribute('aria-busy') !== 'true' && {
          shape: viewer.session.dataset.shape,
          state: viewer.session.state,
        }
      )
    })
    .then(handle => handle.jsonValue())

/** Runs a line in a new cell at the end, and returns what it prints. */
async function say(page, line) {
  const cells = page.locator('.jp-CodeCell')
  const count = await cells.count()
  // Shift+Enter in the last cell would run it again.
  await page.getByRole('button', { name: 'Click to add a cell.' }).click()
  await page.waitForFunction(count => document.querySelectorAll('.jp-CodeCell').length > count, count)
  await cells.last().locator('.cm-content').click()
  await page.keyboard.insertText(line)
  await page.keyboard.press('Control+Enter')
  const output = cells.last().locator('.jp-OutputArea-output').last()
  await output.waitFor()
  return (await output.textContent()).trim()
}

const IMPORTS = 'import numpy as np\nfrom b2nd_jupyter import Viewer'

test('a NumPy array: the view goes to the kernel and back', () =>
  notebook(
    'array',
    [
      `${IMPORTS}\nview = Viewer(np.arange(6000, dtype='f4').reshape(3, 40, 50), state='view=heatmap&index=2,0,0')\nview`,
    ],
    async page => {
      const { shape, state } = await shown(page)
      assert.deepEqual(
        [shape, state.index],
        [
          [3, 40, 50],
          [2, 0, 0],
        ],
      )
      assert.equal(await say(page, 'view.selection'), '(2, slice(0, 40, None), slice(0, 50, None))')
      await say(page, "view.state = 'view=heatmap&index=1,0,0'; 0")
      await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[0] === 1)
      await page.evaluate(() => document.querySelector('b2nd-viewer').session.go(0, 0))
      for (let k = 0; k < 50 && !(await say(page, 'view.selection')).startsWith('(0,'); k++) await sleep(100)
      assert.match(await say(page, 'view.selection'), /^\(0, /)
    },
  ))

test('a large file: only what is shown is read by the kernel', () =>
  notebook(
    'file',
    [
      `${IMPORTS}\nimport blosc2, os\nblosc2.set_nthreads(1)
array = blosc2.zeros((200, 1000, 1000), dtype='i2', chunks=(1, 1000, 1000), blocks=(1, 100, 1000), urlpath='large.b2nd', mode='w')
rng = np.random.default_rng(1)
for k in range(0, 200, 20): array[k] = rng.integers(0, 30000, (1000, 1000)).astype('i2')
view = Viewer('large.b2nd', state='view=heatmap&index=40,0,0')
read = 0
class Counted:
    def __getattr__(self, name): return getattr(file, name)
    def read(self, length):
        global read
        data = file.read(length)
        read += len(data)
        return data
[(number, file)] = view._open.items(); view._open = {number: Counted()}
view`,
    ],
    async page => {
      assert.deepEqual((await shown(page)).shape, [200, 1000, 1000])
      const [read, size] = JSON.parse(await say(page, "[read, os.path.getsize('large.b2nd')]"))
      assert.ok(read > 1_000_000 && read < size / 4, `${read} of ${size} bytes`)
    },
  ))

test('a segmentation over an image, both arrays of NumPy', () =>
  notebook(
    'labels',
    [
      `${IMPORTS}\nimage = np.random.default_rng(2).normal(size=(8, 30, 40)).astype('f4')
mask = np.zeros(image.shape, 'u1'); mask[:, 10:20, 10:30] = 3
view = Viewer(image, labels=mask, state='view=heatmap&index=4,0,0')
view`,
    ],
    async page => {
      await shown(page)
      await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.overlay?.counts().get(3) === 200)
    },
  ))

test('arrays of python-blosc2, and errors', () =>
  notebook(
    'others',
    [`${IMPORTS}\nimport blosc2\nview = Viewer(blosc2.asarray(np.eye(30), chunks=(30, 30), blocks=(10, 30)))\nview`],
    async page => {
      assert.deepEqual((await shown(page)).shape, [30, 30])
      assert.match(await say(page, "Viewer('absent.b2nd')"), /FileNotFoundError/)
      assert.match(await say(page, 'Viewer(object())'), /TypeError.*neither a path/s)
      // A read of the first array comes after the second one was loaded.
      const load = "old = view._files[0]['number']; view.load(b'no array at all')"
      const read = "view._read(view, {'id': 0, 'file': old, 'offset': 0, 'length': 1}, [])"
      const kept = 'sent = []; view.send = lambda *message: sent.append(message)'
      const sent = await say(page, `${load}; ${kept}; ${read}; del view.send; sent`)
      assert.match(sent, /the file has changed/)
      await page
        .getByText(/not a|no frame|unknown/i)
        .first()
        .waitFor()
    },
  ))
