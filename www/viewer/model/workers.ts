// Workers that decode and encode, so that the page stays responsive. All viewers of a page share them.
import { createPool } from '../../js/pool.js'

const url = new URL('./worker.js', import.meta.url)
const pool = createPool({ createWorker: () => new Worker(url, { type: 'module' }) })

/** Browsers do not start workers from another origin. Then the page itself decodes and encodes. */
export const workers = url.origin === location.origin ? pool : undefined
