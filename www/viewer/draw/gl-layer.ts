// A canvas below a picture that the graphics processor paints. The values of a plane are textures, so that panning, zooming and other
// colours change a few numbers, and take no time of the page.

import { yieldThen } from '../../js/base/yielding.js'
import type { Layout } from '../model/plane.js'
import { usable, warp } from '../model/scale.js'
import type { Numbers } from '../model/values.js'
import { MINUS, NAN, NOT_POSITIVE, palette, PLUS } from './colours.js'
import { FRAGMENT, LARGEST, ODD, VERTEX } from './gl-shaders.js'
import type { Rect } from './paper.js'
import { pixels, type Layer, type Placed, type Scene } from './picture.js'

/** The maximum length of the side of a tile. */
const TILE = 1024
const SCALES = { linear: 0, log: 1, symlog: 2 } as const
const GATHERED = { mean: 0, max: 1, min: 2 } as const
/** Renderers that the processor computes: they take longer than the canvas, and not all browsers call that a caveat. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i
/** If the colours span less than this share of the values' distance from their base, single floats are too coarse. */
const FINEST = 1e-4

interface Loaded {
  numbers: Numbers
  layout: Layout
  texture: WebGLTexture
  tile: readonly [width: number, height: number]
  across: number
  base: number
  /** The greatest distance of a value from the base. */
  far: number
}

export class GlLayer implements Layer {
  readonly canvas: HTMLCanvasElement
  readonly #gl: WebGL2RenderingContext
  readonly #program: WebGLProgram
  readonly #places = new Map<string, WebGLUniformLocation | null>()
  readonly #colours: WebGLTexture
  #map = ''
  #loaded: Loaded | null = null

