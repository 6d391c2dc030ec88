// Workers that decode and encode, so that the page stays responsive. All viewers of a page share them.
import { createPool } from '../../js/pool.js'

const url = new URL('./worker.js', import.meta.url)
export const startWorker = () => new Worker(url, { type: 'module' })
/** Workers that wait for their first job. */
export const ready: Worker[] = []
const pool = createPool({ createWorker: () => ready.pop() ?? startWorker() })

/** Browsers do not start workers from another origin. Then the page itself decodes and encodes. */
export const workers = url.origin === location.origin ? pool : undefined
