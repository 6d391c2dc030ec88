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
  const numpy = made.some(line => line.includes('np.'))
  return [...(numpy ? [lines[0]!, 'import numpy as np'] : lines.slice(0, 1)), ...lines.slice(1), ...made].join('\n')
}

const placeOf = ({ url, name }: Dataset): string => JSON.stringify(url ?? name)

/** The variable name of the array, or of both arrays of a difference. */
const namesOf = ({ parts }: Dataset): string[] => (parts.length > 1 ? ['first', 'second'] : ['array'])

function javascript(dataset: Dataset, cuts: readonly Cut[]): string[] {
  const { url, parts, array } = dataset
  const names = namesOf(dataset)
  const open = url ? 'open' : 'openFile'
  const imported = [url && 'open', cuts.some(cut => typeof cut !== 'number') && 'slice'].filter(Boolean).join(', ')
  const axes = cuts.map(cut =>
    typeof cut === 'number' ? String(cut) : `slice(${cut.start}, ${cut.stop}${cut.step > 1 ? `, ${cut.step}` : ''})`,
  )
  const read = (name: string) => `await ${name}.${array ? 'get' : 'select'}([${axes.join(', ')}])`
  return [
    ...(imported ? [`import { ${imported} } from 'b2nd'`] : []),
    ...(url ? [] : [`import { openFile } from 'b2nd/node'`]),
    '',
    ...parts.map((part, k) => `const ${names[k]} = await ${open}(${placeOf(part)})`),
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

function python(dataset: Dataset, cuts: readonly Cut[]): string[] {
  const selection = cuts.length ? numpy(cuts) : '()'
  const names = namesOf(dataset)
  const reads = names.map(name => `${name}[${selection}]`)
  return [
    'import blosc2',
    '',
    ...dataset.parts.map(
      (part, k) => `${names[k]} = blosc2.open(${placeOf(part)}, mode="r")${part.url ? '  # blosc2 4.11 or later' : ''}`,
    ),
    `data = ${reads.length > 1 ? reads.map(read => `${read}.astype("f8")`).join(' - ') : reads[0]}`,
  ]
}

function rust(dataset: Dataset, cuts: readonly Cut[]): string[] {
  const names = dataset.parts.length > 1 ? ['first', 'second'] : ['reader']
  return [
    ...dataset.parts.flatMap((part, k) =>
      part.url
        ? [
            `// Rust leaves the network to you: ${placeOf(part)}, downloaded.`,
            `let ${names[k]} = b2nd::open(${JSON.stringify(part.url.split('/').at(-1))})?;`,
          ]
        : [`let ${names[k]} = b2nd::open(${placeOf(part)})?;`],
    ),
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
