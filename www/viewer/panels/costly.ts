// The notice of a view that takes long to read, or of a sample, with the choice to read it.
import { bytes, button, h, plural } from '../dom.js'
import { percent } from '../model/plane.js'
import type { Events } from '../model/session.js'

export function costlyNotice({ cost, accept, sample, more }: NonNullable<Events['costly']>): HTMLElement {
  const all = `${bytes(cost.bytes)} in ${cost.exact ? '' : 'about '}${plural(cost.requests, 'request')}`
  return h(
    'div',
    { class: sample ? 'costly sample' : 'costly', role: sample ? 'status' : 'alert' },
    h(
      'p',
      {},
      sample
        ? `A sample of ${percent(sample.share)} of the blocks, ${bytes(sample.bytes)}; all of it: ${all}.`
        : `This view reads ${all} for ${bytes(cost.decodedBytes)} of values: ${plural(cost.blocks, 'block')} of ${plural(cost.chunks, 'chunk')}.`,
    ),
    h(
      'div',
      { class: 'buttons' },
      sample && button('Sharper', more, { class: 'primary' }),
      button(sample ? 'Read all' : 'Read it', accept, { class: sample ? '' : 'primary' }),
    ),
  )
}
