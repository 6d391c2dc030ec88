// The golden files: what each is, and what it must decode to. See tests/golden/README.md.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { slice } from 'b2nd'
import { fileSource } from 'b2nd/node'
import { bytesOf } from './bytes.mjs'

const FOLDER = process.env.B2ND_GOLDEN ?? join(import.meta.dirname, '../../../tests/golden')
/** Plugins of the reference that are not built in. */
const PLUGINS = ['zfp-accuracy', 'zfp-precision', 'zfp-rate']
/** Nothing in this one tells that its bitshuffle is of an early kind; the others of its age do. */
const UNTOLD = 'early/cat0.2.2-3d-i4-zstd-bitshuf.caterva'
/** Damaged where nobody looks: a trailer that has nothing is not read. */
const UNSEEN = /^damaged\/x-frame-(length-huge|trailer-cut|trailer-length-(0|huge))\.b2nd$/

/** The manifest's lines, with the file's path. */
export const cases = readFileSync(join(FOLDER, 'manifest.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(line => JSON.parse(line))
  .filter(({ file }) => file !== UNTOLD)
  .map(facts => ({
    ...facts,
    path: join(FOLDER, facts.file),
    error: facts.error ?? (PLUGINS.includes(facts.codec) ? 'unsupported' : undefined),
  }))

export const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a case; of a sparse frame, its directory. */
export function load({ path }) {
  return statSync(path).isDirectory() ? fileSource(path) : readFileSync(path)
}

/**
 * Opens a case by `library`, an entry of the package, and reads all of it and each slice. `source` makes of the case what
 * can be opened. Returns what is wrong.
 */
export async function check(library, golden, { source = load, ...options } = {}) {
  try {
    await read(library, golden, source, options)
    return golden.error && !UNSEEN.test(golden.file) ? `${golden.error} expected` : undefined
  } catch (error) {
    if (golden.error && library.isB2ndError(error, golden.error)) return undefined
    return golden.error ? `${golden.error} expected, not ${error.message}` : error.message
  }
}

async function read(library, golden, source, options) {
  const open = golden.kind === 'array' ? library.openArray : library.open
  const opened = await open(await source(golden), { offset: golden.offset, ...options })
  try {
    if (!golden.error) same(opened, golden)
    for (const { sel, sha256: digest } of [{ sel: '...', sha256: golden.sha256 }, ...(golden.slices ?? [])]) {
      const items = await bytes(opened, library, sel)
      if (!golden.error && items && sha256(items) !== digest) throw new Error(`[${sel}] differs, ${items.length} bytes`)
    }
    await opened.attrs()
  } finally {
    await opened.close()
  }
}

function same({ shape, dtype, info }, golden) {
  const found = { kind: info.kind, shape, dtype, typesize: info.kind === 'chunk' ? undefined : info.typesize }
  for (const [name, value] of Object.entries(found)) {
    if (golden[name] === undefined || golden[name] === null || value === undefined) continue
    const [is, should] = [JSON.stringify(value), JSON.stringify(golden[name])]
    if (is !== should) throw new Error(`${name} is ${is}, should be ${should}`)
  }
}

async function bytes(opened, library, sel) {
  if (opened instanceof library.NDArray) return bytesOf(opened.type, (await opened.get(parse(sel))).data)
  return opened.select(parse(sel)).catch(error => {
    // These have no items to take some of.
    if (/variable length/.test(error.message)) return sel === '...' ? chunks(opened) : undefined
    throw error
  })
}

async function chunks(opened) {
  const count = await opened.nchunks()
  return Buffer.concat(await Promise.all(Array.from({ length: count }, (_, nchunk) => opened.chunk(nchunk))))
}

/** A selection in NumPy's words. */
function parse(text) {
  return text.split(',').map(axis => {
    const part = axis.trim()
    if (part === '...') return '...'
    if (!part.includes(':')) return Number(part)
    return slice(...[...part.split(':'), ''].slice(0, 3).map(bound => (bound.trim() === '' ? null : Number(bound))))
  })
}
