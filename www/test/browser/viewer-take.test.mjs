// Taking away: slices as files, code that reads them, links.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { choose, DIST, FILES, GOLDEN, LEVELS, look, says, settled, shot, TRUTH, viewer } from '../lib/viewer.mjs'

const on = viewer()
const { come, see } = on

/** What a button lets one save. */
async function save(page, format) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: format, exact: true }).click(),
  ])
  const [stem] = (await page.title()).split('.')
  assert.equal(download.suggestedFilename(), `${stem}.${format.toLowerCase()}`)
  return readFileSync(await download.path())
}

test('slices as files', () =>
  see('mixture.b2nd&view=heatmap&index=1,2,0,0', async page => {
    await page.keyboard.press('e')
    const item = (z, w) => 1200 + z * 10 + w
    const rows = Array.from({ length: 9 }, (_, z) => Array.from({ length: 8 }, (_, w) => item(z, w)))
    assert.equal((await save(page, 'CSV')).toString(), rows.map(row => `${row.join(',')}\n`).join(''))
    assert.deepEqual(JSON.parse(await save(page, 'JSON')), rows)
    const npy = await save(page, 'NPY')
    const start = 10 + npy.readUInt16LE(8)
    assert.match(
      npy.subarray(10, start).toString(),
      /^\{'descr': '<i2', 'fortran_order': False, 'shape': \(9, 8\), \} *\n$/,
    )
    assert.deepEqual([...new Int16Array(new Uint8Array(npy.subarray(start)).buffer)], rows.flat())
    await shot(page, 'takeaway')
  }))

/** What Python makes of something. */
const python = (code, options) =>
  execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', code], { cwd: FILES, encoding: 'utf8', ...options }).trim()

for (const name of ['table', 'words', 'dates', 'waves', 'large', 'scalar', 'holes']) {
  test(`${name} as NPY is what the reference reads`, () =>
    see(`${name}.b2nd`, async page => {
      await page.keyboard.press('e')
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'NPY', exact: true }).click(),
      ])
      assert.equal(
        python(`import numpy, blosc2
a = numpy.load(${JSON.stringify(await download.path())}); b = blosc2.open("${name}.b2nd")[()]
print(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())`),
        'True',
      )
    }))
}

test('the code reads that very slice', () =>
  come('', async page => {
    await choose(page, 'File…', join(FILES, 'mixture.b2nd'))
    await settled(page)
    await look(page, 'view=heatmap&index=1,2,0,0')
    await page.keyboard.press('e')
    const code = async language => {
      await page.getByRole('button', { name: language, exact: true }).click()
      return page.getByLabel('code').innerText()
    }
    assert.equal(python(`${await code('Python')}\nprint(data.shape, data.sum())`), '(9, 8) 89532')
    const script = `${await code('JavaScript')}\nconsole.log(shape.join(), data.reduce((a, b) => a + b))`.replace(
      '"mixture.b2nd"',
      JSON.stringify(join(FILES, 'mixture.b2nd')),
    )
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: join(DIST, '..', '..'),
      encoding: 'utf8',
    })
    assert.equal(out.trim(), '9,8 89532')
  }))

