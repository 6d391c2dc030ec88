// Names, units and coordinates of axes from the attributes of a file: plain lists, xarray, CF, OME-NGFF and mlarray.

import type { Dataset } from './dataset.js'
import { learn, type Axis, type KnownChannel } from './names.js'
import { tickText, ticks, tickTexts } from './ticks.js'
import { timeMarks } from './timeticks.js'
import { rough } from './values.js'

type Attributes = Readonly<Record<string, unknown>>

const NAMES = ['dims', 'dimensions', 'dimension_names', '_ARRAY_DIMENSIONS', 'axes']
const STEPS = ['voxel', 'voxel_size', 'spacing', 'scale', 'resolution', 'pixel_size']
const ORIGINS = ['origin', 'translation', 'offset']
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

/** Whether the attributes describe the axes or the values. */
export function learnAxes(dataset: Dataset, attributes: Attributes): boolean {
  const { shape } = dataset
  const known = ngffOf(attributes) ?? mlarrayOf(attributes, shape.length)
  const names = listAt(lettersOf(attributes, shape.length), NAMES, isText, shape.length) ?? known?.names ?? []
  const unit = UNITS.map(name => attributes[name]).find(isText)
  // Lengths are those of the axes of space.
  const space = names.flatMap((name, axis) => (/^[xyz]$/i.test(name ?? '') ? [axis] : []))
  const units = listAt(attributes, UNITS, isText, shape.length, space) ?? known?.units ?? []
  const steps = listAt(attributes, STEPS, isNumber, shape.length, space) ?? known?.steps ?? []
  const origins = listAt(attributes, ORIGINS, isNumber, shape.length, space) ?? known?.origins ?? []
  const coords = record(attributes['coords']) ?? record(attributes['coordinates']) ?? {}
  const axes = shape.map((length, axis): Axis => {
    const name = names[axis]
    const own = name === undefined ? null : coordsOf(coords[name], length)
    const symbol = shortOf(own?.unit ?? units[axis])
    if (own) return { name, source: own, ...along(own.values, symbol) }
    const [step, origin] = [steps[axis], origins[axis] ?? 0]
    return step || origins[axis] !== undefined
      ? { name, source: { origin, step: step || 1, unit: units[axis] }, ...regular(origin, step || 1, symbol) }
      : { name, source: { unit: units[axis] }, unit: symbol }
  })
  const channels = channelsIn(attributes)
  const news = unit !== undefined || channels.length > 0 || axes.some(({ name, unit, text }) => name || unit || text)
  if (news) learn(dataset, { axes, channels, unit: shortOf(unit) })
  return news
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const record = (value: unknown): Attributes | null =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Attributes) : null
const shortOf = (unit: string | undefined): string | undefined =>
  unit === undefined ? undefined : (SHORT[unit] ?? unit)

/** The attributes with names of axes as a list, if they are one text of letters such as `zcyx`. */
function lettersOf(attributes: Attributes, count: number): Attributes {
  const letters = (value: unknown) =>
    isText(value) && value.length === count && /^[a-z]+$/i.test(value) ? Array.from(value.toLowerCase()) : value
  return Object.fromEntries(NAMES.map(name => [name, letters(attributes[name])]))
}

/** A list for the axes. A shorter list applies to the axes `few` if these are as many, otherwise to the last ones. */
function listAt<T>(
  attributes: Attributes,
  names: readonly string[],
  is: (value: unknown) => value is T,
  count: number,
  few: readonly number[] = [],
): (T | undefined)[] | undefined {
  const found = names
    .map(name => attributes[name])
    .find((list): list is T[] => Array.isArray(list) && list.length <= count && list.length > 0 && list.every(is))
  if (!found) return undefined
  const at = few.length === found.length ? (k: number) => few[k]! : (k: number) => count - found.length + k
  const list = Array<T | undefined>(count).fill(undefined)
  found.forEach((value, k) => (list[at(k)] = value))
  return list
}

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

