// ImageJ's description of a TIFF: the axes of a hyperstack, and the sizes of its pixels.

export interface Hyperstack {
  /** The lengths that replace the pages: of time, depth and channels, as far as they have more than one position. */
  lengths: number[]
  attrs: Record<string, unknown>
}

/**
 * The hyperstack in a description; null if there is none, or if it has another number of pages. `across` and `down` are pixels in
 * a unit of length.
 */
export function hyperstack(description: string, pages: number, across: number, down: number): Hyperstack | null {
  if (!description.startsWith('ImageJ=')) return null
  const values = new Map(
    description.split(/[\n\0]/).map(line => [line.split('=')[0]!, line.slice(line.indexOf('=') + 1)]),
  )
  const count = (name: string) => Math.max(1, Math.floor(Number(values.get(name) ?? 1)) || 1)
  const [frames, channels] = [count('frames'), count('channels')]
  const slices = values.has('slices') ? count('slices') : Math.max(1, Math.floor(pages / frames / channels))
  if (frames * slices * channels !== pages) return null
  const unit = unitIn(values.get('unit'))
  const size = (pixels: number) => (unit && pixels > 0 ? 1 / pixels : 1)
  const interval = Number(values.get('finterval')) || 1
  const axes = [
    { name: 't', length: frames, unit: values.has('finterval') ? 's' : '', step: interval },
    { name: 'z', length: slices, unit, step: Math.abs(Number(values.get('spacing'))) || 1 },
    { name: 'c', length: channels, unit: '', step: 1 },
  ].filter(({ length }) => length > 1)
  const plane = [
    { name: 'y', unit, step: size(down) },
    { name: 'x', unit, step: size(across) },
  ]
  const all = [...axes, ...plane]
  return {
    lengths: axes.map(({ length }) => length),
    attrs: {
      dims: all.map(({ name }) => name),
      ...((unit || interval !== 1) && { units: all.map(({ unit }) => unit), voxel: all.map(({ step }) => step) }),
    },
  }
}

/** ImageJ escapes characters beyond ASCII. */
function unitIn(text = ''): string {
  const unit = text.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  return ['pixel', 'inch', ''].includes(unit) ? '' : unit
}
