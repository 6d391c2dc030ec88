// Decodes a file in a worker of its own, so that the page stays responsive.
import { B2ndError } from '../../js/index.js'
import type { Answer, Reading, Request } from './decode.js'
import type { Values } from './values.js'

export async function decoded(request: Request, reading: Reading): Promise<Values> {
  const url = new URL('./decode.js', import.meta.url)
  if (url.origin === location.origin) return inWorker(new Worker(url, { type: 'module' }), request, reading)
  // Browsers do not start workers from another origin.
  const { decode } = await import('./decode.js')
  return decode(request, reading)
}

/** Ends the worker when the file was decoded, or the signal is aborted. */
async function inWorker(worker: Worker, request: Request, { signal, onProgress }: Reading): Promise<Values> {
  try {
    return await new Promise((resolve, reject) => {
      signal.throwIfAborted()
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        if ('share' in data) onProgress(data.share)
        else if ('values' in data) resolve(data.values)
        else reject(new B2ndError(data.error.code, data.error.message))
      }
      worker.onerror = ({ message }) =>
        reject(new B2ndError('unsupported', `the worker that decodes has failed${message ? `: ${message}` : ''}`))
      worker.postMessage(request, [])
    })
  } finally {
    worker.terminate()
  }
}
