/** A file that is read and written at positions. */
export interface PositionedFile {
  /** Reads `length` bytes from `offset`, or fewer at the end. */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>
  /** Writes bytes at `offset`. The file grows as needed. */
  write(offset: number, bytes: Uint8Array<ArrayBuffer>): void | Promise<void>
  /** Changes the length of the file. */
  truncate(length: number): void | Promise<void>
  /** Returns when all writes are durable. */
  sync?(): void | Promise<void>
}

/** A file in memory. */
export interface MemoryFile extends PositionedFile {
  /** The content. It is valid until the file changes. */
  readonly bytes: Uint8Array<ArrayBuffer>
  read(offset: number, length: number): Uint8Array<ArrayBuffer>
  write(offset: number, bytes: Uint8Array): void
  truncate(length: number): void
  sync(): void
}

/** Creates a file in memory with a copy of `content`. */
export function memoryFile(content: Uint8Array = new Uint8Array()): MemoryFile {
  let buffer = new Uint8Array(content)
  let length = buffer.length
  const resize = (wanted: number) => {
    if (wanted > buffer.length) {
      const larger = new Uint8Array(Math.max(wanted, buffer.length * 2, 4096))
      larger.set(buffer.subarray(0, length))
      buffer = larger
    }
    // What was cut off must not reappear.
    if (wanted < length) buffer.fill(0, wanted, length)
    length = wanted
  }
  return {
    get bytes() {
      return buffer.subarray(0, length)
    },
    read: (offset, count) => buffer.slice(Math.min(offset, length), Math.min(offset + count, length)),
    write(offset, bytes) {
      if (offset + bytes.length > length) resize(offset + bytes.length)
      buffer.set(bytes, offset)
    },
    truncate: resize,
    sync: () => {},
  }
}
