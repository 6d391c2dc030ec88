// Several channels as light of different colours.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  accessible,
  CHANNELS,
  choose,
  colour,
  frames,
  hover,
  look,
  readout,
  says,
  settled,
  shot,
  stateOf,
  valueIn,
  viewer,
} from '../lib/viewer.mjs'

const on = viewer()
const see = (name, work, options) => on.see(`../channels/${name}.b2nd`, work, options)
const expected = name => JSON.parse(readFileSync(join(CHANNELS, 'expected.json'), 'utf8'))[name]

/** Colours differ by no more than rounding does. */
const like = (seen, wanted, what) =>
  assert.ok(
    seen.every((channel, k) => Math.abs(channel - wanted[k]) <= 1),
    `${what}: ${seen} instead of ${wanted}`,
  )

/** The link to what is shown, once the page has it. */
async function link(page) {
  await page.waitForFunction(
    () =>
      new URLSearchParams(location.hash.slice(1)).get('channels') ===
      document.querySelector('b2nd-viewer').session.state.channels,
  )
  return page.evaluate(() => location.hash)
}

const limits = page =>
  page.evaluate(() =>
    document
      .querySelector('b2nd-viewer')
      .session.channels.flatMap(({ hidden, limits: { min, max } }) => (hidden ? [] : [[min, max]])),
  )

for (const name of ['pair', 'cells', 'last', 'tiles', 'omero']) {
  test(`${name}: a composite has the colours and values of NumPy`, () =>
    see(name, async page => {
      for (const { state, ranges, items } of expected(name)) {
        await look(page, state)
        await shot(page, `composite-${name}`)
        assert.deepEqual(await limits(page), ranges, state)
        for (const [x, y, rgb, values] of items) {
          like(await colour(page, x, y), rgb, `${state} at ${x}, ${y}`)
          if (!values.length) continue
          await hover(page, x, y)
          const text = valueIn(await readout(page))
          assert.deepEqual(
            text.split(', ').map(one => String(Number(one.split(' ').at(-1)))),
            values.map(value => String(Number(value))),
            text,
          )
        }
      }
    }))
}

test('a composite is offered of arrays with few channels, along the axis that is called so', () =>
  see('cells', async page => {
    await page.getByRole('button', { name: 'Composite' }).click()
    await settled(page)
    assert.equal(await stateOf(page, 'z'), 0)
    await says(page.getByLabel('channels', { exact: true }).locator('option'), ['c (3)', 'z (6)'])
    await hover(page, 30, 40)
    assert.match(await readout(page), /^\[:, 2, 40, 30\] = DAPI \d+, GFP \d+, RFP \d+$/)
    await says(page.locator('.channels li'), ['DAPI', 'GFP', 'RFP'])
    // Channels that are hidden are neither seen nor told.
    await page.getByLabel('GFP').uncheck()
    await settled(page)
    await hover(page, 31, 40)
    assert.match(await readout(page), /^\[:, 2, 40, 31\] = DAPI \d+, RFP \d+$/)
    assert.equal(new URLSearchParams((await link(page)).slice(1)).get('channels'), ',-')
    await page.getByLabel('GFP').check()
    // Another axis.
    await page.getByLabel('channels', { exact: true }).selectOption('1')
    await settled(page)
    assert.equal(await page.locator('.channels li').count(), 6)
    await accessible(page, 'composite')
  }))

test('channels with names open as a composite, unless a link names another view', () =>
  see('cells', async page => {
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.view === 'composite')
    await settled(page)
    await says(page.locator('.channels li'), ['DAPI', 'GFP', 'RFP'])
    assert.ok(!page.url().includes('view='))
    await page.getByRole('button', { name: 'Heatmap' }).click()
    await settled(page)
    await page.waitForURL(/view=heatmap/)
    await page.reload()
    await page.getByText('channel_names').waitFor({ state: 'attached' })
    await settled(page)
    assert.equal(await stateOf(page, 'view'), 'heatmap')
  }))

