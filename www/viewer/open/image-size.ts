// The size of an image that the browser would decode, by its header.

type Size = [width: number, height: number]

/** The largest size that a JPEG, GIF, WebP or AVIF claims; null if it is another file or damaged. */
export function sizeIn(bytes: Uint8Array): Size | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const sign = String.fromCharCode(...bytes.subarray(0, 16))
  try {
    if (sign.startsWith('\xff\xd8')) return inJpeg(view)
    if (sign.startsWith('GIF8')) return [view.getUint16(6, true), view.getUint16(8, true)]
    if (/^RIFF[^]{4}WEBP/.test(sign)) return inWebp(view, sign.slice(12))
    return /^[^]{4}ftypavif/.test(sign) ? inAvif(bytes, view) : null
  } catch {
    // It ends early.
    return null
  }
}

const larger = (a: Size | null, b: Size): Size => (a && a[0] * a[1] >= b[0] * b[1] ? a : b)

/** The frames before the first pixels. */
function inJpeg(view: DataView): Size | null {
  let size: Size | null = null
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1)
    if (marker === 0xda) break
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    // Each component takes as much as the image: none has more than four.
    if (isFrame && view.getUint8(at + 9) > 4) return [Infinity, Infinity]
    if (isFrame) size = larger(size, [view.getUint16(at + 7), view.getUint16(at + 5)])
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at++
    else if ((marker >= 0xd0 && marker <= 0xd8) || marker === 1) at += 2
    else at += 2 + view.getUint16(at + 2)
  }
  return size
}

function inWebp(view: DataView, kind: string): Size | null {
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 2 ** 16
  if (kind === 'VP8X') return [1 + three(24), 1 + three(27)]
  if (kind === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  const bits = view.getUint32(21, true)
  return kind === 'VP8L' ? [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)] : null
}

/** The images of which it is made, and the whole. */
function inAvif(bytes: Uint8Array, view: DataView): Size | null {
  let size: Size | null = null
  for (let at = bytes.indexOf(0x69); at >= 0 && at + 16 <= bytes.length; at = bytes.indexOf(0x69, at + 1))
    if (view.getUint32(at) === 0x69737065) size = larger(size, [view.getUint32(at + 8), view.getUint32(at + 12)])
  return size
}
