declare module 'pako' {
  /** Decompresses a stream, some bytes at a time. */
  export class Inflate {
    constructor(options: { chunkSize: number })
    onData: (part: Uint8Array) => void
    push(bytes: Uint8Array, isLast: boolean): boolean
    readonly err: number
    readonly msg: string
  }
}
