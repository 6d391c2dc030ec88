// The views by name. The picture views are bundled, because most files start with one. The others are loaded on demand.

import type { Session } from '../model/session.js'
import type { ViewName } from '../model/state.js'
import { Heatmap } from './heatmap.js'
import type { View } from './view.js'

type Make = (session: Session) => View

const made = new Map<ViewName, Make>([['heatmap', session => new Heatmap(session)]])

const LATER: Partial<Record<ViewName, () => Promise<Make>>> = {
  rgb: async () => {
    const { Colours } = await import('./colours.js')
    return session => new Colours(session)
  },
  composite: async () => {
    const { Composite } = await import('./composite.js')
    return session => new Composite(session)
  },
  planes: async () => {
    const { Planes } = await import('./planes.js')
    return session => new Planes(session)
  },
  line: async () => {
    const { LineView } = await import('./line.js')
    return session => new LineView(session)
  },
  table: async () => {
    const { Table } = await import('./table.js')
    return session => new Table(session)
  },
  text: async () => {
    const { TextView } = await import('./text.js')
    return session => new TextView(session)
  },
}

/** The constructor of a view; returned synchronously if it was loaded before. */
export function viewNamed(name: ViewName): Make | Promise<Make> {
  return (
    made.get(name) ??
    LATER[name]!().then(make => {
      made.set(name, make)
      return make
    })
  )
}
