// The npm package b2nd, without tables. `b2nd.mjs FOLDER --serve`, where FOLDER is that of the built package.

import { resolve } from 'node:path'
import { bytesOf } from '../../www/test/lib/bytes.mjs'
import { serve, Unsupported } from './serving.mjs'

const load = entry => import(resolve(process.argv[2], 'dist', `${entry}.js`))
const [{ slice, open }, { openFile, openArrayFile, folderSource, fileSource }, { openStore }] = await Promise.all(
  ['index', 'node', 'store'].map(load),
)

const ARRAY = /\.(b2nd|caterva)$/
const parse = text => text.split(',').map(part => axis(part.trim()))

function axis(part) {
  if (part === '...') return part
  if (!part.includes(':')) return Number(part)
  return slice(...[...part.split(':'), ''].slice(0, 3).map(bound => (bound.trim() === '' ? null : Number(bound))))
}

await serve(async ({ file, selection, offset, member, column, earlyBitshuffle }) => {
  if (column) throw new Unsupported('tables')
  if (earlyBitshuffle) throw new Unsupported('the bitshuffle of early releases')
  if (member)
    return fromStore(
      await openStore(file.endsWith('.b2d') ? folderSource(file) : await fileSource(file)),
      member,
      selection,
    )
  const opened = file.endsWith('.chunk')
    ? await open(await fileSource(file))
    : await (ARRAY.test(file) ? openArrayFile : openFile)(file, { offset })
  try {
    return await bytes(opened, selection)
  } finally {
    await opened.close()
  }
})

async function fromStore(store, member, selection) {
  return bytes(await store.get(member), selection)
}

async function bytes(opened, selection) {
  if (opened.select) return ofChunks(opened, selection)
  return Buffer.from(bytesOf(opened.type, (await opened.get(parse(selection))).data))
}

/** Chunks that differ in size have no positions that could be selected, so these are read whole. */
async function ofChunks(schunk, selection) {
  const count = selection === '...' ? await schunk.nchunks() : 0
  if (!count) return Buffer.from(await schunk.select(parse(selection)))
  return Buffer.concat(await Promise.all(Array.from({ length: count }, (_, at) => schunk.chunk(at))))
}
