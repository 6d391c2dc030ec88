// The view as a figure with a title, axes and a colour bar, in any size.
import { h, inks } from '../dom.js'
import { Bar } from '../draw/bar.js'
import { Chart } from '../draw/chart.js'
import { MARGINS, Picture } from '../draw/picture.js'
import { Recorder } from '../draw/svg.js'
import type { Figure } from '../views/view.js'

/** The sizes of the title and the bar in CSS pixels. */
const TITLE = 30
const BAR = 68
/** The maximum ratio of height to width of a figure. */
const MAX_HEIGHT_TO_WIDTH = 3
const FONT = '12px system-ui, sans-serif'

/** Draws a figure `width` pixels wide with the colours of the element `home`. */
export function drawFigure(figure: Figure, title: string, width: number, home: Element): HTMLCanvasElement {
  const ratio = globalThis.devicePixelRatio || 1
  const wide = width / ratio
  const side = figure.bar ? BAR : 0
  const below = legendOf(figure, wide)
  const high = TITLE + heightOf(figure, wide - side)
  const [plot, bar] = [h('canvas', {}), h('canvas', {})]
  // Outside of the visible area: canvases have a size only in a page.
  const place = h('div', { 'aria-hidden': 'true' }, plot, bar)
  Object.assign(place.style, {
    position: 'fixed',
    left: '-100000px',
    top: '0',
    width: `${wide}px`,
    height: `${high - TITLE}px`,
    display: 'flex',
  })
  Object.assign(plot.style, { width: `${wide - side}px`, height: '100%' })
  Object.assign(bar.style, { width: `${side}px`, height: '100%' })
  home.append(place)
  try {
    paintOn(figure, plot, bar)
    const size = [width, Math.round((high + below.height) * ratio)] as const
    const canvas = compose(home, title, size, ratio, plot, figure.bar && !bar.hidden ? bar : null)
    drawLegend(canvas.getContext('2d')!, below, TITLE + plot.height / ratio, ratio, home)
    return canvas
  } finally {
    place.remove()
  }
}

/** A line of the legend below a picture. */
const LINE = 22

interface Legend {
  height: number
  marks: { x: number; y: number; colour: string; text: string }[]
}

/** The positions of the entries of channels: as many per line as fit. */
function legendOf({ legend = [] }: Figure, wide: number): Legend {
  const context = h('canvas', {}).getContext('2d')!
  context.font = FONT
  const marks: Legend['marks'] = []
  let [x, y] = [MARGINS.usual[0], 0]
  for (const { colour, text } of legend) {
    const width = 20 + context.measureText(text).width
    if (marks.length && x + width > wide) [x, y] = [MARGINS.usual[0], y + LINE]
    marks.push({ x, y, colour, text })
    x += width + 20
  }
  return { height: marks.length ? y + LINE + 6 : 0, marks }
}

function drawLegend(
  context: CanvasRenderingContext2D,
  { marks }: Legend,
  top: number,
  ratio: number,
  home: Element,
): void {
  const { ink, line } = inks(home)
  context.setTransform(ratio, 0, 0, ratio, 0, top * ratio)
  drawMarks(context, marks, ink, line)
}

function drawMarks(context: CanvasRenderingContext2D, marks: Legend['marks'], ink: string, line: string): void {
  context.font = FONT
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  for (const { x, y, colour, text } of marks) {
    context.fillStyle = colour
    context.fillRect(x, y + 4, 14, 14)
    context.strokeStyle = line
    context.strokeRect(x - 0.5, y + 3.5, 15, 15)
    context.fillStyle = ink
    context.fillText(text, x + 20, y + 12)
  }
}

/** The height that leaves no blank margins around the picture. */
function heightOf({ picture, chart }: Figure, wide: number): number {
  if (!picture || !picture.equal) return Math.round(wide * (chart ? 0.5 : 0.7))
  const [left, right, top, bottom] = MARGINS.usual
  const [x0, x1, y0, y1] = picture.window
  const tall = picture.size ? picture.size.y / picture.size.x : 1
  return Math.round(
    Math.min(MAX_HEIGHT_TO_WIDTH * wide, ((wide - left - right) * (y1 - y0) * tall) / (x1 - x0)) + top + bottom,
  )
}

