// Small files that claim or become much: the viewer says what is wrong where, in little time and memory, and goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMBS } from '../lib/bombs.mjs'
import { viewer } from '../lib/viewer.mjs'

const on = viewer()

/** Opens a file. Returns what is said, or the shape of what is shown. */
const open = (page, name, bytes) =>
  page.evaluate(
    async ([name, bytes]) => {
      const viewer = document.querySelector('b2nd-viewer')
      viewer.hidden = false
      const file = new File([await (await fetch(`data:;base64,${bytes}`)).arrayBuffer()], name)
      await viewer.open({ name, openable: file })
      const trouble = viewer.shadowRoot.querySelector('.error')
      return trouble ? trouble.innerText : viewer.session.dataset.shape
    },
    [name, bytes.toString('base64')],
  )

const GOOD = Buffer.from('1,2\n3,4\n')

for (const [name, [bytes, expected]] of Object.entries(BOMBS))
  test(`${name} costs little`, () =>
    on.come(
      '',
      async page => {
        const found = await open(page, name, bytes)
        if (expected) assert.match(String(found), expected)
        else assert.ok(Array.isArray(found), found)
        assert.deepEqual(await open(page, 'good.csv', GOOD), [2, 2])
      },
      { allow: [/data:/], bypassCSP: true, patience: 20_000 },
    ))
