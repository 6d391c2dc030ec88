// Pipes: what is read to its end, or written from start to end.

import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { B2ndError } from '../base/errors.js'

/** How many milliseconds a process may take until it writes to a pipe. */
const PATIENCE = 2000
const BETWEEN = 10

/** Whether a path means standard output, which may also be a file that others append to. */
export const isStandardOutput = (path: string): boolean => path === '-' || path === '/dev/stdout'

/** Whether there is a pipe at a path. */
export const isPipe = (path: string): boolean => !!statSync(path, { throwIfNoEntry: false })?.isFIFO()

/** Reads a pipe. Fails if nothing comes from it. */
export async function* fromPipe(path: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Without waiting for a process that has it open for writing.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  let first
  try {
    for (let waited = 0; !(first = begin(file)); waited += BETWEEN) {
      if (waited >= PATIENCE) throw new B2ndError('source', `${path}: no process writes to this pipe`)
      await pause(BETWEEN)
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
  if (first.length) yield first
  yield* new Socket({ fd: file, readable: true, writable: false }) as AsyncIterable<Buffer<ArrayBuffer>>
}

/** The first byte of a pipe, or none if it is yet to come; `undefined` if no process has the pipe open for writing. */
function begin(file: number): Uint8Array<ArrayBuffer> | undefined {
  const first = new Uint8Array(1)
  try {
    return readSync(file, first) ? first : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return first.subarray(1)
    throw error
  }
}
