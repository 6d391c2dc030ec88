// The look of a composite: each channel has its colour and its range.
import { yieldThen } from '../../js/base/yielding.js'
import { channelsAlong, type Channel } from './channels.js'
import type { LookOf, Plane } from './looks.js'
import { strideOf } from './plane.js'
import { prepareSummary, sampleIn, spanOf, type Box } from './range.js'
import type { Range } from './scale.js'
import type { Session } from './session.js'

export const compositeLook: LookOf = {
  whole: ({ z }) => z,
  async prepare(session, plane, signal) {
    for (const [k, channel] of channelsIn(session).entries()) {
      if (channel.hidden) continue
      await prepareSummary(plane.slab, session.state.part, channelBox(session, plane, k), signal)
      await yieldThen(() => limitsOf(session, plane, channel, k))
    }
  },
  of(session, plane) {
    const channels = channelsIn(session).map((channel, k) => ({
      ...channel,
      limits: channel.hidden ? (channel.fixed ?? { min: 0, max: 1 }) : limitsOf(session, plane, channel, k),
      values: () => sampleIn(session, plane.slab, channelBox(session, plane, k)),
    }))
    return { limits: { min: 0, max: 1 }, values: () => [], channels }
  },
}

/** The channels of a composite. */
export const channelsIn = ({ dataset, state: { z, channels } }: Session): Channel[] =>
  channelsAlong(dataset, z!, channels)

/** The part of a channel within the window. */
export function channelBox({ state }: Session, { slab, layout, box }: Plane, k: number): Box {
  return { ...box, layout: { ...layout, from: k * strideOf(slab.piece, state.z!) } }
}

/** The range of a channel: the chosen one, minus the dataset's `offset`, or that of its values. */
function limitsOf(session: Session, plane: Plane, { fixed }: Channel, k: number): Range {
  const offset = Number(session.dataset.offset)
  return fixed
    ? { min: fixed.min - offset, max: fixed.max - offset }
    : spanOf(session, plane.slab, channelBox(session, plane, k), `channel ${k}`)
}
