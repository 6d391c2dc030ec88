// What the viewer shows of arrays is what the reference says that is in them.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { launch, visit } from '../lib/browser.mjs'
import { colour, expected, hover, look, readout, serveViewer, settled, SHOTS } from '../lib/viewer.mjs'

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

/** Opens a file, waits until it is shown, and does something with the page. */
function see(hash, work, options = {}) {
  return visit(browser, server.url(`/index.html#url=files/${hash}`), async page => {
    await settled(page)
    await work(page)
  }, { viewport: { width: 1200, height: 760 }, ...options })
}

const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`) })

/** Numbers in different spellings are the same. */
function same(text, value) {
  if (typeof value === 'number') assert.equal(Number(text), value)
  else if (Array.isArray(value)) assert.deepEqual(text.replaceAll(' ', '').match(/^(-?[\d.e-]+?)([+-][\d.e-]+)i$/).slice(1).map(Number).map(Math.fround), value.map(Math.fround))
  else assert.equal(text, { nan: 'NaN', inf: '∞', '-inf': '-∞' }[value] ?? String(value))
}

const plot = page => page.locator('.view .plot').first()

const valueIn = text => text.slice(text.indexOf('] = ') + 4)

for (const name of ['field', 'stack', 'holes', 'labels', 'waves', 'mixture']) {
  test(`${name}: a heatmap tells the value under the cursor`, () => see(`${name}.b2nd&view=heatmap`, async page => {
    await shot(page, `heatmap-${name}`)
    const { shape, values } = facts[name]
    for (const [at, value] of values) {
      await look(page, `view=heatmap&index=${at}`)
      await hover(page, at.at(-1), at.at(-2))
      const text = await readout(page)
      assert.ok(text.startsWith(`[${at.join(', ')}] = `), `${text} at ${at} of ${shape}`)
      same(valueIn(text), value)
    }
  }))
}

test('facts are those of the file', () => see('field.b2nd', async page => {
  const text = await page.locator('.facts').innerText()
  for (const part of ['(24, 120, 160)', '(4, 60, 80)', '(2, 30, 40)', '<f4', 'zstd, level 7', 'shuffle', '460,800', 'Temperature over a day', '°C', 'waves', '[1, 2]']) {
    assert.ok(text.includes(part), `${part} in ${text}`)
  }
  assert.ok(text.includes('This view touches 4 of 24 chunks. Of the blocks of the first, 4 of 8.'), text)
  await page.locator('.chunks').hover({ position: { x: 4, y: 4 } })
  assert.match(await page.locator('.chunkmap .hint').first().textContent(), /^Chunk 0 at \(0, 0, 0\): \d+ kB at byte [\d,]+, ratio [\d.]+$/)
  await page.getByText('Metalayers').click()
  assert.match(await page.locator('.facts').innerText(), /b2nd/)
}))

test('any axis goes anywhere', () => see('mixture.b2nd', async page => {
  await page.getByLabel('x', { exact: true }).selectOption('0')
  await page.getByLabel('y', { exact: true }).selectOption('2')
  await settled(page)
  await hover(page, 5, 7)
  assert.equal(await readout(page), '[5, 2, 7, 3] = 5273')
  // An axis that is taken changes places.
  await page.getByLabel('y', { exact: true }).selectOption('0')
  await settled(page)
  await hover(page, 7, 5)
  assert.equal(await readout(page), '[5, 2, 7, 3] = 5273')
  await page.keyboard.press('t')
  await settled(page)
  await hover(page, 6, 8)
  assert.equal(await readout(page), '[6, 2, 8, 3] = 6283')
}))

test('moving through planes', () => see('field.b2nd', async page => {
  const index = () => page.getByLabel('index along axis 0')
  assert.equal(await index().inputValue(), '11')
  await page.keyboard.press('.')
  await page.keyboard.press('.')
  await page.keyboard.press(',')
  assert.equal(await index().inputValue(), '12')
  await index().fill('-1')
  await index().press('Enter')
  assert.equal(await index().inputValue(), '23')
  await index().press('ArrowDown')
  await settled(page)
  assert.equal(await index().inputValue(), '22')
  await plot(page).hover()
  await page.mouse.wheel(0, -120)
  await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[0] === 21)
  await page.getByLabel('position along axis 0').focus()
  await page.keyboard.press('Home')
  assert.equal(await index().inputValue(), '0')
  await page.getByRole('button', { name: 'play' }).click()
  await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[0] >= 3)
  await page.getByRole('button', { name: 'play' }).click()
  await settled(page)
  const at = Number(await index().inputValue())
  await hover(page, 10, 10)
  assert.ok((await readout(page)).startsWith(`[${at}, 10, 10] = `))
}))

test('scrubbing through 100 cached planes of 512 × 512', () => see('big.b2nd', async page => {
  const rates = await page.evaluate(async () => {
    const { session, stage: { view } } = document.querySelector('b2nd-viewer')
    const { signal } = new AbortController()
    for (let z = 0; z < 100; z++) await session.loader.load([z, { start: 0, stop: 512, step: 1 }, { start: 0, stop: 512, step: 1 }], signal)
    const frame = () => new Promise(requestAnimationFrame)
    // The work alone, and as somebody sees it who drags the slider.
    let start = performance.now()
    for (let k = 0; k < 100; k++) {
      session.go(0, (k * 7) % 100)
      view.picture.paint()
    }
    const work = 100_000 / (performance.now() - start)
    await frame()
    start = performance.now()
    for (let k = 0; k < 100; k++) {
      session.go(0, k)
      await frame()
    }
    return [work, 100_000 / (performance.now() - start)]
  })
  console.log(`scrubbing: ${rates.map(rate => rate.toFixed(0)).join(' planes a second of work, ')} frames a second seen`)
  assert.ok(rates[0] >= 50, `${rates} planes a second`)
}))

test('colours of what is no number, scales and ranges', () => see('holes.b2nd', async page => {
  const { min, max } = facts.holes
  assert.deepEqual(await colour(page, 60, 40), [0xff, 0x5f, 0xc8])
  assert.deepEqual(await colour(page, 15, 10), [255, 255, 255])
  assert.deepEqual(await colour(page, 15, 12), [0x3c, 0x14, 0x14])
  assert.match(await page.locator('.pictures .legend').innerText(), /1,500 NaN/)
  const range = () => page.evaluate(() => {
    const { bar } = document.querySelector('b2nd-viewer').stage.view
    return [bar.colouring.range.min, bar.colouring.range.max]
  })
  assert.deepEqual(await range(), [min, max])
  await page.getByLabel('range', { exact: true }).selectOption('percentile')
  await settled(page)
  const [low, high] = await range()
  assert.ok(low > min && high < max, `${low} ${high}`)
  await page.getByLabel('scale', { exact: true }).selectOption('log')
  await page.getByLabel('colours', { exact: true }).selectOption('cividis')
  await page.getByLabel('range', { exact: true }).selectOption('fixed')
  await page.getByLabel('least', { exact: true }).fill('1')
  await page.getByLabel('least', { exact: true }).press('Enter')
  await page.getByLabel('greatest', { exact: true }).fill('100')
  await page.getByLabel('greatest', { exact: true }).press('Enter')
  await settled(page)
  assert.deepEqual(await range(), [1, 100])
  await shot(page, 'heatmap-fixed')
  await page.getByLabel('smooth', { exact: true }).check()
  await page.getByLabel('square items').uncheck()
  await page.getByLabel('upward').check()
  await hover(page, 3, 100)
  assert.ok((await readout(page)).startsWith('[100, 3] = '))
}))

test('the range of the whole array', () => see('field.b2nd', async page => {
  await page.getByLabel('range', { exact: true }).selectOption('whole')
  await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.whole)
  await settled(page)
  const range = await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.bar.colouring.range)
  assert.equal(range.min, facts.field.min)
  assert.equal(range.max, facts.field.max)
}))

test('as dark as the system', () => see('field.b2nd', async page => {
  const ground = () => page.evaluate(() => getComputedStyle(document.querySelector('b2nd-viewer')).backgroundColor)
  const corner = () => page.evaluate(() => {
    const { canvas } = document.querySelector('b2nd-viewer').stage.view.bar
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
    copy.drawImage(canvas, 0, 0)
    return copy.getImageData(0, 0, canvas.width, canvas.height).data.join('')
  })
  const [light, text] = [await ground(), await corner()]
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(light => getComputedStyle(document.querySelector('b2nd-viewer')).backgroundColor !== light, light)
  await settled(page)
  assert.notEqual(await corner(), text)
}))

test('labels are told by their patches', () => see('labels.b2nd', async page => {
  assert.equal(await page.getByLabel('colours', { exact: true }).inputValue(), 'labels')
}))

test('looking closer', () => see('stack.b2nd', async page => {
  await plot(page).hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -300)
  await page.keyboard.up('Control')
  await settled(page)
  const window = () => page.evaluate(() => document.querySelector('b2nd-viewer').session.state.window)
  const [x0, x1] = await window()
  assert.ok(x0 > 0 && x1 < 192)
  const before = await window()
  const box = await plot(page).boundingBox()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  assert.ok((await window())[0] > before[0], 'dragging to the left looks to the right')
  await plot(page).dblclick()
  assert.equal(await window(), null)
  // A box.
  await page.mouse.move(box.x + box.width / 2 - 80, box.y + box.height / 2 - 80)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 80, { steps: 4 })
  await page.mouse.up()
  assert.ok((await window())[1] < 192)
  await page.keyboard.press('0')
  assert.equal(await window(), null)
}))

test('values along a line', () => see('field.b2nd&index=0,0,0', async page => {
  await page.getByRole('button', { name: 'Profile' }).click()
  assert.match(await page.locator('.profile').innerText(), /Profile from \(0, 60\) to \(159, 60\): 160 items/)
  await hover(page, 20, 30)
  await page.keyboard.down('Shift')
  await page.mouse.down()
  await hover(page, 60, 90)
  await page.mouse.up()
  await page.keyboard.up('Shift')
  assert.match(await page.locator('.profile').innerText(), /Profile from \(20, 30\) to \(60, 90\): 61 items/)
  await shot(page, 'profile')
  await page.getByLabel('close the profile').click()
  assert.equal(await page.locator('.profile').isVisible(), false)
}))

test('statistics, with a histogram', () => see('holes.b2nd', async page => {
  await page.getByRole('button', { name: 'Statistics' }).click()
  await page.getByRole('button', { name: 'Of the whole array' }).click()
  const numbers = page.locator('.numbers')
  await numbers.waitFor()
  const { count, nan, inf, min, max, mean } = facts.holes
  const texts = await numbers.locator('dd').allTextContents()
  const near = (text, value) => assert.ok(Math.abs(Number(text.replaceAll(',', '')) - value) <= Math.abs(value) * 1e-5, `${text} ${value}`)
  ;[count, min, max, mean, nan, inf].forEach((value, k) => near(texts[k], value))
  await page.locator('.panel .plot').waitFor()
  await shot(page, 'statistics')
  await page.getByRole('button', { name: 'Of what is shown' }).click()
  await page.getByText('Of what is shown:').waitFor()
}))

test('statistics can be stopped', () => see('big.b2nd', async page => {
  await page.keyboard.press('s')
  await page.getByRole('button', { name: 'Of the whole array' }).click()
  await page.waitForFunction(() => document.querySelector('b2nd-viewer').shadowRoot.querySelector('.panel progress').value > 0)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), false)
}))

test('colours as colours', () => see('photo.b2nd', async page => {
  await shot(page, 'rgb')
  assert.equal(await page.getByRole('button', { name: 'Colours' }).getAttribute('aria-pressed'), 'true')
  for (const [[y, x, channel], value] of facts.photo.values) {
    await hover(page, x, y)
    const text = await readout(page)
    assert.ok(text.startsWith(`[${y}, ${x}, :] = `), text)
    const channels = valueIn(text).split(', ').map(Number)
    assert.equal(channels[channel], value)
    assert.deepEqual(await colour(page, x, y), channels)
  }
}))

test('three planes through a point', () => see('stack.b2nd&view=planes', async page => {
  const [[z, y, x], value] = facts.stack.values[0]
  await look(page, `view=planes&index=${z},${y},${x}`)
  for (const [plane, at] of [[0, [x, y]], [1, [x, z]], [2, [z, y]]]) {
    await hover(page, ...at, plane)
    const text = await readout(page)
    assert.equal(text, `[${z}, ${y}, ${x}] = ${value}`)
  }
  await hover(page, 30, 40, 0)
  await page.mouse.down()
  await page.mouse.up()
  await settled(page)
  await hover(page, 30, z, 1)
  assert.ok((await readout(page)).startsWith(`[${z}, 40, 30] = `))
  await shot(page, 'planes')
}))

test('a line', () => see('signal.b2nd', async page => {
  await shot(page, 'line')
  await plot(page).hover()
  await page.mouse.wheel(0, -600)
  await settled(page)
  await shot(page, 'line-closer')
  const box = await plot(page).boundingBox()
  await page.mouse.move(box.x + 300, box.y + 100)
  const [, at, value] = /^\[(\d+)\] = (.*)$/.exec(await readout(page))
  const read = await page.evaluate(at => document.querySelector('b2nd-viewer').session.dataset.array.at(at), Number(at))
  assert.equal(Number(value), read)
  const window = () => page.evaluate(() => document.querySelector('b2nd-viewer').session.state.window)
  const before = await window()
  await page.mouse.down()
  await page.mouse.move(box.x + 200, box.y + 100, { steps: 3 })
  await page.mouse.up()
  const after = await window()
  assert.ok(after[0] > before[0] && Math.abs(after[1] - after[0] - (before[1] - before[0])) < 1e-6)
}))

test('several lines', () => see('traces.b2nd', async page => {
  await shot(page, 'lines')
  assert.equal(await page.locator('.lines .legend li').count(), 6)
  await plot(page).hover()
  assert.match(await readout(page), /^\[:, \d+\] = 0: [-\d.]+ {3}1: /)
  await page.getByLabel('lines', { exact: true }).selectOption('-')
  await settled(page)
  assert.equal(await page.locator('.lines .legend li').count(), 0)
}))

test('a table', () => see('field.b2nd&view=table&index=3,0,0', async page => {
  await shot(page, 'table')
  const cell = (row, column) => page.locator(`#cell-${row}-${column}`)
  const plane = await page.evaluate(async () => Array.from((await document.querySelector('b2nd-viewer').session.dataset.array.get([3])).data))
  for (const [row, column] of [[0, 0], [3, 5], [10, 2]]) assert.equal(Math.fround(Number(await cell(row, column).textContent())), plane[row * 160 + column])
  await page.getByRole('grid').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  assert.equal(await readout(page), `[3, 1, 1] = ${await cell(1, 1).textContent()}`)
  await page.keyboard.press('Control+ArrowDown')
  await page.keyboard.press('End')
  await page.waitForFunction(() => document.querySelector('b2nd-viewer').shadowRoot.querySelector('#cell-119-159:not(.coming)'))
  assert.equal(Math.fround(Number(await cell(119, 159).textContent())), plane.at(-1))
  assert.equal(await page.getByRole('grid').getAttribute('aria-activedescendant'), 'cell-119-159')
  await page.keyboard.press('Control+Home')
  await page.locator('.grid').hover()
  await page.mouse.wheel(0, 26 * 40)
  await cell(41, 0).waitFor()
  await cell(41, 1).click()
  assert.ok((await readout(page)).startsWith('[3, 41, 1] = '))
  // A place that is typed, and one cursor for all views.
  await page.keyboard.press('g')
  await page.keyboard.type('-2')
  await page.keyboard.press('Enter')
  await cell(118, 1).waitFor()
  await page.getByRole('button', { name: 'Line' }).click()
  await settled(page)
  assert.equal(await page.getByLabel('index along axis 1').inputValue(), '118')
}))

