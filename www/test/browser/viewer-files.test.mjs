// What a file is, and what is wrong with it: facts, chunk map, statistics, errors.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArrayFile } from 'b2nd/node'
import { FILES, choose, hover, readout, says, settled, shot, tells, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come } = on
/** With what is told about the file beside it. */
const see = (file, work, options) =>
  on.see(
    file,
    async page => {
      await page.getByRole('button', { name: 'Info' }).click()
      await work(page)
    },
    options,
  )

test('facts are those of the file', () =>
  see('field.b2nd', async page => {
    // What most people want to know, first.
    await says(page.locator('.facts > dl dt'), ['shape', 'dtype', 'size', 'codec'])
    await page.getByText('More', { exact: true }).click()
    // The chunk map comes last.
    await page.getByText('This view touches 4 of 24 chunks. Of the blocks of the first, 4 of 8.').waitFor()
    const text = await page.locator('.facts').innerText()
    for (const part of [
      '(24, 120, 160)',
      '(4, 60, 80)',
      '(2, 30, 40)',
      'float32',
      'zstd, level 7',
      'shuffle',
      '460,800',
      'Temperature over a day',
      '°C',
      'waves',
      '[1, 2]',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`)
    }
    await page.locator('.chunks').hover({ position: { x: 4, y: 4 } })
    assert.match(
      await page.locator('.chunkmap .hint').first().textContent(),
      /^Chunk 0 at \(0, 0, 0\): \d+ kB at byte [\d,]+, ratio [\d.]+$/,
    )
    const metalayers = page.locator('.section', { hasText: 'Metalayers' })
    await metalayers.locator('summary').first().click()
    await metalayers.getByText('b2nd').waitFor()
    // A tree: what is in an attribute can be put away.
    const model = page.locator('.tree .leaf', { hasText: 'model' })
    await says(model, 'modelwaves')
    await page.locator('.tree summary', { hasText: 'source' }).click()
    assert.equal(await model.isVisible(), false)
  }))

test('the chunk map follows the view', () =>
  see('field.b2nd', async page => {
    await says(page.locator('.chunkmap .legend'), /^[\d.]+×\s+[\d.]+×$/)
    await page.evaluate(() => (document.querySelector('b2nd-viewer').state = 'index=20,0,0&window=0,30,0,20'))
    await page.getByText('Of the blocks of the first, 1 of 8.').waitFor()
    await page.getByText('This view touches 1 of 24 chunks.').waitFor()
    await page.keyboard.press('0')
    await page.getByText('This view touches 4 of 24 chunks.').waitFor()
    // All three planes.
    await page.getByRole('button', { name: 'Planes', exact: true }).click()
    await page.getByText('This view touches 19 of 24 chunks.').waitFor()
  }))

test('statistics, with a histogram', () =>
  see('holes.b2nd', async page => {
    await page.getByRole('button', { name: 'Statistics' }).click()
    await page.getByRole('button', { name: 'Of the whole array' }).click()
    const numbers = page.locator('.numbers')
    await numbers.waitFor()
    const { count, nan, inf, min, max, mean, std } = on.facts.holes
    const texts = await numbers.locator('dd').allTextContents()
    const near = (text, value) =>
      assert.ok(Math.abs(Number(text.replaceAll(',', '')) - value) <= Math.abs(value) * 1e-5, `${text} ${value}`)
    ;[count, min, max, mean, std, nan, inf].forEach((value, k) => near(texts[k], value))
    await page.locator('.panel .plot').waitFor()
    await shot(page, 'statistics')
    await page.getByRole('button', { name: 'Of what is shown' }).click()
    await page.getByText('Of what is shown:').waitFor()
  }))

test('statistics can be stopped', () =>
  see('big.b2nd', async page => {
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Of the whole array' }).click()
    await page.waitForFunction(
      () => document.querySelector('b2nd-viewer').shadowRoot.querySelector('.panel progress').value > 0,
    )
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Stop' }).isVisible(), false)
  }))

test('a sparse frame', () =>
  see('sparse.b2nd/', async page => {
    await hover(page, 70, 50)
    await tells(page, '[50, 70] = 5070')
    await says(page.locator('.facts'), /sparse: a file for each chunk/)
    await says(page.locator('.chunkmap'), /all zeros, stored nowhere/)
  }))

test('a codec that is not there', () =>
  come(
    '#url=files/unknown.b2nd',
    async page => {
      await page.getByRole('alert').waitFor()
      await shot(page, 'unknown')
      assert.match(
        await page.getByRole('alert').innerText(),
        /compressed with codec 201, which this viewer does not have/,
      )
      await page.getByRole('button', { name: 'Info' }).click()
      const text = await page.locator('.facts').innerText()
      for (const part of ['(60, 100)', 'int32', 'unknown codec 201']) assert.ok(text.includes(part), text)
      await page.getByText('Details', { exact: true }).click()
      const details = await page.locator('.error pre').innerText()
      assert.match(details, /code: unsupported\ncodec: 201/)
      await page.getByRole('button', { name: 'Copy details' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), details)
      await says(page.locator('.chunkmap .legend'), /^[\d.]+×\s+[\d.]+×$/)
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ))

test('a file that ends too early', () =>
  come(
    '#url=files/truncated.b2nd',
    async page => {
      await page.getByRole('alert').waitFor()
      await shot(page, 'truncated')
      await says(page.getByRole('alert'), /The file ends too early/)
      await says(page.locator('.facts'), /\(24, 120, 160\)/)
      // What is left of it, hatched where nothing is.
      await page.getByRole('button', { name: 'Show what is left' }).click()
      await settled(page)
      await says(page.locator('.reference'), /^\d+ of \d+ chunks, in the order in which they are stored/)
      await shot(page, 'recovered')
      const { values, why } = await page.evaluate(async () => {
        const { dataset } = document.querySelector('b2nd-viewer').session
        const values = async z => Array.from((await dataset.read([z, 60, { start: 0, stop: 160, step: 1 }], {})).data)
        return { values: await values(0), why: dataset.missing.at([23, 119, 159]) }
      })
      assert.equal(why, 'uninit')
      const { data } = await (await openArrayFile(join(FILES, 'field.b2nd'))).get([0, 60])
      assert.deepEqual(values, Array.from(data))
      await page.getByRole('button', { name: 'Save as .b2nd…' }).click()
      await page.getByRole('dialog').getByText('saved as zeros').waitFor()
    },
    { allow: [/416/] },
  ))

test('Caterva knows no dtypes', () =>
  see('../golden/caterva-0.7.3/2d-t4-lz4-frame.caterva', async page => {
    await says(page.locator('.facts'), /not in the file; shown as/)
    await shot(page, 'caterva')
    const options = await page.getByLabel('read as', { exact: true }).locator('option').allTextContents()
    await page.getByLabel('read as', { exact: true }).selectOption({ label: options[1] })
    await settled(page)
    await page.waitForFunction(() => location.hash.includes('as='))
    // The same bytes.
    await hover(page, 3, 2)
    const [shown, stored] = [
      await readout(page),
      await page.evaluate(async () => {
        const { data } = await document.querySelector('b2nd-viewer').session.dataset.array.get([2, 3])
        return new Int32Array(data.slice().buffer)[0]
      }),
    ]
    assert.equal(shown, `[2, 3] = ${stored}`)
  }))

test('what is no array', () =>
  come('', async page => {
    await choose(page, 'File…', {
      name: 'note.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('this is a note and no array, none at all'),
    })
    await page.getByRole('alert').waitFor()
    await says(page.getByRole('alert'), /This is not a Blosc2 file/)
    await shot(page, 'not-blosc')
  }))

test('a URL where nothing is', () =>
  come(
    '#url=files/none.b2nd',
    async page => {
      await page.getByRole('alert').waitFor()
      await says(page.getByRole('alert'), /There is no such file/)
    },
    { allow: [/404/, /Service Worker/] },
  ))

test('names of axes are there as soon as they are read', () =>
  see('named.b2nd', async page => {
    await page.getByLabel('index along time').waitFor()
    await says(page.getByLabel('x', { exact: true }).locator('option'), ['time (4)', 'row (5)', 'column (6)'])
    await page.waitForFunction(() => document.querySelector('b2nd-viewer').stage.view.picture.scene.xLabel === 'column')
  }))
