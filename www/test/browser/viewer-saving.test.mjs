// Saving as .b2nd: what is written is what python-blosc2 reads, and what is stopped leaves nothing.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { accessible, choose, FILES, IMPORTS, look, says, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come, see } = on
const folder = mkdtempSync(join(tmpdir(), 'b2nd-saving-'))
after(() => rmSync(folder, { recursive: true }))

let saves = 0

/** What Python prints. `a` is the saved array. */
const python = (path, code) =>
  execFileSync(
    process.env.B2ND_PYTHON ?? 'python3',
    ['-c', `import blosc2, numpy\na = blosc2.open(${JSON.stringify(path)}, mode="r")\n${code}`],
    { cwd: FILES, encoding: 'utf8' },
  ).trim()

const dialog = page => page.getByRole('dialog', { name: 'Save as .b2nd' })

/** Opens the dialog, and waits for the estimate. */
async function begin(page) {
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'B2ND…', exact: true }).click()
  await estimated(page)
}

const estimated = page =>
  page.waitForFunction(() => {
    const dialog = document.querySelector('b2nd-viewer').shadowRoot.querySelector('dialog.saving')
    return dialog?.querySelector('.estimate b') && !dialog.querySelector('.estimate').classList.contains('coming')
  })

/** Saves as a browser does that has no picker. */
async function download(page) {
  await page.evaluate(() => delete globalThis.showSaveFilePicker)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Save…' }).click(),
  ])
  const path = join(folder, `${++saves}.b2nd`)
  await saved.saveAs(path)
  return { path, name: saved.suggestedFilename() }
}

test('a slice', () =>
  see('mixture.b2nd&view=heatmap&index=1,2,0,0', async page => {
    await begin(page)
    await says(dialog(page), /of 144 B[^]*>i2 \(9, 8\)/)
    const { path, name } = await download(page)
    assert.equal(name, 'mixture_1_2_all_all.b2nd')
    const wanted = 'b = blosc2.open("mixture.b2nd", mode="r")[1, 2]'
    assert.equal(
      python(path, `${wanted}\nprint(a.dtype == b.dtype, a.shape == b.shape, a[()].tobytes() == b.tobytes())`),
      'True True True',
    )
  }))

test('the whole array with other parameters, by way of a picker', () =>
  see('field.b2nd', async page => {
    await page.evaluate(async () => {
      const home = await navigator.storage.getDirectory()
      globalThis.showSaveFilePicker = ({ suggestedName }) => home.getFileHandle(suggestedName, { create: true })
    })
    await begin(page)
    const form = dialog(page)
    await form.getByRole('button', { name: 'The whole array' }).click()
    await form.getByLabel('codec').selectOption('lz4hc')
    await form.getByLabel('filters').selectOption('bitshuffle')
    await form.getByLabel('level').fill('7')
    await form.getByLabel('chunks').fill('5, 50, 60')
    await form.getByLabel('blocks').fill('5 10 60')
    await estimated(page)
    await form.getByRole('button', { name: 'Save…' }).click()
    await form.getByText(/^field\.b2nd: \d+ kB$/).waitFor()
    const bytes = await page.evaluate(async () => {
      const home = await navigator.storage.getDirectory()
      return [...new Uint8Array(await (await (await home.getFileHandle('field.b2nd')).getFile()).arrayBuffer())]
    })
    const path = join(folder, 'field.b2nd')
    writeFileSync(path, Uint8Array.from(bytes))
    assert.equal(
      python(
        path,
        `b = blosc2.open("field.b2nd", mode="r")
print(a.chunks, a.blocks, a.schunk.cparams.codec.name, a.schunk.cparams.clevel, [f.name for f in a.schunk.cparams.filters if f.value])
print(a.dtype == b.dtype, a[()].tobytes() == b[()].tobytes(), dict(a.schunk.vlmeta[:]) == dict(b.schunk.vlmeta[:]))`,
      ),
      "(5, 50, 60) (5, 10, 60) LZ4HC 7 ['BITSHUFFLE']\nTrue True True",
    )
  }))

for (const name of [
  'floats.npy',
  'table.npy',
  'words.npy',
  'stack.tif',
  'colours16.png',
  'people.csv',
  'point.npy',
  'matrix.csv',
])
  test(`a converted ${name}`, () =>
    come('', async page => {
      await choose(page, 'File…', join(IMPORTS, name))
      await settled(page)
      await begin(page)
      const form = dialog(page)
      if (await form.getByRole('button', { name: 'The whole array' }).isVisible()) {
        await form.getByRole('button', { name: 'The whole array' }).click()
        await estimated(page)
      }
      const saved = await download(page)
      assert.equal(saved.name, name.replace(/\.\w+$/, '.b2nd'))
      const wanted = join(IMPORTS, `${name}.expected.npy`)
      assert.equal(
        python(
          saved.path,
          `b = numpy.load(${JSON.stringify(wanted)})
print(a.schunk.cparams.codec.name, a.dtype == b.dtype, a.shape == b.shape, a[()].tobytes() == b.tobytes())`,
        ),
        'ZSTD True True True',
      )
    }))

