// Writes arrays with random parameters in the form that tests/interop/frames.py reads: `node write.mjs FOLDER COUNT`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeArray } from 'b2nd/write'
import { randomArray } from '../lib/random-arrays.mjs'

const [folder, count] = process.argv.slice(2)
const frames = join(folder, 'frames')
mkdirSync(frames, { recursive: true })
const lines = []
for (let seed = 0; seed < Number(count); seed++) {
  const { options, itemsize, ids, items } = randomArray(seed)
  const name = `${seed}`
  writeFileSync(join(frames, `${name}.b2nd`), await encodeArray(items, options))
  writeFileSync(join(frames, `${name}.plain`), items)
  const { shape, chunks, blocks, dtype, codec, clevel, splitMode: splitmode, caterva, metalayers, attrs } = options
  const kind = caterva ? 'caterva' : 'array'
  const described = { name, kind, shape, chunks, blocks, dtype, itemsize, codec, clevel, filters: ids, splitmode }
  lines.push(JSON.stringify({ ...described, metalayers, attrs }))
}
writeFileSync(join(frames, 'cases.jsonl'), `${lines.join('\n')}\n`)
