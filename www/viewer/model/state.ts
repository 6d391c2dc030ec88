// The state of a view, and its form in a link.

export type ViewName = 'heatmap' | 'rgb' | 'composite' | 'planes' | 'line' | 'table' | 'text'
export type Scale = 'linear' | 'log' | 'symlog'
/** The value that an overview shows for each cell; `auto` is the mean if that is cheap, otherwise the nearest item. */
export type Overview = 'auto' | 'mean' | 'max' | 'min' | 'nearest'
/** `auto` and `percentile` are computed from the first view and kept; `plane` is computed for each plane. */
export type RangeMode = 'auto' | 'plane' | 'percentile' | 'whole' | 'fixed'
/** Start and end along the two visible axes, in items. */
export type Window = [x0: number, x1: number, y0: number, y1: number]

export interface State {
  view: ViewName
  /** The horizontal and the vertical axis; null if there is none. */
  x: number | null
  y: number | null
  /** The axis of colours in RGB, of channels in a composite, or the third axis in three planes. */
  z: number | null
  /** A position along each axis; for a visible axis, the position of the cursor. */
  index: number[]
  /** The visible part along `x` and `y`; null: everything. */
  window: Window | null
  map: string
  scale: Scale
  range: RangeMode
  min: number
  max: number
  smooth: boolean
  equal: boolean
  flip: boolean
  overview: Overview
  /** Channel settings of a composite that are not defaults; see `channels.ts`. */
  channels: string
  /** The segmentation over an image: a URL or the key of a member, `none`, or empty: one beside the image. */
  over: string
  /** The opacity of labels, from 0 to 1. */
  opacity: number
  /** Settings of labels that are not defaults, like those of channels. */
  labels: string
  /** The projection along an axis, such as `max:0`; empty: one position. */
  project: string
  /** The positions of the lines along the second axis, such as `0, 5, 10:20:5`; empty: some of them. */
  lines: string
  part: string
  /** The dtype chosen for bytes of an unknown one: kind and size. */
  as: string
}

export const DEFAULTS: State = {
  view: 'table',
  x: null,
  y: null,
  z: null,
  index: [],
  window: null,
  map: 'viridis',
  scale: 'linear',
  range: 'auto',
  min: 0,
  max: 1,
  smooth: false,
  equal: true,
  flip: false,
  overview: 'auto',
  channels: '',
  over: '',
  opacity: 0.5,
  labels: '',
  project: '',
  lines: '',
  part: '',
  as: '',
}

/** A kind of projection along an axis. */
export interface Projection {
  axis: number
  how: 'max' | 'mean' | 'min'
}

/** The projection; null if there is none, or if the view shows its axis. */
export function projectionOf({ view, x, y, z, project }: State): Projection | null {
  const [how, text] = project.split(':')
  const axis = Number(text)
  const possible = view === 'heatmap' || (view === 'composite' && axis !== z)
  return project && possible && axis !== x && axis !== y ? { axis, how: how as 'max' } : null
}

type Text = (text: string) => unknown
const number: Text = text => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : undefined)
const axis: Text = text => (text === '-' ? null : /^\d+$/.test(text) ? Number(text) : undefined)
const flag: Text = text => text === '1'
const name: Text = text => (/^[\w .:-]*$/u.test(text) ? text : undefined)
const list: Text = text => {
  const numbers = text.split(',').map(Number)
  return text && numbers.every(Number.isFinite) ? numbers : undefined
}
const settings: Text = text => (/^[\w.,+%~-]*$/.test(text) ? text : undefined)
const oneOf =
  (...names: string[]): Text =>
  text =>
    names.includes(text) ? text : undefined

const READERS: Record<keyof State, Text> = {
  view: oneOf('heatmap', 'rgb', 'composite', 'planes', 'line', 'table', 'text'),
  x: axis,
  y: axis,
  z: axis,
  index: list,
  window: text => ((list(text) as number[] | undefined)?.length === 4 ? list(text) : undefined),
  map: name,
  scale: oneOf('linear', 'log', 'symlog'),
  range: oneOf('auto', 'plane', 'percentile', 'whole', 'fixed'),
  min: number,
  max: number,
  smooth: flag,
  equal: flag,
  flip: flag,
  overview: oneOf('auto', 'mean', 'max', 'min', 'nearest'),
  channels: settings,
  over: text => text,
  opacity: text => Math.max(0, Math.min(1, Number(text))) || 0,
  labels: settings,
  project: text => (/^((max|mean|min):\d+)?$/.test(text) ? text : undefined),
  lines: text => (/^[\d:, -]*$/.test(text) ? text : undefined),
  part: text => text,
  as: name,
}

/** The differences from `base` as the parameters of a link. */
export function toParams(state: State, base: State): URLSearchParams {
  const params = new URLSearchParams()
  for (const key of Object.keys(READERS) as (keyof State)[]) {
    const value = state[key]
    if (JSON.stringify(value) === JSON.stringify(base[key])) continue
    params.set(key, value === null ? '-' : typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  return params
}

/** Parses the parameters of a link. Invalid ones are ignored. */
export function fromParams(params: URLSearchParams): Partial<State> {
  const state: Record<string, unknown> = {}
  for (const [key, read] of Object.entries(READERS)) {
    const text = params.get(key)
    const value = text === null ? undefined : read(text)
    if (value !== undefined) state[key] = value
  }
  return state
}