test('the code for the slice', () =>
  see(
    'mixture.b2nd&view=heatmap&index=1,2,0,0',
    async page => {
      await page.keyboard.press('e')
      const code = () => page.getByLabel('code').innerText()
      assert.match(
        await code(),
        /blosc2\.open\(urlretrieve\("http.*mixture\.b2nd"\)\[0\], mode="r"\)\ndata = array\[1, 2, 0:9, 0:8\]/,
      )
      await page.getByRole('button', { name: 'JavaScript' }).click()
      assert.match(await code(), /array\.get\(\[1, 2, slice\(0, 9\), slice\(0, 8\)\]\)/)
      await page.getByRole('button', { name: 'Rust' }).click()
      assert.match(await code(), /"1, 2, 0:9, 0:8"\.parse\(\)/)
      const copied = async what => {
        await page.getByRole('button', { name: `Copy ${what}` }).click()
        await page.getByText(`The ${what} is in the clipboard.`).waitFor()
        return page.evaluate(() => navigator.clipboard.readText())
      }
      assert.equal(await copied('code'), await code())
      assert.equal(await copied('link'), page.url())
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  ))

for (const [place, link, file, item] of [
  ['files/mixture.b2nd', 'view=heatmap&index=1,2,0,0', join(FILES, 'mixture.b2nd'), '[1, 2]'],
  [
    'levels/levels.b2z',
    'member=/numbered/s2&view=heatmap&window=3,20,5,30',
    join(LEVELS, 'levels.b2z'),
    '["/numbered/s2"][5:30, 3:20]',
  ],
])
  test(`the code runs without further packages: ${place}`, () =>
    come(`#url=${place}&${link}`, async page => {
      await settled(page)
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const code = async language => {
        await page.getByRole('button', { name: language, exact: true }).click()
        return page.getByLabel('code').innerText()
      }
      const run = async (program, flags, text) =>
        (await promisify(execFile)(program, [...flags, text], { cwd: DIST })).stdout.trim()
      const wanted = python(`import blosc2\nprint(blosc2.open(${JSON.stringify(file)}, mode="r")${item}.sum())`)
      // The server has to answer meanwhile.
      const away = await code('Python')
      assert.match(away, /urlretrieve/)
      assert.equal(await run(process.env.B2ND_PYTHON ?? 'python3', ['-c'], `${away}\nprint(data.sum())`), wanted)
      const script = `${await code('JavaScript')}\nconsole.log(data.reduce((a, b) => a + b))`
      assert.equal(await run(process.execPath, ['--input-type=module', '-e'], script), wanted)
    }))

test('the code for a member of a store on this device has its key', () =>
  come('', async page => {
    await choose(page, 'File…', join(LEVELS, 'levels.b2z'))
    await settled(page)
    await look(page, 'member=/numbered/s2&view=heatmap&window=3,20,5,30')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const code = await page.getByLabel('code').innerText()
    const [, key] = /blosc2\.open\("levels\.b2z", mode="r"\)\["(.*)"\]/.exec(code)
    assert.equal(key, await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.member.key))
    await page.getByRole('button', { name: 'Rust' }).click()
    assert.ok((await page.getByLabel('code').innerText()).includes(`b2nd::store::open("levels.b2z")?.get("${key}")?`))
  }))

/** Reads what was saved and the code that is shown with NumPy, beside what NumPy makes of the array itself. */
const project = (file, how, npy, code) =>
  JSON.parse(
    python(
      `import json, warnings, numpy, blosc2
warnings.simplefilter("ignore")
a = blosc2.open("${file}", mode="r")[()]
wanted = a.${how}(axis=0)
saved = numpy.load(${JSON.stringify(npy)})
${code}
same = lambda b: bool(numpy.allclose(b, wanted, rtol=1e-6, atol=0, equal_nan=True) if "${how}" == "mean" else numpy.array_equal(b, wanted, equal_nan=b.dtype.kind == "f"))
print(json.dumps([saved.dtype.str, saved.shape == wanted.shape and same(saved), same(data)]))`,
      { cwd: TRUTH },
    ),
  )

for (const [file, dtype] of [
  ['odd', '<f8'],
  ['tall', '<i8'],
  ['neighbours', '<u2'],
])
  test(`a projection is exported as what is shown: ${file}`, () =>
    come('', async page => {
      await choose(page, 'File…', join(TRUTH, `${file}.b2nd`))
      await settled(page)
      await page.keyboard.press('e')
      for (const how of ['max', 'mean', 'min']) {
        // One of the files is shown as an overview.
        await look(page, `view=heatmap&project=${how}:0`)
        await page.getByText(`What is shown: the ${how} over axis 0 of [0:`, { exact: false }).waitFor()
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'NPY', exact: true }).click(),
        ])
        const code = await page.getByLabel('code').innerText()
        assert.deepEqual(project(`${file}.b2nd`, how, await download.path(), code), [
          how === 'mean' ? '<f8' : dtype,
          true,
          true,
        ])
      }
    }))

test('a projection as text, and its statistics', () =>
  see('mixture.b2nd&view=heatmap&index=1,2,0,0&project=max:0', async page => {
    await page.keyboard.press('e')
    const rows = Array.from({ length: 9 }, (_, z) => Array.from({ length: 8 }, (_, w) => 6200 + z * 10 + w))
    assert.equal((await save(page, 'CSV')).toString(), rows.map(row => `${row.join(',')}\n`).join(''))
    assert.deepEqual(JSON.parse(await save(page, 'JSON')), rows)
    await page.getByRole('button', { name: 'JavaScript', exact: true }).click()
    await says(page.getByLabel('code'), /the max over axis 0 of these items/)
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Of what is shown' }).click()
    await page.locator('.numbers').waitFor()
    await says(page.locator('.result'), /the max over axis 0/)
    assert.deepEqual((await page.locator('.numbers dd').allInnerTexts()).slice(0, 4), [
      '72',
      '6,200',
      '6,287',
      '6243.5',
    ])
  }))

