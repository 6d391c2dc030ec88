// Which rows are shown: a text that they contain, and conditions on their columns.
import { button, fill, h } from '../dom.js'
import { TESTS, type Condition, type Test } from '../model/conditions.js'
import type { Selection } from '../model/row-queries.js'
import type { RowColumn } from '../model/rows.js'

/** Milliseconds after the last key until a search begins. */
const REST = 250

export class RecordSearch {
  readonly element: HTMLElement
  readonly #columns: readonly RowColumn[]
  readonly #select: (part: Partial<Selection>) => void
  readonly #list = h('ul', { class: 'conditions', 'aria-label': 'conditions' })
  #conditions: Condition[] = []
  #timer = 0

  constructor(columns: readonly RowColumn[], select: (part: Partial<Selection>) => void) {
    this.#columns = columns
    this.#select = select
    const search = h('input', {
      type: 'search',
      placeholder: 'Search all rows',
      'aria-label': 'search all rows',
      spellcheck: false,
      input: () => {
        clearTimeout(this.#timer)
        this.#timer = window.setTimeout(() => select({ search: search.value }), REST)
      },
    })
    const add = button('Add condition', () => this.#add(), { title: 'only rows whose cells meet it' })
    this.element = h('div', { class: 'search', role: 'group', 'aria-label': 'which rows' }, search, this.#list, add)
  }

  #add(): void {
    this.#conditions = [...this.#conditions, { column: 0, test: '=', value: '' }]
    this.#draw()
    this.#list.querySelector<HTMLElement>('li:last-child select')?.focus()
  }

  #draw(): void {
    fill(this.#list, ...this.#conditions.map((condition, k) => this.#row(condition, k)))
  }

  /** Applies a changed condition. One without a value is still being typed. */
  #change(k: number, patch: Partial<Condition>): void {
    this.#conditions = this.#conditions.with(k, { ...this.#conditions[k]!, ...patch })
    this.#apply()
  }

  #apply(): void {
    this.#select({ conditions: this.#conditions.filter(({ test, value }) => value !== '' || needsNoValue(test)) })
  }

  #row({ column, test, value }: Condition, k: number): HTMLElement {
    const options = (texts: readonly string[], chosen: number) =>
      texts.map((text, at) => h('option', { value: String(at), selected: at === chosen }, text))
    const names = h(
      'select',
      { 'aria-label': 'column', change: () => this.#change(k, { column: Number(names.value) }) },
      ...options(
        this.#columns.map(({ name }) => name),
        column,
      ),
    )
    const tests = h(
      'select',
      {
        'aria-label': 'comparison',
        change: () => {
          const next = TESTS[Number(tests.value)]!
          typed.hidden = needsNoValue(next)
          this.#change(k, { test: next })
        },
      },
      ...options(TESTS, TESTS.indexOf(test)),
    )
    const typed = h('input', {
      type: 'text',
      value,
      size: 12,
      'aria-label': 'value',
      hidden: needsNoValue(test),
      change: () => this.#change(k, { value: typed.value }),
    })
    const remove = () => {
      this.#conditions = this.#conditions.toSpliced(k, 1)
      this.#draw()
      this.#apply()
    }
    return h(
      'li',
      {},
      names,
      tests,
      typed,
      button('×', remove, { 'aria-label': 'remove the condition', class: 'quiet' }),
    )
  }
}

const needsNoValue = (test: Test): boolean => test === 'is null' || test === 'is not null'
