// Images that the browser decodes.
import { sizeIn } from './image-size.js'
import { checkGrowth, checkSize, unsupported, wrong, type Values } from './values.js'

export type Samples = Uint8Array | Uint16Array

/** Rows, columns and, for colours, channels. */
export function image(data: Samples, height: number, width: number, channels: number): Values {
  const shape = channels === 1 ? [height, width] : [height, width, channels]
  return { dtype: data instanceof Uint16Array ? '<u2' : '|u1', shape, items: data }
}

/** JPEG, GIF, WebP and others, with 8 bits. Of an animation, the first image. */
export async function readPicture(file: Blob): Promise<Values> {
  // The browser takes memory for what the header claims.
  const claimed = sizeIn(new Uint8Array(await file.arrayBuffer()))
  if (claimed) checkPicture(...claimed, file.size)
  const options = { colorSpaceConversion: 'none', premultiplyAlpha: 'none', imageOrientation: 'none' } as const
  const bitmap = await createImageBitmap(file, options as ImageBitmapOptions).catch((cause: unknown) => {
    throw wrong('the browser cannot decode the image', cause)
  })
  const { width, height } = bitmap
  checkPicture(width, height, file.size)
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

/** The image, its canvas and its pixels are in memory at once. */
function checkPicture(width: number, height: number, stored: number): void {
  checkSize(8 * width * height, `an image of ${width} × ${height} pixels`)
  checkGrowth(8 * width * height, stored, `an image of ${width} × ${height} pixels`)
}

function isOpaque(data: Uint8ClampedArray): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

function isGrey(data: Uint8ClampedArray): boolean {
  for (let at = 0; at < data.length; at += 4) if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  return isOpaque(data)
}