test('structures as columns', () => see('table.b2nd', async page => {
  await shot(page, 'struct')
  assert.deepEqual(await page.locator('.row').first().locator('.head').allTextContents(), ['when', 'station', 'kelvin', 'count', 'valid'])
  const rows = facts.table.values
  for (const [[at], row] of rows.slice(0, 3)) {
    await page.evaluate(at => document.querySelector('b2nd-viewer').stage.view.move(0, at - 2500), 2500)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+Home')
    await page.evaluate(at => document.querySelector('b2nd-viewer').stage.view.move(0, at), at)
    await page.waitForFunction(at => document.querySelector('b2nd-viewer').shadowRoot.querySelector(`#cell-${at}-0:not(.coming)`), at)
    const cells = await Promise.all(row.map((_, k) => page.locator(`#cell-${at}-${k}`).textContent()))
    assert.equal(cells[0], row[0])
    assert.equal(cells[1], row[1])
    assert.equal(Math.fround(Number(cells[2])), Math.fround(row[2]))
    assert.equal(Number(cells[3]), row[3])
    assert.equal(cells[4], String(row[4]))
  }
  await page.getByRole('button', { name: 'Line' }).click()
  await settled(page)
  await page.getByLabel('field', { exact: true }).selectOption('count')
  await settled(page)
  await shot(page, 'struct-line')
}))

