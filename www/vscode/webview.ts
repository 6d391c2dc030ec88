// The page of the editor: a viewer of a file that the extension reads.
import '../viewer/element.js'
import type { B2ndViewer } from '../viewer/element.js'
import { HostReader } from '../viewer/open/reader.js'
import type { FromExtension, FromPage } from './messages.js'

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void
  getState(): { state: string } | undefined
  setState(state: { state: string }): void
}

const editor = acquireVsCodeApi()
const reader = new HostReader(request => editor.postMessage({ kind: 'read', ...request }))
const viewer = document.createElement('b2nd-viewer') as B2ndViewer

viewer.addEventListener('b2nd-state', event => editor.setState({ state: (event as CustomEvent<string>).detail }))
addEventListener('message', ({ data }: MessageEvent<FromExtension>) => {
  if (data.kind === 'answer') {
    reader.answer(data, data.bytes)
    return
  }
  const [image, labels] = data.files.map(({ name, size }, k) => ({
    name,
    openable: reader.source(data.first + k, size),
    remote: true,
  }))
  // What was seen when the editor was hidden or the window closed.
  void viewer.open({ ...image!, ...(labels && { labels }) }, editor.getState()?.state ?? '')
})

document.body.append(viewer)
viewer.focus()
editor.postMessage({ kind: 'ready' })
