// A drawing context that writes SVG, with the methods of a canvas context that charts use.

const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
const short = (value: number): string => String(Math.round(value * 100) / 100)

interface Look {
  fillStyle: string
  strokeStyle: string
  lineWidth: number
  lineJoin: string
  font: string
  textAlign: string
  textBaseline: string
}

export class Recorder implements Look {
  fillStyle = '#000'
  strokeStyle = '#000'
  lineWidth = 1
  lineJoin = 'miter'
  font = '11px sans-serif'
  textAlign = 'start'
  textBaseline = 'alphabetic'
  readonly #size: readonly [number, number]
  readonly #parts: string[] = []
  readonly #saved: { look: Look; groups: number }[] = []
  #path = ''
  #clips = 0
  /** Groups opened since the last `save`. */
  #groups = 0

  constructor(width: number, height: number, ground: string) {
    this.#size = [width, height]
    this.#parts.push(`<rect width="${width}" height="${height}" fill="${escaped(ground)}"/>`)
  }

  svg(): string {
    const [width, height] = this.#size
    while (this.#groups--) this.#parts.push('</g>')
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${this.#parts.join('\n')}\n</svg>\n`
  }

  title(text: string, colour: string): void {
    this.#parts.push(
      `<title>${escaped(text)}</title>`,
      `<text x="${this.#size[0] / 2}" y="20" fill="${escaped(colour)}" font-family="system-ui, sans-serif" font-size="14" font-weight="600" text-anchor="middle">${escaped(text)}</text>`,
    )
  }

  save(): void {
    const { fillStyle, strokeStyle, lineWidth, lineJoin, font, textAlign, textBaseline } = this
    this.#saved.push({
      look: { fillStyle, strokeStyle, lineWidth, lineJoin, font, textAlign, textBaseline },
      groups: this.#groups,
    })
  }

  restore(): void {
    const { look, groups } = this.#saved.pop()!
    Object.assign(this, look)
    for (; this.#groups > groups; this.#groups--) this.#parts.push('</g>')
  }

  translate(x: number, y: number): void {
    this.#open(`transform="translate(${short(x)} ${short(y)})"`)
  }

  rotate(angle: number): void {
    this.#open(`transform="rotate(${short((angle * 180) / Math.PI)})"`)
  }

  clip(): void {
    const id = `clip${++this.#clips}`
    this.#parts.push(`<clipPath id="${id}"><path d="${this.#path}"/></clipPath>`)
    this.#open(`clip-path="url(#${id})"`)
  }

  beginPath(): void {
    this.#path = ''
  }

  moveTo(x: number, y: number): void {
    this.#path += `M${short(x)} ${short(y)}`
  }

  lineTo(x: number, y: number): void {
    this.#path += `L${short(x)} ${short(y)}`
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.#path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`
  }

  /** Adds a full circle. */
  arc(x: number, y: number, radius: number): void {
    this.#path += `M${short(x - radius)} ${short(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`
  }

  stroke(): void {
    if (this.#path)
      this.#parts.push(
        `<path d="${this.#path}" fill="none" stroke="${escaped(this.strokeStyle)}" stroke-width="${this.lineWidth}" stroke-linejoin="${this.lineJoin}"/>`,
      )
  }

  fill(): void {
    if (this.#path) this.#parts.push(`<path d="${this.#path}" fill="${escaped(this.fillStyle)}"/>`)
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="${escaped(this.fillStyle)}"/>`,
    )
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}" fill="none" stroke="${escaped(this.strokeStyle)}" stroke-width="${this.lineWidth}"/>`,
    )
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = { center: 'middle', right: 'end', end: 'end' }[this.textAlign] ?? 'start'
    const baseline = { middle: 'central', top: 'text-before-edge' }[this.textBaseline] ?? 'auto'
    const size = /([\d.]+)px/.exec(this.font)?.[1] ?? '11'
    this.#parts.push(
      `<text x="${short(x)}" y="${short(y)}" fill="${escaped(this.fillStyle)}" font-family="system-ui, sans-serif" font-size="${size}" text-anchor="${anchor}" dominant-baseline="${baseline}">${escaped(text)}</text>`,
    )
  }

  /** An estimate of the width in most fonts. */
  measureText(text: string): { width: number } {
    return { width: text.length * 6.2 }
  }

  /** Replaces hatching by grey. */
  createPattern(): string {
    return '#bbb'
  }

  #open(attribute: string): void {
    this.#parts.push(`<g ${attribute}>`)
    this.#groups++
  }
}
