// What the tests do in a page, in Firefox and WebKit: see engines.test.mjs. A plain script, loaded before all others.
/* global DragEvent, HTMLInputElement, WheelEvent */
const complaints = []
addEventListener('error', event => complaints.push(String(event.message)))
addEventListener('unhandledrejection', event => complaints.push(String(event.reason)))

const frame = () => new Promise(requestAnimationFrame)
const viewer = () => document.querySelector('b2nd-viewer')
const isBusy = element => element.getAttribute('aria-busy') === 'true'

/** Whether the viewer has drawn what is wanted, with what the file tells of its axes. */
function isShown({ name = '', index = [], view, isPart }) {
  const { session, stage } = viewer() ?? {}
  if (!session?.dataset.name.includes(name) || session.shown.length < session.dataset.shape.length) return false
  const { state } = session
  return (
    !isBusy(stage.element) &&
    !isBusy(stage.facts.element) &&
    index.every((position, axis) => state.index[axis] === position) &&
    (!view || stage.element.dataset.view === view) &&
    (isPart === undefined || isPart === Boolean(state.window))
  )
}

/** What becomes of `find` once it finds something. */
async function found(find, what) {
  for (const end = performance.now() + 60_000; performance.now() < end; await frame()) {
    const result = find()
    if (result) return result
  }
  throw new Error(`${what} is not there, but ${viewer()?.shadowRoot.textContent.slice(0, 1000)} ${complaints}`)
}

/** A button with a text in an element of the viewer, once it can be pressed. */
const button = (place, text) =>
  found(
    () =>
      [...viewer().shadowRoot.querySelectorAll(`${place} button`)].find(
        button => button.textContent === text && !button.disabled,
      ),
    `${text} in ${place}`,
  )

/** The next file that is downloaded. */
const downloaded = () =>
  new Promise(done => {
    const createObjectURL = URL.createObjectURL.bind(URL)
    URL.createObjectURL = blob => {
      URL.createObjectURL = createObjectURL
      done(blob)
      return createObjectURL(blob)
    }
  })

const bytesOf = ({ buffer, byteOffset, byteLength }) => [...new Uint8Array(buffer, byteOffset, byteLength)]

