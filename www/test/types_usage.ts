// A TypeScript program that uses the package. types.test.mjs compiles it.

import {
  B2ndError,
  NDArray,
  SChunk,
  StructArray,
  chunkInfo,
  decodeChunk,
  decodeChunkSync,
  getModule,
  init,
  initSync,
  isB2ndError,
  open,
  openArray,
  probe,
  slice,
  type Attributes,
  type Box,
  type ByteSource,
  type ChunkOptions,
  type ChunkMap,
  type ChunkPlace,
  type Cost,
  type Data,
  type Decoder,
  type ErrorCode,
  type ErrorDetails,
  type GetOptions,
  type HistogramResult,
  type InitOptions,
  type Job,
  type NDPart,
  type NDSlice,
  type Need,
  type Openable,
  type OpenOptions,
  type OperandOpener,
  type ReadOptions,
  type Scalar,
  type Selection,
  type SparseSource,
  type StatsOptions,
  type TypedArray,
} from 'b2nd'
import { Blosc, type BloscConfig } from 'b2nd/codecs'
import { evaluate, LazyArray, operandsBeside } from 'b2nd/expression'
import * as external from 'b2nd/external'
import { hdf5Filters, hdf5FiltersWith } from 'b2nd/hdf5'
import { view } from 'b2nd/indexing'
import { createPool, type Pool, type PoolOptions, type WorkerLike } from 'b2nd/pool'
import { openStore } from 'b2nd/store'
import {
  arrayWriter,
  createStore,
  editStore,
  edit,
  encodeArray,
  encodeChunk,
  encodeChunkSync,
  encodeObjects,
  memoryFile,
  type ArrayEditor,
  type ArrayOptions,
  type ArrayWriter,
  type ObjectOptions,
  type ObjectValues,
  type StoreEditor,
  type MemoryFile,
} from 'b2nd/write'
import { register } from 'b2nd/zarr'

type IsAny<T> = 0 extends 1 & T ? true : false
type Not<T extends false> = T

/** A type that is not found in `lib` is `any`, and so are those that it is a part of. */
export type Known = [
  Not<IsAny<Data>>,
  Not<IsAny<TypedArray>>,
  Not<IsAny<TypedArray[number]>>,
  Not<IsAny<Openable>>,
  Not<IsAny<Scalar>>,
  Not<IsAny<NDSlice['data']>>,
  Not<IsAny<Parameters<typeof open>[0]>>,
  Not<IsAny<Pool>>,
  Not<IsAny<NDArray>>,
  Not<IsAny<SChunk>>,
  Not<IsAny<Blosc>>,
]