test('structures as text', () =>
  see('table.b2nd', async page => {
    await page.keyboard.press('e')
    const [csv, json] = [await save(page, 'CSV'), await save(page, 'JSON')].map(String)
    const [head, ...lines] = csv.trimEnd().split('\n')
    assert.equal(head, 'when,station,kelvin,count,valid')
    const rows = JSON.parse(json)
    assert.equal(rows.length, 5000)
    assert.equal(lines.length, 5000)
    for (const [[at], [when, station, kelvin, count, valid]] of on.facts.table.values) {
      assert.deepEqual(rows[at], { when, station, kelvin: rows[at].kelvin, count, valid })
      assert.equal(Math.fround(rows[at].kelvin), Math.fround(kelvin))
      const cells = lines[at].split(',')
      assert.equal(Number(cells[2]), rows[at].kelvin)
      assert.deepEqual(cells.toSpliced(2, 1), [when, station, `${count}`, valid ? 'True' : 'False'])
    }
  }))

test('a link restores the view', async () => {
  let link
  await see('field.b2nd', async page => {
    await look(page, 'index=7,20,30&x=1&y=0&map=inferno&scale=symlog&range=fixed&min=2&max=9&equal=0')
    await page.keyboard.press('.')
    await page.waitForFunction(() => location.hash.includes('index=7,20,31'))
    link = new URL(page.url()).hash
  })
  await come(link, async page => {
    await settled(page)
    const state = await page.evaluate(() => document.querySelector('b2nd-viewer').session.state)
    assert.deepEqual(state.index, [7, 20, 31])
    for (const [key, value] of Object.entries({
      x: 1,
      y: 0,
      map: 'inferno',
      scale: 'symlog',
      range: 'fixed',
      min: 2,
      max: 9,
      equal: false,
    }))
      assert.equal(state[key], value, key)
  })
})

test('all that text can say of numbers', () =>
  see('../truth/floats.b2nd', async page => {
    await page.keyboard.press('e')
    const [csv, json] = [await save(page, 'CSV'), await save(page, 'JSON')].map(String)
    assert.equal(csv, '1e308\n-1e308\n-0.0\n0.1\n5e-324\nnan\ninf\n-inf\n')
    assert.equal(json, '[1e308, -1e308, -0.0, 0.1, 5e-324, "NaN", "Infinity", "-Infinity"]\n')
    await page.getByLabel('In JSON').selectOption('null')
    assert.equal(String(await save(page, 'NDJSON')), '1e308\n-1e308\n-0.0\n0.1\n5e-324\nnull\nnull\nnull\n')
    await page.getByLabel('In JSON').selectOption('literal')
    assert.equal(String(await save(page, 'JSON')), '[1e308, -1e308, -0.0, 0.1, 5e-324, NaN, Infinity, -Infinity]\n')
  }))

test('structures in structures, and arrays in them', () =>
  see('../truth/nested.b2nd', async page => {
    await page.keyboard.press('e')
    const [csv, json] = [await save(page, 'CSV'), await save(page, 'JSON')].map(String)
    assert.equal(
      csv,
      `at.x,at.y,grid[0][0],grid[0][1],grid[1][0],grid[1][1],name,z
1e308,4611686018427387904,0,1,2,3,"a,b",1.0+2.0j
-0.0,-1,4,5,6,7,"a""b",-0.0-1.0j
nan,0,8,9,10,11,"",0.0+0.0j
`,
    )
    const script = `import json, struct, sys, blosc2
rows = json.loads(sys.argv[1]); items = blosc2.open("nested.b2nd")[()]
bits = lambda value: struct.pack("<d", float(value))
for row, item in zip(rows, items, strict=True):
    assert bits(row["at"]["x"]) == bits(item["at"]["x"]) and int(row["at"]["y"]) == item["at"]["y"]
    assert row["grid"] == item["grid"].tolist() and row["name"] == item["name"]
    assert [bits(part) for part in row["z"]] == [bits(item["z"].real), bits(item["z"].imag)]
print(len(rows))`
    assert.equal(
      execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', script, json], { cwd: TRUTH, encoding: 'utf8' }).trim(),
      '3',
    )
  }))

test('nothing is a slice, too', () =>
  see('../golden/blosc2-4.14.1/shape-empty-3x0x2.b2nd', async page => {
    await page.keyboard.press('e')
    const code = await page.getByLabel('code').innerText()
    assert.match(code, /array\[0:3, 0:0, 0:2\]$/)
    const local = code.replace(/urlretrieve\(".*?"\)\[0\]/, '"shape-empty-3x0x2.b2nd"')
    const run = `${local}\nprint(data.shape)`
    assert.equal(
      execFileSync(process.env.B2ND_PYTHON ?? 'python3', ['-c', run], {
        cwd: join(GOLDEN, 'blosc2-4.14.1'),
        encoding: 'utf8',
      }).trim(),
      '(3, 0, 2)',
    )
    assert.equal(String(await save(page, 'JSON')), '[[], [], []]\n')
  }))

