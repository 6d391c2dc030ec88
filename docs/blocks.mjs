// Runs the code blocks of README.md and of the pages in docs, so that what they say works.
//
//     node docs/blocks.mjs --tool PATH/b2nd [--package www] [--python PYTHON] [--only WORD]
//
// The blocks of a page in one language are a program: one after another, or in the places that `blocks/PAGE.EXTENSION` gives
// them. That frame has a line `block` in a comment for each block, in their order, and around these what the page leaves out,
// and checks of what it promises. `not run: REASON` stands for a block that needs what a test has not.
//
// All programs of a page share a folder, shell first. There https://example.org is a server of that folder. Rust is checked by the
// compiler, all pages at once; the blocks of README.md are documentation tests of the library.

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const FRAMES = join(import.meta.dirname, 'blocks')
const SITE = 'https://example.org'
const TIMEOUT = 60_000
/** Commands of other programs in shell blocks: they would install, need a device or run the tests that run this. */
const OTHERS = `
set -euo pipefail
cargo() { [ "$1" != xtask ] || grep -q "\\"$2\\"" "$ROOT/xtask/src/main.rs" || { echo "no cargo xtask $2"; return 1; }; }
npm() { :; }; stty() { :; }
b2nd() {
  case "$*" in
    *://*|*/dev/*|*icechunk:*) ;;
    *) command b2nd "$@" > printed 2> failure || grep -q "built without" failure || { cat failure >&2; echo "b2nd $*" >&2; return 1; };;
  esac
}
`

const { values: options } = parseArgs({
  options: {
    tool: { type: 'string', default: 'b2nd' },
    package: { type: 'string', default: join(ROOT, 'www') },
    python: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})

/** The pages with their blocks, by language. */
function pages() {
  const files = [
    'README.md',
    ...readdirSync(import.meta.dirname)
      .filter(name => name.endsWith('.md'))
      .map(name => `docs/${name}`),
  ]
  return files
    .filter(file => file.includes(options.only))
    .map(file => ({ file, name: basename(file, '.md'), blocks: blocks(readFileSync(join(ROOT, file), 'utf8')) }))
}

function blocks(text) {
  return [...text.matchAll(/^```(rust|js|sh|python)(?: .*)?\n([^]*?)^```$/gm)].map(([, language, code]) => ({
    language,
    code,
  }))
}

/** The program of a page in a language; nothing if no block is to run. */
function program({ name, file, blocks }, language, extension) {
  const codes = blocks.filter(block => block.language === language).map(({ code }) => code)
  const frame = join(FRAMES, `${name}.${extension}`)
  if (!existsSync(frame)) return codes.join('')
  const rest = codes.slice()
  const whole = readFileSync(frame, 'utf8').replace(/^[ \t]*(?:\/\/|#) (block|not run: .+)$/gm, (_, what) => {
    if (rest.length === 0) throw new Error(`${file} has fewer blocks of ${language} than its frame has places`)
    const code = rest.shift()
    return what === 'block' ? code : ''
  })
  if (rest.length > 0) throw new Error(`${frame} has no place for ${rest.length} of the blocks of ${file}`)
  return whole
}

/** Runs the programs of a page that are interpreted. */
function interpret(page) {
  const folder = mkdtempSync(join(tmpdir(), 'b2nd-blocks-'))
  try {
    symlinkModules(folder)
    const run = (command, args) =>
      execFileSync(command, args, { cwd: folder, env: environment(folder), timeout: TIMEOUT, stdio: 'pipe' })
    const shell = program(page, 'sh', 'sh')
    if (shell) run('bash', ['-c', OTHERS + shell])
    const script = program(page, 'js', 'js')
    if (script) run(process.execPath, ['--input-type=module', '--eval', served(script)])
    const python = program(page, 'python', 'py')
    if (python && options.python) run(options.python, ['-c', python])
    return [shell, script, python].filter(Boolean).length
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function environment(folder) {
  const programs = join(folder, 'programs')
  return { ...process.env, ROOT, GOLDEN: join(ROOT, 'tests/golden'), PATH: `${programs}:${process.env.PATH}` }
}

/** The tool and the package, under their names. */
function symlinkModules(folder) {
  for (const name of ['programs', 'node_modules']) mkdirSync(join(folder, name))
  symlinkSync(resolve(options.tool), join(folder, 'programs/b2nd'))
  symlinkSync(resolve(options.package), join(folder, 'node_modules/b2nd'))
}

/** A script with a server for its folder; other servers are not there. */
function served(script) {
  if (!script.includes(SITE)) return script
  const server = join(ROOT, 'www/test/lib/server.mjs')
  const imports = script.match(/^import .*$/gm) ?? []
  const rest = script
    .replace(/^import .*$/gm, '')
    .replaceAll(SITE, '${server.origin}')
    .replace(/'(\$\{server\.origin\}[^']*)'/g, '`$1`')
  return `${imports.join('\n')}
import { serve } from ${JSON.stringify(server)}
import { readdirSync, readFileSync } from 'node:fs'
const files = readdirSync('.', { withFileTypes: true }).filter(file => file.isFile())
const server = await serve(Object.fromEntries(files.map(({ name }) => [\`/\${name}\`, readFileSync(name)])))
${rest}
await server.close()`
}

/** Compiles the blocks of Rust of all pages, a module each. */
function compile(pages) {
  const modules = pages
    .filter(({ file }) => file !== 'README.md')
    .map(page => ({ page, code: program(page, 'rust', 'rs') }))
  const compiled = modules.filter(({ code }) => code)
  if (compiled.length === 0) return 0
  const target = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target')
  const folder = join(target, 'blocks')
  mkdirSync(join(folder, 'src'), { recursive: true })
  // The versions of the project.
  cpSync(join(ROOT, 'Cargo.lock'), join(folder, 'Cargo.lock'))
  const manifest = readFileSync(join(FRAMES, 'manifest.toml'), 'utf8').replace('"ROOT"', JSON.stringify(ROOT))
  writeFileSync(join(folder, 'Cargo.toml'), manifest)
  const names = compiled.map(({ page: { name } }) => name.replaceAll('-', '_'))
  compiled.forEach(({ code }, at) => writeFileSync(join(folder, `src/${names[at]}.rs`), code))
  // A file that a page includes.
  cpSync(join(ROOT, 'tests/golden/blosc2-4.14.1/sample.b2nd'), join(folder, 'src/log.b2nd'))
  writeFileSync(join(folder, 'src/lib.rs'), `#![allow(unused)]\n${names.map(name => `mod ${name};\n`).join('')}`)
  const check = ['check', '--quiet', '--manifest-path', join(folder, 'Cargo.toml'), '--target-dir', target]
  execFileSync('cargo', check, { cwd: ROOT, stdio: 'pipe' })
  return compiled.length
}

let [ran, failed] = [0, 0]

function attempt(about, work) {
  try {
    ran += work()
  } catch (error) {
    failed += 1
    console.error(`${about}: ${error.stderr?.toString().trim() || error.message}`)
  }
}

const all = pages()
for (const page of all) attempt(page.file, () => interpret(page))
attempt('the blocks of Rust', () => compile(all))
console.log(`${ran} programs of code blocks ran, ${failed} failed`)
process.exitCode = failed > 0 || ran === 0 ? 1 : 0
