/** A codec or a filter: its id in Blosc's registry, its name if it has one here, and its parameter. */
export interface Named {
  id: number
  name: string | null
  meta: number
}

/** What opening a frame learns. */
export interface Facts {
  kind: 'array' | 'schunk' | 'chunk'
  /** Bytes of the first answer that open the frame again; 0: all answers. */
  recipe: number
  /** Version of the frame format; 0 for a chunk on its own. */
  version: number
  /** Whether the chunks are files of their own. */
  sparse: boolean
  headerLength: number
  frameLength: number
  nbytes: number
  cbytes: number
  typesize: number
  blocksize: number
  /** Plain bytes of a chunk; 0 where chunks differ. */
  chunksize: number
  codec: Named
  clevel: number
  filters: Named[]
  splitMode: string | null
  hasVlmeta: boolean
  /** The array's metalayer cannot be read; its super-chunk can. */
  damaged: boolean
  array: ArrayFacts | null
}

/** What makes a frame an array. */
export interface ArrayFacts {
  shape: number[]
  chunks: number[]
  blocks: number[] | null
  itemsize: number
  /** NumPy's name for the dtype, if the file has one. */
  dtype: string | null
  /** `null` where the dtype is not understood. */
  type: Type | null
}

/** A dtype, taken apart. */
export interface Type {
  kind:
    | 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'datetime' | 'timedelta'
    | 'bytes' | 'str' | 'void' | 'object' | 'subarray' | 'struct'
  /** Bytes of an item. */
  size: number
  order: '<' | '>' | '|'
  /** Of times: an item counts steps of `count` units. NumPy's symbols: 's', 'ns', …; '' is no unit in particular. */
  unit?: string
  count?: number
  /** Of a subarray. */
  item?: Type
  shape?: number[]
  fields?: Field[]
}

/** A field of a structured dtype. */
export interface Field {
  name: string
  title: string | null
  offset: number
  type: Type
}