globalThis.hands = {
  /** Calls one of the others with JSON, and gives JSON. */
  async call(name, argument) {
    try {
      return JSON.stringify({ value: await this[name](JSON.parse(argument)) })
    } catch (error) {
      return JSON.stringify({ error: `${error} ${error.stack}` })
    }
  },

  complaints: () => complaints,

  /** Reads all golden files. Gives what is wrong, and the names of what a pool can do. */
  async golden({ entry, workers, cases }) {
    const library = await import(`/dist/${entry}.js`)
    const { createPool } = await import('/dist/pool.js')
    const { checkCase } = await import('/lib/check.mjs')
    const { open } = await import('/lib/sources.mjs')
    const pool = createPool({ size: 2 })
    const decoder = workers ? pool : undefined
    const wrong = []
    for (const golden of cases) {
      const complaint = await checkCase(library, golden, { source: golden => open(library, golden), decoder })
      if (complaint) wrong.push(`${golden.file}: ${complaint}`)
    }
    pool.close()
    return { wrong: wrong.slice(0, 20), methods: Object.getOwnPropertyNames(Object.getPrototypeOf(pool)) }
  },

  /**
   * Waits until the viewer shows what is wanted: a file by a part of its name, the first positions, a view, and whether only a
   * part of the plane. Gives the positions, and the width of the part.
   */
  async shown(wanted) {
    for (const end = performance.now() + 60_000; performance.now() < end; await frame()) {
      if (!isShown(wanted ?? {})) continue
      await frame()
      await frame()
      const { index, window } = viewer().session.state
      return { index, span: window && window[1] - window[0] }
    }
    const { session, shadowRoot } = viewer() ?? {}
    const state = JSON.stringify(session?.state)
    throw new Error(
      `not shown: ${JSON.stringify(wanted)}, but ${state} ${shadowRoot?.textContent.slice(0, 500)} ${complaints}`,
    )
  },

  /** Chooses a file, as in a browser that has no handles, or drops it. */
  async give({ url, how }) {
    await found(() => document.querySelector('#examples li'), 'the page that listens')
    const transfer = new DataTransfer()
    transfer.items.add(new File([await (await fetch(url)).arrayBuffer()], url.slice(url.lastIndexOf('/') + 1)))
    if (how === 'drop') {
      for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true })
        Object.defineProperty(event, 'dataTransfer', { value: transfer })
        document.body.dispatchEvent(event)
      }
      return
    }
    HTMLInputElement.prototype.click = function () {
      delete HTMLInputElement.prototype.click
      this.files = transfer.files
      this.dispatchEvent(new Event('change'))
    }
    document.querySelector('#file').click()
  },

  /** What the line of status tells of an item below the pointer, and the item. */
  async point([x, y]) {
    const { session, stage, shadowRoot } = viewer()
    const { picture } = stage.view
    const { left, top } = picture.canvas.getBoundingClientRect()
    const [right, down] = picture.fromItems(x + 0.5, y + 0.5)
    // WebKit has no fractions of pixels here.
    const place = { clientX: Math.round(left + right), clientY: Math.round(top + down), bubbles: true }
    picture.canvas.dispatchEvent(new PointerEvent('pointermove', place))
    const readout = shadowRoot.querySelector('.readout')
    const [at, text] = await found(() => /^(.*) = (.*[^…])$/.exec(readout.textContent)?.slice(1), 'a value')
    const item = await session.dataset.array.at(...JSON.parse(at))
    return { at: JSON.parse(at), text: Number(text), item: Number(item) }
  },

  /** Turns the wheel as far as a notch, counted in lines. */
  wheel(options) {
    const { canvas } = viewer().stage.view.picture
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const place = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -3, deltaMode: 1, ...options, ...place }))
  },

  /** Exports what is shown as CSV. Gives rows, columns, and whether the values are those of a plane. */
  async csv(plane) {
    const saved = downloaded()
    const csv = await button('.panel', 'CSV')
    csv.click()
    const { data } = await viewer().session.dataset.array.get([plane])
    const rows = (await (await saved).text())
      .trim()
      .split('\n')
      .map(line => line.split(',').map(text => Math.fround(Number(text))))
    return [rows.length, rows[0].length, rows.flat().every((value, k) => value === data[k])]
  },

  /** Saves what is shown as .b2nd. Gives shape, dtype, and whether the bytes of the items are those of a plane. */
  async save(plane) {
    // As in a browser without a picker.
    delete globalThis.showSaveFilePicker
    const open = await button('.panel', 'B2ND…')
    open.click()
    const save = await button('dialog.saving', 'Save…')
    const saved = downloaded()
    save.click()
    const { openArray } = await import('/dist/index.js')
    const array = await openArray(await saved)
    const [items, wanted] = [await array.get(), await viewer().session.dataset.array.get([plane])]
    const close = await button('dialog.saving', 'Close')
    close.click()
    return [array.shape, array.dtype, String(bytesOf(items.data)) === String(bytesOf(wanted.data))]
  },

  /** Gives shape and dtype of the open array, and whether its items are those of a file of NumPy. */
  async compare(url) {
    const { array } = viewer().session.dataset
    const { data, shape } = await array.get()
    const npy = new DataView(await (await fetch(url)).arrayBuffer())
    const items = npy.buffer.slice(10 + npy.getUint16(8, true))
    return [shape, array.dtype, String(bytesOf(data)) === String([...new Uint8Array(items)])]
  },

  /** Presses a button, once it is there. */
  async click([place, text]) {
    const one = await button(place, text)
    one.click()
  },

  /** The texts of the first row of a table, once it is there. */
  async row() {
    const records = await found(() => viewer().shadowRoot.querySelector('.records:not([aria-busy])'), 'a table')
    const texts = selector => [...records.querySelectorAll(selector)].map(({ textContent }) => textContent)
    return { heads: texts('thead button'), cells: texts('tbody tr:first-child td') }
  },

  view(view) {
    viewer().session.set({ view })
  },

  /** Its size, how many colours the picture has, and how many selects are cut off. */
  measure() {
    const { stage, shadowRoot, clientWidth, clientHeight } = viewer()
    const { canvas } = stage.view.picture
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
    const cut = [...shadowRoot.querySelectorAll('.looks select')].filter(
      select => select.clientWidth + 1 < select.scrollWidth,
    )
    return { size: [clientWidth, clientHeight], colours: new Set(new Uint32Array(pixels.buffer)).size, cut: cut.length }
  },
}
