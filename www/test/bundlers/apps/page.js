// A slice of a file behind a URL, decoded in the page or in workers.
import * as inside from 'b2nd'
import * as external from 'b2nd/external'
import { createPool } from 'b2nd/pool'

const ENTRIES = { b2nd: inside, 'b2nd/external': external }

globalThis.read = async (url, { entry = 'b2nd', size }) => {
  const pool = createPool({ size })
  const array = await ENTRIES[entry].openArray(url, { decoder: size ? pool : undefined })
  const { data } = await array.get([null, null, 3])
  const error = await array.get([99]).catch(error => error)
  pool.close()
  return { data: String(data), names: [array.constructor.name, pool.constructor.name, error.constructor.name, error.name] }
}