/** Options that may be undefined are options, also for `exactOptionalPropertyTypes`. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined }
export const options: [
  (some: Loose<OpenOptions>) => OpenOptions,
  (some: Loose<GetOptions>) => GetOptions,
  (some: Loose<StatsOptions>) => StatsOptions,
  (some: Loose<ChunkOptions>) => ChunkOptions,
  (some: Loose<InitOptions>) => InitOptions,
  (some: Loose<PoolOptions>) => PoolOptions,
  (some: Loose<BloscConfig>) => BloscConfig,
  (some: Loose<ReadOptions>) => ReadOptions,
  (some: Loose<ErrorDetails>) => ErrorDetails,
] = [
  some => some,
  some => some,
  some => some,
  some => some,
  some => some,
  some => some,
  some => some,
  some => some,
  some => some,
]

export async function arrays(signal: AbortSignal | undefined, bytes: Uint8Array): Promise<unknown[]> {
  const array = await openArray(bytes, {
    signal,
    limits: { memory: 2 ** 20, metadata: undefined },
    onTraffic: ({ requests }) => requests,
  })
  if (array.is('int64')) {
    const { data }: NDSlice<BigInt64Array> = await array.get()
    const { data: numbers }: NDSlice<Float64Array> = await array.get(null, { int64: 'number' })
    const { data: viewed }: NDSlice<Float64Array> = await view(array).get([[0, 2]], { int64: 'number' })
    return [data, numbers, viewed]
  }
  if (array.is('float16')) return [(await array.get()).data satisfies Float32Array]
  if (!array.is('float32')) return []
  const selection: Selection = [0, null, slice(2), slice(1, null, -1n), '...', 5n]
  const { data, shape, stride, width } = await array.get(selection, {
    signal,
    int64: 'number',
    onProgress: ({ loaded, total }) => loaded / total,
  })
  const values: Float32Array = data
  await array.getInto(new Float64Array(4), null, { signal })
  const { min, histogram } = await array.stats(null, { bins: 10, range: [0, 1], signal })
  const counts: number[] | undefined = histogram?.counts
  const result: HistogramResult | undefined = histogram
  const item: Scalar = await array.at(0, 1n)
  const cost: Cost = await array.plan(selection)
  const places: ChunkMap = await array.chunkMap({ signal })
  const place: ChunkPlace | undefined = places.at(0)
  const attributes: Attributes = await array.attrs()
  for await (const part of array.parts()) {
    const { start }: NDPart<Float32Array> = part
    start.map(position => position + 1)
  }
  await array.prefetch()
  await array.close()
  return [
    values,
    shape,
    stride,
    width,
    min,
    counts,
    result,
    item,
    cost,
    places,
    place,
    attributes,
    array.schunk.typesize,
  ]
}

export async function others(chunk: Uint8Array): Promise<unknown[]> {
  const opened = await open(new Blob([]))
  if (opened instanceof NDArray) {
    const { data } = await opened.get()
    if (data instanceof StructArray) return [data.column('x'), [...data]]
    if (data instanceof Float32Array) return [data[0]]
  }
  const found = await probe('https://example.org/array.b2nd')
  const { body } = await chunkInfo(chunk)
  await init()
  initSync({ module: await getModule() })
  const filtered: ArrayBuffer = hdf5Filters[32001](chunk)
  hdf5FiltersWith({ limits: { memory: 2 ** 24, metadata: undefined } })[32026](chunk)
  const codec = Blosc.fromConfig({ cname: 'lz4', shuffle: 1 })
  register(new Map<string, () => Promise<unknown>>())
  const plain = [
    await decodeChunk(chunk, { out: undefined }),
    decodeChunkSync(chunk),
    await codec.decode(chunk),
    codec.decodeSync(chunk),
  ]
  return [found.shape, body, filtered, plain, await external.openArray(chunk)]
}

export async function writing(plain: Float32Array): Promise<unknown[]> {
  const { data, shape } = await (await openArray(new Uint8Array())).get()
  const options: ArrayOptions = {
    codec: 'zstd',
    clevel: 9,
    filters: ['shuffle'],
    attrs: { a: 1 },
    encoder: createPool(),
  }
  const bytes: Uint8Array = await encodeArray({ data, shape, dtype: '<f4' }, options)
  const file: MemoryFile = memoryFile(bytes)
  const writer: ArrayWriter = await arrayWriter(file, { ...options, shape, dtype: '<f4' })
  await writer.write([0, slice(1, null)], plain)
  await writer.append(plain)
  await writer.write(null, 1n)
  await writer.close()
  await arrayWriter(new WritableStream<Uint8Array>(), { shape, dtype: '<f4' })
  await arrayWriter({ writableEnded: false, end: () => {} }, { shape, dtype: '<f4' })
  const store: StoreEditor = await createStore('store.b2z', { kind: 'tree' })
  await store.addArray('/a', { data: new Float32Array(6), shape: [2, 3] }, { codec: 'zstd' })
  await store.addFrame('/b', new Blob([]))
  const described: ObjectOptions = { kind: 'lists', item: { kind: 'int64' }, nullable: true, codec: 'lz4' }
  const lists: ObjectValues = [[1], null]
  await store.addObjects('/d', lists, described)
  async function* numbers() {
    yield 1
  }
  const objects: Uint8Array<ArrayBuffer> = await encodeObjects(numbers(), { batchLength: 10 })
  await store.addFrame('/e', objects)
  // @ts-expect-error: no such kind
  await encodeObjects([], { kind: 'list' })
  const member: ArrayWriter = await store.arrayWriter('/c', { shape, dtype: '<f4' })
  await member.close()
  await store.setAttr('', 'unit', undefined)
  const other: StoreEditor = await editStore(file)
  const isTree: boolean = other.kind === 'TreeStore'
  if (isTree) await other.close()
  // @ts-expect-error: a stream cannot be read
  await editStore(new WritableStream<Uint8Array>())
  // @ts-expect-error: no such kind
  await createStore(file, { kind: 'embed' })
  const editor: ArrayEditor = await edit('file.b2nd', { limits: { memory: 5 } })
  await editor.set([0], ['a'])
  await editor.append(plain, { axis: 1 })
  await editor.resize([1, 2])
  await editor.setMetalayer('a', undefined)
  await editor.commit()
  await editor.abort()
  return [
    await encodeChunk(plain, { format: 'blosc1' }),
    encodeChunkSync(plain),
    await Blosc.fromConfig().encode(plain),
  ]
}

export async function tables(): Promise<unknown[]> {
  const table = await (await openStore(new Uint8Array())).getTable('/table')
  const { values, nulls } = await (await table.column('price', 'float64')).read(0, 9)
  const prices: Float64Array = values
  const names: (string | null)[] = await (await table.column('name', 'utf8')).get()
  const cells: unknown[] = await (await table.column('any')).get()
  // @ts-expect-error: no such kind
  await table.column('price', 'int7')
  // @ts-expect-error: of another kind
  const counts: Int32Array = values
  return [prices, nulls, names, cells, counts]
}

export async function expressions(a: NDArray): Promise<unknown[]> {
  const operands: OperandOpener = async ({ name, path, key }) => (key === null ? `https://example.org/${path}` : name)
  const stored = await open('https://example.org/lazy.b2nd', { operands })
  await open('lazy.b2nd', { operands: operandsBeside('https://example.org/lazy.b2nd') })
  const array: LazyArray = await evaluate('a + 1', { a }, { limits: { memory: 2 ** 20 } })
  // @ts-expect-error: no array
  await evaluate('a', { a: [1] })
  const text: string | null = stored instanceof LazyArray ? stored.expression : null
  return [text, array.is('float64') && (await array.get()).data]
}

export function failures(error: unknown): [ErrorCode, number | undefined] | undefined {
  const made = new B2ndError('argument', 'text', { cause: error, status: undefined })
  return isB2ndError(error, 'http', 'network') ? [error.code, error.status] : [made.code, made.chunk]
}

/** Interfaces that callers may implement. */
export const source: ByteSource = {
  size: undefined,
  read: async (_offset, length, _options) => new Uint8Array(length),
  close() {},
}
export const sparse: SparseSource = {
  part: async number => (number < 0 ? source : { read: async () => new Uint8Array() }),
}
export const decoder: Decoder = {
  decode: async (job: Job, { signal }): Promise<Box[] | Need> => (
    signal?.throwIfAborted(),
    { part: job.tasks.length, start: 0, end: 1 }
  ),
}
export const sliceable: Openable = {
  byteLength: 5,
  slice: (start: number, end: number) => new ArrayBuffer(end - start),
}
export const pool = (worker: WorkerLike): Pool => createPool({ size: 2, createWorker: () => worker, idleMs: undefined })
