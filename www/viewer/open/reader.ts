// Files that a host reads for the viewer: the kernel of a notebook, or an editor. Each read is a message.
import type { ByteSource } from '../../js/index.js'

/** A read that the host is asked for. */
export interface Request {
  id: number
  /** The number of the file. */
  file: number
  offset: number
  length: number
}

/** The host's answer, which bytes follow unless there is an error. */
export interface Answer {
  id: number
  error?: string
}

export class HostReader {
  readonly #send: (request: Request) => void
  readonly #waiting = new Map<number, { resolve(bytes: Uint8Array<ArrayBuffer>): void; reject(error: Error): void }>()
  #last = 0

  constructor(send: (request: Request) => void) {
    this.#send = send
  }

  /** A file of the host. */
  source(file: number, size: number): ByteSource {
    return {
      size,
      read: (offset, length) =>
        new Promise((resolve, reject) => {
          this.#waiting.set(++this.#last, { resolve, reject })
          this.#send({ id: this.#last, file, offset, length })
        }),
    }
  }

  /** Takes an answer of the host. */
  answer({ id, error }: Answer, bytes: Uint8Array<ArrayBuffer> | undefined): void {
    const asked = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error !== undefined || !bytes) asked?.reject(new Error(error ?? 'the host has sent no bytes'))
    else asked?.resolve(bytes)
  }
}
