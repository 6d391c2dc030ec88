// Prints slices of a file, as bytes and by its path, decoded in this thread and in workers, and of a copy.
import { readFile } from 'node:fs/promises'
import { openArray } from 'b2nd/external'
import { openFile } from 'b2nd/node'
import { createPool } from 'b2nd/pool'
import { encodeArray } from 'b2nd/write'

async function main() {
  const path = globalThis.process.argv[2]
  const pool = createPool({ size: 2 })
  const here = await openArray(await readFile(path))
  const there = await openFile(path, { decoder: pool })
  const copy = await openArray(await encodeArray({ ...(await here.get()), dtype: here.dtype }))
  // So small an array is the work of one worker.
  const slices = await Promise.all([here, copy, there, there].map(array => array.get([null, null, 3])))
  console.log(JSON.stringify({ slices: slices.map(({ data }) => String(data)), workers: pool.workers }))
  pool.close()
  await there.close()
}

void main()