test('each channel has a name, a colour and a range of its own', () =>
  see('cells', async page => {
    await look(page, 'view=composite&index=0,2,0,0')
    await page.keyboard.press('h')
    await page.locator('.channel').nth(2).waitFor()
    const [, before] = await limits(page)
    await page.getByLabel('colour of channel 1').fill('#3366ff')
    await page.getByLabel('name of channel 1').fill('a_b, “c”')
    await page.getByLabel('name of channel 1').press('Enter')
    const handle = page.getByLabel('greatest value of channel 1')
    await handle.fill('500')
    await settled(page)
    const [, after] = await limits(page)
    assert.equal(after[0], before[0])
    assert.ok(Math.abs(after[1] - (before[0] + before[1]) / 2) < 2, `${after} of ${before}`)
    await accessible(page, 'channels')
    await shot(page, 'composite-contrast')
    // A link restores all that.
    const [place, seen] = [`/index.html${await link(page)}`, await colour(page, 100, 50)]
    await page.goto('about:blank')
    await page.goto(on.server.url(place))
    await settled(page)
    await page.locator('.channels li', { hasText: 'a_b, “c”' }).waitFor()
    assert.deepEqual((await limits(page))[1], after)
    assert.deepEqual(await colour(page, 100, 50), seen)
    // The range of what is shown again.
    await page.keyboard.press('h')
    await page.getByLabel('auto range of channel 1').click()
    await settled(page)
    assert.deepEqual((await limits(page))[1], before)
  }))

/** What Python makes of the code that is shown. */
function python(code, rest) {
  const program = `${code}\n${rest}`
  return JSON.parse(
    execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', program], { cwd: CHANNELS, encoding: 'utf8' }),
  )
}

for (const [name, state] of [
  ['cells', 'view=composite&index=0,2,0,0&channels=,-,ff8000_100_900'],
  ['cells', 'view=composite&x=2&y=3&project=mean:1'],
  ['last', 'view=composite'],
])
  test(`the code in Python makes the composite: ${name}, ${state}`, () =>
    on.come('', async page => {
      await choose(page, 'File…', join(CHANNELS, `${name}.b2nd`))
      await settled(page)
      await look(page, state)
      await page.keyboard.press('e')
      const code = await page.getByLabel('code').innerText()
      const places = [
        [3, 5],
        [100, 50],
        [180, 190],
        [60, 50],
      ]
      const made = python(
        code,
        `import json; print(json.dumps([image[y, x].tolist() for x, y in ${JSON.stringify(places)}]))`,
      )
      await page.keyboard.press('e')
      await frames(page)
      for (const [k, [x, y]] of places.entries()) like(await colour(page, x, y), made[k], `${x}, ${y}`)
    }))

test('a figure of a composite has a legend', () =>
  see('cells', async page => {
    await look(page, 'view=composite&index=0,2,0,0')
    await page.keyboard.press('e')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'PNG', exact: true }).click(),
    ])
    const png = readFileSync(await download.path())
    const { width, height, colours } = await page.evaluate(
      async bytes => {
        const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }))
        const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
        canvas.drawImage(picture, 0, 0)
        // Spots of pure colours below the picture.
        const { data } = canvas.getImageData(0, picture.height - 28, picture.width, 28)
        const all = Array.from({ length: data.length / 4 }, (_, k) => data.slice(4 * k, 4 * k + 3).join())
        const count = {}
        for (const one of all) count[one] = (count[one] ?? 0) + 1
        return { width: picture.width, height: picture.height, colours: count }
      },
      [...png],
    )
    assert.deepEqual([width, height], [1200, 30 + Math.round(((1200 - 62) * 200) / 240 + 46) + 28])
    for (const colour of ['255,0,255', '0,255,0', '0,255,255'])
      assert.ok(colours[colour] >= 13 * 13, `${colour}: ${colours[colour]}`)
  }))

test('on a phone the tab is in sight, and the picture beside the contrast', () =>
  on.see(
    '../channels/cells.b2nd&view=composite&index=0,2,0,0',
    async page => {
      const [tabs, tab] = await Promise.all(
        [page.locator('.top > .tabs'), page.getByRole('button', { name: 'Composite' })].map(one => one.boundingBox()),
      )
      assert.ok(tab.x >= tabs.x - 1 && tab.x + tab.width <= tabs.x + tabs.width + 1, JSON.stringify([tabs, tab]))
      await page.getByRole('button', { name: 'Contrast' }).tap()
      await page.locator('.channel').nth(2).waitFor()
      const [panel, plot] = await Promise.all(
        ['.panel', '.view .plot'].map(name => page.locator(name).first().boundingBox()),
      )
      assert.ok(panel.y - plot.y > 80, `${panel.y - plot.y} pixels of the picture are in sight`)
    },
    { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  ))

test('a composite is stepped and played like any picture', () =>
  see('cells', async page => {
    await look(page, 'view=composite&index=0,2,0,0')
    const first = await limits(page)
    await page.keyboard.press('.')
    await settled(page)
    assert.deepEqual(await stateOf(page, 'index'), [0, 3, 0, 0])
    assert.deepEqual(await limits(page), first)
    await page.getByRole('button', { name: 'play' }).click()
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.index[1] === 0)
    await page.getByRole('button', { name: 'play' }).click()
    assert.deepEqual(await limits(page), first)
  }))
