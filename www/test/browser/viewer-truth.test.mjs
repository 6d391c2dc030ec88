// What is shown is what the file has: overviews, values under the pointer, ranges, what was never written.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { colour, frames, hover, look, readout, says, settled, shot, TRUTH, viewer } from '../lib/viewer.mjs'

const on = viewer()
const see = (name, work, options) => on.see(`../truth/${name}`, work, options)
const samples = name => JSON.parse(readFileSync(join(TRUTH, 'expected.json'), 'utf8'))[name]

const badge = page => page.locator('.badge')
const legend = page => page.locator('.pictures .legend')
const limits = page =>
  page.evaluate(() => {
    const { min, max } = document.querySelector('b2nd-viewer').session.limits
    return [min, max]
  })
const NAN = [0xff, 0x5f, 0xc8]

/** Whether a picture has a colour near an item. */
const near = (page, x, y, wanted) =>
  page.evaluate(
    ([x, y, wanted]) => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      const [left, top] = picture.fromItems(x + 0.5, y + 0.5).map(at => Math.round(at * devicePixelRatio))
      const copy = new OffscreenCanvas(5, 5).getContext('2d', { willReadFrequently: true })
      copy.drawImage(picture.canvas, 2 - left, 2 - top)
      const { data } = copy.getImageData(0, 0, 5, 5)
      return Array.from({ length: 25 }, (_, k) => data.slice(4 * k, 4 * k + 3).join()).includes(wanted.join())
    },
    [x, y, wanted],
  )

test('an overview has what is in its cells', () =>
  see('needle.b2nd', async page => {
    await says(badge(page), '1:2 overview (mean)')
    assert.deepEqual(await limits(page), [0, 1000])
    await says(legend(page), /^2 NaN/)
    for (const [y, x] of [
      [10, 20],
      [3999, 3998],
    ])
      assert.ok(await near(page, x, y, NAN), `NaN at ${y}, ${x}`)
    // A quarter of its cell.
    const cell = () =>
      page.evaluate(() => {
        const { session, stage } = document.querySelector('b2nd-viewer')
        const slab = session.loader.peek(stage.view.wanted.cuts)
        return slab.numbers('', session.state.overview === 'auto' ? 'mean' : session.state.overview)[1000 * 2000 + 500]
      })
    assert.equal(await cell(), 250)
    await page.getByLabel('overview', { exact: true }).selectOption('max')
    await settled(page)
    await says(badge(page), '1:2 overview (max)')
    assert.equal(await cell(), 1000)
    assert.deepEqual(await limits(page), [0, 1000])
    await page.getByLabel('overview', { exact: true }).selectOption('nearest')
    await settled(page)
    await says(badge(page), '1:2 overview (nearest)')
  }))

test('the value under the pointer is exact over an overview', () =>
  see('needle.b2nd', async page => {
    for (const [y, x, value] of [
      [2001, 1001, '1000.0'],
      [2001, 1000, '0.0'],
      [2000, 1001, '0.0'],
      [10, 20, 'nan'],
      [3999, 3998, 'nan'],
    ]) {
      // No pixel is as small as an item.
      await page.evaluate(([x, y]) => document.querySelector('b2nd-viewer').stage.view.point([x, y]), [x, y])
      assert.equal(await readout(page), `[${y}, ${x}] = ${value}`)
    }
    await hover(page, 700, 900)
    assert.match(await readout(page), /^\[\d+, \d+\] = 0\.0$/)
  }))

test('neighbours are not taken for each other', () =>
  see('neighbours.b2nd', async page => {
    for (const [[z, y, x], value] of samples('neighbours')) {
      await look(page, `index=${z},${y},${x}`)
      await page.evaluate(([x, y]) => document.querySelector('b2nd-viewer').stage.view.point([x, y]), [x, y])
      assert.equal(await readout(page), `[${z}, ${y}, ${x}] = ${value}`)
    }
  }))

test('the range and the count of NaN are of what is shown', () =>
  see('needle.b2nd&window=0,1000,0,1000', async page => {
    assert.equal(await page.locator('.badge').isVisible(), false)
    assert.deepEqual(await limits(page), [0, 0])
    await says(legend(page), /^1 NaN/)
    await look(page, 'window=900,1100,1900,2100')
    assert.deepEqual(await limits(page), [0, 1000])
    await says(legend(page), /^\s*$/)
  }))

test('large integers are no labels', () =>
  see('gradient.b2nd&view=heatmap', async page => {
    assert.equal(await page.getByLabel('colours', { exact: true }).inputValue(), 'viridis')
    assert.deepEqual(await limits(page), [0, 11_999])
    await says(legend(page), /bar: 9223372036854775808 \+ …/)
    assert.notDeepEqual(await colour(page, 5, 5), await colour(page, 5, 95))
    for (const [[y, x], value] of samples('gradient')) {
      await hover(page, x, y)
      assert.equal(await readout(page), `[${y}, ${x}] = ${value}`)
    }
  }))

