// Where results go: a file, which replaces another one only when it is complete, or standard output.

import { open as openHandle, rename, rm } from 'node:fs/promises'

/** Texts and bytes in order. */
export type Parts = AsyncIterable<string | Uint8Array>

/** Small parts are joined to so many characters. */
const JOINED = 2 ** 16

/** Writes parts to a path, or to standard output for none and for `-`. */
export async function write(output: string | undefined, parts: Parts): Promise<void> {
  if (output === undefined || output === '-') {
    for await (const part of joined(parts))
      await new Promise<void>((done, failed) => {
        process.stdout.write(part, error => (error ? failed(error) : done()))
      })
    return
  }
  const temporary = `${output}.${process.pid}.tmp`
  const file = await openHandle(temporary, 'wx')
  try {
    for await (const part of joined(parts)) await file.writeFile(part)
    await file.close()
    await rename(temporary, output)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw error
  }
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
