// A slice of a file behind a URL, decoded in the page or in workers.
import * as inside from 'b2nd'
import * as external from 'b2nd/external'
import { createPool } from 'b2nd/pool'

const ENTRIES = { b2nd: inside, 'b2nd/external': external }

/** A worker of the application's own. */
const createOwn = () => new Worker(new URL('./own.js', import.meta.url), { type: 'module' })

globalThis.read = async (url, { entry = 'b2nd', size, own }) => {
  const pool = createPool({ size, createWorker: own ? createOwn : undefined })
  const array = await ENTRIES[entry].openArray(url, { decoder: size ? pool : undefined })
  // Two reads at a time, for two workers: so small an array is one's work.
  const [{ data }] = await Promise.all([1, 2].map(() => array.get([null, null, 3])))
  const error = await array.get([99]).catch(error => error)
  pool.close()
  return {
    data: String(data),
    names: [array.constructor.name, pool.constructor.name, error.constructor.name, error.name],
  }
}
