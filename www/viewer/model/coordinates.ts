// Names, units and coordinates of axes from the attributes of a file: plain lists, xarray, CF, OME-NGFF and mlarray.

import { createEngine, NO_FRAME } from '../../js/engine/engine.js'
import { valueIn } from '../../js/engine/values.js'
import { valueBytes } from '../../js/write/values.js'
import type { Dataset } from './dataset.js'
import { learn, type Axis, type KnownChannel } from './names.js'
import { exportModule } from './printer.js'
import { tickText, ticks, tickTexts } from './ticks.js'
import { timeMarks } from './timeticks.js'
import { rough } from './values.js'

type Attributes = Readonly<Record<string, unknown>>

const CHANNELS = ['channels', 'channel_names', 'bands', 'band_names']
const UNITS = ['units', 'axis_units', 'unit']
const SHORT: Record<string, string> = {
  micrometer: 'µm',
  micrometre: 'µm',
  micron: 'µm',
  microns: 'µm',
  um: 'µm',
  nanometer: 'nm',
  nanometre: 'nm',
  millimeter: 'mm',
  millimetre: 'mm',
  centimeter: 'cm',
  meter: 'm',
  metre: 'm',
  meters: 'm',
  metres: 'm',
  kilometer: 'km',
  angstrom: 'Å',
  second: 's',
  seconds: 's',
  millisecond: 'ms',
  milliseconds: 'ms',
  microsecond: 'µs',
  minute: 'min',
  minutes: 'min',
  hour: 'h',
  hours: 'h',
  day: 'd',
  days: 'd',
  degrees_north: '°N',
  degrees_east: '°E',
  degree: '°',
  degrees: '°',
  degree_Celsius: '°C',
  celsius: '°C',
  pixel: 'px',
}
const SECONDS: Record<string, number> = { d: 86_400, h: 3600, min: 60, s: 1, ms: 1e-3, µs: 1e-6, ns: 1e-9 }

/** An axis as the attributes describe it. */
interface Described {
  name: string | null
  unit: string | null
  /** The coordinates are regular, one for each position, or not there. */
  origin?: number
  step?: number
  values?: readonly (number | string)[]
}

/** Whether the attributes describe the axes or the values. */
export async function learnAxes(dataset: Dataset, attributes: Attributes): Promise<boolean> {
  const unit = UNITS.map(name => attributes[name]).find(isText)
  const channels = channelsIn(attributes)
  const axes = (await describedAxes(attributes, dataset.shape)).map(toAxis)
  const news = unit !== undefined || channels.length > 0 || axes.some(({ name, unit, text }) => name || unit || text)
  if (news) learn(dataset, { axes, channels, unit: shortOf(unit) })
  return news
}

/** The axes that the attributes describe: what they mean is the library's to tell. */
async function describedAxes(attributes: Attributes, shape: readonly number[]): Promise<Described[]> {
  const { mlarray, ...others } = attributes
  const engine = createEngine(await exportModule())
  const all = { ...imageOf(mlarray, shape.length), ...others }
  const sections = [Float64Array.from(shape), valueBytes(all, 'attributes')]
  return engine.call(NO_FRAME, 'axes', sections, valueIn) as Described[]
}

function toAxis({ name: known, unit: named, origin, step, values }: Described): Axis {
  const [name, unit] = [known ?? undefined, named ?? undefined]
  if (values) return { name, source: { values, unit }, ...along(values, shortOf(unit)) }
  if (origin === undefined || step === undefined) return { name, source: { unit }, unit: shortOf(unit) }
  return { name, source: { origin, step, unit }, ...regular(origin, step, shortOf(unit)) }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const record = (value: unknown): Attributes | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Attributes) : null
const shortOf = (unit: string | undefined): string | undefined =>
  unit === undefined ? undefined : (SHORT[unit] ?? unit)

/** The channels in a list of names, or in the `omero` of an OME-NGFF image. */
function channelsIn(attributes: Attributes): KnownChannel[] {
  const omero = record((record(attributes['ome']) ?? attributes)['omero'])
  const list = [omero?.['channels'], ...CHANNELS.map(name => attributes[name])].find(Array.isArray) as unknown[]
  return (list ?? []).map(one => {
    if (isText(one)) return { name: one }
    const { label, name, color, active, window } = record(one) ?? {}
    const { start, end } = record(window) ?? {}
    return {
      name: [label, name].find(isText),
      colour: isText(color) && /^#?[\da-f]{6}$/i.test(color) ? color.slice(-6).toLowerCase() : undefined,
      hidden: active === undefined ? undefined : !active,
      fixed: isNumber(start) && isNumber(end) ? { min: start, max: end } : undefined,
    }
  })
}

const numbers = (value: unknown): (number | undefined)[] =>
  Array.isArray(value) ? value.map(one => (isNumber(one) ? one : undefined)) : []

/**
 * The axes that mlarray describes, as an OME-NGFF image. Those of space have a spacing, and an origin if the directions are those of the
 * axes.
 */
