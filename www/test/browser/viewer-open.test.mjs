// Opening: files, folders, URLs, examples, and what it costs.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { choose, FILES, hover, look, readout, says, settled, shot, tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on

test('files of this device, several, in tabs', () =>
  come('', async page => {
    await shot(page, 'welcome')
    await choose(page, 'File…', [join(FILES, 'field.b2nd'), join(FILES, 'table.b2nd')])
    await settled(page)
    await says(page.locator('#tabs span button:first-child'), ['field.b2nd', 'table.b2nd'])
    await says(page.locator('.facts'), /this device; nothing is uploaded/)
    await page.getByRole('button', { name: 'table.b2nd', exact: true }).click()
    await settled(page)
    await says(page.locator('.facts'), /5,000/)
    await page.getByRole('button', { name: 'close table.b2nd' }).click()
    await settled(page)
    await says(page.locator('.facts'), /460,800/)
    assert.equal(on.server.requests.filter(({ method }) => method !== 'GET').length, 0)
  }))

test('the directory of a sparse frame', () =>
  come('', async page => {
    await choose(page, 'Folder…', join(FILES, 'sparse.b2nd'))
    await settled(page)
    await hover(page, 70, 50)
    await tells(page, '[50, 70] = 5070')
  }))

test('a directory with a handle, of chunks that are files', () =>
  come('', async page => {
    await page.evaluate(
      async ([base, names]) => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('mine.b2nd', { create: true })
        for (const name of names) {
          const writable = await (await folder.getFileHandle(name, { create: true })).createWritable()
          await writable.write(await (await fetch(base + name)).arrayBuffer())
          await writable.close()
        }
        globalThis.showDirectoryPicker = async () => folder
      },
      [on.server.url('/files/sparse.b2nd/'), readdirSync(join(FILES, 'sparse.b2nd'))],
    )
    await page.getByRole('button', { name: 'Folder…' }).click()
    await settled(page)
    await hover(page, 70, 50)
    await tells(page, '[50, 70] = 5070')
  }))

/** Drags files and folders onto the page, as from the desktop. */
async function drop(page, ...names) {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: names.map(name => join(FILES, name)), dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'])
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 500, data })
}

test('dropping files and folders, anywhere', () =>
  come('', async page => {
    const tabs = page.locator('#tabs span button:first-child')
    await drop(page, 'labels.b2nd', 'sparse.b2nd', 'scalar.b2nd')
    await settled(page)
    await says(tabs, ['labels.b2nd', 'sparse.b2nd', 'scalar.b2nd'])
    assert.equal(await page.title(), 'labels.b2nd – b2nd viewer')
    await tabs.nth(1).click()
    await settled(page)
    await hover(page, 70, 50)
    await tells(page, '[50, 70] = 5070')
    // Onto a view, too.
    await drop(page, 'words.b2nd')
    await page.waitForFunction(() => document.title.startsWith('words'))
    await settled(page)
    assert.equal(await tabs.count(), 4)
  }))

test('dropping where there are no handles', () =>
  come('', async page => {
    await page.evaluate(async url => {
      const file = new File([await (await fetch(url)).arrayBuffer()], 'labels.b2nd')
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(file)
      document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    }, on.server.url('/files/labels.b2nd'))
    await settled(page)
    assert.equal(await page.title(), 'labels.b2nd – b2nd viewer')
  }))

test('?url=, the field for URLs, and examples', async () => {
  await come('?url=files/field.b2nd', settled)
  await come('', async page => {
    await page.getByLabel('URL').fill(on.server.url('/files/stack.b2nd'))
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await settled(page)
    assert.equal(new URL(page.url()).hash, '#url=files/stack.b2nd')
  })
  await come('', async page => {
    for (const [k, view] of ['Heatmap', 'Heatmap', 'Colours', 'Heatmap', 'Table', 'Line'].entries()) {
      await page.locator('#examples a').nth(k).click()
      await settled(page)
      await says(page.locator('.stage .tabs [aria-pressed=true]').first(), view)
      await page.locator('#home').click()
    }
  })
  await come('', async page => {
    await page.getByRole('link', { name: /landscape/ }).click()
    await settled(page)
    assert.equal(await page.getByRole('button', { name: 'Colours' }).getAttribute('aria-pressed'), 'true')
    // What was open is offered again.
    await page.goto(on.server.url('/index.html'))
    await page
      .getByRole('button', { name: /examples\/photo\.b2nd$/ })
      .first()
      .click()
    await settled(page)
  })
})

