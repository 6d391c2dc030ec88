import type { Traffic } from './cache.js'

/** The progress of a call. */
export interface Progress {
  /** Completed bytes of the result. */
  loaded: number
  /** Size of the result in bytes. */
  total: number
  /** Reads of the source since the call began, including those of other calls. */
  requests: number
  /** Bytes read by them. */
  bytes: number
}

/** Creates a function that takes the number of new bytes of the result and calls `onProgress`. */
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
