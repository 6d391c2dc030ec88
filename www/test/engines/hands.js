// What the tests do in a page, in Firefox and WebKit: see engines.test.mjs. A plain script, loaded before all others.
/* global DragEvent, HTMLInputElement, WheelEvent */
const complaints = []
addEventListener('error', event => complaints.push(String(event.message)))
addEventListener('unhandledrejection', event => complaints.push(String(event.reason)))

const frame = () => new Promise(requestAnimationFrame)
const viewer = () => document.querySelector('b2nd-viewer')

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

  /** Waits until the viewer shows a file. */
  async shown(name) {
    name ??= ''
    for (const end = performance.now() + 20_000; performance.now() < end; await frame()) {
      const { session, stage } = viewer() ?? {}
      const there = session?.dataset.name.includes(name) && session.shown.length >= session.dataset.shape.length
      if (!there || stage.element.getAttribute('aria-busy') === 'true') continue
      await frame()
      return frame()
    }
    throw new Error(`${name} is not shown, but ${viewer()?.shadowRoot.textContent.slice(0, 500)} ${complaints}`)
  },

  /** Chooses a file, as in a browser that has no handles, or drops it. */
  async give({ name, how }) {
    const transfer = new DataTransfer()
    transfer.items.add(new File([await (await fetch(`/files/${name}`)).arrayBuffer()], name))
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
    const place = { clientX: left + right, clientY: top + down, bubbles: true }
    picture.canvas.dispatchEvent(new PointerEvent('pointermove', place))
    await frame()
    const [at, text] = shadowRoot.querySelector('.readout').textContent.split(' = ')
    const item = await session.dataset.array.at(...JSON.parse(at))
    return { at: JSON.parse(at), text: Number(text), item: Number(item) }
  },

  /** Turns the wheel as far as a notch, counted in lines. Gives the width of what is seen, and the position. */
  async wheel(options) {
    const { session, stage } = viewer()
    const { canvas } = stage.view.picture
    const { left, top, width, height } = canvas.getBoundingClientRect()
    const place = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }
    canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -3, deltaMode: 1, ...options, ...place }))
    await this.shown()
    const { window, index } = session.state
    return [window && window[1] - window[0], index[0]]
  },

  /** Exports what is shown as CSV. Gives rows, columns, and whether the values are those of a plane. */
  async csv(plane) {
    const createObjectURL = URL.createObjectURL.bind(URL)
    const saved = new Promise(done => {
      URL.createObjectURL = blob => {
        done(blob.text())
        return createObjectURL(blob)
      }
    })
    const button = () =>
      [...viewer().shadowRoot.querySelectorAll('.panel button')].find(({ textContent }) => textContent === 'CSV')
    while (!button()) await frame()
    button().click()
    const { data } = await viewer().session.dataset.array.get([plane])
    const rows = (await saved)
      .trim()
      .split('\n')
      .map(line => line.split(',').map(text => Math.fround(Number(text))))
    return [rows.length, rows[0].length, rows.flat().every((value, k) => value === data[k])]
  },

  view(view) {
    viewer().session.set({ view })
    return this.shown()
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
