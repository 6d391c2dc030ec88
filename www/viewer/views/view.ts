import type { Cut } from '../data/dataset.js'
import type { Projection } from '../data/state.js'
import type { Bar } from '../draw/bar.js'
import type { ChartScene } from '../draw/chart.js'
import type { Scene } from '../draw/picture.js'
import type { ShownChannel } from '../session.js'

/** A picture with its bar, or lines. */
export interface Figure {
  picture?: Scene
  bar?: Pick<Bar, 'colouring' | 'type' | 'part' | 'offset' | 'unit' | 'marks'> | null
  chart?: ChartScene
  /** What the colours of channels mean. */
  legend?: { colour: string; text: string }[]
}

/** What is made of a slice to be seen, other than giving each item a colour. */
export interface Recipe {
  projection: Projection | null
  /** The channels of a composite, along an axis. */
  composite?: { axis: number; channels: readonly ShownChannel[] }
}

/** One way to show an array. */
export interface View {
  readonly element: HTMLElement
  /** Shows the state of the session. Reads what it needs for that. */
  update(): void
  close(): void
  /** What is shown, at full resolution. */
  cuts(): Cut[]
  /** Does what a key means here, and only here. */
  key?(event: KeyboardEvent): void
  /** Moves the cursor by some items. */
  move?(dx: number, dy: number): void
  /** Looks closer or from farther away; 0: at everything. */
  zoom?(factor: number): void
  /** Shows one item a pixel. */
  actual?(): void
  /** What there is to be drawn again, elsewhere and in another size. */
  figure?(): Figure
  recipe?(): Recipe
  /** Starts a line to read along, or ends it. */
  profile?(): void
}
