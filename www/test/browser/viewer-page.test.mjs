// The page around the viewer: opening, what it costs, taking away, links, keys, accessibility, offline.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch, visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import { expected, FILES, frames, hover, look, readout, serveViewer, settled, SHOTS } from '../lib/viewer.mjs'
import { firstLoad } from '../../viewer/build.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DIST = join(import.meta.dirname, '..', '..', 'dist', 'viewer')
const VIEWPORT = { width: 1200, height: 760 }
let browser, server, facts

before(async () => {
  browser = await launch()
  server = await serveViewer()
  facts = expected()
})

after(async () => {
  await browser?.close()
  await server?.close()
})

const come = (hash, work, options = {}) => visit(browser, server.url(`/index.html${hash}`), work, { viewport: VIEWPORT, serviceWorkers: 'block', allow: [/Service Worker registration blocked/], ...options })
const see = (hash, work, options) => come(`#url=files/${hash}`, async page => {
  await settled(page)
  await work(page)
}, options)
const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`) })

/** Files as a browser without handles gives them. */
async function choose(page, button, files) {
  await page.evaluate(() => {
    delete globalThis.showOpenFilePicker
    delete globalThis.showDirectoryPicker
  })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: button }).click()])
  await chooser.setFiles(files)
  await settled(page)
}

test('the first load is small', () => {
  const { sizes, total } = firstLoad(DIST)
  console.log(`first load: ${(total / 1000).toFixed(1)} kB gzip: ${Object.entries(sizes).map(([file, size]) => `${file} ${size}`).join(', ')}`)
  assert.ok(total <= 160_000, `${total} bytes`)
})

test('the page asks for little: no inline scripts, no styles in attributes', () => {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8')
  assert.match(html, /default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'/)
  assert.doesNotMatch(html, /<script(?![^>]* src=)|<style| style=| on[a-z]+=/)
})

test('files of this device, several, in tabs', () => come('', async page => {
  await shot(page, 'welcome')
  await choose(page, 'File…', [join(FILES, 'field.b2nd'), join(FILES, 'table.b2nd')])
  assert.deepEqual(await page.locator('#tabs span button:first-child').allTextContents(), ['field.b2nd', 'table.b2nd'])
  assert.match(await page.locator('.facts').innerText(), /this device; nothing is uploaded/)
  await page.getByRole('button', { name: 'table.b2nd', exact: true }).click()
  await settled(page)
  assert.match(await page.locator('.facts').innerText(), /5,000/)
  await page.getByRole('button', { name: 'close table.b2nd' }).click()
  await settled(page)
  assert.match(await page.locator('.facts').innerText(), /460,800/)
  assert.equal(server.requests.filter(({ method }) => method !== 'GET').length, 0)
}))

test('the directory of a sparse frame', () => come('', async page => {
  await choose(page, 'Folder…', join(FILES, 'sparse.b2nd'))
  await hover(page, 70, 50)
  assert.equal(await readout(page), '[50, 70] = 5070')
}))

test('dropping a file', () => come('', async page => {
  await page.evaluate(async url => {
    const file = new File([await (await fetch(url)).arrayBuffer()], 'labels.b2nd')
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(file)
    document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, server.url('/files/labels.b2nd'))
  await settled(page)
  assert.equal(await page.title(), 'labels.b2nd – b2nd viewer')
}))

test('what is no array', () => come('', async page => {
  await page.evaluate(() => delete globalThis.showOpenFilePicker)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'File…' }).click()])
  await chooser.setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('this is a note and no array, none at all') })
  await page.getByRole('alert').waitFor()
  assert.match(await page.getByRole('alert').innerText(), /This is not a Blosc2 file/)
  await shot(page, 'not-blosc')
}))

test('?url=, the field for URLs, and examples', async () => {
  await come('?url=files/field.b2nd', settled)
  await come('', async page => {
    await page.getByLabel('URL').fill(server.url('/files/stack.b2nd'))
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await settled(page)
    assert.equal(new URL(page.url()).hash, '#url=files/stack.b2nd')
  })
  await come('', async page => {
    await page.getByRole('link', { name: /landscape/ }).click()
    await settled(page)
    assert.equal(await page.getByRole('button', { name: 'Colours' }).getAttribute('aria-pressed'), 'true')
    // What was open is offered again.
    await page.goto(server.url('/index.html'))
    await page.getByRole('button', { name: /examples\/photo\.b2nd$/ }).first().click()
    await settled(page)
  })
})

test('a URL where nothing is', () => come('#url=files/none.b2nd', async page => {
  await page.getByRole('alert').waitFor()
  assert.match(await page.getByRole('alert').innerText(), /There is no such file/)
}, { allow: [/404/, /Service Worker/] }))

test('files are offered again after a reload', () => come('', async page => {
  // A file of the origin's own has a handle like any other.
  await page.evaluate(async url => {
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle('mine.b2nd', { create: true })
    const writable = await handle.createWritable()
    await writable.write(await (await fetch(url)).arrayBuffer())
    await writable.close()
    globalThis.showOpenFilePicker = async () => [handle]
  }, server.url('/files/large.b2nd'))
  await page.getByRole('button', { name: 'File…' }).click()
  await settled(page)
  await page.waitForTimeout(200)
  await page.reload()
  await page.getByRole('button', { name: 'mine.b2nd (this device)' }).click()
  await settled(page)
  assert.match(await page.locator('.facts').innerText(), /\(6, 5\)/)
  await page.goto(server.url('/index.html'))
  await page.getByRole('button', { name: 'forget mine.b2nd' }).click()
  await page.locator('#again').waitFor({ state: 'hidden' })
}))

test('the first picture of a large remote array takes three requests', async () => {
  server.reset()
  await come('#url=files/big.b2nd', async page => {
    const requests = await page.evaluate(() => new Promise(done => document.addEventListener('b2nd-shown', () =>
      done(document.querySelector('b2nd-viewer').session.dataset.opened.traffic), { once: true })))
    console.log(`first picture: ${requests.requests} requests, ${requests.bytes} bytes of 167 MB`)
    assert.ok(requests.requests <= 3, `${requests.requests} requests`)
    assert.ok(requests.bytes < 500_000)
    await settled(page)
    await shot(page, 'big')
    // What is dear is asked about first.
    server.reset()
    await page.getByLabel('y', { exact: true }).selectOption('0')
    await page.locator('.dear').waitFor()
    assert.match(await page.locator('.dear').innerText(), /This view reads (about )?\d+ MB in (about )?\d+ requests/)
    await shot(page, 'dear')
    assert.ok(server.bytes < 2e6, `${server.bytes} bytes were read unasked`)
    await page.getByRole('button', { name: 'Look at a part' }).click()
    await settled(page)
  })
})

test('the newest request wins', () => come('#url=files/big.b2nd', async page => {
  await settled(page)
  server.latency = 30
  try {
    await page.evaluate(async () => {
      const { session } = document.querySelector('b2nd-viewer')
      for (let k = 16; k < 512; k += 16) {
        session.go(0, k)
        await new Promise(done => setTimeout(done, 5))
      }
    })
    await settled(page)
    await hover(page, 100, 200)
    assert.match(await readout(page), /^\[496, 200, 100\] = -?\d+$/)
  } finally {
    server.latency = 0
  }
}))

test('slices as files', () => see('mixture.b2nd&view=heatmap&index=1,2,0,0', async page => {
  await page.keyboard.press('e')
  const save = async format => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: format, exact: true }).click()])
    assert.equal(download.suggestedFilename(), `mixture.${format.toLowerCase()}`)
    return readFileSync(await download.path())
  }
  const item = (z, w) => 1200 + z * 10 + w
  const rows = Array.from({ length: 9 }, (_, z) => Array.from({ length: 8 }, (_, w) => item(z, w)))
  assert.equal((await save('CSV')).toString(), rows.map(row => `${row.join(',')}\n`).join(''))
  assert.deepEqual(JSON.parse(await save('JSON')), rows)
  const npy = await save('NPY')
  const header = npy.subarray(12, 12 + npy.readUInt32LE(8)).toString()
  assert.match(header, /^\{'descr': '<i2', 'fortran_order': False, 'shape': \(9, 8\), \} *\n$/)
  assert.deepEqual([...new Int16Array(new Uint8Array(npy.subarray(12 + npy.readUInt32LE(8))).buffer)], rows.flat())
  assert.equal((await save('PNG')).subarray(1, 4).toString(), 'PNG')
  await shot(page, 'takeaway')
}))

/** What Python makes of something. */
const python = (code, ...options) => execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', code], { cwd: FILES, encoding: 'utf8', ...options }).trim()

for (const name of ['table', 'words', 'dates', 'waves', 'large', 'scalar', 'holes']) {
  test(`${name} as NPY is what the reference reads`, () => see(`${name}.b2nd`, async page => {
    await page.keyboard.press('e')
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'NPY', exact: true }).click()])
    assert.equal(python(`import numpy, blosc2