test('a converted table keeps the names of its columns', () =>
  come('', async page => {
    await choose(page, 'File…', join(IMPORTS, 'matrix.csv'))
    await settled(page)
    await page.getByRole('button', { name: 'Save as .b2nd…' }).click()
    await estimated(page)
    const { path } = await download(page)
    assert.equal(python(path, 'print(a.schunk.vlmeta["coords"])'), "{'column': ['time', 'x', 'y, z']}")
  }))

test('a projection, and items of fewer bits', () =>
  see('field.b2nd&view=heatmap&project=max:0', async page => {
    await begin(page)
    await dialog(page).getByLabel('precision').selectOption('trunc_prec:6')
    await estimated(page)
    const { path } = await download(page)
    assert.equal(
      python(
        path,
        `b = blosc2.open("field.b2nd", mode="r")[()].max(axis=0)
print(a.dtype, a.shape == b.shape, bool(numpy.allclose(a[()], b, rtol=2**-6, atol=0)), bool((a[()] == b).all()))`,
      ),
      'float32 True True False',
    )
  }))

/** The size that the dialog tells, in bytes. */
async function toldSize(page) {
  const [, value, unit] = /about ([\d.]+) (B|kB|MB)/.exec(await dialog(page).locator('.estimate b').innerText())
  return Number(value) * { B: 1, kB: 1e3, MB: 1e6 }[unit]
}

test('the estimate is near to what is saved, and tells codecs apart', () =>
  see('stack.b2nd', async page => {
    await begin(page)
    await dialog(page).getByRole('button', { name: 'The whole array' }).click()
    for (const codec of ['lz4', 'zstd']) {
      await dialog(page).getByLabel('codec').selectOption(codec)
      await estimated(page)
      const told = await toldSize(page)
      const { path } = await download(page)
      const { length } = readFileSync(path)
      const shapes = 'b = blosc2.open("stack.b2nd", mode="r")\nprint(a.chunks == b.chunks, a.blocks == b.blocks)'
      assert.equal(python(path, shapes), 'True True', 'a copy keeps the shapes of chunks and blocks')
      assert.ok(told > length * 0.8 && told < length * 1.25, `${codec}: ${told} told, ${length} written`)
    }
  }))

test('shapes that are invalid are refused before', () =>
  see('field.b2nd', async page => {
    await begin(page)
    await dialog(page).getByLabel('chunks').fill('5, 50, 60')
    await dialog(page).getByRole('alert').waitFor()
    await says(dialog(page).getByRole('alert'), /Chunks: 2 lengths needed, 3 given/i)
    assert.equal(await dialog(page).getByRole('button', { name: 'Save…' }).isDisabled(), true)
    await dialog(page).getByLabel('chunks').fill('')
    await estimated(page)
    assert.equal(await dialog(page).getByRole('button', { name: 'Save…' }).isDisabled(), false)
  }))

/** Waits until the private file system of the page has these files. What is just being removed cannot be read. */
const hasFiles = (page, expected) =>
  page.waitForFunction(async expected => {
    const files = []
    for await (const [name, handle] of (await navigator.storage.getDirectory()).entries()) {
      const file = await handle.getFile().catch(() => null)
      files.push(`${name}: ${file?.size}`)
    }
    return files.join() === expected.join()
  }, expected)

test('a place that cannot be written is explained, and a new file is removed', () =>
  see('field.b2nd', async page => {
    await begin(page)
    const alert = dialog(page).getByRole('alert')
    const save = () => dialog(page).getByRole('button', { name: 'Save…' }).click()
    await page.evaluate(() => {
      const full = async () => {
        throw new DOMException('no space left', 'QuotaExceededError')
      }
      globalThis.showSaveFilePicker = async () => ({
        kind: 'file',
        name: 'full.b2nd',
        getFile: async () => new File([], 'full.b2nd'),
        createWritable: async () => ({ write: full, truncate: full, close: full, abort: async () => {} }),
        remove: async () => (globalThis.removed = true),
      })
    })
    await save()
    await says(alert.locator('h2'), 'The file cannot be written')
    await says(alert, /no space left[^]*choose another place/)
    assert.equal(await page.evaluate(() => globalThis.removed), true)
    await page.evaluate(() => {
      globalThis.showSaveFilePicker = async () => {
        throw new DOMException('not here', 'NotAllowedError')
      }
    })
    await save()
    await says(alert, /The file cannot be written[^]*Not here/)
    // Who leaves the picker has no error.
    await page.evaluate(() => {
      globalThis.showSaveFilePicker = async () => {
        throw new DOMException('left', 'AbortError')
      }
    })
    await save()
    await alert.waitFor({ state: 'detached' })
    await dialog(page).getByRole('button', { name: 'Save…' }).waitFor()
  }))

