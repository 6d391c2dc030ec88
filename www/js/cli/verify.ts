// `b2nd verify`: decodes everything.

import { isB2ndError, type NDArray, type SChunk } from '../index.js'
import { objectsIn, type Store, type Table } from '../store.js'
import { count } from './facts.js'
import { isArrow, isStore, schunkOf, withOpened, withStore } from './opened.js'
import { Progress } from './progress.js'

/** Rows that are read at a time. */
const AT_ONCE = 4096

/** Checks files, and all members of stores. Prints a line for each, and returns the worst error. */
export async function verify(files: readonly string[]): Promise<Error | undefined> {
  let worst: Error | undefined
  for (const what of await membersOf(files)) {
    try {
      console.log(`${what}: good, ${await checked(what)}`)
    } catch (error) {
      console.log(`${what}: ${(error as Error).message}`)
      if (!worst || isB2ndError(worst, 'unsupported')) worst = error as Error
    }
  }
  return worst
}

/** Files, with the members in place of stores. */
async function membersOf(files: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (const what of files) {
    // Frames of frames are verified as such, too. What cannot be listed is told when it is verified.
    const isFrame = what.endsWith('.b2e')
    const isListed = isFrame || (await isStore(what).catch(() => false))
    const members = isListed ? await withStore(what, membersIn).catch(() => ['']) : ['']
    if (isFrame && !members.includes('')) all.push(what)
    all.push(...members.map(key => what.replace(/\/+$/, '') + key))
  }
  return all
}

const membersIn = async (store: Store): Promise<string[]> => [...store.tables(), ...store.keys()]

/** Decodes everything in a member. Returns what there was. */
const checked = (what: string): Promise<string> =>
  withOpened(
    what,
    async opened => {
      if (opened.kind === 'table') return checkedTable(opened.table)
      if (opened.kind === 'store') return count(opened.store.keys().length, 'member')
      return checkedFrame(opened.frame)
    },
    {},
    // Values of stale columns are old, but not wrong.
    { asStored: true },
  )

async function checkedTable(table: Table): Promise<string> {
  for (let start = 0; start < table.length; start += AT_ONCE)
    await table.rows(start, Math.min(start + AT_ONCE, table.length))
  return `${count(table.length, 'row')}, ${count(table.schema.columns.length, 'column')}`
}

async function checkedFrame(frame: NDArray | SChunk): Promise<string> {
  const schunk = schunkOf(frame)
  const nchunks = await schunk.nchunks()
  const progress = new Progress('verifying', nchunks)
  let [nbytes, missing] = [0, 0]
  try {
    for (const { nchunk, count, special } of await frame.chunkMap()) {
      progress.advance(count)
      if (special === 'unfetched') {
        missing += count
        continue
      }
      // The chunks of a run are the same, but the last one of a frame may be shorter.
      const { length } = await schunk.chunk(nchunk)
      nbytes += length * (count - 1) + (count > 1 ? (await schunk.chunk(nchunk + count - 1)).length : length)
    }
  } finally {
    progress.end()
  }
  await frame.attrs()
  const chunks = count(nchunks, 'chunk') + (missing ? ` (${missing} of them not fetched)` : '')
  const summary = `${chunks}, ${count(nbytes, 'byte')}`
  const objects = isArrow(frame) ? undefined : await objectsIn(frame, {})
  if (!objects) return summary
  for (let start = 0; start < objects.length; start += AT_ONCE)
    await objects.slice(start, Math.min(start + AT_ONCE, objects.length))
  return `${summary}, ${count(objects.length, 'object')}`
}
