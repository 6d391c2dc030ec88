// A page that can be used all the while: no long tasks of the main thread, pictures while a slider is dragged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { look, settled, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come, see } = on

/** What the main thread of a page does, as Chromium's trace has it: milliseconds of processor time of each task. */
async function tasks(page, work) {
  await on.browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'],
  })
  await work()
  const { traceEvents } = JSON.parse(await on.browser.stopTracing())
  const threads = new Map(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => [`${pid} ${tid}`, true]),
  )
  return traceEvents
    .filter(({ name, pid, tid, tdur }) => name === 'RunTask' && tdur !== undefined && threads.has(`${pid} ${tid}`))
    .map(({ tdur }) => tdur / 1000)
    .sort((a, b) => b - a)
}

/** Milliseconds that a processor with 5 GHz takes for the loop below, at three to four cycles for each of its 4 million steps. */
const NOMINAL = 3
/** How many times as long this processor takes, at least once: the median, since others slow it down by turns. */
const slowness = page =>
  page.evaluate(nominal => {
    const values = new Float32Array(1 << 16).map((_, k) => k)
    const once = () => {
      const start = performance.now()
      for (let pass = 0; pass < 64; pass++) for (let k = 0; k < values.length; k++) values[k] = values[k] * 0.5 + pass
      return performance.now() - start
    }
    const times = Array.from({ length: 11 }, once).sort((a, b) => a - b)
    return Math.max(1, times[5] / nominal)
  }, NOMINAL)

/** Opens a file in a page of its own. Gives its longest tasks, and when something was shown, in milliseconds of a fast processor. */
async function opening(file, link) {
  let result
  await come('', async page => {
    // What is compiled once is compiled.
    await page.getByLabel('URL').fill('files/scalar.b2nd')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await settled(page)
    // What was opened before is no garbage of this file: collecting it takes longer than any task if other programs use the processors.
    const session = await page.context().newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const slow = await slowness(page)
    let shown
    const times = await tasks(page, async () => {
      shown = await page.evaluate(
        place =>
          new Promise(done => {
            const start = performance.now()
            document.addEventListener('b2nd-shown', () => done(performance.now() - start), { once: true })
            location.hash = place
          }),
        `#url=files/${file}.b2nd${link}`,
      )
      await settled(page)
    })
    await page.getByRole('button', { name: 'Info' }).click()
    await page.locator('.touched', { hasText: 'This view touches' }).waitFor()
    assert.ok(times.length > 20, `${times.length} tasks`)
    result = { longest: times.slice(0, 4).map(time => time / slow), shown: shown / slow }
    const longest = result.longest.map(time => time.toFixed(0))
    console.log(
      `${file}: shown after ${result.shown.toFixed(0)} ms; the longest tasks took ${longest.join(', ')} ms; on this processor ${slow.toFixed(1)} times as long`,
    )
  })
  return result
}

/** Milliseconds that a task may take on a fast processor. */
const LONGEST = 50

for (const [file, what, link = ''] of [
  ['many', '250 000 chunks in 40 kB'],
  ['wide', '40 000 000 000 zeros'],
  ['planes', 'pictures of 20 MB'],
  ['../channels/photo', 'a photograph of 12 MB'],
  ['../channels/tiles', 'a composite of 26 MB', '&view=composite'],
]) {
  test(`no long tasks: ${what}`, async () => {
    let all = await opening(file, link)
    // Others who use the processor's caches make a task of 25 ms take 50 now and then, but not each time.
    for (let tries = 1; tries < 3 && all.longest[0] > LONGEST; tries++) all = await opening(file, link)
    assert.ok(all.longest[0] <= LONGEST, `${all.longest} ms`)
    if (file === 'wide') assert.ok(all.shown < 3000, `${all.shown} ms`)
  })
}

test('pictures of 3200 × 3200 items are painted in time for 30 a second', () =>
  see('planes.b2nd', async page => {
    const show = count =>
      page.evaluate(async count => {
        const { session, stage } = document.querySelector('b2nd-viewer')
        const start = performance.now()
        for (let k = 1; k <= count; k++) {
          session.go(0, k % 4)
          do await new Promise(requestAnimationFrame)
          while (stage.element.getAttribute('aria-busy') === 'true')
        }
        return (1000 * count) / (performance.now() - start)
      }, count)
    // Then they are all there.
    await show(8)
    let rate
    const slow = await slowness(page)
    const times = await tasks(page, async () => (rate = await show(24)))
    const each = times.reduce((sum, time) => sum + time, 0) / 24
    console.log(`painting 3200 × 3200: ${rate.toFixed(0)} pictures a second, ${each.toFixed(1)} ms of work each`)
    // Of the pictures a second that are seen the machine's load decides.
    assert.ok(each <= 33 * slow, `${each} ms, ${slow} times as slow`)
  }))

