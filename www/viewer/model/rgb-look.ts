// The look of colours that are stored: their values, or all values between the limits.
import type { LookOf, Plane } from './looks.js'
import { prepareSummary, rangeOf, sampleIn, type Box } from './range.js'
import type { Session } from './session.js'

/** Bytes are colours without conversion. */
const areColours = ({ dataset: { type }, state: { range } }: Session): boolean =>
  type.kind === 'uint' && type.size === 1 && range === 'auto'

export const rgbLook: LookOf = {
  whole: ({ z }) => z,
  async prepare(session, plane, signal) {
    if (!areColours(session)) await prepareSummary(plane.slab, session.state.part, everythingIn(plane), signal)
  },
  of(session, plane) {
    const box = everythingIn(plane)
    return {
      limits: areColours(session) ? { min: 0, max: 255 } : rangeOf(session, plane.slab, box),
      values: () => sampleIn(session, plane.slab, box),
    }
  },
}

/** All numbers, regardless of their axes, in as many rows as the picture has. */
function everythingIn({ numbers, layout: { height } }: Plane): Box {
  const width = numbers.length / height
  return { layout: { width, height, right: 1, down: width }, columns: [0, width], rows: [0, height], window: null }
}
