// The reference of the package, of the types in dist/ and what is said of them: `node docs.mjs` writes API.md.

import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'

export const FILE = join(import.meta.dirname, 'API.md')
const DIST = join(import.meta.dirname, 'dist')
/** Entries, and what to say of each. `b2nd/external` is `b2nd` once more, and `b2nd/worker` exports nothing. */
const ENTRIES = [
  ['b2nd', 'index', 'Opening, reading, and chunks on their own. `b2nd/external` has the same.'],
  ['b2nd/node', 'node', 'Files of Node.js, Deno and Bun.'],
  ['b2nd/pool', 'pool', 'Decoding in workers. `b2nd/worker` is what they run.'],
  ['b2nd/codecs', 'codecs', 'Chunks as a codec of Zarr.'],
  ['b2nd/zarr', 'zarr', 'The codec, for zarrita.'],
  ['b2nd/hdf5', 'hdf5', 'Chunks as filters of HDF5.'],
]
const HEAD = `# What \`b2nd\` exports

Made of the types by \`npm run docs\`. All calls that read reject with a [\`B2ndError\`](#b2nderror), or with the reason of their
signal if that was aborted. Sizes and offsets are bytes unless said otherwise, shapes and positions count items, in C order.
`

/** The reference in Markdown, and the names of what has nothing said of it. */
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
  /** Where each name is told of: that of its heading. */
  #told = new Map()
  undocumented = []

  constructor(project) {
    this.#project = project
  }

  write() {
    const entries = ENTRIES.map(([name, file, about]) => ({ name, about, exports: this.#exports(file) }))
    const parts = entries.flatMap(({ name, about, exports }) => {
      // An entry tells first what it does.
      const own = exports.filter(symbol => !this.#told.has(symbol.name)).sort((a, b) => rank(a) - rank(b))
      const others = exports.filter(symbol => this.#told.has(symbol.name))
      for (const { name } of own) this.#told.set(name, `#${anchorOf(name, this.#told)}`)
      const also = others.length ? [`It exports ${others.map(({ name }) => `\`${name}\``).join(', ')}, too.`] : []
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

  /** What a class or an interface has, from wherever it has it, as long as it is from here. */
  #members(symbol) {
    const { checker } = this.#project
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    return checker.getPropertiesOfType(type).flatMap(member => {
      const nodes = this.#declarations(member).filter(node => !/^(protected|private)|^#/.test(text(node)))
      if (nodes.length === 0) return []
      const about = this.#about(member, `${symbol.name}.${member.name}`)
      return [`- ${nodes.map(node => `\`${oneLine(node)}\``).join(', ')}: ${about.replaceAll('\n', '\n  ')}`]
    })
  }

  #declarations(symbol) {
    const nodes = (symbol.declarations ?? []).map(handle => handle.resolve(this.#project))
    return nodes.filter(node => node && node.getSourceFile().fileName.startsWith(DIST))
  }

  #about(symbol, name) {
    const about = this.#project.checker.getDocumentationCommentOfSymbol(symbol).trim()
    if (!about) this.undocumented.push(name)
    return about || '(nothing is said of it)'
  }

  /** Names that are told of become links, outside of headings and code. */
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

/** What GitHub calls a heading: those that differ only in case are numbered. */
function anchorOf(name, told) {
  const same = [...told.keys()].filter(other => other.toLowerCase() === name.toLowerCase()).length
  return name.toLowerCase() + (same ? `-${same}` : '')
}

/** Functions and classes before the types that they take. */
const rank = ({ flags }) => (flags & (FUNCTION | CLASS | VARIABLE) ? 0 : 1)
/** TypeScript's `SymbolFlags`. */
const [VARIABLE, FUNCTION, CLASS, ALIAS] = [3, 16, 32, 2 ** 21]

const text = node => node.getText().replace(/^export (declare )?/, '')
/** Of what has members, all but these. */
const title = node =>
  oneLine(node, text(node).replace(/\{[^]*$/, ''))
    .replace(INHERITED, '')
    .trim()
/** What is inherited is told of with the rest. */
const INHERITED = /(?<=^(class|interface) \w+(<.*?>)?) extends (?!Error).*/
const oneLine = (node, code = text(node)) =>
  code
    .replace(/\/\*\*[^]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/;( \})|;$/g, '$1')

if (process.argv[1] === import.meta.filename) {
  const { text, undocumented } = reference()
  writeFileSync(FILE, text)
  console.log(undocumented.length ? `nothing is said of ${undocumented.join(', ')}` : 'all is documented')
}
