// Reads an array with the package that wasm-pack builds, by the interface of ABI.md: `node read.mjs FOLDER`.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { source } from '../lib/source.mjs'

const folder = resolve(process.argv[2])
const file = readFileSync(join(import.meta.dirname, '../../../tests/golden/blosc2-4.14.1/sample.b2nd'))
const { default: init, open, input, output, output_len } = await import(pathToFileURL(join(folder, 'b2nd_wasm.js')))
const { memory } = await init({ module_or_path: readFileSync(join(folder, 'b2nd_wasm_bg.wasm')) })

const { valueIn } = await source('engine/values')
const facts = valueIn(opened())
assert.equal(facts.kind, 'array')
assert.ok(facts.array.shape.length > 0)
console.log(`${facts.array.dtype} ${facts.array.shape.join(' × ')}`)

/** The facts of the file: it is asked for ranges until they are known. */
function opened() {
  const answers = []
  for (;;) {
    give(answers)
    const status = open()
    const bytes = new Uint8Array(memory.buffer, output(), output_len()).slice()
    assert.notEqual(status, 2)
    if (status === 0) return bytes
    const [, start, end] = new Float64Array(bytes.buffer)
    answers.push(file.subarray(start, end))
  }
}

/** Writes sections to the input: their number, their lengths, their bytes. */
function give(sections) {
  const lengths = Uint32Array.of(sections.length, ...sections.map(({ length }) => length))
  const bytes = Buffer.concat([Buffer.from(lengths.buffer), ...sections])
  const at = input(bytes.length)
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes)
}