for (const name of ['words', 'dates', 'large']) {
  test(`${name} in a table`, () => see(`${name}.b2nd&view=table`, async page => {
    await shot(page, `table-${name}`)
    for (const [at, value] of facts[name].values) {
      await page.evaluate(([y, x]) => {
        const { view } = document.querySelector('b2nd-viewer').stage
        view.move(-1e9, -1e9)
        view.move(x, y)
      }, [at[0], at[1] ?? 0])
      const cell = page.locator(`#cell-${at[0]}-${at[1] ?? 0}`)
      await page.waitForFunction(id => document.querySelector('b2nd-viewer').shadowRoot.querySelector(`#${id}:not(.coming)`), `cell-${at[0]}-${at[1] ?? 0}`)
      assert.equal(await cell.textContent(), String(value))
    }
  }))
}

test('dates on an axis', () => see('dates.b2nd', async page => {
  await shot(page, 'dates')
  await plot(page).hover()
  assert.match(await readout(page), /^\[\d+\] = 2000-\d\d-\d\d$/)
}))

test('a scalar', () => see('scalar.b2nd', async page => {
  await page.locator('.scalar', { hasText: '42.125' }).waitFor()
}))

test('complex numbers', () => see('waves.b2nd', async page => {
  await page.getByLabel('show', { exact: true }).selectOption('phase')
  await settled(page)
  assert.equal(await page.getByLabel('colours', { exact: true }).inputValue(), 'cyclic')
  await shot(page, 'complex')
}))

