// The viewer as a widget of notebooks, through anywidget: the kernel reads ranges of a file, or the browser those of a URL.
import '../viewer/element.js'
import type { B2ndViewer } from '../viewer/element.js'
import { HostReader, type Answer } from '../viewer/open/reader.js'

/** The parts that this uses of anywidget's model. */
interface Model {
  get(name: string): unknown
  set(name: string, value: unknown): void
  save_changes(): void
  send(content: unknown): void
  on(name: string, use: (...args: never[]) => void): void
  off(name: string, use: (...args: never[]) => void): void
}

/** A file of the kernel, or a URL. */
interface File {
  name: string
  url: string
  size: number
  /** The number by which the kernel knows it. */
  number: number
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const viewer = document.createElement('b2nd-viewer') as B2ndViewer
  const reader = new HostReader(request => model.send(request))
  const answered = (answer: Answer, [bytes]: DataView<ArrayBuffer>[]) =>
    reader.answer(answer, bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const resize = () => (viewer.style.blockSize = `${String(model.get('height'))}px`)
  const follow = () => {
    if (model.get('state') !== viewer.state) viewer.state = String(model.get('state'))
  }
  const open = () => {
    const sources = (model.get('_files') as File[]).map(({ name, url, size, number }) =>
      url ? { name, openable: url, url } : { name, openable: reader.source(number, size), remote: true },
    )
    const [image, labels] = sources
    void viewer.open({ ...image!, ...(labels && { labels }) }, String(model.get('state')))
  }
  const tell = (name: string, value: unknown) => {
    model.set(name, value)
    model.save_changes()
  }
  const on = (name: string, use: (detail: never) => void) =>
    viewer.addEventListener(name, event => use((event as CustomEvent<never>).detail))
  on('b2nd-state', (state: string) => tell('state', state))
  on('b2nd-shown', ({ cuts }: { cuts: readonly (number | { start: number; stop: number })[] }) =>
    tell(
      '_shown',
      cuts.map(cut => (typeof cut === 'number' ? cut : [cut.start, cut.stop])),
    ),
  )
  on('b2nd-select', (picked: { index?: readonly number[] }) => picked.index && tell('_picked', picked.index))
  model.on('msg:custom', answered)
  model.on('change:height', resize)
  model.on('change:state', follow)
  model.on('change:_files', open)
  resize()
  el.append(viewer)
  open()
  return () => {
    model.off('change:height', resize)
    model.off('change:state', follow)
    model.off('change:_files', open)
    viewer.close()
    model.off('msg:custom', answered)
  }
}

export default { render }
