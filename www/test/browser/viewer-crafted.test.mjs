// Crafted states in links and attributes: what they say wrongly is left out, and the array is shown all the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled, viewer } from '../lib/viewer.mjs'

const on = viewer()

const STATES = [
  ...['constructor', '__proto__', 'toString', 'hasOwnProperty', 'none'].map(map => `map=${map}`),
  'x=99&y=98&z=97',
  'view=line&x=0&y=99',
  'view=table&x=99&y=99',
  'view=planes&x=1&y=1&z=1',
  'view=composite&z=99&channels=constructor,~,+,,,,%25',
  'project=max:99',
  'view=heatmap&project=min:4294967296',
  'index=1e300,-1e300,0.5',
  `index=${'7,'.repeat(5000)}7`,
  'window=0,0,0,0',
  'window=9,1,9,1',
  'window=1e300,2e300,0,1',
  'window=-1e300,1e300,-1e300,1e300',
  'window=0,1e-300,0,1e-300',
  'range=fixed&min=1e308&max=-1e308',
  'range=fixed&min=0&max=0&scale=log',
  'part=constructor&as=constructor',
  'view=constructor&scale=__proto__&range=toString&overview=valueOf',
  'member=../../constructor',
]

/** Whether the view is drawn, without a complaint. */
const isShown = page =>
  page.evaluate(() => {
    const { shadowRoot, session } = document.querySelector('b2nd-viewer')
    const trouble = shadowRoot.querySelector('.error')
    return trouble ? trouble.innerText : session.shown.length >= session.dataset.shape.length
  })

for (const file of ['stack', 'signal', 'table'])
  test(`${file}: crafted states change nothing that is not there`, () =>
    on.see(`${file}.b2nd`, async page => {
      for (const state of STATES) {
        await page.evaluate(state => (document.querySelector('b2nd-viewer').state = state), state)
        await settled(page)
        assert.equal(await isShown(page), true, state)
      }
    }))

for (const state of STATES.filter((_, k) => k % 5 === 0))
  test(`a link with ${state.slice(0, 40)} opens`, () =>
    on.come(`#url=files/stack.b2nd&${state}`, async page => {
      await settled(page)
      assert.equal(await isShown(page), true)
    }))
