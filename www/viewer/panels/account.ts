// Signing in at a server, and out.
import { isB2ndError } from '../../js/index.js'
import { button, h } from '../dom.js'
import type { Account } from '../model/members.js'

/** The form, or the button of whoever is signed in. `again` opens the server anew. */
export function accountForm({ isSignedIn, signIn, signOut }: Account, again: () => void): HTMLElement {
  const note = h('p', { class: 'hint', role: 'status' })
  const work = async (ask: () => Promise<void>) => {
    try {
      await ask()
      again()
    } catch (error) {
      const isRefused = isB2ndError(error, 'http') && error.status === 400
      note.textContent = isRefused ? 'The server knows no such name and password.' : (error as Error).message
    }
  }
  if (isSignedIn)
    return h(
      'div',
      { class: 'account' },
      button('Sign out', () => void work(signOut)),
      note,
    )
  const input = (type: string, label: string, autocomplete: string) =>
    h('input', { type, placeholder: label, 'aria-label': label, autocomplete, required: true })
  const name = input('text', 'user name', 'username')
  const password = input('password', 'password', 'current-password')
  const submit = (event: Event) => {
    event.preventDefault()
    void work(() => signIn(name.value, password.value))
  }
  return h('form', { class: 'account', submit }, name, password, h('button', {}, 'Sign in'), note)
}
