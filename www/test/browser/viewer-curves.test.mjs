// Several lines in one plot: chosen by their positions, with a legend, as files and in figures; and maps as pictures in their chooser.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { accessible, FILES, look, readout, says, settled, shot, stateOf, viewer } from '../lib/viewer.mjs'

const { see } = viewer()

/** Rows of a plane of the field, as NumPy has them. */
const numpy = rows =>
  JSON.parse(
    execFileSync(
      process.env.B2ND_PYTHON ?? 'python3',
      [
        '-c',
        `import blosc2, json; a = blosc2.open("field.b2nd")[3]; print(json.dumps(a[${JSON.stringify(rows)}].tolist()))`,
      ],
      { cwd: FILES, encoding: 'utf8' },
    ),
  )

async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return readFileSync(await download.path(), 'utf8')
}

const legend = page => page.locator('.view .legend li')

test('lines at chosen positions: legend, values, and a file of them', () =>
  see('field.b2nd&view=line&x=2&y=1&index=3,0,0', async page => {
    assert.equal(await legend(page).count(), 8)
    const field = page.getByLabel('lines at')
    await field.fill('5, 100:106:3, -1')
    await field.press('Enter')
    await settled(page)
    const rows = [5, 100, 103, 119]
    await says(
      legend(page),
      rows.map(row => `axis 1 = ${row}`),
    )
    const values = numpy(rows)
    await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.point(17))
    const text = await readout(page)
    assert.equal(text.slice(0, text.indexOf(' = ')), '[3, :, 17]')
    for (const [k, row] of rows.entries()) {
      const told = new RegExp(`(?:^| )${row}: (\\S+)`).exec(text)[1]
      assert.equal(Math.fround(Number(told)), Math.fround(values[k][17]), text)
    }
    const [head, ...lines] = (await saved(page, page.locator('.chooser').getByRole('button', { name: 'CSV' })))
      .trimEnd()
      .split('\n')
    assert.equal(head, ['axis 2', ...rows.map(row => `axis 1 = ${row}`)].join())
    assert.equal(lines.length, 160)
    for (const [x, line] of lines.entries())
      assert.deepEqual(line.split(',').map(Number).map(Math.fround), [x, ...values.map(row => row[x])].map(Math.fround))
    await shot(page, 'curves')
    await accessible(page, 'lines')
    // The link has them.
    assert.match(await page.evaluate(() => document.querySelector('b2nd-viewer').state), /lines=5/)
    await page.keyboard.press('Escape')
  }))

test('figures of several lines have their legend', () =>
  see('field.b2nd&view=line&x=2&y=1&index=3,0,0&lines=7,8', async page => {
    await page.getByRole('button', { name: 'Export' }).click()
    const svg = await saved(page, page.getByRole('button', { name: 'SVG' }))
    assert.match(svg, />axis 1 = 7</)
    assert.match(svg, />axis 1 = 8</)
    await says(page.locator('.panel .hint').first(), 'What is shown: [3, 7:9, 0:160]')
    const csv = (await saved(page, page.locator('.panel').getByRole('button', { name: 'CSV' }))).trimEnd().split('\n')
    assert.equal(csv.length, 2)
  }))

test('positions that an axis does not have are refused, and change nothing', () =>
  see('field.b2nd&view=line&x=2&y=1&lines=1', async page => {
    const field = page.getByLabel('lines at')
    for (const text of ['500', 'all', '9:3']) {
      await field.fill(text)
      await field.press('Enter')
      assert.equal(await field.evaluate(input => input.validity.valid), false, text)
      assert.equal(await stateOf(page, 'lines'), '1')
    }
    // Of a link, what an axis does not have is left out.
    await look(page, 'view=line&x=2&y=1&lines=500,3')
    await says(legend(page), [])
    assert.deepEqual(await page.evaluate(() => document.querySelector('b2nd-viewer').session.shown[1]), {
      start: 3,
      stop: 4,
      step: 1,
    })
  }))

test('maps are chosen by their pictures', () =>
  see('field.b2nd', async page => {
    const select = page.getByLabel('colours', { exact: true })
    await page.locator('select.swatches').waitFor()
    const pictures = await select.locator('option i').evaluateAll(marks => marks.map(mark => mark.style.background))
    assert.equal(pictures.length, 9)
    assert.equal(new Set(pictures).size, 9)
    assert.match(pictures[0], /^linear-gradient\(to right, rgb\(68, 1, 84\)/)
    assert.ok((await select.locator('selectedcontent i').boundingBox()).width > 40, 'the chosen map is a picture, too')
    await select.click()
    const option = select.locator('option', { hasText: 'inferno' })
    assert.ok((await option.locator('i').boundingBox()).width > 40)
    await shot(page, 'maps')
    await option.click()
    assert.equal(await stateOf(page, 'map'), 'inferno')
    await page.getByLabel('colours', { exact: true }).selectOption('magma')
    assert.equal(await stateOf(page, 'map'), 'magma')
    await accessible(page, 'maps as pictures')
  }))

test('values between gaps are seen', () =>
  see('signal.b2nd', async page => {
    const columns = await page.evaluate(async () => {
      const values = Float64Array.from({ length: 2000 }, (_, k) => (k % 2 ? NaN : Math.sin(k / 50)))
      const head = `\x93NUMPY\x01\0\x76\0${"{'descr': '<f8', 'fortran_order': False, 'shape': (2000,), }".padEnd(117)}\n`
      const file = new File([Uint8Array.from(head, letter => letter.charCodeAt(0)), values], 'gaps.npy')
      const viewer = document.querySelector('b2nd-viewer')
      const shown = new Promise(done => document.addEventListener('b2nd-shown', done, { once: true }))
      await viewer.open({ name: file.name, openable: file })
      await shown
      await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
      const { canvas } = viewer.stage.view.chart
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const seen = new Set()
      // The colour of the first line, bluer than the grid and the text.
      for (let k = 0; k < data.length; k += 4) if (data[k + 2] - data[k] > 60) seen.add((k / 4) % canvas.width)
      return seen.size
    })
    assert.ok(columns > 500, `${columns} columns`)
  }))
