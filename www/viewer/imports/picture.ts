// Images: PNG with all its bits, and what the browser decodes.
import { convertIndexedToRgb, decode } from 'fast-png'
import { checkSize, unsupported, wrong, type Values } from './values.js'

type Samples = Uint8Array | Uint16Array

/** Rows, columns and, for colours, channels. */
function image(data: Samples, height: number, width: number, channels: number): Values {
  const shape = channels === 1 ? [height, width] : [height, width, channels]
  return { dtype: data instanceof Uint16Array ? '<u2' : '|u1', shape, items: data }
}

export async function readPng(file: Blob): Promise<Values> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  // The size is in the header. It may be a lie of a few bytes.
  const view = new DataView(bytes.buffer)
  if (bytes.length < 33) throw wrong('PNG: the file ends in the header')
  checkSize(view.getUint32(16) * view.getUint32(20) * 8, 'the image')
  try {
    const png = decode(bytes, { checkCrc: true })
    const { width, height, depth, channels, palette } = png
    if (palette) return image(convertIndexedToRgb(png), height, width, palette[0]!.length)
    if (depth < 8) return image(unpacked(png.data as Uint8Array, width, height, depth), height, width, 1)
    return image(depth === 16 ? (png.data as Uint16Array) : new Uint8Array(png.data), height, width, channels)
  } catch (cause) {
    throw wrong(`PNG: ${(cause as Error).message}`, cause)
  }
}

/** Grey values of 1, 2 or 4 bits, of which each row begins with a byte. */
function unpacked(data: Uint8Array, width: number, height: number, depth: number): Uint8Array {
  const stride = Math.ceil((width * depth) / 8)
  const out = new Uint8Array(width * height)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * depth
      out[to++] = (data[y * stride + (bit >> 3)]! >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
    }
  return out
}

/** JPEG, GIF, WebP and others, with 8 bits. Of an animation, the first image. */
export async function readPicture(file: Blob): Promise<Values> {
  const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none', imageOrientation: 'none' } as const
  const bitmap = await createImageBitmap(file, options as ImageBitmapOptions).catch((cause: unknown) => {
    throw wrong('the browser cannot decode the image', cause)
  })
  const { width, height } = bitmap
  checkSize(8 * width * height, 'the image')
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw unsupported('the browser gives no canvas of this size')
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  const { data } = context.getImageData(0, 0, width, height)
  const channels = isGrey(data) ? 1 : isOpaque(data) ? 3 : 4
  const out = new Uint8Array(width * height * channels)
  for (let from = 0, to = 0; from < data.length; from += 4)
    for (let channel = 0; channel < channels; channel++) out[to++] = data[from + channel]!
  return image(out, height, width, channels)
}

function isOpaque(data: Uint8ClampedArray): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

function isGrey(data: Uint8ClampedArray): boolean {
  for (let at = 0; at < data.length; at += 4) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return isOpaque(data)
}
