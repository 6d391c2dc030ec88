// Written by the test in www/src/failure/tests.rs from the texts of the Rust library: change those.

/**
 * Errors by kind and number, as in ABI.md. Each `$` stands for the next of: the name, if there is one, a, b, c.
 */
export const MESSAGES = [
  [
    'truncated: $ bytes needed, $ there',
    'neither a Blosc2 frame nor a Blosc chunk',
    '$ cannot be $',
    '$ is $, should be $',
    'unexpected MessagePack marker 0x$',
    'corrupt $ stream',
  ],
  [
    'codec $ is not built in',
    'filter $ is not built in',
    'plugin $ needs the shape of the array',
    'chunk format version $ is unknown',
    'frame format version $ is unknown',
    'instrumented chunks hold no data',
    'blocks of variable length have no items to select',
    'dtype not known',
    'frames of this beta cannot be read here',
    'chunks that differ in size cannot be read here',
    'chunk $ was not fetched: its values are not stored in this file',
    'a lazy expression: its values are computed from other arrays and are not stored in this file',
    'a lazy function: its values are computed from other arrays and are not stored in this file',
    'a proxy of another array: this file holds only the chunks that were fetched',
    'a remote array: this file holds only the chunks that were fetched',
    'an array on a Caterva2 server: its values are not stored in this file',
    'a reference of an unknown kind: its values are not stored in this file',
    'the chunks of a sparse frame are files of their own',
    'the objects are stored as Arrow record batches',
    'a column of an unknown kind',
    'a zip archive: use `openStore`',
  ],
  [
    'index $ is outside axis $ of length $',
    '$ indices for $ dimensions',
    'the step of axis $ is zero',
    'a buffer of $ bytes for $',
    'no chunk $: there are $',
    'no block $: there are $',
    'not an n-dimensional array',
    'bytes given that were not asked for',
    'more bytes are asked for',
    'the first block must be given before others',
    'no frame was opened',
    '$ cannot be $',
    'filter $ cannot be applied here',
  ],
  [
    '$ bytes needed at once, `limits.memory` allows $',
    '$ bytes of metadata, `limits.metadata` allows $',
    'nested $ levels deep, `limits.depth` allows $',
    '$ bytes of which the file has less than a 1024th, `limits.expansion` allows $',
  ],
  [
    'the file has changed since it was opened: open it again',
    'the file was changed by another writer, so nothing was committed: open it again and repeat the changes',
  ],
]
