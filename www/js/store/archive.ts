// Zip archives: the members in the directory at their end.

import { utf8 } from '../base/bytes.js'
import { numbersOf, type Engine } from '../engine/engine.js'
import { drive } from '../engine/exchange.js'
import type { Limits, Need } from '../engine/protocol.js'
import { valueIn } from '../engine/values.js'
import type { ByteSource } from '../sources/source.js'
import { recipeOf } from './engine.js'
import { sizeOf, windowOf, withKnown } from './window.js'

/** The length of a member's own header before its name. */
const HEADER = 30

/** As many bytes of a member as opening it reads, and its extra field. */
const START = 2 ** 13 + 64

/** A member of an archive. */
export interface Member {
  readonly name: string
  /** The key in a store, if the name is that of a frame. */
  readonly key: string | null
  /** The offset of its own header. */
  readonly header: number
  /** Where its bytes are, if nothing lies between them and what follows. */
  readonly start: number
  readonly end: number
  /** Whether it is neither compressed nor encrypted. */
  readonly isStored: boolean
}

/** An archive: its members, and a source that has its end in memory. */
export interface Archive {
  readonly members: readonly Member[]
  readonly source: ByteSource
}

/** Reads the directory of an archive; `undefined` of what is none. */
export async function archiveIn(
  engine: Engine,
  source: ByteSource,
  limits: Readonly<Limits>,
  signal?: AbortSignal,
): Promise<Archive | undefined> {
  const recipe = recipeOf(limits)
  const start = [await source.read(0, 4, { signal })]
  const ask = (size: number, answers: readonly Uint8Array[] = start) =>
    engine.ask(recipe, 'archive', answers, valueIn, size)
  // Only what is an archive needs to know its size.
  if (!ask(0).need) return undefined
  const size = source.size ?? (await sizeOf(source, signal))
  let known = source
  const read = async (needs: readonly Need[]) => {
    const { start, end } = needs[0]!
    const bytes = await known.read(start, end - start, { signal })
    if (known === source) known = withKnown(source, size - bytes.length, bytes, size)
    return [bytes]
  }
  const members = (await drive(answers => ask(size, answers), read, start)) as Member[]
  return { members, source: known }
}

/** Where a member starts, by its own header, and what there is of it if `ahead` bytes more are read. */
export async function startOf(
  engine: Engine,
  source: ByteSource,
  { name, header, start, end }: Member,
  limits: Readonly<Limits>,
  { signal, ahead = 0 }: { signal?: AbortSignal | undefined; ahead?: number } = {},
): Promise<{ start: number; bytes: Uint8Array }> {
  const named = utf8(name)
  const length = Math.min(HEADER + named.length + ahead, end - header)
  const bytes = await source.read(header, length, { signal })
  const sections = [named, bytes]
  const at = engine.call(recipeOf(limits), 'member', sections, output => numbersOf(output)[0]!, header, start, end)
  return { start: at, bytes: bytes.subarray(at - header) }
}

/** A member as a source, which starts where its own header says. The header and the start of the member are one read. */
export async function memberIn(
  engine: Engine,
  source: ByteSource,
  member: Member,
  limits: Readonly<Limits>,
  signal?: AbortSignal,
): Promise<ByteSource> {
  const { start, bytes } = await startOf(engine, source, member, limits, { signal, ahead: START })
  return withKnown(windowOf(source, start, member.end - member.start), 0, bytes)
}
