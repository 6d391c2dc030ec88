// A segmentation: an array whose items tell to which label each item of an image belongs.

import { yieldThen } from '../../js/base/yielding.js'
import { B2ndError, type Attributes, type Data } from '../../js/index.js'
import { settingOf, type Setting } from './channels.js'
import type { Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import { axisOf } from './names.js'
import { EXACT, numbersOf, type Numbers } from './values.js'

/** A label with its settings. */
export interface Label {
  value: number
  name: string
  /** 0xAABBGGRR; null if neither the file nor the user has chosen it. */
  colour: number | null
  hidden: boolean
}

/** The greatest label that has settings in a link. */
export const MAX_SET = 255

/** The maximum number of labels that are counted. */
export const MAX_LABELS = 2 ** 16

/** The labels by their file. */
type Known = ReadonlyMap<number, { name?: string | undefined; colour?: number | undefined }>

/** The labels of an image. */
export class Labels {
  readonly dataset: Dataset
  readonly #known: Known
  /** For each axis of the segmentation that of the image; null for one of length 1. */
  readonly #axes: readonly (number | null)[]

  /** Fails as `argument` unless the segmentation has integers, and the image's lengths. */
  constructor(image: Dataset, dataset: Dataset, attributes: Attributes) {
    const { kind } = dataset.type
    if (!['bool', 'int', 'uint'].includes(kind))
      throw new B2ndError('argument', `${dataset.name} has no labels: its items are of the kind ${kind}`)
    this.dataset = dataset
    this.#axes = axesOver(image, dataset)
    this.#known = knownIn(attributes)
  }

  /**
   * The slice of the labels for a slice of the image with the plane of two axes; null if there is none, as for a projection along
   * an axis that both have.
   */
  cutsFor(cuts: readonly Cut[], plane: readonly number[]): Cut[] | null {
    if (!plane.every(axis => this.#axes.includes(axis))) return null
    const own = this.#axes.map((axis): Cut | null => {
      const cut = axis === null ? 0 : cuts[axis]!
      if (typeof cut === 'number') return cut
      // Means of labels mean nothing.
      return plane.includes(axis!) ? { start: cut.start, stop: cut.stop, step: cut.step } : null
    })
    return own.every(cut => cut !== null) ? own : null
  }

  /** The axis of the segmentation for one of the image. */
  axisFor(axis: number): number {
    return this.#axes.indexOf(axis)
  }

  /** Labels as numbers. Fails as `unsupported` if doubles cannot represent one of them. */
  numbers(data: Data): Numbers {
    if (data instanceof BigInt64Array || data instanceof BigUint64Array)
      for (const value of data)
        if (value > EXACT || value < -EXACT)
          throw new B2ndError('unsupported', `${this.dataset.name} has the label ${value}, of more than 53 bits`)
    return numbersOf(this.dataset.type, data, '')
  }

  /** A label with what the file says, and the changes in the text of a link. 0 and negative ones are the background. */
  label(value: number, settings: string): Label {
    const { name, colour, hidden } =
      value >= 0 && value <= MAX_SET ? settingOf(settings, value) : ({} as Partial<Setting>)
    const known = this.#known.get(value)
    return {
      value,
      name: name || (known?.name ?? `label ${value}`),
      colour: colour ? colourOf(colour) : (known?.colour ?? null),
      hidden: hidden ?? value <= 0,
    }
  }

  /** How many items each label has in the whole array. */
  async count(signal: AbortSignal, onProgress: (share: number) => void): Promise<Map<number, number>> {
    const counts = new Map<number, number>()
    const { array } = this.dataset
    let done = 0
    const total = array!.shape.reduce((product, length) => product * length, 1)
    for await (const { data } of array!.parts(null, { signal })) {
      const numbers = await yieldThen(() => this.numbers(data))
      for (let at = 0; at < numbers.length; at += STEP)
        await yieldThen(() => addCounts(counts, numbers, at, Math.min(numbers.length, at + STEP)))
      onProgress((done += numbers.length) / total)
    }
    return counts
  }

  /** The volume of an item with its unit, if all axes have a spacing in one unit. */
  volume(image: Dataset): { size: number; unit: string } | null {
    const axes = this.#axes.flatMap((axis, own) => {
      if (axis === null) return []
      const known = axisOf(image, axis)
      return [known.step ? known : axisOf(this.dataset, own)]
    })
    const unit = axes[0]?.unit
    if (!axes.every(axis => axis.step && axis.unit === unit)) return null
    const power = ['', '', '²', '³'][axes.length]
    if (power === undefined) return null
    return { size: axes.reduce((product, { step }) => product * step!, 1), unit: unit ? unit + power : '' }
  }
}