test('what no computer has memory for', () =>
  see('../truth/zeros.b2nd&view=table', async page => {
    await page.keyboard.press('e')
    await page.getByRole('button', { name: 'NPY', exact: true }).click()
    await says(page.getByRole('alert'), /This is 320 GB: look at a part of it/)
  }))

/** The pixels of a PNG, as [red, green, blue] at a place. */
const pixels = (page, png) =>
  page.evaluateHandle(
    async bytes => {
      const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }))
      const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
      context.drawImage(picture, 0, 0)
      const { data, width, height } = context.getImageData(0, 0, picture.width, picture.height)
      const at = (x, y) => data.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join()
      // How far from each side the first pixel is that is not the ground's.
      const blank = (length, across, pixel) => {
        for (let k = 0; k < length; k++) for (let j = 0; j < across; j++) if (pixel(k, j) !== at(0, 0)) return k
        return length
      }
      return {
        width,
        height,
        at,
        left: blank(width, height, (k, j) => at(k, j)),
        right: blank(width, height, (k, j) => at(width - 1 - k, j)),
        bottom: blank(height, width, (k, j) => at(j, height - 1 - k)),
      }
    },
    [...png],
  )

test('a picture as a figure of any size', () =>
  see('field.b2nd&index=3,0,0', async page => {
    await page.keyboard.press('e')
    for (const width of [1200, 640]) {
      await page.getByLabel('width in pixels').fill(String(width))
      const figure = await pixels(page, await save(page, 'PNG'))
      const facts = await figure.evaluate(({ width, height, left, right, bottom }) => ({
        width,
        height,
        left,
        right,
        bottom,
      }))
      // 160 by 120 items, between the axes, below a title and beside a bar.
      assert.deepEqual([facts.width, facts.height], [width, 30 + Math.round(((width - 68 - 62) * 120) / 160 + 46)])
      for (const side of ['left', 'right', 'bottom']) assert.ok(facts[side] < 40, `${side}: ${facts[side]} blank`)
      // The greatest value's colour, on top of the bar.
      assert.match(await figure.evaluate(({ width, at }) => at(width - 68 + 12, 30 + 8 + 2)), /^2[45]\d,23\d,3\d$/)
    }
  }))

test('lines as SVG', () =>
  see('traces.b2nd', async page => {
    await page.keyboard.press('e')
    assert.equal(await page.getByRole('button', { name: 'WebM' }).isVisible(), false)
    const svg = String(await save(page, 'SVG'))
    const facts = await page.evaluate(text => {
      const page = new DOMParser().parseFromString(text, 'image/svg+xml')
      const curves = [...page.querySelectorAll('path')].filter(path => path.getAttribute('d').length > 2000)
      return {
        error: page.querySelector('parsererror')?.textContent,
        title: page.querySelector('title').textContent,
        texts: [...page.querySelectorAll('text')].map(text => text.textContent),
        colours: curves.map(path => path.getAttribute('stroke')),
        size: ['width', 'height'].map(name => page.documentElement.getAttribute(name)),
      }
    }, svg)
    assert.equal(facts.error, undefined)
    assert.equal(facts.title, 'traces.b2nd[:, :]')
    // Half as high as wide, with the title and a line of the legend.
    assert.deepEqual(facts.size, ['1200', '658'])
    assert.equal(new Set(facts.colours).size, 6)
    for (const text of ['axis 1', '0', '200']) assert.ok(facts.texts.includes(text), `${text} in ${facts.texts}`)
  }))

test('a film along an axis', () =>
  see('field.b2nd&index=3,0,0', async page => {
    await page.keyboard.press('e')
    await page.getByLabel('width in pixels').fill('301')
    const film = await save(page, 'WebM')
    assert.deepEqual([...film.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3])
    // The page's policy has no films.
    const cinema = await page.context().newPage()
    const width = await cinema.evaluate(
      async bytes => {
        const video = document.createElement('video')
        video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'video/webm' }))
        await new Promise((resolve, reject) =>
          Object.assign(video, { onloadeddata: resolve, onerror: () => reject(new Error(video.error.message)) }),
        )
        return video.videoWidth
      },
      [...film],
    )
    assert.equal(width, 300)
    // Back where it was.
    assert.deepEqual(await page.evaluate(() => document.querySelector('b2nd-viewer').session.state.index), [3, 0, 0])
  }))
