// Helpers for DOM elements.

type Child = Node | string | number | null | undefined | false
type Props = Record<string, unknown>

/** Creates an element. Functions become listeners, `class` and names with a dash become attributes, all others properties. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false || value === null) continue
    if (typeof value === 'function') element.addEventListener(name, value as EventListener)
    else if (name in element && !name.includes('-') && name !== 'role') (element as unknown as Props)[name] = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  fill(element, ...children)
  return element
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter(child => child !== null && child !== undefined && child !== false).map(String_),
  )
}

const String_ = (child: Child): Node | string => (typeof child === 'number' ? String(child) : (child as Node | string))

/** A labelled choice among a few. */
export function choice<T extends string>(
  label: string,
  options: Record<T, string>,
  value: T,
  change: (value: T) => void,
  hint?: string,
): HTMLElement {
  const select = h(
    'select',
    { title: hint, 'aria-label': label, change: () => change(select.value as T) },
    ...Object.entries(options).map(([key, text]) =>
      h('option', { value: key, selected: key === value }, text as string),
    ),
  )
  return h('label', { class: 'field' }, h('span', {}, label), select)
}

/** A labelled checkbox. */
export function toggle(label: string, value: boolean, change: (value: boolean) => void): HTMLElement {
  const box = h('input', { type: 'checkbox', checked: value, change: () => change(box.checked) })
  return h('label', { class: 'toggle' }, box, h('span', {}, label))
}

/** A number field. */
export function typed(label: string, value: number, change: (value: number) => void, width = 7): HTMLInputElement {
  const input = h('input', {
    type: 'text',
    inputMode: 'decimal',
    value: String(value),
    size: width,
    'aria-label': label,
    change: () => {
      const number = Number(input.value)
      if (input.value.trim() && Number.isFinite(number)) change(number)
      else input.value = String(value)
    },
  })
  return input
}

export function button(label: string, click: () => void, props: Props = {}): HTMLButtonElement {
  return h('button', { type: 'button', click, ...props }, label)
}

/** Lets the browser save a file. */
export function saveAs(blob: Blob, name: string): void {
  const link = h('a', { href: URL.createObjectURL(blob), download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Formats a number of bytes. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  let unit = 0
  for (; count >= 999.5 && unit < units.length - 1; unit++) count /= 1000
  return `${unit && count < 10 ? count.toFixed(1) : Math.round(count)} ${units[unit]}`
}

export const plural = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** Sets a text if it differs, because setting it causes a layout. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Returns a function that schedules `work` for the next frame, at most once per frame. */
export function atFrame(work: () => void): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(() => {
      waiting = false
      work()
    })
  }
}

/** Throttles `work`: runs it at once, at intervals during repeated calls, and once more at the end. */
export function nowAndThen(work: () => void, pause = 150): () => void {
  let last = -Infinity
  let waiting = false
  const run = () => {
    last = performance.now()
    waiting = false
    work()
  }
  return () => {
    if (waiting) return
    const rest = last + pause - performance.now()
    if (rest <= 0) return run()
    waiting = true
    setTimeout(run, rest)
  }
}

/** Adjusts a canvas to the resolution of the screen. Returns its size in CSS pixels. */
export function fit(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } {
  const ratio = globalThis.devicePixelRatio || 1
  const { clientWidth: width, clientHeight: height } = canvas
  const [w, h] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))]
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h })
  const context = canvas.getContext('2d')!
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  return { context, width, height }
}

export interface Inks {
  ink: string
  faint: string
  line: string
  accent: string
  ground: string
}

let known = new WeakMap<Element, Inks>()

/** The colours of the style sheet, for canvases. They are cached, because reading styles is slow during changes. */
export function inks(element: Element): Inks {
  const there = known.get(element)
  if (there) return there
  const style = getComputedStyle(element)
  const get = (name: string) => style.getPropertyValue(name).trim() || '#888'
  const made = {
    ink: get('--ink'),
    faint: get('--faint'),
    line: get('--line'),
    accent: get('--accent'),
    ground: get('--ground'),
  }
  if (element.isConnected) known.set(element, made)
  return made
}

/** Calls back when the colours change between dark and light. Returns a function that stops that. */
export function onScheme(use: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const change = () => {
    known = new WeakMap()
    use()
  }
  dark.addEventListener('change', change)
  return () => dark.removeEventListener('change', change)
}
