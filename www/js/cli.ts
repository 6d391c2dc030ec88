// The command of the package: `npx b2nd`.

import { parseArgs } from 'node:util'
import { argument, wrapError } from './base/errors.js'
import { create, repack } from './cli/creating.js'
import { count, factsOf, kindOf, linesOf, nbytesOf } from './cli/facts.js'
import { get } from './cli/get.js'
import { toJson } from './cli/msgpack.js'
import { withOpened, withStore } from './cli/opened.js'
import { view } from './cli/serve.js'
import { FORMATS } from './cli/values.js'
import { verify } from './cli/verify.js'
import { isB2ndError, type NDArray } from './index.js'
import type { Store } from './store.js'

const USAGE = `usage: b2nd COMMAND …

  view [FILE|URL] [--port N] [--no-open]    opens the viewer in the browser, on this machine only
  info WHAT [--json]                        shape, chunks, blocks, dtype, codec, metalayers
  get WHAT [SELECTION] [-f ${FORMATS.join('|')}] [-o OUT] [--columns A,B]
  ls STORE [--json]                         the members of a .b2z, .b2d or .b2e store
  verify WHAT …                             decodes everything
  create IN OUT [STORAGE]                   an array from a .npy file, or from raw items with --shape and --dtype
  repack WHAT OUT [STORAGE]                 an array with other parameters

WHAT: a file, the directory of a sparse frame, a URL, or a member of a store such as run.b2z/group/array
IN: a file, or - for standard input
SELECTION: in NumPy's notation, such as "0:10, 5, ::2, ..., -1, [1, 5, 9]"; the rows of tables and the objects of sequences too
STORAGE: --codec NAME --clevel 0–9 --filters A,B --chunks N,N --blocks N,N

Exit status: 0 success; 1 the file is at fault; 2 the call is at fault; 3 the file may be valid but is not supported.
`

const OPTIONS = {
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
  // It ends with standard input, for programs that start it.
  'until-closed': { type: 'boolean' },
  format: { type: 'string', short: 'f' },
  output: { type: 'string', short: 'o' },
  columns: { type: 'string' },
  shape: { type: 'string' },
  dtype: { type: 'string' },
  codec: { type: 'string' },
  clevel: { type: 'string' },
  filters: { type: 'string' },
  chunks: { type: 'string' },
  blocks: { type: 'string' },
} as const

type Options = ReturnType<typeof parsed>['values']

function parsed(words: string[]) {
  // Negative positions are no options.
  const safe = words.map(word => (/^-\d/.test(word) ? ` ${word}` : word))
  try {
    return parseArgs({ args: safe, options: OPTIONS, allowPositionals: true })
  } catch (cause) {
    throw argument((cause as Error).message, { cause })
  }
}

const COMMANDS: Readonly<Record<string, (words: string[], options: Options) => Promise<void>>> = {
  view: async ([what], { port, 'no-open': closed, 'until-closed': untilClosed }) => {
    console.log(await view(what, { port: Number(port ?? 0), open: !closed }))
    if (untilClosed) process.stdin.resume().on('end', () => process.exit())
  },
  info: ([what], { json }) => info(needed(what, 'FILE|URL'), !!json),
  get: ([what, selection = ''], { format, output, columns }) =>
    get(needed(what, 'FILE|URL'), { selection, format, output, columns }),
  ls: ([what], { json }) => ls(needed(what, 'STORE'), !!json),
  verify: async words => {
    const error = await verify(words.length ? words : [needed(undefined, 'FILE|URL')])
    if (error) process.exitCode = status(error)
  },
  create: ([from, to], options) => create(needed(from, 'IN'), needed(to, 'OUT'), options, options),
  repack: ([from, to], options) => repack(needed(from, 'IN'), needed(to, 'OUT'), options),
}

function needed(word: string | undefined, name: string): string {
  if (word === undefined) throw argument(`${name} is missing\n\n${USAGE}`)
  return word
}

const info = (what: string, json: boolean): Promise<void> =>
  withOpened(
    what,
    async opened => {
      const facts = await factsOf(opened)
      process.stdout.write(json ? `${toJson(facts, 2)}\n` : linesOf(facts))
    },
    { asStored: true },
  )

const ls = (what: string, json: boolean): Promise<void> =>
  withStore(what, async store => {
    const tables = store.tables()
    const keys = store.keys().filter(key => !tables.some(table => key.startsWith(`${table}/_`)))
    const rows: Row[] = []
    for (const key of [...keys, ...tables].sort()) {
      if (tables.includes(key)) {
        const { length, schema } = await store.getTable(key)
        rows.push({ key: key || '/', kind: 'table', rows: length, columns: schema.columns.length })
      } else rows.push({ key, stored: store.storage(key), ...(await member(store, key)) })
    }
    process.stdout.write(json ? `${toJson(rows, 2)}\n` : rows.map(row => `${lineOf(row)}\n`).join(''))
  })

/** What a member is. One that cannot be opened has its error here. */
async function member(store: Store, key: string): Promise<Partial<Row>> {
  try {
    const frame = await store.get(key)
    const { shape = null, dtype = null } = frame as Partial<NDArray>
    const { reference, cbytes } = frame.info
    await frame.close()
    return { kind: reference ?? kindOf(frame), shape, dtype, nbytes: nbytesOf(frame), cbytes }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** What `ls` says of a member. */
interface Row {
  readonly key: string
  readonly kind?: string
  readonly shape?: readonly number[] | null
  readonly dtype?: string | null
  readonly nbytes?: number
  readonly cbytes?: number
  readonly stored?: string | undefined
  readonly rows?: number
  readonly columns?: number
  readonly error?: string
}

function lineOf({ key, stored, kind, shape, dtype, nbytes = 0, rows = 0, columns = 0, error }: Row): string {
  if (error) return `${key}  ${error}`
  if (kind === 'table') return `${key}  table  ${count(rows, 'row')}  ${count(columns, 'column')}`
  const lengths = shape ? `(${shape.join(', ')})` : ''
  return [key, kind, lengths, dtype, count(nbytes, 'byte'), stored].filter(Boolean).join('  ')
}

async function main(): Promise<void> {
  const { positionals, values } = parsed(process.argv.slice(2))
  const [name = '', ...words] = positionals
  const command = COMMANDS[name]
  if (values.help || !name) {
    console.log(USAGE)
    return
  }
  if (!command) throw argument(`there is no command ${name}\n\n${USAGE}`)
  await command(words, values)
}

/** The exit status for an error. */
function status(error: unknown): number {
  if (isB2ndError(error, 'argument')) return 2
  return isB2ndError(error, 'unsupported') ? 3 : 1
}

// Whoever reads the output may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

main().catch((error: unknown) => {
  const known = wrapError('source', 'failed', error)
  console.error(`b2nd: ${known.message}`)
  process.exitCode = status(known)
})
