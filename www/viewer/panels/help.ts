// The list of keyboard shortcuts, and of mouse and touch gestures.
import { button, h } from '../dom.js'
import type { Shortcut } from '../keys.js'
import { addRules } from '../rules.js'
import rules from './help.css'
import './dialog.js'

addRules(rules)

const SIGNS: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', ' ': 'space' }

export function help(shortcuts: readonly Shortcut[]): HTMLDialogElement {
  const rows = shortcuts.map(({ keys, text }) =>
    h('div', {}, h('dt', {}, ...keys.map(key => h('kbd', {}, SIGNS[key] ?? key))), h('dd', {}, text)),
  )
  const mouse: [string, string][] = [
    ['wheel', 'zoom'],
    ['shift + wheel', 'step through the planes, as Alt + wheel and the wheel on a slider do'],
    ['drag', 'pan'],
    ['ctrl + drag', 'zoom into a box'],
    ['shift + drag', 'values along a line'],
    ['click', 'set the cursor'],
    ['double click', 'fit'],
    ['two fingers', 'zoom; one pans'],
  ]
  const dialog: HTMLDialogElement = h(
    'dialog',
    { class: 'help', 'aria-label': 'keys' },
    h(
      'header',
      {},
      h('h2', {}, 'Keys'),
      button('×', () => dialog.close(), { 'aria-label': 'close', class: 'quiet' }),
    ),
    h('dl', { class: 'keys' }, ...rows),
    h('h2', {}, 'Mouse and fingers'),
    h(
      'dl',
      { class: 'keys' },
      ...mouse.map(([what, text]) => h('div', {}, h('dt', {}, h('kbd', {}, what)), h('dd', {}, text))),
    ),
  )
  dialog.addEventListener('click', event => event.target === dialog && dialog.close())
  return dialog
}
