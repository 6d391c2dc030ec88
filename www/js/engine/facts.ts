/** A codec or a filter: its id in Blosc's registry, its name if it has one here, and its parameter. */
export interface Named {
  /** Its id in Blosc's registry. */
  id: number
  /** Its name; `null` where the id means nothing here. */
  name: string | null
  /** Its parameter: one byte. */
  meta: number
}

/** What opening a frame learns. */
export interface Facts {
  /** What it is. A chunk on its own is read as a super-chunk of one chunk. */
  kind: 'array' | 'schunk' | 'chunk'
  /** Bytes of the first answer that open the frame again; 0: all answers. */
  recipe: number
  /** Version of the frame format; 0 for a chunk on its own. */
  version: number
  /** Whether the chunks are files of their own. */
  sparse: boolean
  /** Bytes of the header. */
  headerLength: number
  /** Bytes of the frame, or of what holds the index of a sparse one. */
  frameLength: number
  /** Bytes when decoded. */
  nbytes: number
  /** Bytes of all chunks as they are stored. */
  cbytes: number
  /** Bytes of an item, as the compressor took it. */
  typesize: number
  /** Bytes of a block when decoded; 0 where the header does not say. */
  blocksize: number
  /** Plain bytes of a chunk; 0 where chunks differ. */
  chunksize: number
  /** The codec that chunks are compressed with. */
  codec: Named
  /** How hard it tried: 0 to 9. */
  clevel: number
  /** The filters, in the order in which they were applied. */
  filters: Named[]
  /** When blocks were split into a stream for each byte of the items; `null` where the header does not say. */
  splitMode: string | null
  /** Whether there are attributes: `attrs()` has to read them. */
  hasVlmeta: boolean
  /**
   * What python-blosc2 calls it, if its chunks do not hold its values, or not all of them: `lazyexpr`, `lazyudf`, `proxy`,
   * `remote_array`, `c2array`, or `b2o` for what is not known. Reading it fails as `unsupported`; see the option `asStored`.
   */
  reference: string | null
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
  /** What kind of items these are. */
  kind:
    | 'bool'
    | 'int'
    | 'uint'
    | 'float'
    | 'complex'
    | 'datetime'
    | 'timedelta'
    | 'bytes'
    | 'str'
    | 'void'
    | 'object'
    | 'subarray'
    | 'struct'
  /** Bytes of an item. */
  size: number
  /** The order of bytes: little, big, or none. */
  order: '<' | '>' | '|'
  /** Of times: an item counts steps of `count` units. NumPy's symbols: 's', 'ns', …; '' is no unit in particular. */
  unit?: string
  /** Of times: how many units a step is. */
  count?: number
  /** Of a subarray: the type of its items. */
  item?: Type
  /** Of a subarray: its dimensions. */
  shape?: number[]
  /** Of a structure: its fields, in order. */
  fields?: Field[]
}

/** A field of a structured dtype. */
export interface Field {
  /** Its name. */
  name: string
  /** Another name for it, if it has one. */
  title: string | null
  /** Byte in the item at which it begins. */
  offset: number
  /** Its dtype. */
  type: Type
}
