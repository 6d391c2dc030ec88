// The chunk map: the chunks of an array, coloured by compression ratio. Those that the view touches have an outline. If
// there are very many, a cell represents several consecutive chunks.
import { product } from '../../js/base/numbers.js'
import type { ChunkMap as Places } from '../../js/index.js'
import { bytes, fit, h, inks, nowAndThen } from '../dom.js'
import { css, palette, rgb } from '../draw/colours.js'
import { cellsOf, nextTouched, type Cell } from '../model/chunks.js'
import type { Cut } from '../model/cuts.js'
import type { Dataset } from '../model/dataset.js'

const SPECIAL: Record<string, [colour: string, text: string]> = {
  zeros: ['#9aa0a6', 'all zeros, stored nowhere'],
  uninit: ['#d5d8dc', 'never written'],
  nan: ['#ff5fc8', 'all NaN, stored nowhere'],
  damaged: ['#d3302f', 'damaged'],
  unfetched: ['#c9b458', 'not fetched: the file does not hold it'],
}

/** The colour of chunks of which nothing is stored. */
const NOTHING = '#7a8ba5'

export class ChunkMap {
  readonly element: HTMLElement
  readonly #dataset: Dataset
  readonly #canvas = h('canvas', { class: 'chunks', role: 'img', 'aria-label': 'chunks' })
  readonly #blocks = h('canvas', { class: 'blocks', role: 'img', 'aria-label': 'blocks of a chunk' })
  readonly #text = h('p', { class: 'hint' })
  readonly #touched = h('p', { class: 'hint touched' })
  readonly #cells: Cell[]
  /** Chunks per cell. */
  readonly #group: number
  readonly #nchunks: number
  /** Chunks along each axis. */
  readonly #grid: number[]
  /** Cells with chunks that cannot be decoded, as far as views have found out. */
  #damaged = 0
  /** The colours of the cells, 0xAABBGGRR each. */
  #colours: Uint32Array | null = null
  #columns = 1
  #cell = 1
  #gap = 0
  #cuts: (readonly Cut[])[] = []
  #observer: ResizeObserver
  readonly draw = nowAndThen(() => this.paint())

  static async of(dataset: Dataset, places: Places): Promise<ChunkMap> {
    const { nchunk, count } = places.at(-1) ?? { nchunk: 0, count: 0 }
    return new ChunkMap(dataset, nchunk + count, await cellsOf(places, dataset.opened.info.chunksize))
  }

