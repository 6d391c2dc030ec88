import type { Traffic } from './cache.js'

/** How far a call is. */
export interface Progress {
  /** Bytes of the result that are there. */
  loaded: number
  /** Bytes of the result. */
  total: number
  /** Reads since the call began, this call's and others'. */
  requests: number
  /** Bytes that they brought. */
  bytes: number
}

/** A function to call with the number of bytes whenever more of the result is there. It tells `onProgress`. */
export function createProgress(
  total: number,
  traffic: Traffic,
  onProgress: ((progress: Progress) => void) | undefined,
): (bytes: number) => void {
  const before = { ...traffic }
  let loaded = 0
  return bytes => {
    loaded += bytes
    onProgress?.({ loaded, total, requests: traffic.requests - before.requests, bytes: traffic.bytes - before.bytes })
  }
}