test('files are offered again after a reload', () =>
  come('', async page => {
    // A file of the origin's own has a handle like any other.
    await page.evaluate(async url => {
      const folder = await navigator.storage.getDirectory()
      const handle = await folder.getFileHandle('mine.b2nd', { create: true })
      const writable = await handle.createWritable()
      await writable.write(await (await fetch(url)).arrayBuffer())
      await writable.close()
      globalThis.showOpenFilePicker = async () => [handle]
    }, on.server.url('/files/large.b2nd'))
    await page.getByRole('button', { name: 'File…' }).click()
    await settled(page)
    await page.waitForTimeout(200)
    await page.reload()
    await page.getByRole('button', { name: 'mine.b2nd (this device)' }).click()
    await settled(page)
    await says(page.locator('.facts'), /\(6, 5\)/)
    await page.goto(on.server.url('/index.html'))
    await page.getByRole('button', { name: 'forget mine.b2nd' }).click()
    await page.locator('#again').waitFor({ state: 'hidden' })
  }))

test('of a large remote array the workers and the index are asked for before its blocks', async () => {
  on.server.reset()
  on.server.latency = 50
  await come('#url=files/big.b2nd', async page => {
    await settled(page)
    on.server.latency = 0
    const asked = on.server.requests.map(({ path, range }) => (path === '/files/big.b2nd' ? range : path))
    const [head, index, block] = asked.filter(one => one?.startsWith('bytes='))
    assert.equal(head, 'bytes=0-8191')
    const first = one => Number(/\d+/.exec(one)[0])
    assert.ok(first(index) > first(block), `${index} and then ${block}`)
    const worker = asked.indexOf('/worker.js')
    assert.ok(worker >= 0 && worker < asked.indexOf(block), asked.join(', '))
  })
})

test('the first picture of a large remote array takes three requests', async () => {
  on.server.reset()
  await come('#url=files/big.b2nd', async page => {
    const requests = await page.evaluate(
      () =>
        new Promise(done =>
          document.addEventListener(
            'b2nd-shown',
            () => done(document.querySelector('b2nd-viewer').session.dataset.opened.traffic),
            { once: true },
          ),
        ),
    )
    console.log(`first picture: ${requests.requests} requests, ${requests.bytes} bytes of 167 MB`)
    assert.ok(requests.requests <= 3, `${requests.requests} requests`)
    assert.ok(requests.bytes < 500_000)
    await settled(page)
    await shot(page, 'big')
    // What is costly is sampled, and says so.
    on.server.reset()
    await page.getByLabel('y', { exact: true }).selectOption('0')
    await says(page.locator('.badge'), /^a sample of [\d.]+ % of the blocks, 1:\d+ overview \(mean\)$/)
    const sample = page.locator('.sample')
    await says(sample, /^A sample of [\d.]+ % of the blocks, [\d.]+ MB; all of it: \d+ MB in (about )?\d+ requests/)
    await settled(page)
    await shot(page, 'sample')
    assert.ok(on.server.bytes < 12e6, `${on.server.bytes} bytes were read unasked`)
    // Other colours are not another sample. What is read ahead of it ends first.
    let length
    do {
      length = on.server.requests.length
      await page.waitForTimeout(2000)
    } while (on.server.requests.length > length)
    await page.getByLabel('colours', { exact: true }).selectOption('magma')
    await settled(page)
    assert.equal(on.server.requests.length, length)
    const share = async () => Number(/[\d.]+/.exec(await page.locator('.badge').textContent())[0])
    const before = await share()
    await page.getByRole('button', { name: 'Sharper' }).click()
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.asking)
    assert.ok((await share()) > before)
    // A link to a window shows the window.
    await look(page, 'y=0&index=0,100,0&window=300,340,200,230')
    assert.equal(await page.locator('.badge').isVisible(), false)
    assert.equal(await sample.count(), 0)
    const value = async (x, y) => {
      let place, text
      // What is not there yet is not written when it comes, but when the pointer moves.
      for (let tries = 0; tries < 200 && !(text && text !== '…'); tries++) {
        await hover(page, x, y)
        ;[place, text] = (await readout(page)).split(' = ')
      }
      assert.equal(
        Number(text),
        await page.evaluate(
          place => document.querySelector('b2nd-viewer').session.dataset.array.at(...place),
          JSON.parse(place),
        ),
      )
    }
    await value(310, 210)
    // With what was read before, the rest is at most 64 MB: it comes without a click.
    await look(page, 'y=0&index=0,100,0')
    await page.locator('.badge').waitFor({ state: 'hidden' })
    await value(40, 100)
  })
})

