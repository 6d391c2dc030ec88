import type { Cut } from '../data/dataset.js'
import type { Bar } from '../draw/bar.js'
import type { ChartScene } from '../draw/chart.js'
import type { Scene } from '../draw/picture.js'

/** A picture with its bar, or lines. */
export interface Figure {
  picture?: Scene
  bar?: Pick<Bar, 'colouring' | 'type' | 'part' | 'offset' | 'unit' | 'marks'> | null
  chart?: ChartScene
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
  /** Starts a line to read along, or ends it. */
  profile?(): void
}
