// The smaller copies of a member in its store, and what its group says of its axes. Copies are those that `multiscales` of OME-NGFF lists, or members with the same name and another number.

import type { Attributes, OpenOptions } from '../../js/index.js'
import { Dataset } from '../model/dataset.js'
import { lastOf, type Members } from '../model/members.js'
import { hasOverviews } from '../model/plane.js'
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
  const group = key.slice(0, key.lastIndexOf('/'))
  const image = imageIn(await members.attrs(group).catch(() => ({})))
  const own = image?.datasets.find(({ path }) => `${group}/${path}` === key)
  if (image && own) dataset.inherited = { multiscales: [{ ...image, datasets: [own] }] }
  // Members that fit need no copies, and may be many.
  if (!hasOverviews(dataset)) return dataset
  const keys = own ? image!.datasets.map(({ path }) => `${group}/${path}`) : numbered(members, key)
  const there = new Set(members.keys())
  const others = keys.filter(other => other !== key && there.has(other)).slice(0, MAX_LEVELS)
  const found = await Promise.all(others.map(other => levelOf(dataset, members, other, options)))
  const levels = found.filter(level => level !== null)
  return levels.length ? new Pyramid(dataset, levels) : dataset
}

/** The keys of members that differ from a key in the number at its end. */
function numbered(members: Members, key: string): string[] {
  const stem = stemOf(key)
  return stem === null ? [] : members.keys().filter(other => stemOf(other) === stem)
}

/** The key without the number at its end; null without one. */
const stemOf = (key: string): string | null => /^(.*?)\d+$/.exec(key)?.[1] ?? null

/** The first multiscale image that attributes describe; null if there is none. */
function imageIn(attributes: Attributes): (Attributes & { datasets: { path: string }[] }) | null {
  const { ome, multiscales } = attributes as { ome?: { multiscales?: unknown }; multiscales?: unknown }
  const all = ome?.multiscales ?? multiscales
  const image = Array.isArray(all) ? (all[0] as { datasets?: unknown } | null) : null
  if (!image || !Array.isArray(image.datasets)) return null
  const hasPath = (one: { path?: unknown } | null) => typeof one?.path === 'string'
  return { ...image, datasets: image.datasets.filter(hasPath) as { path: string }[] }
}

/** A member as a smaller copy; null if it is none. */
async function levelOf(dataset: Dataset, members: Members, key: string, options: OpenOptions): Promise<Level | null> {
  let small: Dataset | undefined
  try {
    const member = await members.get(key, { ...options, asStored: true })
    small = await Dataset.of({ name: lastOf(key), imported: dataset.imported }, member, options)
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
