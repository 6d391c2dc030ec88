// Finds and opens the segmentation of an image: one that the link names, one that was chosen, or one beside the image.
import { B2ndError, isB2ndError } from '../../js/index.js'
import { Dataset, type Source } from '../model/dataset.js'
import { Labels } from '../model/labels.js'
import { openMember, type Members } from '../model/members.js'
import type { Session } from '../model/session.js'
import { workers } from '../model/workers.js'
import { segmentationOf } from '../open/segmentation.js'
import { Overlay } from './overlay.js'

/** Where an image is. */
export interface Around {
  source?: Source | undefined
  store?: { members: Members; key: string } | undefined
  /** The size of the cache of decoded slices in bytes. */
  budget: number
  /** Aborts when the image is closed. */
  signal: AbortSignal
  /** Opens a file, also in another format. */
  open(source: Source, signal: AbortSignal): Promise<Dataset>
}

/** Whether an image has the form of nnU-Net's: (c, z, y, x), each channel in blocks of its own. Then a file beside it is looked for. */
const isCase = ({ shape, blocks, type }: Dataset): boolean =>
  shape.length === 4 && shape[0]! <= 16 && blocks?.[0] === 1 && type.kind === 'float'

export class Labelling {
  readonly session: Session
  readonly #around: Around
  #opening = new AbortController()

  constructor(session: Session, around: Around) {
    this.session = session
    this.#around = around
    session.on('state', changed => {
      if (changed.includes('over')) void this.#follow()
    })
    void this.#follow()
  }

  get overlay(): Overlay | null {
    return this.session.overlay as Overlay | null
  }

  /** The keys of other members of the store. */
  get members(): string[] {
    const { store } = this.#around
    return store ? store.members.keys().filter(key => key !== store.key) : []
  }

  /** Shows the labels in a file. Fails if it is no segmentation of the image. */
  async choose(source: Source): Promise<void> {
    await this.#show(signal => this.#around.open(source, signal))
  }

  /** Shows the labels that the state names, or those beside the image. */
  async #follow(): Promise<void> {
    const { over } = this.session.state
    const open = over === 'none' ? null : over ? this.#named(over) : this.#beside()
    if (!open) {
      this.#remove()
      return
    }
    try {
      await this.#show(open)
    } catch (error) {
      // Nobody has asked for what is not there.
      if (over || !isB2ndError(error, 'http', 'network', 'argument', 'source')) this.session.emit('error', error)
    }
  }

  #remove(): void {
    this.#opening.abort()
    if (this.session.overlay) this.session.cover(null)
  }

  #named(over: string): Open {
    const { source, store } = this.#around
    if (store && over.startsWith('/')) return this.#member(over)
    return this.#file(new URL(over, source?.url ?? document.baseURI).href)
  }

  #beside(): Open | null {
    const { source, store } = this.#around
    if (store) {
      const key = segmentationOf(store.key)
      return store.members.keys().includes(key) ? this.#member(key) : null
    }
    const { labels, url } = source ?? {}
    if (labels) return signal => this.#around.open(labels, signal)
    return url && isCase(this.session.dataset) ? this.#file(segmentationOf(url)) : null
  }

  #file(url: string): Open {
    const name = url.slice(url.lastIndexOf('/') + 1)
    return signal => this.#around.open({ name, openable: url, url }, signal)
  }

  #member(key: string): Open {
    const { members } = this.#around.store!
    return async signal => {
      const member = await openMember(members, key, {}, { signal, decoder: workers })
      if (member instanceof Dataset) return member
      await member.close()
      throw new B2ndError('argument', `${key} is not an array`)
    }
  }

  async #show(open: Open): Promise<void> {
    this.#remove()
    const signal = AbortSignal.any([(this.#opening = new AbortController()).signal, this.#around.signal])
    const { session } = this
    let dataset: Dataset | undefined
    try {
      dataset = await open(signal)
      const labels = new Labels(session.dataset, dataset, await dataset.opened.attrs({ signal }))
      signal.throwIfAborted()
      session.cover(new Overlay(session, labels, this.#around.budget / 4))
    } catch (error) {
      await dataset?.close()
      if (signal.aborted) return
      throw error
    }
  }
}

type Open = (signal: AbortSignal) => Promise<Dataset>