test('a sparse frame', () => see('sparse.b2nd/', async page => {
  await hover(page, 70, 50)
  assert.equal(await readout(page), '[50, 70] = 5070')
  assert.match(await page.locator('.facts').innerText(), /sparse: a file for each chunk/)
  assert.match(await page.locator('.chunkmap').innerText(), /all zeros, stored nowhere/)
}))

test('a codec that is not there', () => visit(browser, server.url('/index.html#url=files/unknown.b2nd'), async page => {
  await page.getByRole('alert').waitFor()
  await shot(page, 'unknown')
  assert.match(await page.getByRole('alert').innerText(), /compressed with codec 201, which this viewer does not have/)
  const text = await page.locator('.facts').innerText()
  for (const part of ['(60, 100)', '<i4', 'unknown codec 201']) assert.ok(text.includes(part), text)
  await page.getByText('Details', { exact: true }).click()
  assert.match(await page.locator('.trouble pre').innerText(), /code: unsupported\ncodec: 201/)
}))

test('a file that ends too early', () => visit(browser, server.url('/index.html#url=files/truncated.b2nd'), async page => {
  await page.getByRole('alert').waitFor()
  await shot(page, 'truncated')
  assert.match(await page.getByRole('alert').innerText(), /The file ends too early/)
  assert.match(await page.locator('.facts').innerText(), /\(24, 120, 160\)/)
}, { allow: [/416/] }))

