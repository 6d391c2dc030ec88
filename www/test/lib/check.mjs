// Compares a golden file with its manifest. Runs in browsers, too.

import { bytesOf, concat } from './bytes.mjs'

/** Damaged where nobody looks: a trailer that has nothing is not read. */
const UNSEEN = /^damaged\/x-frame-(length-huge|trailer-cut|trailer-length-(0|huge))\.b2nd$/

/**
 * Opens a case by `library`, an entry of the package, and reads all of it and each slice. `source` makes of the case what
 * can be opened. Returns what is wrong.
 */
export async function checkCase(library, golden, { source, ...options }) {
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
      if (!golden.error && items && (await sha256(items)) !== digest)
        throw new Error(`[${sel}] differs, ${items.length} bytes`)
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
  if (opened instanceof library.NDArray) return bytesOf(opened.type, (await opened.get(parse(sel, library))).data)
  return opened.select(parse(sel, library)).catch(error => {
    // These have no items to take some of.
    if (/variable length|chunks that differ in size/.test(error.message))
      return sel === '...' ? chunks(opened) : undefined
    throw error
  })
}

async function chunks(opened) {
  const count = await opened.nchunks()
  return concat(await Promise.all(Array.from({ length: count }, (_, nchunk) => opened.chunk(nchunk))))
}

/** A selection in NumPy's words. */
function parse(text, { slice }) {
  return text.split(',').map(axis => {
    const part = axis.trim()
    if (part === '...') return '...'
    if (!part.includes(':')) return Number(part)
    return slice(...[...part.split(':'), ''].slice(0, 3).map(bound => (bound.trim() === '' ? null : Number(bound))))
  })
}

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}