  /** A layer; null if the browser has no WebGL 2, or no graphics processor for it. */
  static make(): GlLayer | null {
    const canvas = document.createElement('canvas')
    canvas.className = 'layer'
    const gl = canvas.getContext('webgl2', { antialias: false, depth: false, failIfMajorPerformanceCaveat: true })
    const program = gl && !SOFTWARE.test(rendererOf(gl)) && programOf(gl)
    return program ? new GlLayer(canvas, gl, program) : null
  }

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, program: WebGLProgram) {
    this.canvas = canvas
    this.#gl = gl
    this.#program = program
    this.#colours = gl.createTexture()
    gl.useProgram(program)
  }

  /** Sends the values of a plane to the graphics processor, tile by tile, so that the page stays responsive. */
  async load(numbers: Numbers, layout: Layout, base: number, signal: AbortSignal): Promise<void> {
    const gl = this.#gl
    if (this.#loaded) gl.deleteTexture(this.#loaded.texture)
    this.#loaded = null
    const { width, height } = layout
    const tile = [Math.min(TILE, width), Math.min(TILE, height)] as const
    const [across, down] = [Math.ceil(width / tile[0]), Math.ceil(height / tile[1])]
    if (across * down > gl.getParameter(gl.MAX_ARRAY_TEXTURE_LAYERS)) return
    const texture = gl.createTexture()
    this.#use(gl.TEXTURE0, gl.TEXTURE_2D_ARRAY, texture)
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.R32F, tile[0], tile[1], across * down)
    // Single floats cannot be filtered, and a texture that is to be filtered is incomplete then.
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, filter, gl.NEAREST)
    let far = 0
    for (let k = 0; k < across * down && !signal.aborted; k++)
      await yieldThen(() => {
        const [x, y] = [(k % across) * tile[0], Math.floor(k / across) * tile[1]]
        const size = [Math.min(tile[0], width - x), Math.min(tile[1], height - y)] as const
        const { values, most } = tileOf(numbers, layout, base, [x, y], size)
        far = Math.max(far, most)
        this.#use(gl.TEXTURE0, gl.TEXTURE_2D_ARRAY, texture)
        gl.texSubImage3D(gl.TEXTURE_2D_ARRAY, 0, 0, 0, k, ...size, 1, gl.RED, gl.FLOAT, values)
      })
    if (signal.aborted) gl.deleteTexture(texture)
    else this.#loaded = { numbers, layout, texture, tile, across, base, far }
  }

  draw(scene: Scene, image: Placed, rect: Rect): boolean {
    const isDrawn = !scene.smooth && this.#draw(scene, image, rect)
    this.canvas.hidden = !isDrawn
    const { left, top, width, height } = rect
    Object.assign(this.canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
    return isDrawn
  }

  #draw(
    { window: [x0, x1, y0, y1], flip }: Scene,
    { numbers, mapped, x, y, columns, width: wide }: Placed,
    rect: Rect,
  ): boolean {
    const [gl, loaded] = [this.#gl, this.#loaded]
    if (!mapped || loaded?.numbers !== numbers || gl.isContextLost()) return false
    const { colouring, gathered, layout } = mapped
    const limits = usable(colouring.range, colouring.scale)
    const isCoarse = Math.abs(limits.max - limits.min) < FINEST * loaded.far
    if (isCoarse || colouring.map === 'labels' || loaded.layout.right !== layout.right) return false
    const [width, height] = [pixels(rect.width), pixels(rect.height)]
    const each = wide / columns
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height })
    gl.viewport(0, 0, width, height)
    this.#use(gl.TEXTURE0, gl.TEXTURE_2D_ARRAY, loaded.texture)
    this.#useMap(colouring.map)
    const { base } = loaded
    const isLinear = colouring.scale === 'linear'
    const to = isLinear ? (value: number) => value - base : warp(colouring.scale, limits)
    gl.uniform1i(this.#at('values'), 0)
    gl.uniform1i(this.#at('colours'), 1)
    gl.uniform2i(this.#at('size'), layout.width, layout.height)
    gl.uniform2i(this.#at('tile'), ...loaded.tile)
    gl.uniform1i(this.#at('across'), loaded.across)
    gl.uniform2f(this.#at('start'), (x0 - x) / each, (y0 - y) / each)
    gl.uniform2f(this.#at('step'), (x1 - x0) / each / width, (y1 - y0) / each / height)
    gl.uniform1i(this.#at('height'), height)
    gl.uniform1i(this.#at('flip'), Number(flip))
    gl.uniform1i(this.#at('gathered'), GATHERED[gathered])
    gl.uniform1i(this.#at('scale'), SCALES[colouring.scale])
    gl.uniform2f(this.#at('range'), to(limits.min), to(limits.max))
    gl.uniform1f(this.#at('base'), base)
    // As in `scale.ts`.
    gl.uniform1f(this.#at('knee'), Math.max(Math.abs(limits.min), Math.abs(limits.max)) / 1000)
    gl.uniform4fv(this.#at('specials'), [NAN, PLUS, MINUS, NOT_POSITIVE].flatMap(channelsOf))
    gl.clear(gl.COLOR_BUFFER_BIT)
    gl.drawArrays(gl.TRIANGLES, 0, 3)
    return true
  }

  close(): void {
    this.#loaded = null
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext()
    this.canvas.remove()
  }

  #at(name: string): WebGLUniformLocation | null {
    if (!this.#places.has(name)) this.#places.set(name, this.#gl.getUniformLocation(this.#program, name))
    return this.#places.get(name)!
  }

  #use(unit: number, target: number, texture: WebGLTexture): void {
    this.#gl.activeTexture(unit)
    this.#gl.bindTexture(target, texture)
  }

  #useMap(map: string): void {
    const gl = this.#gl
    this.#use(gl.TEXTURE1, gl.TEXTURE_2D, this.#colours)
    if (this.#map === map) return
    this.#map = map
    const colours = palette(map)
    const bytes = new Uint8Array(colours.buffer)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, colours.length, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes)
    // Without smaller copies a texture is complete only so.
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
  }
}

/** Most browsers tell the renderer by an extension only. */
function rendererOf(gl: WebGL2RenderingContext): string {
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  return String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER))
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) return null
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null
}

/** The values of a tile, less the base, and the greatest distance from it. */
function tileOf(
  numbers: Numbers,
  { right, down }: Layout,
  base: number,
  [left, top]: readonly [number, number],
  [width, height]: readonly [number, number],
): { values: Float32Array<ArrayBuffer>; most: number } {
  const values = new Float32Array(width * height)
  let most = 0
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = (top + y) * down + left * right; x < width; x++, from += right, to++) {
      const value = numbers[from]! - base
      if (value >= -LARGEST && value <= LARGEST) {
        values[to] = value
        most = Math.max(most, Math.abs(value))
      } else values[to] = value !== value ? ODD.nan : value > 0 ? ODD.plus : ODD.minus
    }
  }
  return { values, most }
}

const channelsOf = (colour: number): number[] =>
  [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255, 255].map(channel => channel / 255)
