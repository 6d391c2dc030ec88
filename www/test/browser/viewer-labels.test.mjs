// A segmentation over its image: found beside it, named by a link, chosen, or in the same store.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, colour, hover, LABELS, look, readout, says, settled, shot, viewer } from '../lib/viewer.mjs'

const on = viewer()
const expected = () => JSON.parse(readFileSync(join(LABELS, 'expected.json'), 'utf8'))
const see = (name, state, work, options) =>
  on.come(
    `#url=labels/${name}&${state}`,
    async page => {
      await settled(page)
      await work(page)
    },
    options,
  )
const overlaid = page =>
  page.waitForFunction(() => document.querySelector('b2nd-viewer').session.overlay?.counts().size)

/** The plane z = 6 of the first modality. */
const PLANE = 'view=heatmap&index=0,6,0,0'
const LIVER = [22, 28]
const TUMOUR = [34, 30]
const OUTSIDE = [2, 2]

const mixed = (below, above, opacity = 0.5) => below.map((part, k) => part * (1 - opacity) + above[k] * opacity)
const like = (seen, wanted, what) =>
  assert.ok(
    seen.every((part, k) => Math.abs(part - wanted[k]) <= 2),
    `${what}: ${seen} instead of ${wanted}`,
  )

test('the file beside an image of nnU-Net lies over it, with names and colours', () =>
  see('case.b2nd', PLANE, async page => {
    await overlaid(page)
    const names = [LIVER, TUMOUR, OUTSIDE]
    const over = []
    for (const at of names) over.push(await colour(page, ...at))
    await shot(page, 'labels')
    await look(page, `${PLANE}&over=none`)
    const bare = []
    for (const at of names) bare.push(await colour(page, ...at))
    like(over[0], mixed(bare[0], [255, 0, 0]), 'liver')
    like(over[1], mixed(bare[1], [0, 255, 0]), 'tumour')
    like(over[2], bare[2], 'outside')
    await look(page, `${PLANE}&opacity=0.2`)
    await overlaid(page)
    like(await colour(page, ...LIVER), mixed(bare[0], [255, 0, 0], 0.2), 'opacity 0.2')
    await hover(page, ...TUMOUR)
    assert.match(await readout(page), /^\[0, 6, 30, 34\] = .* \(tumour\)$/)
    await hover(page, ...OUTSIDE)
    assert.doesNotMatch(await readout(page), /\(/)
    // Spacing and directions of mlarray.
    await says(page.locator('.where'), 'z -2 mm, y 6 mm, x 6 mm')
  }))

test('a profile has a length in units, and is saved', () =>
  see('case.b2nd', PLANE, async page => {
    await page.getByRole('button', { name: 'Profile' }).click()
    await says(page.locator('.profile'), /Profile from \(0, 30\) to \(79, 30\): 80 items, 39.5 mm, /)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ])
    const [head, first, second] = readFileSync(await file.path(), 'utf8').split('\n')
    assert.equal(head, 'x,y,distance (mm),value')
    await hover(page, 0, 30)
    const value = /= (\S+)/.exec(await readout(page))[1]
    assert.equal(first, `0,30,0,${value}`)
    assert.match(second, /^1,30,0\.5,/)
  }))

test('labels are counted, named, coloured and hidden', () =>
  see('case.b2nd', PLANE, async page => {
    await overlaid(page)
    const { plane, count } = expected()
    await page.getByRole('button', { name: 'Labels', exact: true }).click()
    const counts = page.locator('.labels .count')
    await says(
      counts,
      [plane[1], plane[2]].map(n => n.toLocaleString('en')),
    )
    await accessible(page)
    await page.getByRole('button', { name: 'Count all' }).click()
    // An item has 0.75 mm³.
    const told = [count[1], count[2]].map(n => `${n.toLocaleString('en')}, ${n * 0.75} mm³`)
    await says(counts, told)
    await shot(page, 'labels-panel')
    const before = await colour(page, ...LIVER)
    await page.getByLabel('show liver').uncheck()
    await settled(page)
    assert.notDeepEqual(await colour(page, ...LIVER), before)
    const name = page.getByLabel('name of label 2')
    await name.fill('metastasis')
    await name.press('Enter')
    await settled(page)
    await hover(page, ...TUMOUR)
    assert.match(await readout(page), /\(metastasis\)$/)
    // A link has all of it.
    await page.waitForFunction(
      () => /labels=,-,__\w*_metastasis/.test(decodeURIComponent(location.hash)) || /metastasis/.test(location.hash),
    )
    await page.reload()
    await settled(page)
    await overlaid(page)
    await hover(page, ...TUMOUR)
    assert.match(await readout(page), /\(metastasis\)$/)
  }))