test('what it costs is seen', () => {
  on.server.reset()
  return come('#url=files/field.b2nd', async page => {
    await settled(page)
    // What is read ahead counts, too: once all is read, the meter says so.
    const said = await page.waitForFunction(() => {
      const {
        shadowRoot,
        session: {
          dataset: {
            opened: {
              traffic: { requests, bytes },
            },
          },
        },
      } = document.querySelector('b2nd-viewer')
      const text = shadowRoot.querySelector('.meter').textContent
      return text.startsWith(`${requests} requests, ${Math.round(bytes / 1000)} kB · `) && text
    })
    const [, requests, read, held] = /^(\d+) requests, (\d+) kB · (\d+) kB in memory$/.exec(await said.jsonValue())
    const asked = on.server.requests.filter(({ path }) => path.endsWith('field.b2nd'))
    assert.ok(Number(requests) > 1 && Number(requests) <= asked.length)
    assert.ok(Number(read) * 1000 <= on.server.bytes)
    assert.ok(Number(held) >= 77, `${held} kB for a plane of 160 × 120 float32`)
  })
})

test('one open file has a tab, and keys are for it', () =>
  come('', async page => {
    await choose(page, 'File…', join(FILES, 'field.b2nd'))
    await settled(page)
    await says(page.locator('#tabs span button:first-child'), ['field.b2nd'])
    // Space plays, and does not press again what opened the file.
    let choosers = 0
    page.on('filechooser', () => choosers++)
    await page.keyboard.press(' ')
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[0] !== 11)
    await page.keyboard.press(' ')
    assert.equal(choosers, 0)
    await page.getByRole('button', { name: 'close field.b2nd' }).click()
    await page.locator('#welcome').waitFor()
    assert.equal(await page.locator('#tabs').isVisible(), false)
    // The box that files are dropped on can be clicked, too.
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: /Drop Blosc2 files/ }).click(),
    ])
    await chooser.setFiles(join(FILES, 'labels.b2nd'))
    await settled(page)
    assert.equal(await page.title(), 'labels.b2nd – b2nd viewer')
  }))

test('a tab that is left at once keeps what was changed', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'field.b2nd'), join(FILES, 'stack.b2nd')])
    await settled(page)
    // Faster than any hand.
    const map = await page.evaluate(async () => {
      const tab = k => document.querySelectorAll('#tabs span button:first-child')[k].click()
      const viewer = document.querySelector('b2nd-viewer')
      const opened = () => new Promise(done => viewer.addEventListener('b2nd-shown', done, { once: true }))
      viewer.session.set({ map: 'magma' })
      tab(1)
      await opened()
      tab(0)
      await opened()
      return viewer.session.state.map
    })
    assert.equal(map, 'magma')
  }))
