// What the keyboard does, and the dialogue that lists it.
import { button, h } from '../dom.js'

export interface Shortcut {
  keys: string[]
  text: string
  run: (event: KeyboardEvent) => void
}

const SIGNS: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', ' ': 'space' }

/** The shortcut that a key press means; none while somebody types. */
export function find(shortcuts: readonly Shortcut[], event: KeyboardEvent): Shortcut | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined
  const target = event.composedPath()[0] as HTMLElement
  const typing = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement
  const box = target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'range')
  if (typing && !(box && event.key !== ' ' && !event.key.startsWith('Arrow'))) return undefined
  // Space presses the button that has the focus.
  if (event.key === ' ' && (target instanceof HTMLButtonElement || target.tagName === 'SUMMARY')) return undefined
  return shortcuts.find(({ keys }) => keys.includes(event.key))
}

export function help(shortcuts: readonly Shortcut[]): HTMLDialogElement {
  const rows = shortcuts.map(({ keys, text }) =>
    h('div', {}, h('dt', {}, ...keys.map(key => h('kbd', {}, SIGNS[key] ?? key))), h('dd', {}, text)))
  const mouse: [string, string][] = [
    ['wheel', 'zoom'], ['shift + wheel', 'step through the planes, as Alt + wheel and the wheel on a slider do'],
    ['drag', 'pan'], ['ctrl + drag', 'zoom into a box'], ['shift + drag', 'values along a line'],
    ['click', 'set the cursor'], ['double click', 'fit'], ['two fingers', 'zoom; one pans'],
  ]
  const dialog: HTMLDialogElement = h('dialog', { class: 'help', 'aria-label': 'keys' },
    h('header', {}, h('h2', {}, 'Keys'), button('×', () => dialog.close(), { 'aria-label': 'close', class: 'quiet' })),
    h('dl', { class: 'keys' }, ...rows), h('h2', {}, 'Mouse and fingers'),
    h('dl', { class: 'keys' }, ...mouse.map(([what, text]) => h('div', {}, h('dt', {}, h('kbd', {}, what)), h('dd', {}, text)))))
  dialog.addEventListener('click', event => event.target === dialog && dialog.close())
  return dialog
}