a = numpy.load(${JSON.stringify(await download.path())}); b = blosc2.open("${name}.b2nd")[()]
print(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())`), 'True')
  }))
}

test('the code reads that very slice', () => come('', async page => {
  await choose(page, 'File…', join(FILES, 'mixture.b2nd'))
  await look(page, 'view=heatmap&index=1,2,0,0')
  await page.keyboard.press('e')
  const code = async language => {
    await page.getByRole('button', { name: language, exact: true }).click()
    return page.getByLabel('code').innerText()
  }
  assert.equal(python(`${await code('Python')}\nprint(data.shape, data.sum())`), '(9, 8) 89532')
  const script = `${await code('JavaScript')}\nconsole.log(shape.join(), data.reduce((a, b) => a + b))`.replace('"mixture.b2nd"', JSON.stringify(join(FILES, 'mixture.b2nd')))
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: join(DIST, '..', '..'), encoding: 'utf8' })
  assert.equal(out.trim(), '9,8 89532')
}))

test('the code for the slice', () => see('mixture.b2nd&view=heatmap&index=1,2,0,0', async page => {
  await page.keyboard.press('e')
  const code = () => page.getByLabel('code').innerText()
  assert.match(await code(), /blosc2\.open\("http.*mixture\.b2nd", mode="r"\).*\ndata = array\[1, 2, 0:9, 0:8\]/)
  await page.getByRole('button', { name: 'JavaScript' }).click()
  assert.match(await code(), /array\.get\(\[1, 2, slice\(0, 9\), slice\(0, 8\)\]\)/)
  await page.getByRole('button', { name: 'Rust' }).click()
  assert.match(await code(), /"1, 2, 0:9, 0:8"\.parse\(\)/)
}))

test('a link restores the view', async () => {
  let link
  await see('field.b2nd', async page => {
    await look(page, 'index=7,20,30&x=1&y=0&map=inferno&scale=symlog&range=fixed&min=2&max=9&equal=0')
    await page.keyboard.press('.')
    await page.waitForFunction(() => location.hash.includes('index=7,20,31'))
    link = new URL(page.url()).hash
  })
  await come(link, async page => {
    await settled(page)
    const state = await page.evaluate(() => document.querySelector('b2nd-viewer').session.state)
    assert.deepEqual(state.index, [7, 20, 31])
    for (const [key, value] of Object.entries({ x: 1, y: 0, map: 'inferno', scale: 'symlog', range: 'fixed', min: 2, max: 9, equal: false })) assert.equal(state[key], value, key)
  })
})

test('the element in another page', async () => {
  const page = `<!doctype html><html lang="en"><title>embedded</title><link rel="stylesheet" href="/frame.css">
    <script type="module" src="/b2nd-viewer.js"></script><b2nd-viewer src="/files/field.b2nd" state="view=line&amp;index=3,4,5"></b2nd-viewer>`
  const other = await serve({ '/embedded.html': page, '/frame.css': 'body { block-size: 600px; margin: 0 }', '/files/': FILES, '/': DIST })
  try {
    await visit(browser, other.url('/embedded.html'), async page => {
      await settled(page)
      assert.equal(await page.getByRole('button', { name: 'Line' }).getAttribute('aria-pressed'), 'true')
      assert.deepEqual(await page.evaluate(() => document.querySelector('b2nd-viewer').session.state.index), [3, 4, 5])
      const detail = await page.evaluate(() => new Promise(done => {
        const viewer = document.querySelector('b2nd-viewer')
        viewer.addEventListener('b2nd-state', ({ detail }) => done(detail))
        viewer.setAttribute('state', 'view=heatmap&index=7,0,0')
      }))
      assert.equal(detail, 'index=7%2C0%2C0')
      await page.evaluate(() => document.querySelector('b2nd-viewer').setAttribute('src', '/files/scalar.b2nd'))
      await page.locator('.scalar', { hasText: '42.125' }).waitFor()
      const failed = await page.evaluate(() => new Promise(done => {
        const viewer = document.querySelector('b2nd-viewer')
        viewer.addEventListener('b2nd-error', ({ detail }) => done(detail.code))
        viewer.setAttribute('src', '/frame.css')
      }))
      assert.equal(failed, 'format')
    }, { viewport: VIEWPORT })
  } finally {
    await other.close()
  }
})

test('every key', () => see('field.b2nd', async page => {
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await shot(page, 'keys')
  const keys = await dialog.locator('.keys').first().locator('kbd').allTextContents()
  assert.ok(keys.length > 25)
  await page.keyboard.press('Escape')
  const state = key => page.evaluate(key => document.querySelector('b2nd-viewer').session.state[key], key)
  for (const [key, name, value] of [['c', 'map', 'cividis'], ['l', 'scale', 'log'], ['r', 'range', 'percentile'], ['i', 'smooth', true], ['q', 'equal', false], ['2', 'view', 'planes'], ['4', 'view', 'table'], ['1', 'view', 'heatmap']]) {
    await page.keyboard.press(key)
    assert.equal(await state(name), value, key)
  }
  await settled(page)
  await page.keyboard.press('Shift+ArrowRight')
  assert.match(await readout(page), /^\[11, 60, 90\] = /)
  await page.keyboard.press('p')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('p')
  assert.match(await page.locator('.profile').innerText(), /from \(90, 60\) to \(90, 61\)/)
  await page.keyboard.press('+')
  assert.ok(await state('window'))
  await page.keyboard.press('f')
  await page.locator('.facts').waitFor({ state: 'hidden' })
  await page.keyboard.press('g')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  assert.deepEqual((await state('index'))[0], 5)
}))

/** Every view of every kind of array, looked over by axe. */
async function accessible(page, what) {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`).join('; ')}`)
  })
  assert.deepEqual(violations, [], what)
}

for (const [scheme, viewport] of [['light', VIEWPORT], ['dark', VIEWPORT], ['light', { width: 390, height: 780 }]]) {
  test(`axe finds nothing: ${scheme}, ${viewport.width} pixels`, () => come('', async page => {
    await accessible(page, 'welcome')
    for (const link of ['field.b2nd', 'field.b2nd&view=planes', 'field.b2nd&view=line', 'field.b2nd&view=table', 'photo.b2nd', 'labels.b2nd', 'holes.b2nd', 'waves.b2nd', 'traces.b2nd', 'table.b2nd', 'words.b2nd&view=text', 'scalar.b2nd', 'sparse.b2nd/', 'unknown.b2nd']) {
      await page.goto('about:blank')
      await page.goto(server.url(`/index.html#url=files/${link}`))
      await (link === 'unknown.b2nd' ? page.getByRole('alert').waitFor() : settled(page))
      await accessible(page, link)
      if (viewport !== VIEWPORT || scheme === 'dark') await shot(page, `${scheme}-${viewport.width}-${link.replace(/\W+/g, '-')}`)
    }
    for (const key of ['s', 'e', '?']) {
      await page.goto('about:blank')
      await page.goto(server.url('/index.html#url=files/field.b2nd'))
      await settled(page)
      await page.keyboard.press(key)
      await frames(page)
      await accessible(page, `panel ${key}`)
    }
  }, { colorScheme: scheme, viewport }))
}

