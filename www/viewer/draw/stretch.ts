// A large image while it is zoomed: stretched at once, and painted in its size in steps.
import { yieldThen } from '../../js/base/yielding.js'
import { reduced, reducedSize, rowsOf, whole, type Mapped } from './paint.js'
import type { Paper, Rows } from './paper.js'
import type { Picture, Placed, Stretch } from './picture.js'

/** Numbers that are read in one task while the picture is zoomed, and in one step otherwise. */
const MAX_NUMBERS = 2 ** 18
const STEP = 2 ** 17

type Size = readonly [width: number, height: number]

/** Rows of an image that were painted in advance. */
interface Ready {
  image: Placed
  size: Size
  rows: Rows
  pixels: Uint32Array
}

export class Stretcher {
  readonly #picture: Picture
  #ready: Ready | null = null
  #isPainting = false

  constructor(picture: Picture) {
    this.#picture = picture
  }

  readonly stretch: Stretch = (image, [width, height], seen) => {
    if (this.#ready && !isOf(this.#ready.image, image)) this.#ready = null
    if (!image.mapped || !ArrayBuffer.isView(image.numbers)) return null
    const { layout, colouring } = image.mapped
    if (layout.width * layout.height * Math.min(1, seen[1] - seen[0]) <= MAX_NUMBERS) return null
    const size = reducedSize(layout, colouring, width, height) ?? ([layout.width, layout.height] as const)
    const there = this.#nearest(image, size)
    if (!there) return null
    const canvas = this.#draw(image, image.mapped, there, rowsOf(there[1], seen))
    if (isSame(there, size)) return null
    void this.#paint(image, image.mapped, size, rowsOf(size[1], seen, 3))
    return canvas
  }

  /** The size nearest to this one of those in which there is something of the image. */
  #nearest(image: Placed, [width]: Size): Size | null {
    const { paper } = this.#picture
    const sizes: Size[] = isOf(paper, image) ? [[paper.canvas.width, paper.canvas.height]] : []
    // It may have had another size before it was shown.
    const early = paper.early(image.numbers, image.key)
    if (early) sizes.push([early.width, early.pixels.length / early.width])
    if (this.#ready) sizes.push(this.#ready.size)
    const distance = (size: Size) => Math.abs(Math.log(size[0] / width))
    return sizes.sort((a, b) => distance(a) - distance(b))[0] ?? null
  }

  /** Draws rows of the image: those that were painted in advance, and others now. */
  #draw(image: Placed, mapped: Mapped, size: Size, seen: Rows): HTMLCanvasElement {
    const ready = this.#ready && isSame(this.#ready.size, size) ? this.#ready : null
    const [width, height] = size
    const work = (pixels: Uint32Array, [from, to]: Rows) => {
      const [first, end] = ready?.rows ?? [to, to]
      const [a, b] = [Math.max(from, first), Math.min(to, end)]
      // A row may change the one above it.
      if (from < a) paintRows(pixels, size, [from, Math.min(to, a + 1)], image, mapped, 0)
      if (a < b) pixels.set(ready!.pixels.subarray((a - first) * width, (b - first) * width), a * width)
      if (b < to) paintRows(pixels, size, [Math.max(from, b), to], image, mapped, 0)
    }
    return this.#picture.paper.draw(image.numbers, image.key, width, height, work, seen)
  }

  /** Paints rows in steps, and draws the picture again; unless others are being painted. */
  async #paint(image: Placed, mapped: Mapped, size: Size, rows: Rows): Promise<void> {
    if (this.#isPainting) return
    this.#isPainting = true
    const { width, height } = mapped.layout
    const [first, end] = rows
    const pixels = new Uint32Array(size[0] * (end - first))
    const step = Math.max(1, Math.floor((STEP / width / height) * size[1]))
    for (let row = first; row < end; row += step) {
      const some = [row, Math.min(end, row + step)] as const
      await yieldThen(() => paintRows(pixels, size, some, image, mapped, first))
    }
    this.#ready = { image, size, rows, pixels }
    this.#isPainting = false
    this.#picture.draw()
  }
}

/** Paints rows of the image in a size. The pixels begin with the row `offset`. */
function paintRows(
  pixels: Uint32Array,
  [width, height]: Size,
  rows: Rows,
  { numbers }: Placed,
  { layout, colouring, gathered }: Mapped,
  offset: number,
): void {
  if (width !== layout.width || height !== layout.height)
    return reduced(pixels, width, height, rows, numbers, layout, colouring, gathered, offset)
  const [from, to] = [rows[0] - offset, rows[1] - offset]
  whole(pixels, [from, to], (numbers as Float64Array).subarray(offset * layout.down), layout, colouring)
}

const isSame = (a: Size, b: Size): boolean => a[0] === b[0] && a[1] === b[1]

/** Whether two pictures are those of the same numbers in the same colours. */
const isOf = (a: Pick<Paper, 'numbers' | 'key'>, b: Placed): boolean => a.numbers === b.numbers && a.key === b.key
