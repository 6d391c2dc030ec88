// Pictures of planes: what is under the cursor, colours, ranges, three planes, looking closer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  colour,
  frames,
  hover,
  look,
  plot,
  readout,
  same,
  says,
  settled,
  shot,
  tells,
  valueIn,
  viewer,
} from '../lib/viewer.mjs'

const on = viewer()
const { see } = on

for (const name of ['field', 'stack', 'holes', 'labels', 'waves', 'mixture']) {
  test(`${name}: a heatmap tells the value under the cursor`, () =>
    see(`${name}.b2nd&view=heatmap`, async page => {
      await shot(page, `heatmap-${name}`)
      const { shape, values } = on.facts[name]
      for (const [at, value] of values) {
        await look(page, `view=heatmap&index=${at}`)
        await hover(page, at.at(-1), at.at(-2))
        const text = await readout(page)
        assert.ok(text.startsWith(`[${at.join(', ')}] = `), `${text} at ${at} of ${shape}`)
        same(valueIn(text), value)
      }
    }))
}

test('any axis goes anywhere', () =>
  see('mixture.b2nd', async page => {
    await page.getByLabel('x', { exact: true }).selectOption('0')
    await page.getByLabel('y', { exact: true }).selectOption('2')
    await settled(page)
    await hover(page, 5, 7)
    await tells(page, '[5, 2, 7, 3] = 5273')
    // An axis that is taken changes places.
    await page.getByLabel('y', { exact: true }).selectOption('0')
    await settled(page)
    await hover(page, 7, 5)
    await tells(page, '[5, 2, 7, 3] = 5273')
    await page.keyboard.press('t')
    await settled(page)
    await hover(page, 6, 8)
    await tells(page, '[6, 2, 8, 3] = 6283')
  }))

test('colours of what is no number, scales and ranges', () =>
  see('holes.b2nd', async page => {
    const { min, max } = on.facts.holes
    assert.deepEqual(await colour(page, 60, 40), [0xff, 0x5f, 0xc8])
    assert.deepEqual(await colour(page, 15, 10), [255, 255, 255])
    assert.deepEqual(await colour(page, 15, 12), [0x3c, 0x14, 0x14])
    await says(page.locator('.pictures .legend'), /1,500 NaN/)
    const range = () =>
      page.evaluate(() => {
        const { min, max } = document.querySelector('b2nd-viewer').stage.view.bar.scene.colouring.range
        return [min, max]
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
    await page.getByLabel('Equal aspect').uncheck()
    await page.getByLabel('Origin: lower').check()
    await hover(page, 3, 100)
    assert.ok((await readout(page)).startsWith('[100, 3] = '))
  }))

test('the range of the whole array', () =>
  see('field.b2nd', async page => {
    await page.getByLabel('range', { exact: true }).selectOption('whole')
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.whole)
    await settled(page)
    const range = await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.bar.scene.colouring.range)
    assert.equal(range.min, on.facts.field.min)
    assert.equal(range.max, on.facts.field.max)
  }))

test('as dark as the system', () =>
  see('field.b2nd', async page => {
    const ground = () => page.evaluate(() => getComputedStyle(document.querySelector('b2nd-viewer')).backgroundColor)
    const corner = () =>
      page.evaluate(() => {
        const { canvas } = document.querySelector('b2nd-viewer').stage.view.bar
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
        copy.drawImage(canvas, 0, 0)
        return copy.getImageData(0, 0, canvas.width, canvas.height).data.join('')
      })
    const [light, text] = [await ground(), await corner()]
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.waitForFunction(
      light => getComputedStyle(document.querySelector('b2nd-viewer')).backgroundColor !== light,
      light,
    )
    await settled(page)
    assert.notEqual(await corner(), text)
  }))

test('labels are told by their patches', () =>
  see('labels.b2nd', async page => {
    assert.equal(await page.getByLabel('colours', { exact: true }).inputValue(), 'labels')
  }))

test('looking closer', () =>
  see('stack.b2nd', async page => {
    await plot(page).hover()
    await page.mouse.wheel(0, -300)
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
    await page.keyboard.down('Control')
    await page.mouse.move(box.x + box.width / 2 - 80, box.y + box.height / 2 - 80)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 80, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.up('Control')
    assert.ok((await window())[1] < 192)
    await page.keyboard.press('0')
    assert.equal(await window(), null)
  }))

test('values along a line', () =>
  see('field.b2nd&index=0,0,0', async page => {
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.locator('.profile').waitFor()
    await frames(page)
    await says(page.locator('.profile'), /Profile from \(0, 60\) to \(159, 60\): 160 items/)
    await hover(page, 20, 30)
    await page.keyboard.down('Shift')
    await page.mouse.down()
    await hover(page, 60, 90)
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await says(page.locator('.profile'), /Profile from \(20, 30\) to \(60, 90\): 61 items/)
    await shot(page, 'profile')
    await page.getByLabel('close the profile').click()
    assert.equal(await page.locator('.profile').isVisible(), false)
  }))

test('a photograph that is drawn smaller has the means of its colours', () =>
  see('../channels/photo.b2nd', async page => {
    // Red is the row and green is the column, modulo 256.
    for (const [x, y] of [
      [100, 100],
      [1100, 200],
      [300, 1700],
      [1999 - 60, 1999 - 60],
    ]) {
      const [red, green] = await colour(page, x, y)
      assert.ok(Math.abs(red - (y % 256)) <= 3 && Math.abs(green - (x % 256)) <= 3, `${red} ${green} at ${x}, ${y}`)
    }
  }))

test('colours as colours', () =>
  see('photo.b2nd', async page => {
    await shot(page, 'rgb')
    assert.equal(await page.getByRole('button', { name: 'Colours' }).getAttribute('aria-pressed'), 'true')
    for (const [[y, x, channel], value] of on.facts.photo.values) {
      await hover(page, x, y)
      const text = await readout(page)
      assert.ok(text.startsWith(`[${y}, ${x}, :] = `), text)
      const channels = valueIn(text).split(', ').map(Number)
      assert.equal(channels[channel], value)
      assert.deepEqual(await colour(page, x, y), channels)
    }
  }))

test('three planes through a point', () =>
  see('stack.b2nd&view=planes', async page => {
    const [[z, y, x], value] = on.facts.stack.values[0]
    await look(page, `view=planes&index=${z},${y},${x}`)
    for (const [plane, at] of [
      [0, [x, y]],
      [1, [x, z]],
      [2, [z, y]],
    ]) {
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

test('complex numbers', () =>
  see('waves.b2nd', async page => {
    await page.getByLabel('show', { exact: true }).selectOption('phase')
    await settled(page)
    assert.equal(await page.getByLabel('colours', { exact: true }).inputValue(), 'cyclic')
    await shot(page, 'complex')
  }))