test('three planes and a composite have them too', () =>
  see('case.b2nd', 'view=planes&index=0,6,28,22', async page => {
    await overlaid(page)
    const layers = await page.evaluate(() =>
      document.querySelector('b2nd-viewer').stage.view.pictures.map(({ scene }) => !!scene.over),
    )
    assert.deepEqual(layers, [true, true, true])
    await shot(page, 'labels-planes')
    await look(page, 'view=composite&index=0,6,0,0')
    await overlaid(page)
    await shot(page, 'labels-composite')
    // A projection along an axis of the labels has no plane of them.
    await look(page, `${PLANE}&project=max:1`)
    assert.equal(await page.evaluate(() => document.querySelector('b2nd-viewer').stage.view.picture.scene.over), null)
  }))

test('a member of a store beside its image', () =>
  see('cases.b2z', `member=/a/ct&view=heatmap&index=6,0,0`, async page => {
    await overlaid(page)
    await hover(page, ...TUMOUR)
    assert.match(await readout(page), /\(label 2\)$/)
    // Another image, and its labels from another member.
    await look(page, `member=/b/ct&view=heatmap&index=6,0,0&over=/a/ct_seg`)
    await overlaid(page)
    await hover(page, ...LIVER)
    assert.match(await readout(page), /^\[6, 28, 22\] = .* \(label 1\)$/)
  }))

test('labels that doubles cannot represent are refused, and very many are not all counted', () =>
  see('large.b2nd', 'view=heatmap&over=huge_seg.b2nd', async page => {
    await says(page.locator('.notice'), /the label 1152921504606846976, of more than 53 bits/)
    await look(page, 'view=heatmap&over=many_seg.b2nd')
    await overlaid(page)
    await page.getByRole('button', { name: 'Labels', exact: true }).click()
    await says(page.locator('.labels [role=status]'), /more than 65536 labels: only these are counted/)
  }))

test('booleans over a colour image', () =>
  see('colour.b2nd', 'view=rgb&over=colour_seg.b2nd', async page => {
    await overlaid(page)
    await hover(page, ...LIVER)
    assert.match(await readout(page), /^\[28, 22, :\] = .* \(label 1\)$/)
    await hover(page, ...OUTSIDE)
    assert.doesNotMatch(await readout(page), /label/)
  }))

test('an overview takes the nearest label, and a chosen file must fit', () =>
  see('large.b2nd', 'view=heatmap&over=large_seg.b2nd', async page => {
    await overlaid(page)
    await shot(page, 'labels-large')
    const bare = []
    const places = [
      [300, 300],
      [900, 900],
      [2100, 1500],
    ]
    const over = []
    for (const at of places) over.push(await colour(page, ...at))
    await look(page, 'view=heatmap')
    for (const at of places) bare.push(await colour(page, ...at))
    // The first is the background.
    like(over[0], bare[0], 'background')
    for (const k of [1, 2]) assert.notDeepEqual(over[k], bare[k])
    await page.getByRole('button', { name: 'Labels', exact: true }).click()
    await page.getByLabel('segmentation', { exact: true }).setInputFiles(join(LABELS, 'wrong.b2nd'))
    await says(page.locator('.labels [role=alert]'), /\[3, 3\].*\[1800, 2400\]/)
  }))
