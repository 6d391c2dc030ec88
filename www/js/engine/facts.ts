/** A codec or a filter. */
export interface Named {
  /** Id in Blosc's registry. */
  id: number
  /** Name; `null` for an unknown id. */
  name: string | null
  /** Parameter, one byte. */
  meta: number
}

/** The properties in the header of a frame. */
export interface Facts {
  /** The kind of file. A chunk outside of a frame is read as a super-chunk with one chunk. */
  kind: 'array' | 'schunk' | 'chunk'
  /** Bytes of the first answer that reopen the frame; 0: all answers. */
  recipe: number
  /** Version of the frame format; 0 for a chunk outside of a frame. */
  version: number
  /** Whether each chunk is a file. */
  sparse: boolean
  /** Size of the header in bytes. */
  headerLength: number
  /** Size of the frame in bytes; of a sparse frame, of the file with the index. */
  frameLength: number
  /** Where the bytes are that differ between any two commits: `start, end` of each range. */
  state: number[]
  /** Uncompressed size in bytes. */
  nbytes: number
  /** Compressed size of all chunks in bytes. */
  cbytes: number
  /** Size of an item in bytes, as used for compression. */
  typesize: number
  /** Uncompressed size of a block in bytes; 0 if it is not in the header. */
  blocksize: number
  /** Uncompressed size of a chunk in bytes; 0 if chunks differ. */
  chunksize: number
  /** The codec of the chunks. */
  codec: Named
  /** Compression level, 0 to 9. */
  clevel: number
  /** The filters in the order in which they were applied. */
  filters: Named[]
  /** When blocks were split into a stream for each byte of the items; `null` if it is not in the header. */
  splitMode: string | null
  /** Whether there are attributes for `attrs()` to read. */
  hasAttrs: boolean
  /**
   * The kind of reference, if the chunks do not hold all values: `lazyexpr`, `lazyudf`, `proxy`, `remote_array` or `c2array`, as
   * python-blosc2 names them, or `b2o` for an unknown kind. Reading fails as `unsupported`; see the option `asStored`.
   */
  reference: string | null
  /** Whether the metalayer of the array is damaged. The super-chunk can still be read. */
  damaged: boolean
  array: ArrayFacts | null
}

/** The array in a frame. */
export interface ArrayFacts {
  shape: number[]
  chunks: number[]
  blocks: number[] | null
  itemsize: number
  /** The dtype in NumPy's notation, if the file has one. */
  dtype: string | null
  /** The parsed dtype; `null` for an unknown one. */
  type: Type | null
}

/** A parsed dtype. */
export interface Type {
  /** Kind of the items. */
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
  /** Size of an item in bytes. */
  size: number
  /** Byte order: little endian, big endian, or not applicable. */
  order: '<' | '>' | '|'
  /** Times only: the unit as NumPy's symbol, such as 's' or 'ns'; '' is the generic unit. */
  unit?: string
  /** Times only: units per step. */
  count?: number
  /** Subarrays only: the type of the items. */
  item?: Type
  /** Subarrays only: the shape. */
  shape?: number[]
  /** Structures only: the fields in order. */
  fields?: Field[]
}

/** A field of a structured dtype. */
export interface Field {
  /** Name. */
  name: string
  /** Alternative name, if there is one. */
  title: string | null
  /** Byte offset in the item. */
  offset: number
  /** Dtype. */
  type: Type
}
