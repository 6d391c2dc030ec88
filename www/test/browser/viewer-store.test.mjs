// Stores in the viewer: the tree of their members, links to one, and search.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { accessible, choose, FILES, hover, IMPORTS, says, settled, tells, viewer } from '../lib/viewer.mjs'
import { zipped } from '../lib/zip.mjs'

const on = viewer()
const { come } = on
const members = page => page.getByRole('navigation', { name: /^members of/ })
const member = (page, name) => members(page).getByRole('button', { name, exact: true })

test('an archive at a URL: its tree, a member, and a link to that', () =>
  come('#url=files/store.b2z', async page => {
    await settled(page)
    await says(members(page), /store\.b2z DictStore, 2 members/)
    await member(page, 'ramp').click()
    await settled(page)
    assert.equal(await member(page, 'ramp').getAttribute('aria-current'), 'true')
    await page.getByRole('button', { name: 'Heatmap' }).click()
    await settled(page)
    await hover(page, 3, 4)
    await tells(page, '[4, 3] = 43')
    await page.waitForFunction(() => location.hash.includes('member=/a/ramp'))
    await accessible(page, 'a store')
    const link = page.url()
    await page.goto('about:blank')
    await page.goto(link)
    await settled(page)
    assert.equal(await member(page, 'ramp').getAttribute('aria-current'), 'true')
    await hover(page, 3, 4)
    await tells(page, '[4, 3] = 43')
  }))

test('an archive and a directory of this device', () =>
  come('', async page => {
    for (const [button, name] of [
      ['File…', 'store.b2z'],
      ['Folder…', 'store.b2d'],
    ]) {
      await choose(page, button, join(FILES, name))
      await settled(page)
      await member(page, 'ramp').click()
      await settled(page)
      assert.deepEqual(await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.shape), [6, 10])
      assert.equal(await page.title(), `${name} – b2nd viewer`)
    }
    // The other tab has its own member.
    await page.locator('#tabs').getByRole('button', { name: 'store.b2z', exact: true }).click()
    await settled(page)
    assert.equal(await member(page, 'ramp').getAttribute('aria-current'), 'true')
  }))

test('small members in one frame, attributes of groups, and a member that cannot be shown', () =>
  come('#url=golden/stores/tree.b2z', async page => {
    await settled(page)
    const keys = await members(page).locator('[data-key]').count()
    assert.ok(keys >= 3, `${keys} members`)
    await members(page).getByText('attributes').first().waitFor()
    await member(page, 'image').click()
    await settled(page)
    assert.deepEqual(await page.evaluate(() => document.querySelector('b2nd-viewer').session.dataset.shape), [20, 30])
  }))

test('many tables are listed with work in proportion to their parts', () =>
  come('', async page => {
    const parts = ['_meta.b2f', '_valid_rows.b2nd', '_cols/x.b2nd', 'notes.b2nd']
    const keys = Array.from({ length: 400 }, (_, k) => parts.map(part => `group${k % 20}/t${k}/${part}`)).flat()
    const files = Object.fromEntries(keys.map(key => [key, Buffer.alloc(1)]))
    const archive = readFileSync(join(import.meta.dirname, '../../../tests/common/zips/plain.b2z'))
    const at = archive.indexOf('embed.b2e')
    const embed = archive.subarray(at + 9, at + 9 + archive.readUInt32LE(at - 12))
    await page.evaluate(() => {
      globalThis.comparisons = 0
      const apply = (startsWith, ...given) => {
        globalThis.comparisons++
        return Reflect.apply(startsWith, ...given)
      }
      const { prototype } = String
      const value = new Proxy(Reflect.get(prototype, 'startsWith'), { apply })
      Reflect.defineProperty(prototype, 'startsWith', { value })
    })
    const buffer = zipped({ ...files, 'embed.b2e': embed })
    await choose(page, 'File…', { name: 'tables.b2z', mimeType: 'application/zip', buffer })
    await says(members(page), /tables\.b2z TreeStore, 800 members/)
    await members(page).getByText('group7', { exact: true }).click()
    await members(page).getByText('t7', { exact: true }).click()
    await member(page, 'notes').waitFor()
    const comparisons = await page.evaluate(() => globalThis.comparisons)
    assert.ok(comparisons < 10 * keys.length, `${comparisons} comparisons of ${keys.length} keys`)
  }))

test('of many members the one that is shown is in sight', () =>
  come('', async page => {
    const npy = readFileSync(join(IMPORTS, 'point.npy'))
    const keys = Array.from({ length: 600 }, (_, k) => `group${k % 10}/below/deep/m${k}`)
    const buffer = zipped(Object.fromEntries(keys.map(key => [`${key}.npy`, npy])))
    await choose(page, 'File…', { name: 'many.npz', mimeType: 'application/zip', buffer })
    await settled(page)
    const current = members(page).locator('[aria-current]')
    await says(current, ['m0'])
    assert.ok(await current.isVisible())
    await page.getByLabel('search keys').fill('m599')
    await member(page, '/group9/below/deep/m599').click()
    await settled(page)
    await page.getByLabel('search keys').fill('')
    await says(current, ['m599'])
    assert.ok(await current.isVisible())
  }))

test('a narrow window', () =>
  come(
    '#url=files/store.b2z',
    async page => {
      await settled(page)
      await member(page, 'flat').click()
      await settled(page)
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth > innerWidth)
      assert.equal(wide, false)
    },
    { viewport: { width: 360, height: 640 } },
  ))
