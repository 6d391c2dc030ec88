// The smaller copies of a member in its store: those that `multiscales` of OME-NGFF lists, or members with the same name and another number.

import type { OpenOptions } from '../../js/index.js'
import { Dataset } from '../model/dataset.js'
import { lastOf, type Members } from '../model/members.js'
import { factorsOf, Pyramid, type Level } from '../model/pyramid.js'

/** The maximum number of copies that are opened. */
const MAX_LEVELS = 16

/** The array with its smaller copies; itself if it has none, or needs none. */
export async function withLevels(
  dataset: Dataset,
  members: Members,
  key: string,
  options: OpenOptions,
): Promise<Dataset> {
  if (!dataset.array || dataset.shape.length < 2) return dataset
  const keys = await candidates(members, key)
  const found = await Promise.all(keys.slice(0, MAX_LEVELS).map(other => levelOf(dataset, members, other, options)))
  const levels = found.filter(level => level !== null)
  return levels.length ? new Pyramid(dataset, levels) : dataset
}

/** The keys of members that may be copies. */
async function candidates(members: Members, key: string): Promise<string[]> {
  const group = key.slice(0, key.lastIndexOf('/'))
  const listed = pathsIn(await members.attrs(group).catch(() => ({}))).map(path => `${group}/${path}`)
  const there = new Set(members.keys())
  if (listed.includes(key)) return listed.filter(other => other !== key && there.has(other))
  const stem = stemOf(key)
  return stem === null ? [] : [...there].filter(other => other !== key && stemOf(other) === stem)
}

/** The key without the number at its end; null without one. */
const stemOf = (key: string): string | null => /^(.*?)\d+$/.exec(key)?.[1] ?? null

/** The paths of the first multiscale image of a group. */
function pathsIn(attributes: object): string[] {
  const { ome, multiscales } = attributes as { ome?: { multiscales?: unknown }; multiscales?: unknown }
  const all = ome?.multiscales ?? multiscales
  const datasets: unknown = Array.isArray(all) ? (all[0] as { datasets?: unknown } | null)?.datasets : []
  if (!Array.isArray(datasets)) return []
  return datasets.flatMap((one: { path?: unknown } | null) => (typeof one?.path === 'string' ? one.path : []))
}

/** A member as a smaller copy; null if it is none. */
async function levelOf(dataset: Dataset, members: Members, key: string, options: OpenOptions): Promise<Level | null> {
  let small: Dataset | undefined
  try {
    const member = await members.get(key, { ...options, asStored: true })
    small = await Dataset.of({ name: lastOf(key), isImported: dataset.isImported }, member, options)
  } catch {
    // What cannot be opened is no copy, and its own tab says why.
    return null
  }
  const isAlike = small.type.kind === dataset.type.kind && small.itemsize === dataset.itemsize
  const factors = isAlike ? factorsOf(dataset.shape, small.shape) : null
  if (factors && !small.missing) return { dataset: small, factors }
  await small.close()
  return null
}
