// The package in Node.js beside others of WebAssembly: `node wasm.mjs --files FOLDER [--group NAME] [--only NAME] [--json]`.
// The files are those that wasm_files.py writes to the folder.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openArray, slice } from 'b2nd'
import { Blosc, init } from 'b2nd/codecs'
import { hdf5Filters, init as initHdf5 } from 'b2nd/hdf5'
import { openFile } from 'b2nd/node'
import { createPool } from 'b2nd/pool'
import { install_local_plugins } from 'h5wasm-plugins'
import h5wasm from 'h5wasm/node'
import Numcodecs from 'numcodecs/blosc'
import { alternating, computing, geometricMean, medians } from './clock.mjs'
import { encoding } from './encoding.mjs'

const { files, group, only, json } = parseArgs({
  options: {
    files: { type: 'string' },
    group: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
}).values
const cases = JSON.parse(readFileSync(join(files, 'cases.json')))
const wanted = ({ name }) => name.includes(only)

await Promise.all([init(), initHdf5()])
const report = group
  ? {
      chunks: [],
      encoding: [],
      hdf5: [],
      slices: [],
      [group]: await { chunks, encoding: encodings, hdf5, slices }[group](),
    }
  : { chunks: await chunks(), encoding: await encodings(), hdf5: await hdf5(), slices: await slices() }
if (report.chunks.length) {
  const mean = key => geometricMean(report.chunks.map(row => row[key]))
  const least = key => report.chunks.reduce((least, row) => (row[key] < least[key] ? row : least))
  Object.assign(report, {
    mean: mean('ratio'),
    least: least('ratio'),
    newMean: mean('newRatio'),
    newLeast: least('newRatio'),
  })
}
if (json) console.log(JSON.stringify(report))
else print(report)

/**
 * Chunks of Blosc1 beside numcodecs, both as the codec that zarrita calls: into an array that is there, and into new
 * ones, which both fill by a copy that costs them the same.
 */
async function chunks() {
  const [ours, theirs] = [Blosc.fromConfig(), Numcodecs.fromConfig({ id: 'blosc' })]
  const rows = []
  for (const { name, nbytes, cbytes } of cases.chunks.filter(wanted)) {
    const chunk = new Uint8Array(readFileSync(join(files, `${name}.chunk`)))
    const out = new Uint8Array(nbytes)
    same(name, await ours.decode(chunk), await theirs.decode(chunk))
    const into = await medians(
      [ours, theirs].map(codec => () => codec.decode(chunk, out)),
      computing,
    )
    const [fresh, theirFresh] = await alternating(
      [ours, theirs].map(codec => () => codec.decode(chunk)),
      computing,
    )
    rows.push(row(name, nbytes, into, { cbytes, newRatio: theirFresh / fresh }))
  }
  return rows
}

/** Encoding of the same data. */
async function encodings() {
  const blosc = Blosc.fromConfig()
  const rows = []
  for (const { name } of cases.chunks.filter(({ name }) => name.includes('-') && wanted({ name }))) {
    rows.push(...(await encoding(name, await blosc.decode(readFileSync(join(files, `${name}.chunk`))))))
  }
  return rows
}

/** Chunks of HDF5 with the filter Blosc2 beside h5wasm and its plugin, which reads them from a file in memory. */
async function hdf5() {
  install_local_plugins(await h5wasm.ready)
  const file = new h5wasm.File(join(files, 'blosc2.h5'), 'r')
  const rows = []
  for (const { name, nbytes } of cases.hdf5.filter(wanted)) {
    const frame = new Uint8Array(readFileSync(join(files, `${name}.frame`)))
    const ours = () => hdf5Filters[32026](frame)
    // A dataset that is opened anew does not hold the chunk that it decoded last.
    const theirs = () => file.get(name).value
    const { buffer, byteOffset, byteLength } = theirs()
    same(name, new Uint8Array(ours()), new Uint8Array(buffer, byteOffset, byteLength))
    rows.push(row(name, nbytes, await medians([ours, theirs], computing)))
  }
  file.close()
  return rows
}

/** Slices of an array of 256³ float32 in 64 MiB: of bytes in memory, of the file, and with workers. */
async function slices() {
  const path = join(files, 'volume.b2nd')
  const bytes = new Uint8Array(readFileSync(path))
  const pool = createPool({ size: 2 })
  const places = {
    memory: await openArray(bytes),
    file: await openFile(path),
    workers: await openArray(bytes, { decoder: pool }),
  }
  const selections = {
    item: [100, 100, 100],
    box: [slice(100, 116), slice(100, 116), slice(100, 116)],
    'z-plane': [100],
    'y-plane': [null, 100],
    'x-plane': [null, null, 100],
    whole: null,
  }
  const rows = []
  for (const [name, selection] of Object.entries(selections).filter(([name]) => wanted({ name }))) {
    const times = await medians(Object.values(places).map(array => () => array.get(selection)))
    rows.push({ name, ...Object.fromEntries(Object.keys(places).map((place, k) => [place, times[k]])) })
  }
  for (const array of Object.values(places)) await array.close()
  pool.close()
  return rows
}

function same(name, ours, theirs) {
  if (!Buffer.from(ours.buffer, ours.byteOffset, ours.length).equals(theirs)) throw new Error(`${name} differs`)
}

function row(name, nbytes, [ours, theirs], more = {}) {
  const speed = milliseconds => nbytes / milliseconds / 1e3
  return { name, ...more, ours: speed(ours), theirs: speed(theirs), ratio: theirs / ours }
}

function print({ chunks, encoding, hdf5, slices, mean, least, newMean, newLeast }) {
  const line = (name, ...cells) =>
    console.log(`${name.padEnd(26)}${cells.map(cell => ` ${cell}`.padStart(18)).join('')}`)
  const speeds = rows => {
    for (const { name, ours, theirs, ratio, newRatio } of rows) {
      line(name, ours.toFixed(0), theirs.toFixed(0), ratio.toFixed(2), newRatio?.toFixed(2) ?? '')
    }
  }
  line('Blosc1 chunk, MB/s', 'b2nd', 'numcodecs', 'ratio', 'new arrays')
  speeds(chunks)
  if (mean) line('geometric mean', '', '', mean.toFixed(2), newMean.toFixed(2))
  if (least) line('least', least.name, newLeast.name, least.ratio.toFixed(2), newLeast.newRatio.toFixed(2))
  line('encoding, MB/s', 'b2nd', 'numcodecs', 'ratio', 'size / theirs')
  for (const { name, ours, theirs, ratio, sizes } of encoding) {
    line(name, ours.toFixed(0), theirs.toFixed(0), ratio.toFixed(2), sizes.toFixed(3))
  }
  if (encoding.length) {
    const mean = key => geometricMean(encoding.map(row => row[key])).toFixed(2)
    line('geometric mean', '', '', mean('ratio'), mean('sizes'))
  }
  line('HDF5 Blosc2 chunk, MB/s', 'b2nd', 'h5wasm', 'ratio')
  speeds(hdf5)
  line('slice, ms', 'memory', 'file', '2 workers')
  for (const { name, memory, file, workers } of slices) line(name, ...[memory, file, workers].map(ms => ms.toFixed(3)))
}
