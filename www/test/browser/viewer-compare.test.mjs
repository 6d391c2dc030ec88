// Two arrays side by side, linked, and their difference.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, choose, FILES, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on

/** All viewers of the page show something at one position. */
const together = (page, position) =>
  page.waitForFunction(position => {
    const viewers = [...document.querySelectorAll('b2nd-viewer')]
    return (
      viewers.length === 3 &&
      viewers.every(
        ({ session, stage }) =>
          session?.state.index[0] === position &&
          stage.view?.shownAt === position &&
          stage.element.getAttribute('aria-busy') !== 'true',
      )
    )
  }, position)

const python = program =>
  JSON.parse(execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', program], { cwd: FILES, encoding: 'utf8' }))

/** What a viewer tells of an item under the pointer. */
const told = (page, k, x, y) =>
  page.evaluate(
    async ([k, x, y]) => {
      const {
        stage: { view },
        shadowRoot,
      } = document.querySelectorAll('b2nd-viewer')[k]
      view.point([x, y])
      const line = shadowRoot.querySelector('.readout')
      do await new Promise(requestAnimationFrame)
      while (/(^|= )…$/.test(line.textContent))
      return line.textContent
    },
    [k, x, y],
  )

test('two arrays side by side and their difference', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'warmer.b2nd'), join(FILES, 'field.b2nd'), join(FILES, 'stack.b2nd')])
    await settled(page)
    await page.getByLabel('compare with').selectOption('field.b2nd')
    await together(page, 11)
    await shot(page, 'compare')
    await accessible(page, 'compare')
    const difference = async (x, y) => {
      const [first, second, third] = await Promise.all([0, 1, 2].map(k => told(page, k, x, y)))
      assert.equal(first.split(' = ')[0], third.split(' = ')[0])
      const [a, b, c] = [first, second, third].map(text => Number(text.split(' = ')[1]))
      // What files.py has added.
      assert.equal(c, x / 32)
      assert.ok(Math.abs(a - b - c) < 1e-5, `${a} − ${b} is not ${c}`)
    }
    await difference(40, 30)
    // Steps and windows of any of them are those of all.
    await page.keyboard.press('.')
    await together(page, 12)
    await difference(96, 7)
    await page.evaluate(() =>
      document.querySelectorAll('b2nd-viewer')[1].session.set({ window: [10, 60, 20, 50], index: [3, 30, 40] }),
    )
    await together(page, 3)
    const windows = await page.evaluate(() =>
      [...document.querySelectorAll('b2nd-viewer')].map(({ session }) => session.state.window),
    )
    assert.deepEqual(
      windows,
      Array.from({ length: 3 }, () => [10, 60, 20, 50]),
    )
    await difference(32, 40)
    // Colours are those of both arrays, and others of the difference.
    await page.evaluate(() => document.querySelector('b2nd-viewer').session.set({ map: 'magma' }))
    assert.deepEqual(
      await page.evaluate(() => [...document.querySelectorAll('b2nd-viewer')].map(({ session }) => session.state.map)),
      ['magma', 'magma', 'blue-red'],
    )
    // 0 is the middle of the colours.
    const { min, max } = await page.evaluate(
      () => document.querySelectorAll('b2nd-viewer')[2].stage.view.bar.scene.colouring.range,
    )
    assert.ok(max > 0 && min === -max, `${min} to ${max}`)
    await page.getByLabel('compare with').selectOption('')
    await page.waitForFunction(() => document.querySelectorAll('b2nd-viewer').length === 1)
  }))

