// The command of the package: `npx b2nd`.

import { open as openHandle, readFile, rename, rm, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { argument, wrapError } from './base/errors.js'
import { parseSelection } from './cli/selection.js'
import { view } from './cli/serve.js'
import { npyHeader, parseNpy } from './data/npy.js'
import { isB2ndError, NDArray, open, type NDSlice, type Openable, type SChunk } from './index.js'
import { fileSource, folderSource } from './node.js'
import { openStore, type FolderSource } from './store.js'
import { arrayWriter, encodeArray, type ArrayOptions, type CodecName } from './write.js'

const USAGE = `usage: b2nd COMMAND …

  view [FILE|URL] [--port N] [--no-open]    opens the viewer in the browser, on this machine only
  info FILE|URL [--json]                    shape, chunks, blocks, dtype, codec, metalayers
  get FILE|URL [SELECTION] [-f text|json|npy|raw] [-o OUT]
  ls STORE [--json]                         the members of a .b2z, .b2d or .b2e store
  verify FILE|URL …                         decodes everything
  create IN.npy OUT [STORAGE]               an array from values of NumPy
  repack IN OUT [STORAGE]                   an array with other parameters

SELECTION: in NumPy's notation, such as "0:10, 5, ::2, ..., -1"
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

const opened = async (what: string) => open(/^https?:\/\//.test(what) ? what : await fileSource(what))

const COMMANDS: Readonly<Record<string, (words: string[], options: Options) => Promise<void>>> = {
  view: async ([what], { port, 'no-open': closed, 'until-closed': untilClosed }) => {
    console.log(await view(what, { port: Number(port ?? 0), open: !closed }))
    if (untilClosed) process.stdin.resume().on('end', () => process.exit())
  },
  info: ([what], { json }) => info(needed(what, 'FILE|URL'), !!json),
  get: ([what, selection = ''], options) => get(needed(what, 'FILE|URL'), selection, options),
  ls: ([what], { json }) => ls(needed(what, 'STORE'), !!json),
  verify: words => verify(words.length ? words : [needed(undefined, 'FILE|URL')]),
  create: ([from, to], options) => create(needed(from, 'IN'), needed(to, 'OUT'), options),
  repack: ([from, to], options) => repack(needed(from, 'IN'), needed(to, 'OUT'), options),
}

function needed(word: string | undefined, name: string): string {
  if (word === undefined) throw argument(`${name} is missing\n\n${USAGE}`)
  return word
}

/** JSON, with numbers in place of big integers, hexadecimal digits in place of bytes, and words for NaN and infinities. */
const text = (value: unknown, indent?: number): string =>
  JSON.stringify(
    value,
    (_, value: unknown) => {
      if (typeof value === 'bigint') return Number(value)
      if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
      return ArrayBuffer.isView(value) ? [...(value as unknown as Iterable<unknown>)] : value
    },
    indent,
  )

async function info(what: string, json: boolean): Promise<void> {
  const frame = await opened(what)
  const { shape, chunks, blocks, dtype } = frame as Partial<NDArray>
  const { kind, typesize, nbytes, cbytes, ratio, codec, clevel, filters } = frame.info
  const names = filters.map(({ id, name, meta }) => (name ?? `filter ${id}`) + (meta ? `:${meta}` : '')).join(', ')
  const size = { typesize, nbytes, cbytes, ratio, codec: codec.name ?? codec.id, clevel, filters: names }
  const facts = {
    kind,
    shape,
    chunks,
    blocks,
    dtype,
    ...size,
    metalayers: frame.meta,
    vlmetalayers: await frame.attrs(),
  }
  if (json) console.log(text(facts, 2))
  else
    for (const [name, value] of Object.entries(facts))
      if (value !== undefined) console.log(name.padEnd(13), typeof value === 'string' ? value : text(value))
  await frame.close()
}

/** The bytes of items as .npy files have them, and their dtype. */
function stored(array: NDArray, { data, shape }: NDSlice): { dtype: string; bytes: Uint8Array } {
  const items = shape.reduce((product, length) => product * length, 1)
  if (ArrayBuffer.isView(data)) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    if (bytes.length === items * array.info.typesize) return { dtype: (array.dtype ?? '|u1').replace('>', '<'), bytes }
    if (data instanceof Float32Array) return { dtype: '<f4', bytes }
  }
  throw argument(`values of ${array.dtype} cannot be written so: use text or json`)
}

async function get(what: string, selection: string, { format, output }: Options): Promise<void> {
  const array = await opened(what)
  if (!(array instanceof NDArray)) throw argument(`${what} is not an array`)
  const [, ending] = /\.(npy|json)$/.exec(output ?? '') ?? []
  const wanted = format ?? ending ?? 'text'
  const slice = await array.get(parseSelection(selection))
  const { dtype, bytes } = wanted === 'npy' || wanted === 'raw' ? stored(array, slice) : { dtype: '', bytes: undefined }
  if (wanted === 'npy') await write(output, npyHeader({ dtype, shape: slice.shape }), bytes!)
  else if (wanted === 'raw') await write(output, bytes!)
  else if (wanted === 'text' || wanted === 'json') await write(output, Buffer.from(`${text(nested(slice))}\n`))
  else throw argument(`there is no format ${wanted}`)
  await array.close()
}

/** Nested lists, as NumPy's `tolist` returns. */
function nested({ data, shape, width }: NDSlice): unknown {
  const row = (axis: number, at: number): unknown => {
    if (axis === shape.length) {
      const items = Array.from({ length: width }, (_, part) => item(data, at * width + part))
      return width === 1 ? items[0] : items
    }
    return Array.from({ length: shape[axis]! }, (_, index) => row(axis + 1, at * shape[axis]! + index))
  }
  return row(0, 0)
}

const item = (data: NDSlice['data'], at: number): unknown =>
  'row' in data ? (data as { row(at: number): unknown }).row(at) : (data as ArrayLike<unknown>)[at]

/** Writes a file, which replaces another one only when it is complete, or to standard output. */
async function write(output: string | undefined, ...parts: Uint8Array[]): Promise<void> {
  if (output === undefined || output === '-') {
    for (const part of parts) await new Promise(done => process.stdout.write(part, done))
    return
  }
  const temporary = `${output}.${process.pid}.tmp`
  const file = await openHandle(temporary, 'wx')
  try {
    for (const part of parts) await file.write(part)
    await file.close()
    await rename(temporary, output)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function storeAt(what: string): Promise<Openable | FolderSource> {
  if (/^https?:\/\//.test(what)) return what
  const isFolder = await stat(what).then(
    stats => stats.isDirectory(),
    () => false,
  )
  return isFolder ? folderSource(what) : fileSource(what)
}

async function ls(what: string, json: boolean): Promise<void> {
  const store = await openStore(await storeAt(what))
  const rows = []
  for (const key of store.keys()) {
    const storage = store.storage(key)
    if (storage === 'compressed' || storage === 'remote') {
      rows.push({ key, storage })
      continue
    }
    const member = await store.get(key)
    const { shape, dtype } = member as Partial<NDArray>
    rows.push({ key, kind: member.info.kind, shape, dtype, nbytes: member.info.nbytes, storage })
  }
  const line = (row: object) => Object.values(row).map(value => (typeof value === 'string' ? value : text(value)))
  console.log(json ? text(rows, 2) : rows.map(row => line(row).filter(Boolean).join('  ')).join('\n'))
  await store.close()
}

async function verify(files: string[]): Promise<void> {
  let failed: Error | undefined
  for (const what of files) {
    try {
      const frame = await opened(what)
      const { schunk = frame as SChunk } = frame as Partial<NDArray>
      const count = await schunk.nchunks()
      for (let nchunk = 0; nchunk < count; nchunk++) await schunk.chunk(nchunk)
      await frame.attrs()
      console.log(`${what}: good, chunks: ${count}, bytes: ${frame.info.nbytes}`)
      await frame.close()
    } catch (error) {
      console.log(`${what}: ${(error as Error).message}`)
      failed ??= error as Error
    }
  }
  if (failed) throw failed
}

/** The parameters that options give. */
function storage({ codec, clevel, filters, chunks, blocks }: Options): ArrayOptions {
  const lengths = (words: string) => words.split(',').map(Number)
  return {
    ...(codec !== undefined && { codec: codec as CodecName }),
    ...(clevel !== undefined && { clevel: Number(clevel) }),
    ...(filters !== undefined && { filters: filters.split(',').filter(Boolean) }),
    ...(chunks !== undefined && { chunks: lengths(chunks) }),
    ...(blocks !== undefined && { blocks: lengths(blocks) }),
  }
}

async function create(from: string, to: string, options: Options): Promise<void> {
  const { dtype, shape, bytes } = parseNpy(new Uint8Array(await readFile(from)))
  await write(to, await encodeArray({ data: bytes, shape, dtype }, { codec: 'zstd', ...storage(options) }))
}

async function repack(from: string, to: string, options: Options): Promise<void> {
  const array = await opened(from)
  if (!(array instanceof NDArray)) throw argument(`${from} is not an array`)
  const { shape, dtype, chunks, blocks, info } = array
  const { b2nd: _, caterva: __, ...meta } = array.meta
  const { codec, clevel } = info
  const filters = info.filters.map(({ id, name, meta }) => (name ?? String(id)) + (meta ? `:${meta}` : ''))
  const kept = { ...(codec.name && codec.name !== 'snappy' && { codec: codec.name as CodecName }), clevel, filters }
  const shapes = { chunks, ...(blocks && { blocks }) }
  const attrs = await array.attrs()
  const writer = await arrayWriter(to, { ...shapes, ...kept, meta, attrs, ...storage(options), shape, dtype: dtype! })
  try {
    for await (const { data, start, shape } of array.parts())
      await writer.write(
        start.map((from, axis) => ({ start: from, stop: from + shape[axis]!, step: null })),
        data,
      )
    await writer.close()
  } catch (error) {
    await writer.abort(error)
    throw error
  }
  await array.close()
  const { size } = await stat(to)
  console.log(`${to}: ${size} bytes`)
}

async function main(): Promise<void> {
  const { positionals, values } = parsed(process.argv.slice(2))
  const [name = '', ...words] = positionals
  const command = COMMANDS[name]
  if (values.help || (!name && !values.help)) {
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

main().catch((error: unknown) => {
  const known = wrapError('source', 'failed', error)
  console.error(`b2nd: ${known.message}`)
  process.exitCode = status(known)
})
