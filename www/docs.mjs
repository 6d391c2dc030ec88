// Generates API.md from the type declarations in dist/ and their comments: `node docs.mjs`.

import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'

export const FILE = join(import.meta.dirname, 'API.md')
const DIST = join(import.meta.dirname, 'dist')
/** Entries and their descriptions. `b2nd/external` has the API of `b2nd`, and `b2nd/worker` exports nothing. */
const ENTRIES = [
  ['b2nd', 'index', 'Opens and reads arrays, and decodes chunks. `b2nd/external` has the same exports.'],
  ['b2nd/node', 'node', 'Opens files in Node.js, Deno and Bun.'],
  ['b2nd/store', 'store', 'Opens the members of stores.'],
  ['b2nd/expression', 'expression', 'Expressions of arrays, and lazy arrays of python-blosc2.'],
  ['b2nd/indexing', 'indexing', 'Lists of positions, masks, points, and views of arrays.'],
  ['b2nd/write', 'write', 'Creates and changes arrays and stores, and encodes chunks.'],
  ['b2nd/pool', 'pool', 'Decodes and encodes in workers, which run `b2nd/worker`.'],
  ['b2nd/codecs', 'codecs', 'The Blosc codec of Zarr.'],
  ['b2nd/zarr', 'zarr', 'Codecs, slices and stores for zarrita.'],
  ['b2nd/hdf5', 'hdf5', 'The Blosc filters of HDF5.'],
]
const HEAD = `# API of \`b2nd\`

Generated from the types by \`npm run docs\`. Calls that read reject with a [\`B2ndError\`](#b2nderror), or with the reason of an
aborted signal. Sizes and offsets are in bytes unless stated otherwise. Shapes and positions are in items, in C order.
`

/** The reference in Markdown, and the names of undocumented exports. */
export function reference() {
  const config = join(tmpdir(), `b2nd-docs-${process.pid}.json`)
  const files = ENTRIES.map(([, file]) => join(DIST, `${file}.d.ts`))
  const lib = ['es2023', 'esnext.disposable', 'esnext.float16', 'dom']
  const compilerOptions = { target: 'es2022', module: 'nodenext', lib, types: [], noEmit: true }
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  const api = new API({ cwd: import.meta.dirname })
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
    return new Reference(project).write()
  } finally {
    api.close()
    rmSync(config)
  }
}

class Reference {
  #project
  /** The link target of each documented name. */
  #told = new Map()
  undocumented = []

  constructor(project) {
    this.#project = project
  }

  write() {
    const entries = ENTRIES.map(([name, file, about]) => ({ name, about, exports: this.#exports(file) }))
    const parts = entries.flatMap(({ name, about, exports }) => {
      // Functions come before types.
      const own = exports.filter(symbol => !this.#told.has(symbol.name)).sort((a, b) => rank(a) - rank(b))
      const others = exports.filter(symbol => this.#told.has(symbol.name))
      for (const { name } of own) this.#told.set(name, `#${anchorOf(name, this.#told)}`)
      const also = others.length ? [`Also exports ${others.map(({ name }) => `\`${name}\``).join(', ')}.`] : []
      return [`## \`${name}\``, about, ...also, ...own.flatMap(symbol => this.#tell(symbol))]
    })
    const text = [HEAD.trimEnd(), ...parts].join('\n\n')
    return { text: `${this.#linked(text)}\n`, undocumented: this.undocumented }
  }

  #exports(file) {
    const { checker, program } = this.#project
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(DIST, `${file}.d.ts`)))
    const symbols = checker.getExportsOfModule(module).filter(({ name }) => name !== 'default')
    return symbols.map(symbol => (symbol.flags & ALIAS ? checker.getAliasedSymbol(symbol) : symbol))
  }

  #tell(symbol) {
    const declarations = this.#declarations(symbol)
    const members = /^(export )?(declare )?(class|interface) /.test(text(declarations[0])) ? this.#members(symbol) : []
    const shown = declarations.map(node => (members.length ? title(node) : oneLine(node)))
    return [
      `### \`${symbol.name}\``,
      `\`\`\`ts\n${shown.join('\n')}\n\`\`\``,
      this.#about(symbol, symbol.name),
      ...(members.length ? [members.join('\n')] : []),
    ]
  }

  /** The members of a class or interface in their order, and those inherited within this package behind them. */
  #members(symbol) {
    const { checker } = this.#project
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    const [own] = this.#declarations(symbol)
    const place = ({ nodes: [node] }) => [node.parent === own ? 0 : 1, node.pos]
    const all = checker
      .getPropertiesOfType(type)
      .map(member => ({ member, nodes: this.#declarations(member).filter(isPublic) }))
    const shown = all.filter(({ nodes }) => nodes.length > 0)
    // The checker tells them in any order.
    shown.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1])
    return shown.map(({ member, nodes }) => {
      const about = this.#about(member, `${symbol.name}.${member.name}`)
      return `- ${nodes.map(node => `\`${oneLine(node)}\``).join(', ')}: ${about.replaceAll('\n', '\n  ')}`
    })
  }

  #declarations(symbol) {
    const nodes = (symbol.declarations ?? []).map(handle => handle.resolve(this.#project))
    return nodes.filter(node => node && node.getSourceFile().fileName.startsWith(DIST))
  }

  #about(symbol, name) {
    const about = this.#project.checker.getDocumentationCommentOfSymbol(symbol).trim()
    if (!about) this.undocumented.push(name)
    return about || '(undocumented)'
  }

  /** Turns documented names into links, outside of headings and code. */
  #linked(markdown) {
    const lines = markdown.split(/^(```[^]*?^```|#.*|- `.*?`:)/m)
    return lines
      .map((part, k) =>
        k % 2
          ? part
          : part.replace(/(?<!\[)`(\w+)`/g, (code, name) => {
              const place = this.#told.get(name)
              return place ? `[${code}](${place})` : code
            }),
      )
      .join('')
  }
}

const isPublic = node => !/^(protected|private)|^#/.test(text(node)) && !node.getFullText().includes('@internal')

/** The anchor of a heading on GitHub, which numbers headings that differ only in case. */
function anchorOf(name, told) {
  const same = [...told.keys()].filter(other => other.toLowerCase() === name.toLowerCase()).length
  return name.toLowerCase() + (same ? `-${same}` : '')
}

/** Functions and classes come before types. */
const rank = ({ flags }) => (flags & (FUNCTION | CLASS | VARIABLE) ? 0 : 1)
/** TypeScript's `SymbolFlags`. */
const [VARIABLE, FUNCTION, CLASS, ALIAS] = [3, 16, 32, 2 ** 21]

const text = node => node.getText().replace(/^export (declare )?/, '')
/** A declaration without its members. */
const title = node =>
  oneLine(node, text(node).replace(/\{[^]*$/, ''))
    .replace(INHERITED, '')
    .trim()
/** Base classes other than `Error`: inherited members are listed. */
const INHERITED = /(?<=^(class|interface) \w+(<.*?>)?) extends (?!Error).*/
const oneLine = (node, code = text(node)) =>
  code
    .replace(/\/\*\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/;( \})|;$/g, '$1')

if (process.argv[1] === import.meta.filename) {
  const { text, undocumented } = reference()
  writeFileSync(FILE, text)
  console.log(undocumented.length ? `undocumented: ${undocumented.join(', ')}` : 'all exports are documented')
}
