// The element in a page of others: keys, the wheel and the room that it has are its own matter.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { visit } from '../lib/browser.mjs'
import { serve } from '../lib/server.mjs'
import {
  DIST,
  FILES,
  frames,
  hover,
  IMPORTS,
  look,
  plot,
  settled,
  shot,
  stateOf,
  tells,
  viewer,
} from '../lib/viewer.mjs'

const on = viewer()
/** A long page with a viewer of some size in it. */
const html = (
  width,
  height,
) => `<!doctype html><html lang="en"><title>embedded</title><link rel="stylesheet" href="/page-${width}-${height}.css">
  <script type="module" src="/b2nd-viewer.js"></script><h1>A page</h1><div><b2nd-viewer src="/files/stack.b2nd"></b2nd-viewer></div><p>It is long.</p>`
const css = (width, height) => `div { inline-size: ${width}px; block-size: ${height}px } p { block-size: 3000px }`
const SIZES = [
  [640, 420],
  [800, 500],
  [390, 600],
  [320, 240],
]
let other

before(async () => {
  const pages = SIZES.flatMap(([width, height]) => [
    [`/${width}.html`, html(width, height)],
    [`/page-${width}-${height}.css`, css(width, height)],
  ])
  other = await serve({ ...Object.fromEntries(pages), '/files/': FILES, '/': DIST })
})
after(() => other?.close())

/** Waits until the page has scrolled, smoothly or not. */
const scrolled = page =>
  page.waitForFunction(
    () => {
      const before = globalThis.before
      globalThis.before = scrollY
      return scrollY > 50 && scrollY === before
    },
    null,
    { polling: 200 },
  )

/** In a page that is much wider than the element. */
const embedded = (width, work) =>
  visit(
    on.browser,
    other.url(`/${width}.html`),
    async page => {
      await settled(page)
      await work(page)
    },
    { viewport: { width: 1400, height: 800 } },
  )

test('keys are for the viewer that has the focus', () =>
  embedded(800, async page => {
    const index = () => stateOf(page, 'index').then(([position]) => position)
    await page.keyboard.press('.')
    assert.equal(await index(), 11)
    // Space scrolls the page.
    await page.keyboard.press(' ')
    await scrolled(page)
    assert.equal(await index(), 11)
    await page.evaluate(() => scrollTo(0, 0))
    await plot(page).click()
    await page.keyboard.press('.')
    assert.equal(await index(), 12)
    assert.equal(await page.evaluate(() => scrollY), 0)
  }))

test('keys step whatever was used last', () =>
  on.see('field.b2nd', async page => {
    for (const [position, place] of [
      [12, '.swatches'],
      [13, '.slider input[type=range]'],
      [14, '.tabs button'],
      [15, 'input[type=checkbox]'],
    ]) {
      await page.locator(place).first().focus()
      await page.keyboard.press('.')
      const [index] = await stateOf(page, 'index')
      assert.equal(index, position, place)
    }
    // Letters choose among options.
    await page.locator('.swatches').focus()
    await page.keyboard.press('m')
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.map === 'magma')
  }))

test('the wheel scrolls the page until the viewer is chosen', () =>
  embedded(800, async page => {
    await plot(page).hover()
    await page.mouse.wheel(0, 100)
    await scrolled(page)
    assert.equal(await stateOf(page, 'window'), null)
    await page.evaluate(() => scrollTo(0, 0))
    await plot(page).click()
    await page.mouse.wheel(0, -100)
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.window)
    assert.equal(await page.evaluate(() => scrollY), 0)
  }))

test('at any size most of it is the picture', async () => {
  for (const [width, height, least] of [
    [640, 420, 0.5],
    [800, 500, 0.6],
    [390, 600, 0.4],
    [320, 240, 0.7],
  ]) {
    await embedded(width, async page => {
      await shot(page, `embedded-${width}`)
      const area = await page.locator('.area').boundingBox()
      const share = (area.width * area.height) / (width * height)
      assert.ok(share >= least, `${width} × ${height}: ${area.width} × ${area.height}, ${share.toFixed(2)} of it`)
      const host = await page.locator('b2nd-viewer').boundingBox()
      assert.deepEqual([host.width, host.height], [width, height])
      const drawn = await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.picture.zoom * 192)
      assert.ok(drawn > 100, `${drawn} pixels`)
    })
  }
})

test('attributes choose the view and the controls, and events tell what is under the pointer and what was chosen', () =>
  embedded(640, async page => {
    const element = page.locator('b2nd-viewer')
    await element.evaluate(viewer => {
      viewer.style.display = 'block'
      Object.assign(viewer, { slice: '3, 20:60, :100', colormap: 'magma', range: '10, 50', controls: 'minimal' })
      globalThis.told = []
      for (const name of ['b2nd-hover', 'b2nd-select'])
        viewer.addEventListener(name, ({ detail }) => globalThis.told.push([name, detail]))
    })
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session.state.range === 'fixed')
    await settled(page)
    const { index, window, map, min, max } = await page.evaluate(
      () => document.querySelector('b2nd-viewer').session.state,
    )
    assert.deepEqual([index[0], window, map, min, max], [3, [0, 100, 20, 60], 'magma', 10, 50])
    assert.equal(await page.getByRole('button', { name: 'Planes' }).isVisible(), false)
    await hover(page, 30, 40)
    await tells(page, /^\[3, 40, 30\] = \d+$/)
    await plot(page).click()
    const told = await page.evaluate(() => globalThis.told)
    const last = name => told.findLast(([one]) => one === name)[1]
    assert.deepEqual(last('b2nd-select').index.length, 3)
    assert.match(last('b2nd-hover').text, /^\[3, \d+, \d+\] = /)
    await element.evaluate(viewer => (viewer.controls = 'none'))
    const area = await page.locator('.area').boundingBox()
    assert.deepEqual([area.width, area.height], [640, 420])
    // Attributes that are there before the file.
    await element.evaluate(viewer => {
      viewer.src = '/files/field.b2nd'
    })
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').session?.dataset.name === 'field.b2nd')
    assert.equal(await stateOf(page, 'map'), 'magma')
  }))

