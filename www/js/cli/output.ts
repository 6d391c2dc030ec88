// Where results go: a file, which replaces another one only when it is complete, standard output, a pipe or a device.

import { constants } from 'node:fs'
import { open as openHandle } from 'node:fs/promises'
import { found, newFile, type NewFile } from '../write/new-file.js'
import { isStandardOutput } from './pipe.js'

/** Texts and bytes in order. */
export type Parts = AsyncIterable<string | Uint8Array>

/** Small parts are joined to so many characters. */
const JOINED = 2 ** 16

/** Writes parts to a path, or to standard output for none and for `-`. */
export async function write(output: string | undefined, parts: Parts): Promise<void> {
  if (output === undefined || isStandardOutput(output)) {
    for await (const part of joined(parts))
      await new Promise<void>((done, failed) => {
        process.stdout.write(part, error => (error ? failed(error) : done()))
      })
    return
  }
  const file = await opened(output)
  try {
    for await (const part of joined(parts)) await file.handle.writeFile(part)
    await file.publish()
  } finally {
    await file.end()
  }
}

/** Opens a new file, or the pipe or the device that is at a path. */
async function opened(output: string): Promise<NewFile> {
  const there = await found(output)
  if (!there || there.isFile() || there.isDirectory()) return newFile(output)
  const handle = await openHandle(output, constants.O_WRONLY)
  return { handle, publish: async () => {}, end: () => handle.close() }
}

/** Joins short texts. */
async function* joined(parts: Parts): Parts {
  let text = ''
  for await (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      if (text) yield text
      text = ''
      yield part
    }
    if (text.length > JOINED) {
      yield text
      text = ''
    }
  }
  if (text) yield text
}
