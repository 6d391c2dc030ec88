// The page around the viewer: open files, tabs, and ways to open.
import './element.js'
import { h, fill } from './dom.js'
import { nameOf, type B2ndViewer } from './element.js'
import { segmentationOf } from './open/segmentation.js'
import { chosen, dropped, fromHandle, type Found } from './page/dropped.js'
import { EXAMPLES } from './page/examples.js'
import { friendly } from './page/friendly.js'
import type { Recent } from './page/recent.js'
import type * as Thumbnails from './page/thumbnails.js'

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!
const viewer = find<B2ndViewer>('b2nd-viewer')
const [welcome, tabs, address, message] = [
  find('#welcome'),
  find('#tabs'),
  find<HTMLInputElement>('#url'),
  find('#message'),
]

/** The list of what was opened before is needed on the first page, and after a file is open. */
const recents = () => import('./page/recent.js')

interface Tab extends Found {
  state: string
}
const open: Tab[] = []
let current: Tab | undefined

/** Opens the files, and shows the first. */
function add(found: readonly Found[], state = ''): void {
  const labelsOf = ({ name }: Found) => found.find(other => other.name === segmentationOf(name))
  // A segmentation is shown over its image.
  const fresh = found.map(file => ({ ...file, state, ...(labelsOf(file) && { labels: labelsOf(file)! }) }))
  open.push(...fresh)
  for (const { name, url, handle } of found)
    if (url || handle)
      recents().then(
        ({ remember }) => remember({ name: url ?? name, ...(url && { url }), ...(handle && { handle }) }),
        () => {},
      )
  if (fresh[0]) show(fresh[0])
}

/** Opens files that are still being searched for. */
const addAll = (found: Promise<Found[]>): Promise<void> => found.then(found => add(found), say)

/** Reports an error before opening. */
function say(error: unknown): void {
  message.textContent = error instanceof Error ? error.message : String(error)
  message.hidden = false
}

/** The visible comparison. */
let comparison: { close(): void } | undefined

/** Shows another open file next to the current one. */
async function compare(other: Tab): Promise<void> {
  comparison?.close()
  const { Comparison } = await import('./page/compare.js')
  const comparing = new Comparison(viewer)
  comparison = comparing
  await comparing.show(other)
}

/** A selection of the other open files. */
function comparing(): HTMLElement | false {
  const others = open.filter(tab => tab !== current)
  if (!current || !others.length) return false
  const select = h(
    'select',
    {
      'aria-label': 'compare with',
      change: () => {
        const other = others[Number(select.value)]
        if (select.value === '') comparison?.close()
        else if (other) void compare(other)
      },
    },
    h('option', { value: '' }, 'Compare with …'),
    ...others.map(({ name }, k) => h('option', { value: String(k) }, name)),
  )
  return select
}

function show(tab: Tab | undefined): void {
  comparison?.close()
  comparison = undefined
  // The viewer reports recent changes later.
  if (current && open.includes(current)) current.state = viewer.state
  current = tab
  message.hidden = true
  viewer.hidden = !tab
  welcome.hidden = tab !== undefined
  document.title = tab ? `${tab.name} – b2nd viewer` : 'b2nd viewer'
  address.value = tab?.url ?? ''
  tabs.hidden = !open.length
  fill(
    tabs,
    ...open.map(tab =>
      h(
        'span',
        { class: tab === current ? 'current' : 'other' },
        h(
          'button',
          { type: 'button', 'aria-current': tab === current ? 'page' : undefined, click: () => show(tab) },
          tab.name,
        ),
        h('button', { type: 'button', 'aria-label': `close ${tab.name}`, click: () => remove(tab) }, '×'),
      ),
    ),
    comparing(),
  )
  setLink()
  if (tab) {
    void viewer.open(tab, tab.state)
    // Moves the focus from the button to the opened file.
    viewer.focus({ preventScroll: true })
  } else {
    viewer.close()
    void offerAgain()
  }
}

function remove(tab: Tab): void {
  open.splice(open.indexOf(tab), 1)
  if (tab === current) show(open[0])
  else show(current)
}

/** The URL contains the state: the open file and the view. */
function setLink(): void {
  const params = new URLSearchParams(current?.url ? { url: short(current.url) } : {})
  for (const [key, value] of new URLSearchParams(current?.state)) params.set(key, value)
  const hash = params.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',')
  history.replaceState(null, '', `${location.pathname}${hash && `#${hash}`}`)
}

/** Files in the directory of the page get relative addresses. */
const short = (url: string): string =>
  url.startsWith(new URL('.', location.href).href) ? url.slice(new URL('.', location.href).href.length) : url

function openUrl(text: string, state = ''): void {
  const url = addressOf(text)
  if (!url) return
  const there = open.find(tab => tab.url === url)
  if (there && !state) return show(there)
  add([{ name: nameOf(url), openable: url, url }], state)
}

/** Parses an address. Reports an invalid one. */
function addressOf(text: string): string | null {
  const wanted = friendly(text)
  try {
    return new URL(wanted, document.baseURI).href
  } catch {
    say(`“${wanted}” is not an address.`)
    return null
  }
}

viewer.link = () => location.href
viewer.addEventListener('b2nd-state', event => {
  if (!current) return
  current.state = (event as CustomEvent<string>).detail
  setLink()
})

