// Handling of the keyboard.
export interface Shortcut {
  keys: string[]
  text: string
  run: (event: KeyboardEvent) => void
}

/** Whether a key belongs to a field with the focus. */
export const typing = ([target]: EventTarget[]): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/** The shortcut of a key press; none while the user types. */
export function find(shortcuts: readonly Shortcut[], event: KeyboardEvent): Shortcut | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return undefined
  const path = event.composedPath()
  const target = path[0] as HTMLElement
  // A choice takes letters and digits, which are the starts of its options.
  const free =
    target instanceof HTMLSelectElement
      ? /^\W$/.test(event.key)
      : target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'range')
  if (typing(path) && !(free && event.key !== ' ' && !event.key.startsWith('Arrow'))) return undefined
  // Space presses the button that has the focus.
  if (event.key === ' ' && (target instanceof HTMLButtonElement || target.tagName === 'SUMMARY')) return undefined
  return shortcuts.find(({ keys }) => keys.includes(event.key))
}
