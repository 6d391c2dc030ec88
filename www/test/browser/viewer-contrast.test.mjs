// The range of colours: kept from plane to plane, and set by handles on a histogram.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colour, frames, look, settled, shot, stateOf, viewer } from '../lib/viewer.mjs'

const { see } = viewer()

const limits = page =>
  page.evaluate(() => {
    const { min, max } = document.querySelector('b2nd-viewer').session.limits
    return [min, max]
  })
/** What is in a plane of the stack. */
const inPlane = (page, z) =>
  page.evaluate(async z => {
    const { data } = await document.querySelector('b2nd-viewer').session.dataset.array.get([z])
    return [Math.min(...data), Math.max(...data)]
  }, z)

test('the range is that of the window that was chosen last', () =>
  see('planes.b2nd', async page => {
    for (const delay of [0, 20, 80]) {
      // The first window takes a while.
      const rows = [2 + delay, 12 + delay]
      const [least, greatest] = await page.evaluate(
        async ([delay, rows]) => {
          const { session } = document.querySelector('b2nd-viewer')
          session.set({ window: [0, 3100, 0, 3100 + delay] })
          await new Promise(done => setTimeout(done, delay))
          session.set({ window: [0, 3100, ...rows] })
          const { data } = await session.dataset.array.get([0, { start: rows[0], stop: rows[1], step: 1 }, null])
          const seen = data.filter((_, at) => at % 3200 < 3100)
          return [Math.min(...seen), Math.max(...seen)]
        },
        [delay, rows],
      )
      await settled(page)
      assert.deepEqual(await limits(page), [least, greatest], `after ${delay} ms`)
    }
  }))

test('the range is that of a window with exchanged axes', () =>
  see('planes.b2nd', async page => {
    const window = [0, 3100, 2, 12]
    const show = patch =>
      page.evaluate(patch => document.querySelector('b2nd-viewer').session.set(patch), { ...patch, window })
    await show({})
    await settled(page)
    const [least, greatest] = await limits(page)
    assert.ok(least > 0 && greatest < 20_000, `${least} ${greatest}`)
    await show({ x: 1, y: 2 })
    await settled(page)
    const expected = await page.evaluate(async () => {
      const { array } = document.querySelector('b2nd-viewer').session.dataset
      const { data } = await array.get([0, { start: 0, stop: 3100, step: 1 }, { start: 2, stop: 12, step: 1 }])
      return [Math.min(...data), Math.max(...data)]
    })
    assert.deepEqual(await limits(page), expected)
  }))

test('the range is kept from plane to plane', () =>
  see('stack.b2nd&index=4,0,0', async page => {
    const first = await inPlane(page, 4)
    assert.deepEqual(await limits(page), first)
    await page.keyboard.press('.')
    await settled(page)
    const second = await inPlane(page, 5)
    assert.notDeepEqual(second, first)
    assert.deepEqual(await limits(page), first)
    await page.getByLabel('range', { exact: true }).selectOption('plane')
    await settled(page)
    assert.deepEqual(await limits(page), second)
    await page.keyboard.press('.')
    await settled(page)
    assert.deepEqual(await limits(page), await inPlane(page, 6))
  }))

test('handles on a histogram', () =>
  see('stack.b2nd&index=4,0,0', async page => {
    const [min, max] = await limits(page)
    await page.keyboard.press('h')
    const [least, greatest] = [page.getByLabel('least value'), page.getByLabel('greatest value')]
    assert.deepEqual([await least.inputValue(), await greatest.inputValue()], ['0', '1000'])
    // With the mouse.
    const box = await page.locator('.histogram').boundingBox()
    const before = await colour(page, 100, 100)
    await page.mouse.move(box.x + box.width - 1, box.y + 50)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + 50, { steps: 5 })
    await page.mouse.up()
    await settled(page)
    const [low, high] = await limits(page)
    assert.equal(low, min)
    assert.ok(Math.abs(high - (min + max) / 2) < (max - min) / 50, `${high} of ${min} to ${max}`)
    assert.equal(await stateOf(page, 'range'), 'fixed')
    assert.notDeepEqual(await colour(page, 100, 100), before)
    // With keys.
    await least.focus()
    await page.keyboard.press('ArrowRight')
    await frames(page)
    assert.ok((await limits(page))[0] > min)
    assert.match(await least.getAttribute('aria-valuetext'), /^\d/)
    await shot(page, 'contrast')
    // Kept, and given back.
    await look(page, `index=7,0,0&range=fixed&min=${low}&max=${high}`)
    assert.deepEqual(await limits(page), [low, high])
    await page.getByRole('button', { name: 'Auto range' }).click()
    await settled(page)
    assert.deepEqual(await limits(page), await inPlane(page, 7))
  }))