  private constructor(dataset: Dataset, nchunks: number, { cells, group }: { cells: Cell[]; group: number }) {
    this.#dataset = dataset
    this.#nchunks = nchunks
    ;[this.#cells, this.#group] = [cells, group]
    this.#grid = dataset.chunks
      ? dataset.shape.map((length, axis) => Math.max(1, Math.ceil(length / dataset.chunks![axis]!)))
      : [this.#nchunks]
    this.element = h(
      'div',
      { class: 'chunkmap' },
      this.#canvas,
      this.#legend(),
      this.#text,
      this.#touched,
      this.#blocks,
    )
    this.#canvas.addEventListener('pointermove', event => this.#hover(event))
    this.#canvas.addEventListener('pointerleave', () => (this.#text.textContent = ''))
    this.#observer = new ResizeObserver(this.draw)
    this.#observer.observe(this.#canvas)
  }

  /** Marks the chunks that slices touch. */
  show(cuts: (readonly Cut[])[]): void {
    this.#cuts = cuts
    this.draw()
  }

  close(): void {
    this.#observer.disconnect()
  }

  paint(): void {
    const width = this.#canvas.clientWidth
    if (!width) return
    this.#arrange(width)
    const rows = Math.ceil(this.#cells.length / this.#columns)
    this.#canvas.style.height = `${Math.min(640, Math.ceil(rows * this.#cell))}px`
    const { context } = fit(this.#canvas)
    const { accent } = inks(this.#canvas)
    this.#markDamaged()
    this.#paintCells(context)
    const touched = this.#touchedCells()
    context.strokeStyle = accent
    context.lineWidth = this.#cell > 8 ? 2 : 1
    for (const [k, count] of this.#runs(touched)) {
      const [x, y] = [(k % this.#columns) * this.#cell, Math.floor(k / this.#columns) * this.#cell]
      context.strokeRect(x + 1, y + 1, count * this.#cell - this.#gap - 2, this.#cell - this.#gap - 2)
    }
    const cells = this.#group > 1 ? `groups of ${this.#group} chunks` : `chunk${this.#nchunks > 1 ? 's' : ''}`
    this.#touched.textContent = touched.length
      ? `This view touches ${touched.length} of ${this.#cells.length} ${cells}.`
      : ''
    this.#paintBlocks(touched.length ? this.#next(touched[0]! * this.#group) : undefined)
  }

  /** Marks the cells of damaged chunks, as far as views have found them. */
  #markDamaged(): void {
    const chunks = [...(this.#dataset.missing?.damaged.keys() ?? [])]
    const damaged = new Set(chunks.map(chunk => Math.floor(chunk / this.#group)))
    if (damaged.size === this.#damaged) return
    this.#damaged = damaged.size
    damaged.forEach(k => (this.#cells[k]!.special = 'damaged'))
    this.element.querySelector('.legend')!.replaceWith(this.#legend())
    this.#colours = null
  }

  /** Cells without gaps are one picture. */
  #paintCells(context: CanvasRenderingContext2D): void {
    const colours = (this.#colours ??= this.#coloursOfCells())
    const [columns, size, side] = [this.#columns, this.#cell, this.#cell - this.#gap]
    if (!this.#gap) {
      const picture = pictureOf(colours, columns)
      context.imageSmoothingEnabled = false
      context.drawImage(picture, 0, 0, columns * size, picture.height * size)
      return
    }
    colours.forEach((colour, k) => {
      context.fillStyle = css(colour)
      context.fillRect((k % columns) * size, Math.floor(k / columns) * size, side, side)
    })
  }

  #coloursOfCells(): Uint32Array {
    const [low, high] = this.#range().map(Math.log) as [number, number]
    const colours = palette('cividis')
    return Uint32Array.from(this.#cells, ({ special, ratio }) => {
      if (special) return numberOf(SPECIAL[special]![0])
      if (!Number.isFinite(ratio)) return numberOf(NOTHING)
      const share = high > low ? (Math.log(ratio) - low) / (high - low) : 0.5
      return colours[Math.round(share * (colours.length - 1))]!
    })
  }

  /** Cells that get an outline: one by one, or merged if they are adjacent without a gap. */
  #runs(touched: readonly number[]): [first: number, count: number][] {
    const runs: [number, number][] = []
    for (const k of touched) {
      const run = runs.at(-1)
      if (run && !this.#gap && run[0] + run[1] === k && k % this.#columns) run[1]++
      else runs.push([k, 1])
    }
    return runs
  }

  #arrange(width: number): void {
    this.#columns = columnsOf(this.#group > 1 ? [this.#cells.length] : this.#grid, Math.floor(width / 3))
    this.#cell = Math.max(2, Math.min(26, width / this.#columns))
    if (this.#columns * this.#cell > width) this.#columns = Math.max(1, Math.floor(width / this.#cell))
    this.#gap = this.#cell > 5 ? 2 : 0
  }

  #coordinates(chunk: number): number[] {
    const at = this.#grid.map(() => 0)
    for (let axis = this.#grid.length - 1; axis >= 0; axis--) {
      at[axis] = chunk % this.#grid[axis]!
      chunk = Math.floor(chunk / this.#grid[axis]!)
    }
    return at
  }

  /** The minimum and maximum ratio. */
  #range(): [low: number, high: number] {
    const known = this.#cells.map(({ ratio }) => ratio).filter(Number.isFinite)
    return [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)]
  }

  /** The first chunk from `from` on that a slice touches. */
  #next(from: number): number {
    const { chunks } = this.#dataset
    return chunks ? Math.min(...this.#cuts.map(cuts => nextTouched(cuts, chunks, this.#grid, from))) : Infinity
  }

  /** The cells with a chunk that a slice touches, in order. */
  #touchedCells(): number[] {
    const cells: number[] = []
    for (let chunk = this.#next(0); chunk < this.#nchunks; chunk = this.#next((cells.at(-1)! + 1) * this.#group))
      cells.push(Math.floor(chunk / this.#group))
    return cells
  }

  /** Whether a slice intersects a box. */
  #meets(origin: readonly number[], size: readonly number[]): boolean {
    return this.#cuts.some(
      cuts => cuts.length === size.length && cuts.every((cut, axis) => meets(cut, origin[axis]!, size[axis]!)),
    )
  }

  /** The blocks of the first touched chunk, drawn in the same way. */
  #paintBlocks(chunk: number | undefined): void {
    const { chunks, blocks } = this.#dataset
    this.#blocks.hidden = chunk === undefined || !chunks || !blocks
    if (this.#blocks.hidden) return
    const grid = chunks!.map((length, axis) => Math.max(1, Math.ceil(length / blocks![axis]!)))
    const count = product(grid)
    if (count > 4096) {
      this.#blocks.hidden = true
      return
    }
    const columns = columnsOf(grid, 64)
    const cell = Math.max(4, Math.min(14, this.#blocks.clientWidth / columns || 14))
    this.#blocks.style.height = `${Math.ceil(count / columns) * cell}px`
    const { context } = fit(this.#blocks)
    const { accent, line } = inks(this.#blocks)
    const origin = this.#coordinates(chunk!).map((at, axis) => at * chunks![axis]!)
    const damaged = this.#dataset.missing?.damaged.get(chunk!)
    let wanted = 0
    for (let block = 0; block < count; block++) {
      let rest = block
      const at = grid.map(() => 0)
      for (let axis = grid.length - 1; axis >= 0; axis--) {
        at[axis] = rest % grid[axis]!
        rest = Math.floor(rest / grid[axis]!)
      }
      const touched = this.#meets(
        at.map((place, axis) => origin[axis]! + place * blocks![axis]!),
        blocks!,
      )
      if (touched) wanted++
      const isDamaged = damaged === null || damaged?.has(block)
      context.fillStyle = isDamaged ? SPECIAL['damaged']![0] : touched ? accent : line
      context.fillRect((block % columns) * cell, Math.floor(block / columns) * cell, cell - 1, cell - 1)
    }
    const bad = damaged === null ? ', all damaged' : damaged?.size ? `, ${damaged.size} damaged` : ''
    this.#touched.textContent += ` Of the blocks of the first, ${wanted} of ${count}${bad}.`
  }

  #legend(): HTMLElement {
    const [low, high] = this.#range()
    const kinds = [...new Set(this.#cells.flatMap(({ special }) => special ?? []))]
    const swatch = (colour: string) => {
      const mark = h('i', {})
      mark.style.background = colour
      return mark
    }
    const colours = palette('cividis')
    return h(
      'ul',
      { class: 'legend' },
      ...(low <= high
        ? [
            h('li', {}, swatch(css(colours[0]!)), `${low.toFixed(1)}×`),
            h('li', {}, swatch(css(colours.at(-1)!)), `${high.toFixed(1)}×`),
          ]
        : []),
      ...kinds.map(kind => h('li', {}, swatch(SPECIAL[kind]![0]), SPECIAL[kind]![1])),
    )
  }

  #hover(event: PointerEvent): void {
    const number = Math.floor(event.offsetY / this.#cell) * this.#columns + Math.floor(event.offsetX / this.#cell)
    const cell = this.#cells[number]
    if (!cell) return void (this.#text.textContent = '')
    const { offset, extent, special, ratio } = cell
    const chunk = number * this.#group
    const last = Math.min(chunk + this.#group, this.#nchunks) - 1
    const which = last > chunk ? `Chunks ${chunk} to ${last}` : `Chunk ${chunk}`
    const where = offset === null ? '' : ` at byte ${offset.toLocaleString('en')}`
    this.#text.textContent =
      `${which} at (${this.#coordinates(chunk).join(', ')}): ` +
      (special
        ? SPECIAL[special]![1]
        : extent === null
          ? `file ${offset}`
          : `${bytes(extent)}${where}, ratio ${ratio.toFixed(2)}`)
  }
}

/** A colour as 0xAABBGGRR. */
const numberOf = (hex: string): number =>
  rgb(...([1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]))

/** Colours as a picture with a pixel each. */
function pictureOf(colours: Uint32Array, columns: number): HTMLCanvasElement {
  const height = Math.ceil(colours.length / columns)
  const canvas = h('canvas', { width: columns, height })
  const image = new ImageData(columns, height)
  new Uint32Array(image.data.buffer).set(colours)
  canvas.getContext('2d')!.putImageData(image, 0, 0)
  return canvas
}

/** The number of columns: the product of the last axes of the grid or a multiple of the last one, so that the shape is
 * recognisable. */
function columnsOf(grid: readonly number[], most: number): number {
  const [count = 1, ...inner] = grid.map((_, axis) => product(grid.slice(axis)))
  const rows = inner.length ? inner : [count]
  // About twice as wide as tall.
  const ideal = Math.min(most, Math.sqrt(count * 2.2))
  const far = (columns: number) => Math.abs(Math.log(columns / ideal))
  const [best] = rows.filter(columns => columns <= most).sort((a, b) => far(a) - far(b))
  const last = grid.at(-1) ?? 1
  return best && far(best) < 1.2 ? best : Math.max(1, Math.min(most, last * Math.max(1, Math.round(ideal / last))))
}

const meets = (cut: Cut, start: number, length: number): boolean => {
  if (typeof cut === 'number') return cut >= start && cut < start + length
  const first = Math.max(0, Math.ceil((start - cut.start) / cut.step)) * cut.step + cut.start
  return first < Math.min(cut.stop, start + length)
}