/** Handles a link to this page. */
function follow(): void {
  const params = new URLSearchParams(location.hash.slice(1))
  const url = params.get('url') ?? new URLSearchParams(location.search).get('url')
  params.delete('url')
  // The user went back to the state before anything was opened.
  if (!url) return current?.url ? show(undefined) : undefined
  if (current && current.url === addressOf(url)) viewer.state = params.toString()
  else openUrl(url, params.toString())
}
addEventListener('hashchange', follow)

find<HTMLFormElement>('#address').addEventListener('submit', event => {
  event.preventDefault()
  if (address.value.trim()) openUrl(address.value)
})
find('#home').addEventListener('click', event => {
  event.preventDefault()
  show(undefined)
})

/** Files that the browser offers first. */
const ACCEPTED = {
  'application/octet-stream': ['.b2nd', '.b2frame', '.blosc2', '.b2z', '.caterva', '.npy', '.npz'],
  'text/csv': ['.csv', '.tsv'],
  'image/*': ['.png', '.tif', '.tiff', '.jpg', '.jpeg', '.gif', '.webp', '.avif'],
}

/** Requests handles if the browser supports them, because they can be stored. */
async function choose(folder: boolean): Promise<void> {
  const picker = globalThis as {
    showOpenFilePicker?(o: object): Promise<FileSystemHandle[]>
    showDirectoryPicker?(): Promise<FileSystemHandle>
  }
  try {
    if (folder && picker.showDirectoryPicker) {
      await addAll(fromHandle(await picker.showDirectoryPicker()))
      return
    }
    if (!folder && picker.showOpenFilePicker) {
      await addHandles(
        await picker.showOpenFilePicker({
          multiple: true,
          types: [{ description: 'Arrays, tables and images', accept: ACCEPTED }],
        }),
      )
      return
    }
  } catch (error) {
    if ((error as Error).name === 'AbortError') return
  }
  const accept = Object.values(ACCEPTED).flat().join()
  const input = h('input', { type: 'file', multiple: true, webkitdirectory: folder, ...(!folder && { accept }) })
  input.addEventListener('change', () => void addAll(chosen([...input.files!])))
  input.click()
}
const addHandles = (handles: FileSystemHandle[]) =>
  addAll(Promise.all(handles.map(fromHandle)).then(found => found.flat()))
find('#drop').addEventListener('click', () => void choose(false))
find('#file').addEventListener('click', () => void choose(false))
find('#folder').addEventListener('click', () => void choose(true))

const here = find('#drophere')
addEventListener('dragover', event => {
  event.preventDefault()
  here.hidden = false
})
addEventListener('dragleave', event => (here.hidden = event.relatedTarget === null))
addEventListener('drop', event => {
  event.preventDefault()
  here.hidden = true
  if (event.dataTransfer) void addAll(dropped(event.dataTransfer))
})
addEventListener('keydown', event => {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.composedPath()[0] instanceof HTMLInputElement
  )
    return
  // The viewer handles all keys that no other control uses.
  if (event.target === document.body && !viewer.hidden) viewer.stage?.key(event)
  if (event.defaultPrevented) return
  if (event.key === 'o') void choose(false)
  else if (event.key === 'u') {
    event.preventDefault()
    address.select()
  }
})

/** Thumbnails to draw, one after the other, when they become visible. */
const thumbnails: ((drawing: typeof Thumbnails) => void)[] = []
fill(
  find('#examples'),
  ...EXAMPLES.map(([file, title, text]) => {
    const picture = h('canvas', { width: 256, height: 144, 'aria-hidden': 'true' })
    thumbnails.push(({ thumbnail }) => thumbnail(picture, file.replace('.b2nd', '')))
    return h('li', {}, h('a', { href: `#url=examples/${file}` }, picture, h('b', {}, title), h('small', {}, text)))
  }),
)

function drawThumbnails(drawing: typeof Thumbnails): void {
  thumbnails.shift()?.(drawing)
  if (thumbnails.length) setTimeout(() => drawThumbnails(drawing))
}

async function offerAgain(): Promise<void> {
  if (thumbnails.length) void import('./page/thumbnails.js').then(drawThumbnails)
  const { forget, recent } = await recents()
  const entries = await recent()
  find('#again').hidden = !entries.length
  fill(
    find('#again .list'),
    ...entries.map(entry =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', click: () => void reopen(entry) },
          entry.url ? entry.name : `${entry.name} (this device)`,
        ),
        h(
          'button',
          {
            type: 'button',
            'aria-label': `forget ${entry.name}`,
            click: () => void forget(entry.name).then(offerAgain),
          },
          '×',
        ),
      ),
    ),
  )
}

async function reopen({ url, handle }: Recent): Promise<void> {
  if (url) openUrl(url)
  else if (handle && (await (await recents()).allowed(handle))) await addAll(fromHandle(handle))
}

// Files that the system opens with the installed app.
const launch = (
  globalThis as { launchQueue?: { setConsumer(use: (params: { files: FileSystemHandle[] }) => void): void } }
).launchQueue
launch?.setConsumer(({ files }) => void (files.length && addHandles(files)))

const offline = () => (find('#offline').hidden = navigator.onLine)
addEventListener('online', offline)
addEventListener('offline', offline)
offline()
if ('serviceWorker' in navigator && location.protocol !== 'file:')
  void navigator.serviceWorker.register('sw.js').catch(() => {})

follow()
if (!current) void offerAgain()
