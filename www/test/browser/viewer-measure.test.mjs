// What is made of many items: projections, and statistics of a part.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { FILES, hover, readout, says, settled, shot, viewer } from '../lib/viewer.mjs'

const { see } = viewer()

/** The stack, as numbers. */
const stack = page =>
  page.evaluate(async () => Array.from((await document.querySelector('b2nd-viewer').session.dataset.array.get()).data))

test('projections over an axis', () =>
  see('stack.b2nd', async page => {
    const items = await stack(page)
    const column = (y, x) => Array.from({ length: 24 }, (_, z) => items[(z * 192 + y) * 192 + x])
    const mean = values => Math.fround(values.reduce((a, b) => a + b) / values.length)
    for (const [how, of] of [
      ['max', values => Math.max(...values)],
      ['mean', mean],
      ['min', values => Math.min(...values)],
    ]) {
      await page.getByLabel('projection along axis 0').selectOption(how)
      await settled(page)
      await says(page.locator('.badge'), `${how} over axis 0`)
      for (const [y, x] of [
        [0, 0],
        [100, 50],
        [191, 191],
        [77, 130],
      ]) {
        await hover(page, x, y)
        const text = await readout(page)
        assert.ok(text.startsWith(`[${how}, ${y}, ${x}] = `), text)
        assert.equal(Math.fround(Number(text.split(' = ')[1])), of(column(y, x)))
      }
      // The colours span what is seen, not all that is behind it.
      const { min } = await page.evaluate(() => document.querySelector('b2nd-viewer').session.limits)
      const all = Array.from({ length: 192 * 192 }, (_, k) => of(column(Math.floor(k / 192), k % 192)))
      assert.equal(
        min,
        all.reduce((a, b) => Math.min(a, b)),
      )
    }
    await shot(page, 'projection')
    assert.equal(await page.getByLabel('position along axis 0').isDisabled(), true)
    await page.getByLabel('projection along axis 0').selectOption('')
    await settled(page)
    assert.equal(await page.locator('.badge').isVisible(), false)
  }))

test('statistics of a rectangle, and of a line', () =>
  see('stack.b2nd&index=5,0,0', async page => {
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Of a rectangle' }).click()
    await hover(page, 30, 40)
    await page.mouse.down()
    await hover(page, 80, 100)
    await page.mouse.up()
    await page.locator('.numbers').waitFor()
    const [, y0, y1, x0, x1] = /rows (\d+) to (\d+) and columns (\d+) to (\d+)/
      .exec(await page.locator('.result .hint').first().innerText())
      .map(Number)
    assert.deepEqual([y0, y1, x0, x1], [40, 100, 30, 80])
    assert.equal(await page.evaluate(() => document.querySelector('b2nd-viewer').session.state.window), null)
    const told = Object.fromEntries((await page.locator('.numbers dt').allInnerTexts()).map((name, k) => [name, k]))
    const texts = await page.locator('.numbers dd').allInnerTexts()
    const number = name => Number(texts[told[name]].replaceAll(',', ''))
    const script = `import blosc2, json, numpy as np
a = blosc2.open("stack.b2nd")[5, 40:101, 30:81].astype("f8")
print(json.dumps([a.size, a.mean(), a.std(), *np.percentile(a, [1, 5, 25, 50, 75, 95, 99])]))`
    const numpy = JSON.parse(
      execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', script], { cwd: FILES, encoding: 'utf8' }),
    )
    const ours = ['items', 'mean', 'std', '1 %', '5 %', '25 %', 'median', '75 %', '95 %', '99 %'].map(number)
    ours.forEach((value, k) =>
      assert.ok(Math.abs(value - numpy[k]) <= Math.abs(numpy[k]) * 1e-5, `${value} ${numpy[k]}`),
    )
    await shot(page, 'rectangle')
    // The same of a line.
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.locator('.profile').waitFor()
    const row = (await stack(page)).slice((5 * 192 + 96) * 192, (5 * 192 + 97) * 192)
    const mean = row.reduce((a, b) => a + b) / 192
    assert.match(
      await page.locator('.profile').innerText(),
      new RegExp(`192 items, .*, mean ${Number(mean.toPrecision(6))}, std [\\d.]+, median \\d+`),
    )
  }))
