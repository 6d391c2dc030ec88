// Decodes a file in a worker of its own, so that the page stays responsive.
import { B2ndError } from '../../js/index.js'
import type { Answer, Request } from './decode.js'
import type { Reading, Values } from './values.js'

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
      const fail = (message?: string) =>
        reject(new B2ndError('unsupported', `the worker that decodes has failed${message ? `: ${message}` : ''}`))
      worker.onmessage = ({ data }: MessageEvent<Answer | null>) => {
        // Tools of others may send messages, too.
        if (!data || typeof data !== 'object') return
        if ('share' in data) onProgress(data.share)
        else if ('values' in data) resolve(data.values)
        else if ('error' in data) reject(new B2ndError(data.error.code, data.error.message))
      }
      worker.onerror = ({ message }) => fail(message)
      worker.onmessageerror = () => fail('its answer cannot be received')
      worker.postMessage(request, [])
    })
  } finally {
    worker.terminate()
  }
}