test('the difference has facts, statistics and exports of its own', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'warmer.b2nd'), join(FILES, 'field.b2nd')])
    await settled(page)
    await page.getByLabel('compare with').selectOption('field.b2nd')
    await together(page, 11)
    const third = page.locator('b2nd-viewer').nth(2)
    await third.getByRole('button', { name: 'Statistics' }).click()
    const numpy = python(`
import blosc2, json, numpy
d = blosc2.open("warmer.b2nd")[()].astype("f8") - blosc2.open("field.b2nd")[()]
h = numpy.histogram(d, 64)[0]
print(json.dumps([[x.size, x.min(), x.max(), x.mean()] for x in (d[11], d)] + [h.tolist()]))`)
    for (const [k, which] of ['Of what is shown', 'Of the whole array'].entries()) {
      await third.getByRole('button', { name: which }).click()
      await third.getByText(`${which}:`).waitFor()
      const numbers = (await third.locator('.numbers dd').allInnerTexts()).map(text => Number(text.replaceAll(',', '')))
      numpy[k].forEach((value, at) =>
        assert.ok(
          Math.abs(numbers[at] - value) <= 1e-5 * Math.abs(value),
          `${which}: ${numbers} instead of ${numpy[k]}`,
        ),
      )
    }
    const counts = await page.evaluate(() =>
      document
        .querySelectorAll('b2nd-viewer')[2]
        .session.dataset.stats(null, { bins: 64, onProgress: () => {} })
        .then(({ histogram }) => histogram.counts),
    )
    assert.deepEqual(counts, numpy[2])
    // What is shown, and the code that computes it.
    await third.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      third.getByRole('button', { name: 'NPY', exact: true }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'warmer.b2nd − field.npy')
    const code = await third.getByLabel('code').innerText()
    assert.deepEqual(
      python(`
import json, numpy
${code}
saved = numpy.load(${JSON.stringify(await download.path())})
print(json.dumps([saved.dtype.str, list(saved.shape), bool((saved == data).all())]))`),
      ['<f8', [120, 160], true],
    )
    await shot(page, 'compare-export')
    // Of the difference, and not of one of the files.
    await third.getByRole('button', { name: 'Export' }).click()
    await third.getByRole('button', { name: 'Info' }).click()
    const facts = await third.getByLabel('facts about the array').innerText()
    for (const text of ['(24, 120, 160)', 'float64, computed', 'warmer.b2nd, <f4', 'field.b2nd, <f4'])
      assert.ok(facts.includes(text), `${text} in ${facts}`)
    await shot(page, 'compare-info')
    await accessible(page, 'facts about a difference')
  }))

test('a comparison on a phone', () =>
  come(
    '',
    async page => {
      await choose(page, 'File…', [join(FILES, 'warmer.b2nd'), join(FILES, 'field.b2nd')])
      await settled(page)
      await page.getByLabel('compare with').selectOption('field.b2nd')
      await together(page, 11)
      await shot(page, 'compare-phone')
      await accessible(page, 'compare on a phone')
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      // Each of the three has a picture that can be seen.
      for (const plot of await page.locator('.view .plot').all()) {
        const { width, height } = await plot.boundingBox()
        assert.ok(width > 200 && height > 100, `${width} × ${height}`)
      }
    },
    { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  ))

test('projections and overviews of a difference are those of its items', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'stack.b2nd'), join(FILES, 'other.b2nd')])
    await settled(page)
    await page.getByLabel('compare with').selectOption('other.b2nd')
    await together(page, 11)
    for (const how of ['max', 'mean', 'min']) {
      await page.evaluate(how => document.querySelector('b2nd-viewer').session.set({ project: `${how}:0` }), how)
      await page.waitForFunction(
        how => document.querySelectorAll('b2nd-viewer')[2].stage.view.wanted.projected?.how === how,
        how,
      )
      const places = [
        [3, 4],
        [100, 77],
        [191, 0],
      ]
      const numpy = python(`
import blosc2, json
d = (blosc2.open("stack.b2nd")[()].astype("f8") - blosc2.open("other.b2nd")[()]).${how}(axis=0)
print(json.dumps([d[y, x] for x, y in ${JSON.stringify(places)}]))`)
      for (const [k, [x, y]] of places.entries()) {
        const text = await told(page, 2, x, y)
        assert.ok(Math.abs(Number(text.split(' = ')[1]) - numpy[k]) < 1e-9, `${how}: ${text} instead of ${numpy[k]}`)
      }
    }
  }))

test('arrays of different shapes have no difference', () =>
  come('', async page => {
    await choose(page, 'File…', [join(FILES, 'field.b2nd'), join(FILES, 'stack.b2nd')])
    await settled(page)
    await page.getByLabel('compare with').selectOption('stack.b2nd')
    await page.getByText('the shapes are (24, 120, 160) and (24, 192, 192)', { exact: false }).first().waitFor()
    // They are linked all the same.
    await page.keyboard.press('.')
    await page.waitForFunction(() =>
      [...document.querySelectorAll('b2nd-viewer')].slice(0, 2).every(({ session }) => session.state.index[0] === 12),
    )
  }))
