export { chunkInfo, decodeChunk, decodeChunkSync, type ChunkOptions } from './engine/chunk.js'
export type { Traffic } from './reading/cache.js'
export { StructArray, type Data, type Int64, type Scalar } from './data/convert.js'
export type { TypedArray } from './data/typed-arrays.js'
export type { ChunkInfo } from './engine/chunk-info.js'
export { B2ndError, isB2ndError, type ErrorCode, type ErrorDetails } from './base/errors.js'
export type { Field, Named, Type } from './engine/facts.js'
export type { Attributes } from './engine/attributes.js'
export type { Decoder, DecoderOptions, OpenOptions, Operand, OperandOpener } from './reading/frame.js'
export type { Cost } from './reading/estimate.js'
export type { HistogramResult } from './data/histogram.js'
export type { ChunkMap, ChunkPlace, Info } from './arrays/info.js'
export type { Box, Indices, Job, Limits, Need, Recipe } from './engine/protocol.js'
export { decodeMsgpack } from './engine/msgpack.js'
export type { Extension } from './engine/values.js'
export {
  NDArray,
  type DataTypes,
  type Converted,
  type GetOptions,
  type NDPart,
  type NDSlice,
} from './arrays/ndarray.js'
export { open, openArray, probe, type Probe } from './arrays/open.js'
export { SChunk } from './arrays/schunk.js'
export type { Progress } from './reading/progress.js'
export { slice, type Index, type Selection, type Slice } from './reading/selection.js'
export type { HttpOptions } from './sources/http.js'
export type { Openable } from './sources/openable.js'
export type { ByteSource, ReadOptions, SparseSource } from './sources/source.js'
export type { Stats, StatsOptions } from './data/stats.js'
export { getModule, init, initSync, type InitOptions } from './engine/init.js'
