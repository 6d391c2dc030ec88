// numcodecs.js: chunks of Blosc1. `numcodecs_blosc.mjs FOLDER --serve`, where FOLDER is that of the npm package.

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { items, serve, Unsupported } from './serving.mjs'

const { default: Blosc } = await import(resolve(process.argv[2], 'dist/blosc.js'))
const codec = Blosc.fromConfig({ id: 'blosc' })

await serve(async ({ file, selection }) => {
  if (!file.endsWith('.chunk')) throw new Unsupported('frames')
  const chunk = await readFile(file)
  return items(Buffer.from(await codec.decode(chunk)), chunk[3], selection)
})