test('offline after the first visit', async () => {
  const origin = await serve({ '/': DIST })
  const url = origin.url('/index.html')
  try {
    await visit(browser, url, async page => {
      await page.evaluate(() => navigator.serviceWorker.ready)
      await page.waitForFunction(() => navigator.serviceWorker.controller)
      await page.context().setOffline(true)
      await origin.close()
      await page.goto(`${url}#url=examples/stack.b2nd`)
      await page.reload()
      await settled(page)
      await hover(page, 50, 60)
      assert.match(await readout(page), /^\[11, 60, 50\] = \d+$/)
      await shot(page, 'offline')
    }, { viewport: VIEWPORT })
  } finally {
    await origin.close().catch(() => {})
  }
})

test('nothing is left out of the build', () => {
  const files = readdirSync(DIST, { recursive: true })
  for (const file of ['index.html', 'page.js', 'b2nd-viewer.js', 'worker.js', 'page.css', 'sw.js', 'b2nd.wasm', 'manifest.webmanifest', 'icon.svg']) assert.ok(files.includes(file), file)
  assert.ok(facts.field)
})

test('serve.mjs shows a file, and nothing else of the disk', async () => {
  const script = join(DIST, '..', '..', 'viewer', 'serve.mjs')
  const child = spawn(process.execPath, [script, join(FILES, 'field.b2nd')], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const address = await new Promise(done => child.stdout.once('data', line => done(String(line).trim())))
    await visit(browser, address, async page => {
      await settled(page)
      assert.equal(await page.title(), 'field.b2nd – b2nd viewer')
    }, { viewport: VIEWPORT, serviceWorkers: 'block', allow: [/Service Worker/] })
    const { origin } = new URL(address)
    for (const path of ['/file/stack.b2nd', '/..%2f..%2fpackage.json', '/file/..%2fexpected.json', '/file/field.b2nd/00000000.chunk']) {
      assert.equal((await fetch(origin + path)).status, 404, path)
    }
    const part = await fetch(`${origin}/file/field.b2nd`, { headers: { Range: 'bytes=2-5' } })
    assert.equal(part.status, 206)
    assert.equal((await part.arrayBuffer()).byteLength, 4)
  } finally {
    child.kill()
  }
})