/** Items that are counted in one step. */
const STEP = 2 ** 20

/** Adds the counts of some numbers, of the first labels if there are very many. Labels come in runs. */
export function addCounts(counts: Map<number, number>, numbers: Numbers, start: number, end: number): void {
  for (let at = start; at < end;) {
    const value = numbers[at]!
    const from = at
    while (at < end && numbers[at] === value) at++
    const count = counts.get(value)
    if (count !== undefined || counts.size < MAX_LABELS) counts.set(value, (count ?? 0) + at - from)
  }
}

/** Aligns the last axes, or those before the channels of a colour image. Other axes of the segmentation must have length 1. */
function axesOver(image: Dataset, labels: Dataset): (number | null)[] {
  const last = image.shape.length - labels.shape.length
  for (let before = last; before >= Math.min(0, last); before--) {
    const axes = labels.shape.map((length, own) => {
      const axis = own + before
      return axis >= 0 && image.shape[axis] === length ? axis : length === 1 ? null : undefined
    })
    if (axes.every(axis => axis !== undefined)) return axes
  }
  const shapes = [labels, image].map(({ shape }) => `[${shape.join(', ')}]`)
  throw new B2ndError('argument', `${labels.name} has the shape ${shapes[0]}, the image ${shapes[1]}`)
}

const colourOf = (hex: string): number => {
  const number = parseInt(hex.slice(-6), 16)
  return (0xff000000 | ((number & 255) << 16) | (number & 0xff00) | (number >> 16)) >>> 0
}

/** `#rrggbb` */
export const hexOf = (colour: number): string =>
  `#${[0, 8, 16].map(at => ((colour >> at) & 255).toString(16).padStart(2, '0')).join('')}`

type Plain = Readonly<Record<string, unknown>>
const record = (value: unknown): Plain | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Plain) : null

/**
 * The labels in attributes: names by number or numbers by name, as in `dataset.json` of nnU-Net, a list of names, or the
 * `image-label` of OME-NGFF.
 */
function knownIn(attributes: Attributes): Known {
  const known = new Map<number, { name?: string | undefined; colour?: number | undefined }>()
  const add = (value: unknown, what: { name?: string; colour?: number }) => {
    const number = Number(value)
    if (Number.isInteger(number)) known.set(number, { ...known.get(number), ...what })
  }
  const all = attributes['labels'] ?? attributes['label_names'] ?? {}
  if (Array.isArray(all)) all.forEach((name, value) => typeof name === 'string' && add(value, { name }))
  for (const [key, value] of Object.entries(record(all) ?? {})) {
    if (typeof value === 'string') add(key, { name: value })
    else if (typeof value === 'number') add(value, { name: key })
  }
  const ngff = record((record(attributes['ome']) ?? attributes)['image-label'])
  for (const one of [ngff?.['colors'], ngff?.['properties']].flat().map(record)) {
    const { rgba, name } = one ?? {}
    if (typeof name === 'string') add(one!['label-value'], { name })
    if (Array.isArray(rgba) && rgba.length > 2)
      add(one!['label-value'], { colour: (0xff000000 | (rgba[2] << 16) | (rgba[1] << 8) | rgba[0]) >>> 0 })
  }
  return known
}
