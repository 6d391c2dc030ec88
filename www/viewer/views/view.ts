import type { BarScene } from '../draw/bar.js'
import type { ChartScene } from '../draw/chart.js'
import type { Scene } from '../draw/picture.js'
import type { Recipe } from '../model/code-recipe.js'
import type { Cut } from '../model/cuts.js'
import type { State } from '../model/state.js'

/** A picture with its bar, or a chart. */
export interface Figure {
  picture?: Scene
  bar?: BarScene | null
  chart?: ChartScene
  /** The legend of channels. */
  legend?: { colour: string; text: string }[]
}

/** One way to show an array. */
export interface View {
  readonly element: HTMLElement
  /** Shows the state of the session, after reading the data for it. `changed` are the parts that have changed, if that is known. */
  update(changed?: readonly (keyof State)[]): void
  close(): void
  /** The visible slice at full resolution. */
  cuts(): Cut[]
  /** Handles the keys that are specific to this view. */
  key?(event: KeyboardEvent): void
  /** Moves the cursor by some items. */
  move?(dx: number, dy: number): void
  /** Zooms in or out; 0: shows everything. */
  zoom?(factor: number): void
  /** Shows one item per pixel. */
  actual?(): void
  /** The drawings, for a figure in another size. */
  figure?(): Figure
  recipe?(): Recipe
  /** Starts or ends a profile line. */
  profile?(): void
}
