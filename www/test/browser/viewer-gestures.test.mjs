// Hands on a picture do what they do in other viewers: the wheel zooms, dragging pans, a double click fits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frames, plot, settled, stateOf, tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { see } = on

const spanOf = window => (window ? window[1] - window[0] : null)

test('the wheel zooms by the same in pixels and in lines, and steps with Shift or Alt', () =>
  see('stack.b2nd', async page => {
    const turn = options =>
      plot(page).evaluate((canvas, options) => {
        const { left, top, width, height } = canvas.getBoundingClientRect()
        canvas.dispatchEvent(
          new WheelEvent('wheel', {
            clientX: left + width / 2,
            clientY: top + height / 2,
            bubbles: true,
            cancelable: true,
            ...options,
          }),
        )
      }, options)
    const spans = []
    // A notch, as Chromium and as Firefox counts it.
    for (const options of [{ deltaY: -100 }, { deltaY: -3, deltaMode: 1 }]) {
      await turn(options)
      spans.push(spanOf(await stateOf(page, 'window')))
      await plot(page).dblclick()
      assert.equal(await stateOf(page, 'window'), null, 'a double click fits')
    }
    assert.ok(Math.abs(spans[0] - spans[1]) < 0.01 && spans[0] < 192 / 1.3, `${spans} of 192`)
    assert.equal((await stateOf(page, 'index'))[0], 11)
    await turn({ deltaY: 100, shiftKey: true })
    // As some systems turn the wheel with Shift.
    await turn({ deltaX: 100, shiftKey: true })
    await turn({ deltaY: 3, deltaMode: 1, altKey: true })
    assert.equal((await stateOf(page, 'index'))[0], 14)
    assert.equal(await stateOf(page, 'window'), null)
  }))

test('dragging pans and draws no box', () =>
  see('stack.b2nd', async page => {
    const { x, y, width, height } = await plot(page).boundingBox()
    const drag = async () => {
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width / 2 - 70, y + height / 2 - 50, { steps: 4 })
      await page.mouse.up()
    }
    await drag()
    assert.equal(await stateOf(page, 'window'), null)
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    const before = await stateOf(page, 'window')
    await drag()
    const after = await stateOf(page, 'window')
    assert.ok(after[0] > before[0] && after[2] > before[2])
    assert.ok(Math.abs(spanOf(after) - spanOf(before)) < 1e-9)
  }))

test('1:1 is a pixel for each item, and Fit shows all', () =>
  see('stack.b2nd', async page => {
    const zoom = () => page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.picture.zoom)
    await page.getByRole('button', { name: '1:1' }).click()
    await frames(page)
    assert.ok(Math.abs((await zoom()) - 1) < 1e-9, `${await zoom()} pixels`)
    // Beside the array is nothing.
    const { x, y, height } = await plot(page).boundingBox()
    await page.mouse.move(x + 60, y + height / 2)
    await tells(page, '')
    await page.getByRole('button', { name: 'Fit' }).click()
    await settled(page)
    assert.equal(await stateOf(page, 'window'), null)
    await page.keyboard.press('9')
    await frames(page)
    assert.ok(Math.abs((await zoom()) - 1) < 1e-9)
  }))
