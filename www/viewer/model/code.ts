// Code that reads the visible slice.
import { composite, projection, type Recipe } from './code-recipe.js'
import type { Cut } from './cuts.js'
import type { Dataset } from './dataset.js'
import type { State } from './state.js'

export type Language = 'JavaScript' | 'Python' | 'Rust'

/** `recipe` is the view's computation on the slice; the Python code includes it. */
export function code(
  language: Language,
  dataset: Dataset,
  cuts: readonly Cut[],
  recipe: Recipe,
  state: Pick<State, 'x' | 'y' | 'part'>,
): string {
  const lines = { JavaScript: javascript, Python: python, Rust: rust }[language](dataset, cuts)
  if (language !== 'Python') return [...lines, ...remarks(recipe)].join('\n')
  const made = [...projection(dataset, cuts, recipe, state), ...composite(dataset, cuts, recipe, state)]
  const imports = made.some(line => line.includes('np.')) ? [BLOSC2, 'import numpy as np'] : [BLOSC2]
  return [...lines.flatMap(line => (line === BLOSC2 ? imports : line)), ...made].join('\n')
}

const BLOSC2 = 'import blosc2'

/** Where the file of an array is: its URL, or a name on this machine. What was converted has to be saved before. */
const fileOf = ({ url, name, member, imported }: Dataset): string =>
  imported ? `${name.replace(/\.\w+$/, '')}.b2nd` : (url ?? member?.store ?? name)
const isAway = ({ url, imported }: Dataset): boolean => url !== undefined && !imported
/** The key of an array within its file, for any language; null if the file is the array. */
const keyOf = ({ member, imported }: Dataset): string | null =>
  member && !imported ? JSON.stringify(member.key) : null

/** The variable name of the array, or of both arrays of a difference. */
const namesOf = ({ parts }: Dataset): string[] => (parts.length > 1 ? ['first', 'second'] : ['array'])

/** The function of the package that opens a file, and its entry. */
function openerOf(part: Dataset): readonly [entry: string, name: string] {
  const isStore = keyOf(part) !== null
  if (!isAway(part)) return ['b2nd/node', isStore ? 'openStoreFile' : 'openFile']
  return isStore ? ['b2nd/store', 'openStore'] : ['b2nd', 'open']
}

function javascript(dataset: Dataset, cuts: readonly Cut[]): string[] {
  const { parts, array } = dataset
  const names = namesOf(dataset)
  const imported = new Map<string, Set<string>>()
  const use = ([from, what]: readonly [entry: string, name: string]) => {
    imported.set(from, (imported.get(from) ?? new Set()).add(what))
    return what
  }
  const axes = cuts.map(cut =>
    typeof cut === 'number' ? String(cut) : `slice(${cut.start}, ${cut.stop}${cut.step > 1 ? `, ${cut.step}` : ''})`,
  )
  const opened = parts.map((part, k) => {
    const file = `await ${use(openerOf(part))}(${JSON.stringify(fileOf(part))})`
    const key = keyOf(part)
    return `const ${names[k]} = ${key ? `await (${file}).get(${key})` : file}`
  })
  if (cuts.some(cut => typeof cut !== 'number')) use(['b2nd', 'slice'])
  const read = (name: string) => `await ${name}.${array ? 'get' : 'select'}([${axes.join(', ')}])`
  return [
    ...Array.from(imported, ([from, names]) => `import { ${[...names].join(', ')} } from '${from}'`),
    '',
    ...opened,
    ...(parts.length > 1
      ? [
          `const { data: a, shape } = ${read('first')}`,
          `const { data: b } = ${read('second')}`,
          'const data = Float64Array.from(a, (value, k) => Number(value) - Number(b[k]))',
        ]
      : [`const ${array ? '{ data, shape }' : 'bytes'} = ${read('array')}`]),
  ]
}

/** NumPy's notation, which the other languages also accept. */
const numpy = (cuts: readonly Cut[]): string =>
  cuts
    .map(cut =>
      typeof cut === 'number' ? String(cut) : `${cut.start}:${cut.stop}${cut.step > 1 ? `:${cut.step}` : ''}`,
    )
    .join(', ')

/** Without the extra `fsspec` the reference opens no URL. */
const LOADED = '# urlretrieve loads the whole file; with blosc2[fsspec], blosc2.open takes the URL and reads parts.'

function python(dataset: Dataset, cuts: readonly Cut[]): string[] {
  const selection = cuts.length ? numpy(cuts) : '()'
  const names = namesOf(dataset)
  const reads = names.map(name => `${name}[${selection}]`)
  const { parts } = dataset
  const isLoaded = (part: Dataset) => isAway(part) && !isFolder(part)
  const opened = parts.map((part, k) => {
    const file = JSON.stringify(isLoaded(part) ? fileOf(part) : localOf(part))
    const key = keyOf(part)
    return `${names[k]} = blosc2.open(${isLoaded(part) ? `urlretrieve(${file})[0]` : file}, mode="r")${key ? `[${key}]` : ''}`
  })
  return [
    ...(parts.some(isLoaded) ? ['from urllib.request import urlretrieve', ''] : []),
    BLOSC2,
    '',
    ...(parts.some(isLoaded) ? [LOADED] : []),
    ...opened,
    `data = ${reads.length > 1 ? reads.map(read => `${read}.astype("f8")`).join(' - ') : reads[0]}`,
  ]
}

const isFolder = (part: Dataset): boolean => fileOf(part).endsWith('/')

/** The name of a file that was downloaded. */
const localOf = (part: Dataset): string =>
  isAway(part) ? fileOf(part).replace(/\/$/, '').split('/').at(-1)! : fileOf(part)

function rust(dataset: Dataset, cuts: readonly Cut[]): string[] {
  const names = dataset.parts.length > 1 ? ['first', 'second'] : ['reader']
  return [
    ...dataset.parts.flatMap((part, k) => {
      const [file, key] = [JSON.stringify(localOf(part)), keyOf(part)]
      return [
        ...(isAway(part) ? [`// Rust leaves the network to you: ${JSON.stringify(fileOf(part))}, downloaded.`] : []),
        `let ${names[k]} = ${key ? `b2nd::store::open(${file})?.get(${key})?` : `b2nd::open(${file})?`};`,
      ]
    }),
    `let selection: b2nd::Selection = "${cuts.length ? numpy(cuts) : '...'}".parse()?;`,
    ...(names.length > 1
      ? [
          'let (a, b) = (first.get(&selection)?, second.get(&selection)?);',
          '// What is shown are the items of `a` less those of `b`.',
        ]
      : ['let bytes = reader.get(&selection)?;']),
  ]
}

/** A comment on what the view shows, if the code does not compute it. */
function remarks({ projection, composite }: Recipe): string[] {
  return [
    ...(projection ? [`// The picture shows the ${projection.how} over axis ${projection.axis} of these items.`] : []),
    ...(composite ? [`// The channels of the picture lie along axis ${composite.axis}.`] : []),
  ]
}
