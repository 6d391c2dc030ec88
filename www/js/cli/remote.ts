// Files behind URLs, read while the program waits: a worker makes the requests.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { systemError } from './errno.js'

/** A range of bytes of a file. */
export interface Span {
  readonly offset: number
  readonly length: number
}

/** A request to the worker. */
export interface Question {
  readonly url: string
  /** The first one is answered. The others are read at the same time, for later questions. */
  readonly spans: readonly Span[]
}

/** Its answer. */
export type Answer =
  | { readonly bytes: Uint8Array; readonly size: number | undefined }
  | { readonly message: string; readonly missing: boolean }

export const isUrl = (path: string): boolean => /^https?:\/\//.test(path)

/** Reads URLs. */
export class Remote {
  readonly #asked: readonly string[]
  readonly #sizes = new Map<string, number | Error>()
  /** The ranges that are read next, by URL. */
  readonly #next = new Map<string, Span[]>()
  readonly #flag = new Int32Array(new SharedArrayBuffer(4))
  #worker: { readonly thread: Worker; readonly port: MessageChannel['port1'] } | undefined

  /** `words` are those of the command: nothing is asked of other URLs, unless they are of stores. */
  constructor(words: readonly string[]) {
    this.#asked = words
  }

  /** The size of a file in bytes. Fails if there is none. */
  size(url: string): number {
    let size = this.#sizes.get(url)
    if (size === undefined) this.#sizes.set(url, (size = this.#begin(url)))
    if (size instanceof Error) throw size
    return size
  }

  #begin(url: string): number | Error {
    // The members of a store are no files, and neither is what is above a file or beside it.
    const isStore = /^[^?#]*(?<!\/embed)\.b2[zde]$/.test(url)
    const isMember = /^[^?#]*?\.b2[zde]\//.test(url)
    if (isMember || !(isStore || this.#asked.includes(url))) return systemError('ENOENT')
    try {
      const { size } = this.#ask({ url, spans: [{ offset: 0, length: 1 }] })
      if (size !== undefined) return size
      process.stderr.write(`b2nd: ${url}: the server does not tell the size of the file\n`)
      return systemError('EIO')
    } catch (error) {
      return error as Error
    }
  }

  /** Reads bytes; fewer at the end of the file. */
  read(url: string, offset: number, length: number): Uint8Array {
    const spans = [{ offset, length }, ...(this.#next.get(url) ?? [])]
    this.#next.delete(url)
    return this.#ask({ url, spans }).bytes
  }

  /** Remembers what is read next, so that it is asked for together. */
  willNeed(url: string, offset: number, length: number): void {
    const spans = this.#next.get(url) ?? []
    this.#next.set(url, spans)
    spans.push({ offset, length })
  }

  /** Lets the process end. */
  close(): void {
    this.#worker?.port.close()
    void this.#worker?.thread.terminate()
  }

  #ask(question: Question) {
    const { port } = (this.#worker ??= this.#start())
    Atomics.store(this.#flag, 0, 0)
    port.postMessage(question)
    // The worker may still be about to wake us up for the answer before.
    while (!Atomics.load(this.#flag, 0)) Atomics.wait(this.#flag, 0, 0)
    const answer = receiveMessageOnPort(port)!.message as Answer
    if ('bytes' in answer) return answer
    // Error numbers say too little.
    if (!answer.missing) process.stderr.write(`b2nd: ${answer.message}\n`)
    throw systemError(answer.missing ? 'ENOENT' : 'EIO')
  }

  #start() {
    const { port1: port, port2 } = new MessageChannel()
    const thread = new Worker(new URL('./cli.remote.js', import.meta.url), {
      workerData: { port: port2, flag: this.#flag },
      transferList: [port2],
    })
    return { thread, port }
  }
}
