// Two arrays side by side with linked views, and their difference.

import type { B2ndViewer } from '../element.js'
import type { State } from '../model/state.js'
import type { Found } from './dropped.js'

/** The parts of the state that all three share. */
const LINKED: (keyof State)[] = [
  'view',
  'x',
  'y',
  'z',
  'index',
  'window',
  'equal',
  'flip',
  'smooth',
  'overview',
  'project',
]
/** The parts of the state that only the two arrays share. The difference has separate colours. */
const ALIKE: (keyof State)[] = ['map', 'scale', 'range', 'min', 'max', 'channels']

export class Comparison {
  readonly #first: B2ndViewer
  readonly #others: B2ndViewer[]
  #linking = false
  #closed = false

  constructor(first: B2ndViewer) {
    this.#first = first
    this.#others = ['second array', 'difference'].map(label => {
      const viewer = document.createElement('b2nd-viewer') as B2ndViewer
      viewer.setAttribute('aria-label', label)
      viewer.link = first.link
      return viewer
    })
  }

  /** Shows another array next to the current one, and their difference. */
  async show(other: Found): Promise<void> {
    const [second, difference] = this.#others as [B2ndViewer, B2ndViewer]
    this.#first.parentElement!.classList.add('comparing')
    this.#first.after(second, difference)
    await second.open(other, this.#first.state)
    if (this.#closed) return
    await difference.subtract(this.#first, second, 'map=blue-red')
    const all = [this.#first, second, difference]
    for (const viewer of all) {
      viewer.session?.on('state', changed => this.#follow(viewer, all, changed))
    }
    // They start with the state of the first one.
    this.#follow(this.#first, all, LINKED)
  }

  close(): void {
    this.#closed = true
    this.#first.parentElement!.classList.remove('comparing')
    for (const viewer of this.#others) viewer.remove()
  }

  /** Applies changes in one viewer to the others. */
  #follow(from: B2ndViewer, all: readonly B2ndViewer[], changed: readonly (keyof State)[]): void {
    if (this.#linking || this.#closed || !from.session) return
    this.#linking = true
    const { state } = from.session
    for (const [k, to] of all.entries()) {
      const { session } = to
      if (to === from || !session || session.dataset.shape.length !== state.index.length) continue
      const names = [...LINKED, ...(k < 2 && from !== all[2] ? ALIKE : [])].filter(name => changed.includes(name))
      const patch: Partial<State> = Object.fromEntries(names.map(name => [name, state[name]]))
      if (patch.index)
        patch.index = patch.index.map((position, axis) =>
          Math.max(0, Math.min(position, session.dataset.shape[axis]! - 1)),
        )
      session.set(patch)
    }
    this.#linking = false
  }
}