function imageOf(mlarray: unknown, count: number): Attributes {
  const spatial = record(record(mlarray)?.['spatial'])
  if (!spatial) return {}
  const labels = spatial['axis_labels']
  const label = (axis: number) => (Array.isArray(labels) ? String(labels[axis]) : 'spatial')
  const all = Array.from({ length: count }, (_, axis) => axis)
  const space = all.filter(axis => label(axis).startsWith('spatial'))
  const rows = (value: unknown) => (Array.isArray(value) ? value.map(numbers) : null)
  const affine = rows(spatial['affine'])
  const norm = (k: number) => Math.hypot(...space.map((_, row) => affine?.[row]?.[k] ?? NaN)) || undefined
  // Columns of an affine matrix are directions times spacing.
  const directions = rows(spatial['direction']) ?? affine
  const isAligned = !directions || space.every((_, row) => space.every((_, k) => row === k || !directions[row]?.[k]))
  const units: readonly unknown[] = Array.isArray(spatial['axis_units']) ? spatial['axis_units'] : []
  const unit = (k: number) => (units.length === count ? units[space[k]!] : units[k])
  const step = (k: number) => {
    const step = numbers(spatial['spacing'])[k] ?? norm(k)
    return step && isAligned && (directions?.[k]?.[k] ?? 1) < 0 ? -step : step
  }
  const origin = (k: number) => (isAligned ? (numbers(spatial['origin'])[k] ?? affine?.[k]?.[space.length]) : undefined)
  const inSpace = <T>(of: (k: number) => T) =>
    all.map(axis => (space.includes(axis) ? of(space.indexOf(axis)) : undefined))
  const axes = all.map(axis => ({
    name: label(axis) === 'channel' ? 'c' : /^spatial_([xyz])$/.exec(label(axis))?.[1],
    // There is a unit for each axis, or for each of space. Without any, all have the same, which has no name.
    unit: space.includes(axis) ? ([unit(space.indexOf(axis))].find(isText) ?? '') : undefined,
  }))
  const coordinateTransformations = [
    { type: 'scale', scale: inSpace(step) },
    { type: 'translation', translation: inSpace(origin) },
  ]
  return { multiscales: [{ axes, coordinateTransformations }] }
}

/** The reference time of a CF unit, and its length in seconds. */
function sinceOf(unit: string | undefined): { epoch: number; seconds: number } | null {
  const [, name = '', date = ''] = /^(\w+) since (.+)$/.exec(unit ?? '') ?? []
  const seconds = SECONDS[SHORT[name] ?? name]
  const epoch = secondsOf(date)
  return seconds && Number.isFinite(epoch) ? { epoch, seconds } : null
}

/** Parses a date; in UTC if it has no time zone. */
function secondsOf(text: string): number {
  const iso = text
    .trim()
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/^(\S+) (\d)/, '$1T$2')
    .replace(/ ?UTC$/, 'Z')
  return Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/.test(iso) || !iso.includes('T') ? iso : `${iso}Z`) / 1000
}

/** An axis with equidistant positions. */
function regular(origin: number, step: number, unit: string | undefined): Axis {
  const since = sinceOf(unit)
  if (since)
    return timed(
      position => since.epoch + (origin + position * step) * since.seconds,
      at => ((at - since.epoch) / since.seconds - origin) / step,
    )
  return {
    unit,
    step: Math.abs(step),
    text: position => rough(Number((origin + position * step).toPrecision(12))),
    marks(from, to, count) {
      const [a, b] = [origin + from * step, origin + to * step]
      const all = ticks(Math.min(a, b), Math.max(a, b), count)
      const text = tickTexts(all)
      return all.map(value => ({ at: (value - origin) / step, text: text(value) }))
    },
  }
}

/** An axis of times; `position` converts a time to a position. */
function timed(moment: (position: number) => number, position: (moment: number) => number): Axis {
  return {
    text: at =>
      new Date(moment(at) * 1000)
        .toISOString()
        .replace('T', ' ')
        .replace(/(:00)?\.000Z$/, ''),
    marks: (from, to, count) =>
      timeMarks(Math.min(moment(from), moment(to)), Math.max(moment(from), moment(to)), count * 0.7).map(
        ({ at, text }) => ({ at: position(at), text }),
      ),
  }
}

/** An axis with a coordinate for each position. */
function along(values: readonly (number | string)[], unit: string | undefined): Axis {
  const since = sinceOf(unit)
  const moments = values.map(value =>
    isNumber(value) ? (since ? since.epoch + value * since.seconds : NaN) : secondsOf(value),
  )
  const dates = moments.every(Number.isFinite)
  const numbers = dates ? moments : values.map(Number)
  if (!numbers.every(Number.isFinite))
    return {
      text: at => String(values[at]),
      marks: (from, to, count) => ticks(from, to, count, true).map(at => ({ at, text: String(values[at] ?? '') })),
    }
  const [first = 0, second = 1] = numbers
  const step = second - first
  const even = numbers.every((value, k) => Math.abs(value - (first + k * step)) <= Math.abs(step) * 1e-6 * (k + 1))
  if (even && step && !dates) return regular(first, step, unit)
  const up = numbers.every((value, k) => !k || value > numbers[k - 1]!)
  const at = (position: number) => {
    const low = Math.max(0, Math.min(numbers.length - 2, Math.floor(position)))
    return numbers[low]! + (numbers[low + 1]! - numbers[low]!) * (position - low)
  }
  const find = (value: number) => {
    const next = numbers.findIndex(one => one >= value)
    const k = next < 0 ? numbers.length - 1 : Math.max(1, next)
    return k - 1 + (value - numbers[k - 1]!) / (numbers[k]! - numbers[k - 1]!)
  }
  if (dates && up && numbers.length > 1) return timed(at, find)
  const text = (position: number) => tickText(numbers[Math.round(position)] ?? NaN, 6)
  if (!up || numbers.length < 2)
    return { unit, text, marks: (from, to, count) => ticks(from, to, count, true).map(at => ({ at, text: text(at) })) }
  return {
    unit,
    text,
    marks(from, to, count) {
      const all = ticks(at(Math.max(0, from)), at(Math.min(numbers.length - 1, to)), count)
      const write = tickTexts(all)
      return all.map(value => ({ at: find(value), text: write(value) }))
    },
  }
}
