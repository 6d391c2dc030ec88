// Every chunk of an array, coloured by how well it compressed; those that the view touches have an edge.
import type { ChunkPlace } from '../../js/index.js'
import { bytes, fit, h, inks, nowAndThen } from '../dom.js'
import type { Cut, Dataset } from '../data/dataset.js'
import { css, palette } from '../draw/colours.js'

const SPECIAL: Record<string, [colour: string, text: string]> = {
  zeros: ['#9aa0a6', 'all zeros, stored nowhere'], uninit: ['#d5d8dc', 'never written'], nan: ['#ff5fc8', 'all NaN, stored nowhere'],
  damaged: ['#d3302f', 'damaged'],
}

export class ChunkMap {
  readonly element: HTMLElement
  readonly #dataset: Dataset
  readonly #canvas = h('canvas', { class: 'chunks', role: 'img', 'aria-label': 'chunks' })
  readonly #blocks = h('canvas', { class: 'blocks', role: 'img', 'aria-label': 'blocks of a chunk' })
  readonly #text = h('p', { class: 'hint' })
  readonly #touched = h('p', { class: 'hint touched' })
  readonly #places: ChunkPlace[]
  readonly #ratios: number[]
  readonly #grid: number[]
  #columns = 1
  #cell = 1
  #gap = 0
  #cuts: (readonly Cut[])[] = []
  #observer: ResizeObserver
  readonly draw = nowAndThen(() => this.paint())

  constructor(dataset: Dataset, places: ChunkPlace[]) {
    this.#dataset = dataset
    this.#places = places
    const { chunksize } = dataset.opened.info
    this.#ratios = places.map(({ extent }) => (extent && chunksize ? chunksize / extent : NaN))
    this.#grid = dataset.chunks ? dataset.shape.map((length, axis) => Math.max(1, Math.ceil(length / dataset.chunks![axis]!))) : [places.length]
    this.element = h('div', { class: 'chunkmap' }, this.#canvas, this.#legend(), this.#text, this.#touched, this.#blocks)
    this.#canvas.addEventListener('pointermove', event => this.#hover(event))
    this.#canvas.addEventListener('pointerleave', () => (this.#text.textContent = ''))
    this.#observer = new ResizeObserver(() => this.paint())
    this.#observer.observe(this.#canvas)
  }

  /** Marks what some slices touch. */
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
    const rows = Math.ceil(this.#places.length / this.#columns)
    this.#canvas.style.height = `${Math.min(640, Math.ceil(rows * this.#cell))}px`
    const { context } = fit(this.#canvas)
    const known = this.#ratios.filter(Number.isFinite)
    const [low, high] = [Math.log(Math.min(...known.slice(0, 1e5))), Math.log(Math.max(...known.slice(0, 1e5)))]
    const colours = palette('cividis')
    const { accent } = inks(this.#canvas)
    const touched: number[] = []
    this.#places.forEach(({ special }, k) => {
      const [x, y] = [(k % this.#columns) * this.#cell, Math.floor(k / this.#columns) * this.#cell]
      const ratio = this.#ratios[k]!
      const share = high > low ? (Math.log(ratio) - low) / (high - low) : 0.5
      context.fillStyle = special ? SPECIAL[special]![0] : Number.isFinite(ratio) ? css(colours[Math.round(share * (colours.length - 1))]!) : '#7a8ba5'
      context.fillRect(x, y, this.#cell - this.#gap, this.#cell - this.#gap)
      if (this.#touches(k)) touched.push(k)
    })
    context.strokeStyle = accent
    context.lineWidth = this.#cell > 8 ? 2 : 1
    for (const k of touched) {
      const [x, y] = [(k % this.#columns) * this.#cell, Math.floor(k / this.#columns) * this.#cell]
      context.strokeRect(x + 1, y + 1, this.#cell - this.#gap - 2, this.#cell - this.#gap - 2)
    }
    this.#touched.textContent = touched.length ? `This view touches ${touched.length} of ${this.#places.length} chunk${this.#places.length > 1 ? 's' : ''}.` : ''
    this.#paintBlocks(touched[0])
  }

  #arrange(width: number): void {
    this.#columns = columnsOf(this.#grid, Math.floor(width / 3))
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

  #touches(chunk: number): boolean {
    const { chunks } = this.#dataset
    return chunks !== null && this.#meets(this.#coordinates(chunk).map((at, axis) => at * chunks[axis]!), chunks)
  }

  /** Whether one of the slices has something of a box. */
  #meets(origin: readonly number[], size: readonly number[]): boolean {
    return this.#cuts.some(cuts => cuts.length === size.length && cuts.every((cut, axis) => meets(cut, origin[axis]!, size[axis]!)))
  }

  /** The first chunk that is touched, from near: its blocks, in the same manner. */
  #paintBlocks(chunk: number | undefined): void {
    const { chunks, blocks } = this.#dataset
    this.#blocks.hidden = chunk === undefined || !chunks || !blocks
    if (this.#blocks.hidden) return
    const grid = chunks!.map((length, axis) => Math.max(1, Math.ceil(length / blocks![axis]!)))
    const count = grid.reduce((product, n) => product * n, 1)
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
    let wanted = 0
    for (let block = 0; block < count; block++) {
      let rest = block
      const at = grid.map(() => 0)
      for (let axis = grid.length - 1; axis >= 0; axis--) {
        at[axis] = rest % grid[axis]!
        rest = Math.floor(rest / grid[axis]!)
      }
      const touched = this.#meets(at.map((place, axis) => origin[axis]! + place * blocks![axis]!), blocks!)
      if (touched) wanted++
      context.fillStyle = touched ? accent : line
      context.fillRect((block % columns) * cell, Math.floor(block / columns) * cell, cell - 1, cell - 1)
    }
    this.#touched.textContent += ` Of the blocks of the first, ${wanted} of ${count}.`
  }

  #legend(): HTMLElement {
    const known = this.#ratios.filter(Number.isFinite)
    const [low, high] = [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)]
    const kinds = [...new Set(this.#places.flatMap(({ special }) => special ?? []))]
    const swatch = (colour: string) => {
      const mark = h('i', {})
      mark.style.background = colour
      return mark
    }
    const colours = palette('cividis')
    return h('ul', { class: 'legend' },
      ...(known.length ? [h('li', {}, swatch(css(colours[0]!)), `${low.toFixed(1)}×`), h('li', {}, swatch(css(colours.at(-1)!)), `${high.toFixed(1)}×`)] : []),
      ...kinds.map(kind => h('li', {}, swatch(SPECIAL[kind]![0]), SPECIAL[kind]![1])))
  }

  #hover(event: PointerEvent): void {
    const chunk = Math.floor(event.offsetY / this.#cell) * this.#columns + Math.floor(event.offsetX / this.#cell)
    const place = this.#places[chunk]
    if (!place) return void (this.#text.textContent = '')
    const { offset, extent, special } = place
    this.#text.textContent = `Chunk ${chunk} at (${this.#coordinates(chunk).join(', ')}): ` + (special ? SPECIAL[special]![1]
      : extent === null ? `file ${offset}` : `${bytes(extent)} at byte ${offset!.toLocaleString('en')}, ratio ${this.#ratios[chunk]!.toFixed(2)}`)
  }
}

/** The last axes of a grid make a row, or else a multiple of the last does, so that the shape can be seen. */
function columnsOf(grid: readonly number[], most: number): number {
  const [count = 1, ...inner] = grid.map((_, axis) => grid.slice(axis).reduce((product, n) => product * n, 1))
  const rows = inner.length ? inner : [count]
  // About twice as wide as high.
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