for (const how of ['Stop', 'Escape'])
  test(`what is stopped with ${how} leaves no half file`, () =>
    see('field.b2nd', async page => {
      await page.evaluate(async () => {
        const home = await navigator.storage.getDirectory()
        const old = await home.getFileHandle('old.b2nd', { create: true })
        const writable = await old.createWritable()
        await writable.write('what was there')
        await writable.close()
        globalThis.targets = ['new.b2nd', 'old.b2nd']
        globalThis.showSaveFilePicker = () => home.getFileHandle(targets.shift(), { create: true })
        // Holds the first write until it is let go, so that the test is not a race.
        const { prototype } = FileSystemWritableFileStream
        const write = Reflect.get(prototype, 'write')
        prototype.write = async function (...words) {
          if (!globalThis.writing) await new Promise(go => Object.assign(globalThis, { go, writing: true }))
          return Reflect.apply(write, this, words)
        }
      })
      for (let times = 0; times < 2; times++) {
        await begin(page)
        await page.evaluate(() => (globalThis.writing = false))
        await dialog(page).getByRole('button', { name: 'Save…' }).click()
        await page.waitForFunction(() => globalThis.writing)
        if (how === 'Stop') await dialog(page).getByRole('button', { name: 'Stop' }).click()
        else await page.keyboard.press('Escape')
        await page.evaluate(() => globalThis.go())
        if (how === 'Stop') {
          await dialog(page).getByText('Stopped. Nothing was written.').waitFor()
          await dialog(page).getByRole('button', { name: 'Close', exact: true }).click()
        }
        // The last thing that happens is that a new, empty file is removed.
        await hasFiles(page, ['old.b2nd: 14'])
        await page.keyboard.press('e')
      }
    }))

test('opening another file ends saving', () =>
  see('field.b2nd', async page => {
    await page.evaluate(async () => {
      const home = await navigator.storage.getDirectory()
      globalThis.showSaveFilePicker = () => home.getFileHandle('left.b2nd', { create: true })
      const { prototype } = FileSystemWritableFileStream
      const write = Reflect.get(prototype, 'write')
      globalThis.writes = 0
      prototype.write = async function (...words) {
        globalThis.writes++
        await new Promise(done => setTimeout(done, 200))
        return Reflect.apply(write, this, words)
      }
    })
    await begin(page)
    await dialog(page).getByRole('button', { name: 'The whole array' }).click()
    await estimated(page)
    await dialog(page).getByRole('button', { name: 'Save…' }).click()
    // Chunks are written: all was read.
    await page.waitForFunction(() => globalThis.writes > 5)
    await page.evaluate(() => (location.hash = 'url=files/stack.b2nd'))
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session?.dataset.name === 'stack.b2nd')
    // Five writes would come in this time.
    const writes = await page.evaluate(() => globalThis.writes)
    await page.waitForTimeout(1000)
    assert.ok((await page.evaluate(() => globalThis.writes)) <= writes + 1)
    await hasFiles(page, [])
  }))

test('the dialog is accessible, also in a small window and in the dark', () =>
  see(
    'field.b2nd',
    async page => {
      await begin(page)
      await accessible(page, 'the dialog')
      await shot(page, 'saving')
      await page.emulateMedia({ colorScheme: 'dark' })
      await accessible(page, 'the dialog in the dark')
      await shot(page, 'saving-dark')
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await page.keyboard.press('e')
      await page.setViewportSize({ width: 360, height: 640 })
      await page.keyboard.press('e')
      await page.getByRole('button', { name: 'B2ND…', exact: true }).click()
      await estimated(page)
      await accessible(page, 'the dialog in a small window')
      await shot(page, 'saving-small')
      const seen = await dialog(page).evaluate(dialog => {
        const box = dialog.getBoundingClientRect()
        const controls = [...dialog.querySelectorAll('button, select, input')].map(one => one.getBoundingClientRect())
        return {
          inside: box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight,
          wide: dialog.scrollWidth <= dialog.clientWidth,
          cut: controls.filter(({ left, right }) => left < box.left || right > box.right).length,
        }
      })
      assert.deepEqual(seen, { inside: true, wide: true, cut: 0 })
      await dialog(page).getByRole('button', { name: 'Save…' }).scrollIntoViewIfNeeded()
      await download(page)
    },
    { reducedMotion: 'reduce' },
  ))

test('the writer is loaded when it is needed, and known to the service worker', () =>
  see('field.b2nd', async page => {
    const wanted = []
    page.on('request', request => wanted.push(new URL(request.url()).pathname))
    await look(page, 'view=heatmap&index=3,0,0')
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'B2ND…', exact: true }).waitFor()
    assert.deepEqual(
      wanted.filter(path => /write/.test(path)),
      [],
    )
    await page.getByRole('button', { name: 'B2ND…', exact: true }).click()
    await estimated(page)
    for (const path of ['/write.js', '/write.wasm']) assert.ok(wanted.includes(path), `${path} in ${wanted}`)
    const worker = await (await fetch(on.server.url('/sw.js'))).text()
    for (const file of ['write.js', 'write.wasm']) assert.ok(worker.includes(`"${file}"`), file)
  }))