test('a range that is fixed is the one that was shown', () =>
  see('signs.b2nd&view=heatmap', async page => {
    await page.getByLabel('range', { exact: true }).selectOption('fixed')
    assert.deepEqual(await limits(page), [-50, 49.984375])
    assert.equal(await page.getByLabel('least', { exact: true }).inputValue(), '-50')
    const [low, high] = [await colour(page, 0, 0), await colour(page, 79, 79)]
    assert.notDeepEqual(low, high)
    // Reversed, so are the colours.
    await look(page, 'view=heatmap&range=fixed&min=49.984375&max=-50')
    assert.deepEqual([await colour(page, 79, 79), await colour(page, 0, 0)], [low, high])
  }))

test('what has no logarithm has a colour of its own', () =>
  see('signs.b2nd&view=heatmap&scale=log', async page => {
    assert.deepEqual(await colour(page, 10, 10), [0, 0xd5, 0xff])
    assert.notDeepEqual(await colour(page, 40, 40), [0, 0xd5, 0xff])
    await says(legend(page), /≤ 0/)
  }))

test('marks of the bar can be told apart', () =>
  see('plateau.b2nd&view=heatmap', async page => {
    const texts = await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.bar.texts)
    assert.ok(texts.length > 2)
    assert.equal(new Set(texts).size, texts.length, texts.join())
  }))

const chart = page =>
  page.evaluate(() => {
    const {
      scene: {
        series: [{ values, high = values }],
        range,
        step,
        bands,
        dots,
      },
    } = document.querySelector('b2nd-viewer').stage.view.chart
    return {
      least: values.reduce((a, b) => Math.min(a, b)),
      greatest: high.reduce((a, b) => Math.max(a, b)),
      range,
      step,
      bands: bands.map(({ why }) => why),
      dots,
    }
  })
const point = (page, at) => page.evaluate(at => document.querySelector('b2nd-viewer').stage.view.point(at), at)

test('a long line has its spikes, and a window is read as it is', () =>
  see('spikes.b2nd', async page => {
    let { least, greatest, range, step } = await chart(page)
    assert.ok(step > 1 && step <= 2048, `${step}`)
    assert.deepEqual([least, greatest], [-3, 5])
    assert.ok(range.min < -3 && range.max > 5)
    await says(page.locator('.note'), new RegExp(`^1:${step} overview \\(minimum to maximum\\)$`))
    for (const [at, value] of [
      [3_333_333, '5.0'],
      [3_333_332, '0.0'],
      [7_777_777, '-3.0'],
    ]) {
      await point(page, at)
      assert.equal(await readout(page), `[${at}] = ${value}`)
      assert.deepEqual((await chart(page)).dots, [Number(value)])
    }
    await look(page, 'window=7777765,7777790,0,1')
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').stage.view.chart.scene.step === 1)
    ;({ least, greatest, step } = await chart(page))
    assert.deepEqual([least, greatest, step], [-3, 0, 1])
    await says(page.locator('.note'), '')
    for (const [[at], value] of samples('spikes')) {
      await point(page, at)
      const [place, text] = (await readout(page)).split(' = ')
      assert.deepEqual([place, Number(text)], [`[${at}]`, Number(value)])
    }
  }))

/** Keeps what the chart shows first. */
function keepFirst() {
  const keep = ({ target: { session, stage } }) => {
    const { series, bands } = stage.view.chart.scene
    const { values, high } = series[0]
    globalThis.first = {
      bands: bands.map(({ why }) => why),
      least: values.reduce((a, b) => (b < a ? b : a), Infinity),
      greatest: high.reduce((a, b) => (b > a ? b : a), -Infinity),
      bytes: session.dataset.opened.traffic.bytes,
    }
  }
  document.addEventListener('b2nd-shown', keep, { once: true })
}

test('a long line behind a URL opens with parts of it, and then has all without a click', () => {
  const work = async page => {
    const first = await page.waitForFunction(() => globalThis.first)
    const { bands, least, greatest, bytes } = await first.jsonValue()
    assert.deepEqual(new Set(bands), new Set(['unread']))
    assert.ok(least < 2 ** 20 && greatest > 2 ** 32 - 2 ** 20, `${least} ${greatest}`)
    assert.ok(bytes < 4e6, `${bytes} bytes`)
    await page.waitForFunction(() => !document.querySelector('b2nd-viewer').stage.view.chart.scene.bands.length)
    assert.equal(await page.getByRole('alert').count(), 0)
    const allows = bytes =>
      page.evaluate(cost => document.querySelector('b2nd-viewer').session.allows(cost), {
        bytes,
        requests: 9,
        decodedBytes: 1e8,
      })
    assert.deepEqual([await allows(64e6), await allows(65e6)], [true, false])
  }
  return on.come('#url=truth/noise.b2nd', work, { init: keepFirst })
})

