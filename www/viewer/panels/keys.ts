// What the keyboard does.
export interface Shortcut {
  keys: string[]
  text: string
  run: (event: KeyboardEvent) => void
}

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