interface Found {
  names: (string | undefined)[]
  units: (string | undefined)[]
  steps: (number | undefined)[]
  origins: (number | undefined)[]
}

/** The axes and the scale of the first array of an OME-NGFF image. */
function ngffOf(attributes: Attributes): Found | null {
  const all = (record(attributes['ome']) ?? attributes)['multiscales']
  const [image] = Array.isArray(all) ? all.map(record) : []
  const axes = image?.['axes']
  if (!image || !Array.isArray(axes)) return null
  const described = axes.map((axis: unknown): Attributes => record(axis) ?? { name: axis })
  const datasets = image['datasets']
  const first = record(Array.isArray(datasets) ? datasets[0] : null)
  const transformations = [first?.['coordinateTransformations'], image['coordinateTransformations']].flatMap(list =>
    Array.isArray(list) ? list.map(record) : [],
  )
  const list = (type: string) => transformations.find(one => one?.['type'] === type)?.[type]
  const texts = (key: string) => described.map(axis => (isText(axis[key]) ? axis[key] : undefined))
  return {
    names: texts('name'),
    units: texts('unit'),
    steps: numbers(list('scale')),
    origins: numbers(list('translation')),
  }
}

/** The axes that mlarray describes. Those of space have a spacing, and an origin if the directions are those of the axes. */
function mlarrayOf(attributes: Attributes, count: number): Found | null {
  const spatial = record(record(attributes['mlarray'])?.['spatial'])
  if (!spatial) return null
  const labels = spatial['axis_labels']
  const label = (axis: number) => (Array.isArray(labels) ? String(labels[axis]) : 'spatial')
  const space = Array.from({ length: count }, (_, axis) => axis).filter(axis => label(axis).startsWith('spatial'))
  const rows = (value: unknown) => (Array.isArray(value) ? value.map(numbers) : null)
  const affine = rows(spatial['affine'])
  const norm = (k: number) => Math.hypot(...space.map((_, row) => affine?.[row]?.[k] ?? NaN)) || undefined
  // Columns of an affine matrix are directions times spacing.
  const directions = rows(spatial['direction']) ?? affine
  const isAligned = !directions || space.every((_, row) => space.every((_, k) => row === k || !directions[row]?.[k]))
  const along = <T>(of: (k: number) => T | undefined) => {
    const list = Array<T | undefined>(count).fill(undefined)
    space.forEach((axis, k) => (list[axis] = of(k)))
    return list
  }
  const units = spatial['axis_units']
  return {
    names: Array.from({ length: count }, (_, axis) =>
      label(axis) === 'channel' ? 'c' : /^spatial_([xyz])$/.exec(label(axis))?.[1],
    ),
    // There is a unit for each axis, or for each of space. Without any, all have the same, which has no name.
    units: along(
      k => [Array.isArray(units) ? (units.length === count ? units[space[k]!] : units[k]) : null].find(isText) ?? '',
    ),
    steps: along(k => {
      const step = numbers(spatial['spacing'])[k] ?? norm(k)
      return step && isAligned && (directions?.[k]?.[k] ?? 1) < 0 ? -step : step
    }),
    origins: along(k => (isAligned ? (numbers(spatial['origin'])[k] ?? affine?.[k]?.[space.length]) : undefined)),
  }
}

/** A list of coordinates, plain or in the format of xarray's `to_dict`. */
function coordsOf(
  value: unknown,
  length: number,
): { values: readonly (number | string)[]; unit: string | undefined } | null {
  const inner = record(value)
  const values = Array.isArray(value) ? value : (inner?.['data'] ?? inner?.['values'])
  if (
    !Array.isArray(values) ||
    values.length !== length ||
    !values.every((one): one is number | string => isNumber(one) || isText(one))
  )
    return null
  const unit = [record(inner?.['attrs'])?.['units'], inner?.['units']].find(isText)
  return { values, unit }
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
