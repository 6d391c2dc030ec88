// The properties of a file, and the places for what is read later.
import { product } from '../../js/base/numbers.js'
import { bytes, h, plural } from '../dom.js'
import type { Dataset } from '../model/dataset.js'
import { dtypeName } from '../model/dtype-names.js'
import { addRules } from '../rules.js'
import rules from './facts.css'

addRules(rules)

/** Parts that are filled when they were read. */
export interface Later {
  attrs: HTMLElement
  chunks: HTMLElement
  layers: HTMLElement
}

export function factsOf(dataset: Dataset, { attrs, chunks, layers }: Later): HTMLElement[] {
  const title = h('h2', {}, dataset.name)
  const computed = dataset.facts()
  if (computed) return [title, list(computed)]
  return [
    title,
    ...properties(dataset),
    section('Attributes', attrs, dataset.opened.info.hasAttrs),
    section('Chunks', chunks, true),
    section('Metalayers', layers, false),
  ]
}

/** The main properties, and the others, which can be expanded. */
function properties({ shape, chunks, blocks, array, guessed, type, url, opened: { info } }: Dataset): HTMLElement[] {
  const tuple = (list: readonly number[] | null) =>
    list ? `(${list.join(', ')}${list.length === 1 ? ',' : ''})` : 'differ from chunk to chunk'
  const codec = info.codec.name ?? `unknown codec ${info.codec.id}`
  const kind = info.kind === 'array' ? 'array' : info.kind === 'schunk' ? 'super-chunk' : 'chunk'
  const summary: Row[] = [
    ['shape', array ? tuple(shape) : `${shape[0]} of ${plural(info.typesize, 'byte')}`],
    [
      'dtype',
      dtypeName(array?.dtype ?? '') ||
        (guessed
          ? `not in the file; shown as ${type.kind === 'void' ? 'bytes' : type.kind + type.size * 8}`
          : 'unknown'),
    ],
    [
      'size',
      `${bytes(info.nbytes)} in ${bytes(info.cbytes)}, ${Number.isFinite(info.ratio) ? `${info.ratio.toFixed(2)} : 1` : 'nothing is stored'}`,
    ],
    ['codec', `${codec}, level ${info.clevel}`],
  ]
  const rest: Row[] = [
    ['kind', `${kind}${info.sparse ? ', sparse: a file for each chunk' : ''}`],
    ['items', array ? product(shape).toLocaleString('en') : false],
    ['chunks', tuple(chunks)],
    ['blocks', array ? tuple(blocks) : bytes(info.blocksize)],
    [
      'filters',
      info.filters
        .map(({ name, id, meta }) => `${name ?? `unknown filter ${id}`}${meta ? ` (${meta})` : ''}`)
        .join(', ') || 'none',
    ],
    ['frame', info.version ? `version ${info.version}` : false],
    ['from', url ?? 'this device; nothing is uploaded'],
  ]
  return [list(summary), h('details', { class: 'more' }, h('summary', {}, 'More'), list(rest))]
}

type Row = [name: string, value: string | false]

const list = (rows: Row[]) =>
  h('dl', {}, ...rows.flatMap(([name, value]) => (value === false ? [] : [h('dt', {}, name), h('dd', {}, value)])))

function section(title: string, content: HTMLElement, open: boolean): HTMLElement {
  return h('details', { class: 'section', open }, h('summary', {}, title), content)
}
