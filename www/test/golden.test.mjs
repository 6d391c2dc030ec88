// Every golden file is what its manifest says: whole, in slices, with its metalayers; or refused as it says.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { B2ndError, NDArray, isB2ndError, open, slice } from 'b2nd'
import { openFile } from 'b2nd/node'
import { bytesOf } from './lib/bytes.mjs'

const GOLDEN = process.env.B2ND_GOLDEN ?? join(import.meta.dirname, '../../tests/golden')
const CASES = (await readFile(join(GOLDEN, 'manifest.jsonl'), 'utf8')).trim().split('\n').map(line => JSON.parse(line))
/** Plugins that are not built in. */
const PLUGINS = ['zfp-accuracy', 'zfp-precision', 'zfp-rate']
/** Nothing in this one tells that its bitshuffle is older than most of its version. */
const EARLY = 'early/cat0.2.2-3d-i4-zstd-bitshuf.caterva'

/** Only the trailer is damaged, and there is nothing in it. */
const HARMLESS = /trailer|frame-length-huge/

const digest = bytes => createHash('sha256').update(bytes).digest('hex')

/** `1:2, ::3, -1` as the indices of a selection. */
function parse(text) {
  const number = part => (part?.trim() ? Number(part) : null)
  return text.split(',').filter(part => part.trim()).map(part => {
    if (part.trim() === '...') return '...'
    if (!part.includes(':')) return Number(part)
    const [start, stop, step] = part.split(':').map(number)
    return slice(start, stop ?? null, step ?? null)
  })
}

/** The bytes of a selection, as they are stored. */
async function select(opened, text) {
  const selection = text === '' ? undefined : parse(text)
  if (!(opened instanceof NDArray)) return selection ? opened.select(selection) : chunks(opened)
  const { data } = await opened.get(selection)
  return bytesOf(data, opened.type)
}

/** All chunks of a super-chunk: there are some that have no items. */
async function chunks(schunk) {
  const parts = []
  for (let n = 0; n < await schunk.nchunks(); n++) parts.push(await schunk.chunk(n))
  return Buffer.concat(parts)
}

async function check(facts, opened) {
  if (facts.kind === 'array') {
    // Of a damaged array the super-chunk can still be read.
    if (opened.info.damaged) throw new B2ndError('format', 'damaged')
    if (facts.error) return void (await opened.get())
    assert.deepEqual(opened.shape, facts.shape)
    assert.equal(opened.dtype, facts.dtype ?? null)
  }
  // Chunks that differ in size have no items.
  const slices = opened.info.chunksize ? facts.slices ?? [] : []
  const selections = [{ sel: '', sha256: facts.sha256 }, ...slices]
  for (const { sel, sha256 } of selections) {
    const bytes = await select(opened, sel)
    // Strings lose the difference between padding and zeros, and nothing else does.
    if (bytes && !facts.error) assert.equal(digest(bytes), sha256, `[${sel}]`)
  }
  const attrs = await opened.attrs()
  for (const name of Object.keys(facts.vlmetalayers ?? {})) assert.ok(name in attrs, name)
}

/** What is wrong with a file, if anything is. */
async function complaint(facts, open) {
  const refused = facts.error ?? (PLUGINS.includes(facts.codec) ? 'unsupported' : undefined)
  let opened
  try {
    opened = await open()
    await check(facts, opened)
  } catch (error) {
    return refused && isB2ndError(error, refused) ? undefined : `${facts.file}: ${error.message.slice(0, 200)}`
  } finally {
    await opened?.close()
  }
  return refused && !HARMLESS.test(facts.file) && `${facts.file} should be refused`
}

test('files, from disk', async () => {
  const complaints = []
  for (const facts of CASES) {
    if (facts.file === EARLY) continue
    complaints.push(await complaint(facts, () => openFile(join(GOLDEN, facts.file), { offset: facts.offset ?? 0 })))
  }
  assert.deepEqual(complaints.filter(Boolean), [])
  assert.ok(CASES.length > 1000)
})

test('files, from memory', async () => {
  const complaints = []
  for (const facts of CASES) {
    const path = join(GOLDEN, facts.file)
    if (facts.file === EARLY || (await stat(path)).isDirectory()) continue
    const bytes = await readFile(path)
    complaints.push(await complaint(facts, () => open(bytes.subarray(facts.offset ?? 0))))
  }
  assert.deepEqual(complaints.filter(Boolean), [])
})
