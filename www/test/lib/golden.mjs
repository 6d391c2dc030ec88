// The golden files and their expected values. See tests/golden/README.md.

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileSource } from 'b2nd/node'
import { checkCase } from './check.mjs'

export const FOLDER = process.env.B2ND_GOLDEN ?? join(import.meta.dirname, '../../../tests/golden')
/** Nothing in this one tells that its bitshuffle is of an early kind; the others of its age do. */
const UNTOLD = 'early/cat0.2.2-3d-i4-zstd-bitshuf.caterva'

/** The manifest's lines, with the file's path. */
export const cases = readFileSync(join(FOLDER, 'manifest.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(line => JSON.parse(line))
  .filter(({ file }) => file !== UNTOLD)
  .map(facts => ({ ...facts, path: join(FOLDER, facts.file) }))

export const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

/** The bytes of a case; of a sparse frame, its directory. */
export function load({ path }) {
  return statSync(path).isDirectory() ? fileSource(path) : readFileSync(path)
}

/** Opens a case as its file, unless told otherwise, and reads all of it and each slice. Returns what is wrong. */
export const check = (library, golden, { source = load, ...options } = {}) =>
  checkCase(library, golden, { source, ...options })