test('Caterva knows no dtypes', () => see('../golden/caterva-0.7.3/2d-t4-lz4-frame.caterva', async page => {
  assert.match(await page.locator('.facts').innerText(), /not in the file; shown as/)
  await shot(page, 'caterva')
  const options = await page.getByLabel('read as', { exact: true }).locator('option').allTextContents()
  await page.getByLabel('read as', { exact: true }).selectOption({ label: options[1] })
  await settled(page)
  await page.waitForFunction(() => location.hash.includes('as='))
}))

test('memory is bounded', () => see('stack.b2nd', async page => {
  const held = await page.evaluate(async () => {
    const { Loader, dataset } = (({ loader, dataset }) => ({ Loader: loader.constructor, dataset }))(document.querySelector('b2nd-viewer').session)
    const loader = new Loader(dataset, 300_000)
    const plane = z => [z, { start: 0, stop: 192, step: 1 }, { start: 0, stop: 192, step: 1 }]
    const most = []
    for (let z = 0; z < 24; z++) {
      await loader.load(plane(z), new AbortController().signal)
      most.push(loader.held)
    }
    return [Math.max(...most), loader.peek(plane(0)) === undefined, loader.peek(plane(23)) !== undefined]
  })
  assert.deepEqual(held.slice(1), [true, true])
  assert.ok(held[0] <= 300_000 + 192 * 192 * 2)
}))