const holes = page =>
  page.evaluate(() =>
    document
      .querySelector('b2nd-viewer')
      .stage.view.picture.scene.holes.map(({ x, y, width, height, why }) => [x, y, width, height, why].join()),
  )
const banner = page => page.getByRole('note')

test('what was never written is hatched', () =>
  see('partly.b2nd&view=heatmap', async page => {
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').stage.view.picture.scene.holes.length)
    await frames(page)
    assert.equal((await holes(page)).length, 24)
    assert.ok((await holes(page)).includes('10,0,10,10,uninit'))
    await says(legend(page), /never written/)
    // Its zeros are not those of the range.
    assert.deepEqual(await limits(page), [-50, 49])
    await hover(page, 15, 5)
    assert.equal(await readout(page), '[5, 15] = 0 (never written)')
    await hover(page, 5, 5)
    assert.equal(await readout(page), '[5, 5] = 5')
    await look(page, 'view=line&index=5,0&x=1&y=-')
    assert.deepEqual((await chart(page)).bands, ['uninit', 'uninit', 'uninit', 'uninit'])
    await shot(page, 'never-written')
    await look(page, 'view=table&index=5,12')
    assert.equal(await page.locator('#cell-5-12').getAttribute('title'), 'never written')
    assert.equal(await page.locator('#cell-5-9').getAttribute('title'), null)
  }))

const golden = (name, work, options) => on.see(`../golden/blosc2-4.14.1/${name}.b2nd`, work, options)

test('three planes tell what their hatching means', () =>
  see('hollow.b2nd&view=planes&index=2,10,10', async page => {
    const legend = page.getByLabel('what has no values')
    await legend.getByText('never written', { exact: false }).waitFor()
    await shot(page, 'planes-hatched')
    // Beside the planes, and on none of them.
    const box = await legend.boundingBox()
    for (const plot of await page.locator('.planes .plot').all()) {
      const { x, y, width, height } = await plot.boundingBox()
      const apart = box.x >= x + width || box.y >= y + height || box.x + box.width <= x || box.y + box.height <= y
      assert.ok(apart, JSON.stringify([box, { x, y, width, height }]))
    }
  }))

test('a volume with all its values has no such legend', () =>
  see('voxels.b2nd&view=planes', async page => {
    await says(page.getByLabel('what has no values'), '')
  }))

test('a proxy has what was fetched', () =>
  golden('proxy-chunks', async page => {
    assert.match(
      await banner(page).innerText(),
      /^This is a proxy: .* It has 3 of 6 chunks; what is hatched is not in this file\. a\.b2nd$/,
    )
    assert.deepEqual(await holes(page), ['0,10,20,10,unfetched', '0,20,12,10,unfetched'])
    await hover(page, 3, 2)
    assert.match(await readout(page), /^\[2, 3\] = -?\d+$/)
    await hover(page, 3, 15)
    assert.equal(await readout(page), '[15, 3] = not fetched: not in this file')
    await says(legend(page), /not fetched/)
    await shot(page, 'proxy')
    await look(page, 'view=table&index=0,0')
    await says(page.locator('#cell-15-3'), '–')
    await says(page.locator('#cell-2-3'), /^-?\d+$/)
  }))

test('a lazy expression says what it is', () =>
  golden(
    'lazy-expression',
    async page => {
      await page.getByText('(o1 + (o0 * 2)); o0: b.b2nd, o1: a.b2nd').waitFor()
      await says(banner(page), /^This is a lazy expression: .* This file has none of them\./)
      assert.deepEqual(await holes(page), ['0,0,20,10,computed', '0,10,20,10,computed', '0,20,20,10,computed'])
      await hover(page, 3, 15)
      assert.equal(await readout(page), '[15, 3] = computed when read: not in this file')
    },
    // Its operands are not there.
    { allow: [/404/] },
  ))

test('a lazy expression with its operands has its values', () =>
  see('lazy.b2nd', async page => {
    await page.getByText('((o0 * 2) - 1); o0: operand.b2nd').waitFor()
    await says(banner(page), /^This is a lazy expression: its values are computed from other files\. /)
    assert.equal(await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.missing), null)
    await hover(page, 3, 15)
    assert.equal(await readout(page), '[15, 3] = 605')
    await look(page, 'view=table&index=0,0')
    await says(page.locator('#cell-2-3'), '85')
  }))

test('a proxy of which nothing was fetched', () =>
  golden('proxy-nothing', async page => {
    await says(banner(page), /It has 0 of 6 chunks/)
    await hover(page, 3, 2)
    assert.equal(await readout(page), '[2, 3] = not fetched: not in this file')
  }))

test('fields of several values have the text of each', () =>
  see('several.b2nd&view=table', async page => {
    const expected = ['[616263, 640066]', '[1.0+2.0j, 3.0-1.0j]', '[x, yz]', '[4, 5, 6, 7]']
    for (const [column, text] of expected.entries()) await says(page.locator(`#cell-1-${column}`), text)
  }))
