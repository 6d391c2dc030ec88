// API.md documents every export and is up to date.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { FILE, reference } from '../docs.mjs'

const { text, undocumented } = reference()

test('all that is exported is documented', () => assert.deepEqual(undocumented, []))

test('API.md is of these types: `npm --prefix www run docs` makes it', () =>
  assert.ok(text === readFileSync(FILE, 'utf8')))

test('its links lead somewhere', () => {
  const headings = [...text.matchAll(/^###? `(.+)`$/gm)].map(([, name]) => `#${name.toLowerCase()}`)
  // The second of a name gets a number.
  const anchors = headings.map((name, k) => (headings.indexOf(name) < k ? `${name}-1` : name))
  for (const [, place] of text.matchAll(/\]\((#[\w-]+)\)/g)) assert.ok(anchors.includes(place), place)
  assert.equal(new Set(anchors).size, anchors.length)
})