test('of a picture that is moved, rows are painted as they come into view, and none twice', () =>
  come('#url=files/planes.b2nd&index=0,0,0&range=fixed&min=0&max=50000&window=0,900,0,600', async page => {
    await settled(page)
    await page.evaluate(() => {
      globalThis.rows = 0
      const own = Reflect.get(CanvasRenderingContext2D.prototype, 'putImageData')
      CanvasRenderingContext2D.prototype.putImageData = function (image, x, y, ...part) {
        // The strip of a bar is one pixel wide.
        if (image.width > 1) globalThis.rows += Number(part[3] ?? image.height)
        return own.call(this, image, x, y, ...part)
      }
    })
    const painted = async window => {
      await page.evaluate(() => (globalThis.rows = 0))
      await look(page, `index=0,0,0&range=fixed&min=0&max=50000&window=${window}`)
      return page.evaluate(() => globalThis.rows)
    }
    const all = await painted('0,900,0,600&map=magma')
    let moved = 0
    for (let from = 20; from <= 200; from += 20) moved += await painted(`0,900,${from},${from + 600}&map=magma`)
    // A third, but for rounding.
    assert.ok(all > 100 && moved >= all / 3 - 5 && moved <= all / 3 + 5, `${moved} rows after ${all}`)
    assert.equal(await painted('0,900,0,600&map=magma'), 0)
    // In other colours only those that are seen.
    const again = await painted('0,900,100,700&map=grey')
    assert.ok(Math.abs(again - all) <= 4, `${again} rows after ${all}`)
  }))

test('rows that are painted one after the other are those that are painted at once', () =>
  see('holes.b2nd', async page => {
    const differing = await page.evaluate(() => {
      const { picture } = document.querySelector('b2nd-viewer').stage.view
      const [width, height] = [90, 54]
      const paint = parts => {
        // In another size first, so that nothing is there.
        picture.scene.image.at(80, 50, [0, 1])
        const canvases = parts.map(part => picture.scene.image.at(width, height, part))
        return canvases.at(-1).getContext('2d').getImageData(0, 0, width, height).data
      }
      const all = paint([[0, 1]])
      const orders = [
        [
          [0.5, 0.6],
          [0.2, 0.5],
          [0, 1],
        ],
        [
          [0.9, 1],
          [0, 0.1],
          [0, 1],
        ],
        Array.from({ length: 51 }, (_, k) => [0.02 * (50 - k), 1]),
        Array.from({ length: 51 }, (_, k) => [0, 0.02 * k]),
      ]
      return orders.map(parts => paint(parts).reduce((count, one, k) => count + Number(one !== all[k]), 0))
    })
    assert.deepEqual(differing, [0, 0, 0, 0])
  }))

test('a large picture that is zoomed is stretched first, and then painted in its size', () =>
  see('planes.b2nd', async page => {
    const { drawn, differing } = await page.evaluate(async () => {
      const { session, stage } = document.querySelector('b2nd-viewer')
      const { picture } = stage.view
      while (!picture.stretched) await new Promise(requestAnimationFrame)
      // As if the frame came before the rows that are painted in advance.
      picture.paper.early = () => null
      const [own, drawn] = [picture.stretched, []]
      let last
      picture.stretched = (...what) => {
        const canvas = own(...what)
        last = what
        // The whole plane may be drawn once more before it is zoomed.
        if (picture.scene.window[0] > 0) drawn.push(canvas !== null)
        return canvas
      }
      for (const margin of [100, 200]) session.set({ window: [margin, 3200 - margin, margin, 3200 - margin] })
      do await new Promise(requestAnimationFrame)
      while (!drawn.length || drawn.at(-1))
      const [image, [width, height], seen] = last
      const pixels = () => {
        const [from, to] = [Math.ceil(seen[0] * height), Math.floor(seen[1] * height)]
        return image
          .at(width, height, seen)
          .getContext('2d')
          .getImageData(0, from, width, to - from).data
      }
      const inSteps = pixels()
      // In another size, so that nothing is there.
      image.at(80, 50, [0, 1])
      return { drawn, differing: pixels().reduce((count, one, k) => count + Number(one !== inSteps[k]), 0) }
    })
    assert.equal(drawn[0], true, 'stretched')
    assert.equal(differing, 0)
  }))

test('a slider that is dragged on a slow link shows pictures on the way', () =>
  see('big.b2nd', async page => {
    on.server.latency = 500
    try {
      const seen = await page.evaluate(async () => {
        const { session } = document.querySelector('b2nd-viewer')
        const planes = []
        document.addEventListener('b2nd-shown', () =>
          planes.push(document.querySelector('b2nd-viewer').stage.view.shownAt),
        )
        for (let z = 0; z < 500; z += 5) {
          session.go(0, z)
          await new Promise(done => setTimeout(done, 30))
        }
        return planes
      })
      assert.ok(new Set(seen).size >= 2, `${seen}`)
      assert.ok(
        seen.every((z, k) => !k || z >= seen[k - 1]),
        `never back: ${seen}`,
      )
      await settled(page)
      assert.equal(await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.shownAt), 495)
    } finally {
      on.server.latency = 0
    }
  }))