test('on a desktop and on a phone most is the picture, in a store too', async () => {
  for (const [file, viewport, least] of [
    ['field.b2nd', { width: 1280, height: 800 }, 0.55],
    ['store.b2z', { width: 1280, height: 800 }, 0.55],
    ['../levels/levels.b2z', { width: 1280, height: 800 }, 0.55],
    ['../labels/cases.b2z&view=planes', { width: 1280, height: 800 }, 0.55],
    ['field.b2nd', { width: 390, height: 844 }, 0.5],
  ])
    await on.see(
      file,
      async page => {
        const { width, height } = await page.locator('.area').boundingBox()
        const share = (width * height) / viewport.width / viewport.height
        assert.ok(share >= least, `${file}: ${share.toFixed(2)} of ${viewport.width} × ${viewport.height}`)
      },
      { viewport },
    )
})

test('on a phone the picture has half of the height, with four axes and in a store, too', async () => {
  for (const [place, width, height] of [
    ['channels/cells.b2nd&view=heatmap', 390, 844],
    ['labels/cases.b2z', 390, 844],
    ['labels/case.b2nd', 390, 844],
    ['labels/case.b2nd', 375, 667],
    ['channels/cells.b2nd&view=composite', 375, 667],
  ])
    await on.come(
      `#url=${place}`,
      async page => {
        await settled(page)
        await page.waitForFunction(() => document.querySelector('b2nd-viewer').stage.dims.element.childElementCount)
        await frames(page)
        const [area, dims, status] = await Promise.all(
          ['.area', '.dims', '.status'].map(part => page.locator(part).boundingBox()),
        )
        assert.ok(area.height >= height / 2, `${place}: ${area.height} of ${height} pixels`)
        // One below the other, and all in the window.
        assert.ok(area.y + area.height <= dims.y && dims.y + dims.height <= status.y, place)
        assert.ok(dims.height > 50 && status.y + status.height <= height + 0.5, `${place}: ${status.y}`)
      },
      { viewport: { width, height } },
    )
})

test('on a phone the chooser of colours is one line, and the tree of a store leaves most of the height', async () => {
  await on.come(
    '#url=labels/cases.b2z',
    async page => {
      await settled(page)
      const { height } = await page.locator('.members').boundingBox()
      assert.ok(height < 0.21 * 844, `${height} pixels`)
    },
    { viewport: { width: 390, height: 844 } },
  )
  await on.see(
    'field.b2nd',
    async page => {
      await page.locator('.swatches i').first().waitFor({ state: 'attached' })
      await frames(page)
      const { height } = await page.locator('.swatches').boundingBox()
      assert.ok(height <= 36, `${height} pixels`)
    },
    { viewport: { width: 390, height: 844 } },
  )
})

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

test('planes on a phone', () =>
  on.see(
    'stack.b2nd&view=planes',
    async page => {
      for (const canvas of await page.locator('.planes .plot').all()) {
        const { x, y, width, height } = await canvas.boundingBox()
        assert.ok(
          x >= 0 && x + width <= 390 && y > 0 && y + height < 780 && width > 50 && height > 50,
          `${[x, y, width, height]}`,
        )
      }
      await page.locator('.planes .plot').first().tap()
      const [, y, x] = await stateOf(page, 'index')
      assert.ok(x !== 95 || y !== 95)
      await hover(page, 3, 4)
      await tells(page, /^\[11, 4, 3\] = \d+$/)
    },
    PHONE,
  ))

test('sixteen axes on a phone', () =>
  on.see(
    'sixteen.b2nd',
    async page => {
      // All positions can be reached.
      const last = page.getByLabel('index along axis 13')
      await last.scrollIntoViewIfNeeded()
      await last.fill('2')
      await last.press('Enter')
      await settled(page)
      assert.equal((await stateOf(page, 'index'))[13], 2)
      const area = await page.locator('.area').boundingBox()
      assert.ok(area.height > 200, `${area.height} pixels`)
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
      // The value, which comes last, is seen.
      await look(page, 'index=0,0,0,0,0,0,0,0,0,0,0,0,2,1,1,2')
      await plot(page).tap()
      await tells(page, /\] = \d+$/)
      const [inner, outer] = await page
        .locator('.readout')
        .evaluate(element => [element.scrollWidth, element.clientWidth])
      assert.ok(inner <= outer, `${inner} of ${outer} pixels`)
    },
    PHONE,
  ))

test('from another origin than the page it has no workers, and decodes all the same', async () => {
  const script = on.server.url('/b2nd-viewer.js')
  const page = `<!doctype html><html lang="en"><title>far</title><script type="module" src="${script}"></script>
    <b2nd-viewer src="/imports/colours16.png"></b2nd-viewer>`
  const far = await serve({ '/far.html': page, '/imports/': IMPORTS })
  try {
    await visit(on.browser, far.url('/far.html'), async page => {
      await settled(page)
      assert.equal(page.workers().length, 0)
      const { shape } = await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset)
      assert.deepEqual(shape, [9, 11, 3])
    })
  } finally {
    await far.close()
  }
})