function paintOn({ picture, chart, bar }: Figure, plot: HTMLCanvasElement, beside: HTMLCanvasElement): void {
  if (chart) {
    const drawn = new Chart(plot)
    Object.assign(drawn.scene, chart, { cursor: null })
    drawn.paint()
    return drawn.close()
  }
  const scale = bar ? new Bar(beside) : null
  if (bar) scale!.scene = { ...bar }
  const drawn = new Picture(
    plot,
    { place: rect => scale?.beside(plot, rect) },
    { ...picture!, compact: false, cross: null },
  )
  drawn.paint()
  scale?.paint()
  drawn.close()
  scale?.close()
}

function compose(
  home: Element,
  title: string,
  [width, height]: readonly [number, number],
  ratio: number,
  plot: HTMLCanvasElement,
  bar: HTMLCanvasElement | null,
): HTMLCanvasElement {
  const canvas = h('canvas', { width, height })
  const context = canvas.getContext('2d')!
  const style = getComputedStyle(home)
  const colour = (name: string, other: string) => style.getPropertyValue(name).trim() || other
  // The background of a transparent canvas is part of the picture.
  context.fillStyle = colour('--ground', '#fff')
  context.fillRect(0, 0, width, height)
  context.fillStyle = colour('--ink', '#000')
  context.font = `600 ${14 * ratio}px system-ui, sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(title, width / 2, (TITLE / 2) * ratio, width - 16 * ratio)
  context.drawImage(plot, 0, TITLE * ratio)
  if (bar) context.drawImage(bar, plot.width, TITLE * ratio)
  return canvas
}

/** Lines as an SVG, `width` by half of it. */
export function drawSvg(figure: Figure, title: string, width: number, home: Element): string {
  const below = legendOf(figure, width)
  const canvas = h('canvas', {})
  canvas.style.display = 'none'
  home.append(canvas)
  try {
    const drawn = new Chart(canvas)
    Object.assign(drawn.scene, figure.chart, { cursor: null })
    const recorder = new Recorder(
      width,
      Math.round(width / 2) + TITLE + below.height,
      getComputedStyle(home).getPropertyValue('--ground').trim() || '#fff',
    )
    recorder.title(title, getComputedStyle(home).getPropertyValue('--ink').trim() || '#000')
    recorder.translate(0, TITLE)
    drawn.render(recorder as unknown as CanvasRenderingContext2D, width, Math.round(width / 2))
    drawn.close()
    const { ink, line } = inks(home)
    recorder.translate(0, Math.round(width / 2))
    drawMarks(recorder as unknown as CanvasRenderingContext2D, below.marks, ink, line)
    return recorder.svg()
  } finally {
    canvas.remove()
  }
}

/** Draws frames one after the other and records them as a WebM of `fps` frames a second. */
export async function record(frames: AsyncIterable<HTMLCanvasElement>, fps: number): Promise<Blob> {
  if (typeof MediaRecorder === 'undefined' || !MediaRecorder.isTypeSupported('video/webm'))
    throw new Error('this browser records no WebM')
  let canvas: HTMLCanvasElement | undefined
  let recorder: MediaRecorder | undefined
  const parts: Blob[] = []
  for await (const frame of frames) {
    canvas ??= h('canvas', { width: frame.width, height: frame.height })
    canvas.getContext('2d')!.drawImage(frame, 0, 0)
    if (!recorder) {
      recorder = new MediaRecorder(canvas.captureStream(fps), { mimeType: 'video/webm', videoBitsPerSecond: 8e6 })
      recorder.ondataavailable = ({ data }) => parts.push(data)
      recorder.start()
    }
    await new Promise(resolve => setTimeout(resolve, 1000 / fps))
  }
  if (!recorder) throw new Error('there is nothing to record')
  const ended = new Promise(resolve => recorder.addEventListener('stop', resolve))
  recorder.stop()
  await ended
  return new Blob(parts, { type: 'video/webm' })
}
