// Requests and bytes for slices of a 149 MB file on a server, compared with the reader of python-blosc2.

import assert from 'node:assert/strict'
import { mkdir, open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArray, slice } from 'b2nd'
import { python, skip } from './lib/python.mjs'

const FOLDER = join(import.meta.dirname, '../../target/www/test')
const FILE = join(FOLDER, 'volume.b2nd')
/** Start and stop of each selection along each axis; null only opens the file. */
const SLICES = {
  open: null,
  'z-plane, first': [
    [0, 1],
    [0, 512],
    [0, 512],
  ],
  'z-plane, other': [
    [200, 201],
    [0, 512],
    [0, 512],
  ],
  '16³, corner': [
    [0, 16],
    [0, 16],
    [0, 16],
  ],
  '16³, middle': [
    [250, 266],
    [300, 316],
    [300, 316],
  ],
  item: [
    [300, 301],
    [300, 301],
    [300, 301],
  ],
  'y-plane': [
    [0, 512],
    [100, 101],
    [0, 512],
  ],
  'x-plane': [
    [0, 512],
    [0, 512],
    [100, 101],
  ],
}

/** Serves ranges of a file. `counted` counts the requests since it was set. */
async function counting(file) {
  const { size } = await file.stat()
  const server = createServer(async (request, response) => {
    const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number)
    const end = Math.min(last + 1, size)
    const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start)
    server.counted.requests++
    server.counted.bytes += buffer.length
    response.writeHead(206, { 'Content-Length': buffer.length, 'Content-Range': `bytes ${start}-${end - 1}/${size}` })
    response.end(buffer)
  })
  server.counted = { requests: 0, bytes: 0 }
  await new Promise(done => server.listen(0, '127.0.0.1', done))
  server.url = `http://127.0.0.1:${server.address().port}/volume.b2nd`
  return server
}

/** The compressed bytes of all blocks that a selection touches, by the offset tables of the chunks. */
async function blocksOf(file, array, bounds) {
  const touched = (length, [start, stop]) =>
    Array.from({ length: Math.ceil(512 / length) }, (_, k) => k).filter(
      k => k * length < stop && (k + 1) * length > start,
    )
  const [cz, by] = [array.chunks[0], array.blocks[1]]
  assert.deepEqual([array.chunks.slice(1), array.blocks[0], array.blocks[2]], [[512, 512], 1, 512])
  const map = await array.chunkMap()
  let bytes = 0
  for (const nchunk of touched(cz, bounds[0])) {
    const { offset } = map.at(nchunk)
    const nblocks = cz * Math.ceil(512 / by)
    const { buffer: head } = await file.read(Buffer.alloc(32 + 4 * nblocks), 0, 32 + 4 * nblocks, offset)
    const starts = Array.from({ length: nblocks }, (_, k) => head.readInt32LE(32 + 4 * k))
    const ends = [...starts, head.readInt32LE(12)].sort((a, b) => a - b)
    for (const z of touched(1, bounds[0]).filter(z => Math.floor(z / cz) === nchunk)) {
      for (const y of touched(by, bounds[1])) {
        const start = starts[(z % cz) * Math.ceil(512 / by) + y]
        bytes += ends[ends.indexOf(start) + 1] - start
      }
    }
  }
  return bytes
}

test('requests and bytes', { skip }, async () => {
  await mkdir(FOLDER, { recursive: true })
  await python('remote_file.py', FILE)
  const file = await open(FILE)
  const server = await counting(file)
  try {
    const theirs = JSON.parse(await python('remote_read.py', server.url, JSON.stringify(SLICES)))
    const rows = []
    for (const [name, bounds] of Object.entries(SLICES)) {
      server.counted = { requests: 0, bytes: 0 }
      const array = await openArray(server.url)
      const opened = { ...server.counted }
      if (bounds) {
        server.counted = { requests: 0, bytes: 0 }
        await array.get(bounds.map(([start, stop]) => slice(start, stop)))
      }
      const ours = { ...server.counted }
      const blocks = bounds ? await blocksOf(file, array, bounds) : 0
      rows.push({ name, ours, theirs: theirs[name], blocks })
      assert.ok(opened.requests === 1 && opened.bytes <= 8192, 'opening')
      if (bounds) assert.ok(ours.bytes <= 1.1 * blocks, `${name}: ${ours.bytes} bytes for blocks of ${blocks}`)
      assert.ok(ours.bytes <= theirs[name].bytes * 1.02, `${name}: no more bytes than Python's`)
      await array.close()
    }
    // For whom requests cost more.
    server.counted = { requests: 0, bytes: 0 }
    await (
      await openArray(server.url, { gap: 2 ** 20, waste: 1 })
    ).get(SLICES['y-plane'].map(([start, stop]) => slice(start, stop)))
    rows.push({ ...rows.find(({ name }) => name === 'y-plane'), name: 'y-plane, few', ours: { ...server.counted } })
    print(rows)
    const requests = name => rows.find(row => row.name === name).ours.requests
    assert.ok(requests('z-plane, first') <= 2)
    // 512 blocks that lie as far apart as they are long, 32 heads of chunks, the index; a tenth of gaps is read through.
    assert.ok(requests('y-plane') <= 545 - 512 * 0.08, 'small gaps are read through')
    assert.ok(requests('y-plane, few') <= 60)
  } finally {
    server.close()
    await file.close()
  }
})

function print(rows) {
  const count = ({ requests, bytes }) => `${String(requests).padStart(4)} ${String(bytes).padStart(10)}`
  console.log(`${''.padEnd(18)} ours: requests, bytes   python-blosc2      blocks`)
  for (const { name, ours, theirs, blocks } of rows) {
    console.log(
      `${name.padEnd(18)}${count(ours).padStart(23)}${count(theirs).padStart(16)} ${String(blocks).padStart(11)}`,
    )
  }
}
