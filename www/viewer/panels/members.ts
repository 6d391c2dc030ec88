// The tree of a store's members.
import { countBefore } from '../../js/base/numbers.js'
import { fill, h, plural } from '../dom.js'
import type { Members } from '../model/members.js'
import { addRules } from '../rules.js'
import { accountForm } from './account.js'
import { tree } from './tree.js'
import rules from './members.css'

addRules(rules)

/** Members that are listed at a time. */
const MAX_KEYS = 500
/** Groups below so many others are opened by the user only. */
const DEEPEST = 16

export class MembersPanel {
  readonly element: HTMLElement
  readonly #members: Members
  /** Sorted, so that those of a group are together. */
  readonly #keys: readonly string[]
  readonly #tables: ReadonlySet<string>
  readonly #choose: (key: string) => void
  readonly #list = h('div', { class: 'list' })
  readonly #note = h('p', { class: 'hint', role: 'status' })
  /** The text that is searched for. */
  #wanted = ''
  #current = ''

  /** `again` opens the store anew. */
  constructor(name: string, members: Members, choose: (key: string) => void, again: () => void) {
    this.#members = members
    this.#tables = new Set(members.tables?.())
    this.#keys = [...members.keys().filter(key => !this.#isPart(key)), ...this.#tables].sort()
    this.#choose = choose
    const search = h('input', {
      type: 'search',
      placeholder: 'Search keys',
      'aria-label': 'search keys',
      spellcheck: false,
      input: () => {
        this.#wanted = search.value.trim().toLowerCase()
        this.#draw()
      },
    })
    this.element = h(
      'nav',
      { class: 'members', 'aria-label': `members of ${name}` },
      h('p', {}, h('b', {}, name), ` ${members.kind}, ${plural(this.#keys.length, 'member')}`),
      members.account && accountForm(members.account, again),
      this.#keys.length > 8 && search,
      this.#note,
      this.#list,
    )
    this.#draw()
  }

  /** The key of the first member. */
  get first(): string | undefined {
    return this.#keys[0]
  }

  /** Marks the member that is shown, and opens its group. */
  set current(key: string) {
    this.#current = key
    const buttons = [...this.#list.querySelectorAll<HTMLElement>('[data-key]')]
    if (!this.#wanted && !buttons.some(button => button.dataset['key'] === key)) this.#draw()
    for (const button of buttons) this.#mark(button)
  }

  #mark(button: HTMLElement): void {
    if (button.dataset['key'] === this.#current) button.setAttribute('aria-current', 'true')
    else button.removeAttribute('aria-current')
  }

  #draw(): void {
    const text = this.#wanted
    if (!text) {
      this.#note.textContent = ''
      fill(this.#list, ...this.#group(''))
      return
    }
    const found = this.#keys.filter(key => key.toLowerCase().includes(text))
    const more = found.length - MAX_KEYS
    this.#note.textContent =
      plural(found.length, 'match').replace('matchs', 'matches') + (more > 0 ? `, ${MAX_KEYS} shown` : '')
    fill(this.#list, ...found.slice(0, MAX_KEYS).map(key => this.#leaf(key, key)))
  }

  /** Whether it is a part of a table, which is not a member of its own. */
  #isPart(key: string): boolean {
    for (let at = key.indexOf('/_'); at >= 0; at = key.indexOf('/_', at + 1))
      if (this.#tables.has(key.slice(0, at))) return true
    return false
  }

  /** The number of keys before a text. */
  #before(text: string): number {
    return countBefore(this.#keys.length, k => this.#keys[k]! >= text)
  }

  /** The names directly below a group: whether they are those of members, and of groups. A member may have the name of a group. */
  #names(path: string): Map<string, { isMember: boolean; isGroup: boolean }> {
    const names = new Map<string, { isMember: boolean; isGroup: boolean }>()
    const start = `${path}/`
    for (let at = this.#before(start); this.#keys[at]?.startsWith(start);) {
      const key = this.#keys[at]!
      const end = key.indexOf('/', start.length)
      const name = key.slice(start.length, end < 0 ? undefined : end)
      const found = names.get(name)
      names.set(name, { isMember: found?.isMember || end < 0, isGroup: found?.isGroup || end >= 0 })
      // A zero comes after a slash, and so after all that is in the group.
      at = end < 0 ? at + 1 : this.#before(`${start}${name}0`)
    }
    return names
  }

  /** The members and groups directly below a group, with its attributes. */
  #group(path: string): HTMLElement[] {
    const names = this.#names(path)
    const items = [...names]
      .slice(0, MAX_KEYS)
      .flatMap(([name, { isMember, isGroup }]) => [
        ...(isGroup ? [this.#branch(`${path}/${name}`, name)] : []),
        ...(isMember ? [this.#leaf(`${path}/${name}`, name)] : []),
      ])
    const rest = names.size - MAX_KEYS
    const note = rest > 0 ? [h('p', { class: 'hint' }, `… and ${rest} more: search for them`)] : []
    const whole = path === '' && this.#tables.has('') ? [this.#leaf('', 'the whole store')] : []
    return [this.#attributes(path), ...whole, ...items, ...note]
  }

  #branch(path: string, name: string): HTMLElement {
    const inside = h('div', { class: 'branch' })
    const isDeep = path.split('/').length > DEEPEST
    const open = !isDeep && (this.#keys.length <= MAX_KEYS || this.#current.startsWith(`${path}/`))
    const details = h('details', { open }, h('summary', {}, name), inside)
    const make = () => {
      if (details.open && !inside.hasChildNodes()) fill(inside, ...this.#group(path))
    }
    details.addEventListener('toggle', make)
    make()
    return details
  }

  #leaf(key: string, text: string): HTMLElement {
    const isTable = this.#tables.has(key)
    const click = () => this.#choose(key)
    const button = h(
      'button',
      { type: 'button', 'data-key': key, title: key || undefined, click },
      text,
      isTable && h('small', {}, ' table'),
    )
    this.#mark(button)
    return button
  }

  /** They appear when they were read. */
  #attributes(path: string): HTMLElement {
    const place = h('div', { class: 'attributes' })
    void this.#members.attrs(path).then(
      attributes => Object.keys(attributes).length && place.append(tree('attributes', attributes)),
      () => place.append(h('p', { class: 'hint' }, 'The attributes cannot be read.')),
    )
    return place
  }
}
