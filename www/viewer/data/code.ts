// The lines that read the very slice that is shown.
import type { Cut, Dataset } from './dataset.js'

export type Language = 'JavaScript' | 'Python' | 'Rust'

export function code(language: Language, dataset: Dataset, cuts: readonly Cut[]): string {
  const place = dataset.url ?? dataset.name
  const quoted = JSON.stringify(place)
  return { JavaScript: javascript, Python: python, Rust: rust }[language](dataset, cuts, quoted)
}

function javascript({ url, array }: Dataset, cuts: readonly Cut[], place: string): string {
  const opening = url
    ? [`import { open, slice } from 'b2nd'`, '', `const array = await open(${place})`]
    : [
        `import { slice } from 'b2nd'`,
        `import { openFile } from 'b2nd/node'`,
        '',
        `const array = await openFile(${place})`,
      ]
  const axes = cuts.map(cut =>
    typeof cut === 'number' ? String(cut) : `slice(${cut.start}, ${cut.stop}${cut.step > 1 ? `, ${cut.step}` : ''})`,
  )
  const reading = array
    ? `const { data, shape } = await array.get([${axes.join(', ')}])`
    : `const bytes = await array.select([${axes.join(', ')}])`
  const lines = cuts.some(cut => typeof cut !== 'number')
    ? opening
    : opening.map(line => line.replace('open, slice', 'open').replace(`import { slice } from 'b2nd'`, ''))
  return [...lines.filter((line, k) => line || k), reading].join('\n')
}

/** NumPy's notation, which the others understand, too. */
const numpy = (cuts: readonly Cut[]): string =>
  cuts
    .map(cut =>
      typeof cut === 'number' ? String(cut) : `${cut.start}:${cut.stop}${cut.step > 1 ? `:${cut.step}` : ''}`,
    )
    .join(', ')

function python({ url }: Dataset, cuts: readonly Cut[], place: string): string {
  const selection = cuts.length ? numpy(cuts) : '()'
  if (!url)
    return ['import blosc2', '', `array = blosc2.open(${place}, mode="r")`, `data = array[${selection}]`].join('\n')
  return [
    'import blosc2',
    '',
    `array = blosc2.open(${place}, mode="r")  # blosc2 4.11 or later`,
    `data = array[${selection}]`,
  ].join('\n')
}

function rust({ url }: Dataset, cuts: readonly Cut[], place: string): string {
  const open = url
    ? [
        `// Rust leaves the network to you: ${place}, downloaded.`,
        `let reader = b2nd::open(${JSON.stringify(url.split('/').at(-1))})?;`,
      ]
    : [`let reader = b2nd::open(${place})?;`]
  return [
    ...open,
    `let selection: b2nd::Selection = "${cuts.length ? numpy(cuts) : '...'}".parse()?;`,
    'let bytes = reader.get(&selection)?;',
  ].join('\n')
}
