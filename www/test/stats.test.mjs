// Statistics and histograms agree with NumPy.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openArray } from 'b2nd'
import { openArrayFile } from 'b2nd/node'
import { cases, FOLDER } from './lib/golden.mjs'
import { skip, withFiles } from './lib/python.mjs'
import { source } from './lib/source.mjs'

const { path } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
const file = readFileSync(path)

test('histograms are those of NumPy', { skip }, () =>
  withFiles('stats_files.py', async (folder, files) => {
    for (const { name, file, count, finite, histograms } of files) {
      const array = await openArrayFile(join(folder, file))
      for (const { bins, range, counts, start, end } of histograms) {
        const stats = await array.stats(null, { bins, range: range ?? undefined })
        assert.deepEqual([stats.count, stats.count - stats.nan - stats.infinite], [count, finite], name)
        assert.deepEqual(stats.histogram, { counts, start, end }, `${name}, ${bins} bins of ${range}`)
      }
      await array.close()
    }
  }),
)

/** The command of the package, or another one. */
const COMMAND = process.env.B2ND_TOOL
  ? [process.env.B2ND_TOOL]
  : [process.execPath, join(import.meta.dirname, '../dist/cli.js')]

test('names and values are those of `b2nd stats`', async () => {
  const kinds = /^(sample|dtype-((be|le)-)?(b1|[iu][1248]|f[248]))\.b2nd$/
  const files = cases.map(({ file }) => file).filter(file => kinds.test(file.replace('blosc2-4.14.1/', '')))
  assert.ok(files.length > 8, `${files}`)
  for (const file of files) {
    const [program, ...words] = COMMAND
    const text = execFileSync(program, [...words, 'stats', join(FOLDER, file), '--json'], { encoding: 'utf8' })
    const { shape, ...told } = JSON.parse(text)
    const array = await openArrayFile(join(FOLDER, file))
    const own = await array.stats()
    await array.close()
    assert.deepEqual([shape, Object.keys(own).sort()], [[], Object.keys(told).sort()], file)
    for (const [name, value] of Object.entries(told)) {
      // JSON has no NaN, and the shortest text of a small float.
      const expected = value ?? NaN
      const digits = name === 'min' || name === 'max' ? { 2: 2 ** -11, 4: 2 ** -24 }[array.itemsize] : undefined
      const near = Math.abs(own[name] - expected) <= (digits ?? 1e-12) * Math.abs(expected)
      assert.ok(near || Object.is(own[name], expected), `${file}, ${name}: ${own[name]}, not ${expected}`)
    }
  }
})

test('as many bins as asked for, from the least to the greatest value', async () => {
  const array = await openArray(file)
  for (const bins of [1, 2, 3, 7, 16]) {
    const { min, max, count, nan, histogram } = await array.stats(null, { bins })
    assert.deepEqual([histogram.counts.length, histogram.start, histogram.end], [bins, min, max])
    assert.equal(
      histogram.counts.reduce((a, b) => a + b),
      count - nan,
    )
    assert.ok(histogram.counts[0] > 0 && histogram.counts.at(-1) > 0)
  }
})

test('bins over a range take one pass, others two', async () => {
  for (const [options, passes] of [
    [{ bins: 4 }, 2],
    [{ bins: 4, range: [0, 1] }, 1],
    [{}, 1],
  ]) {
    const array = await openArray(new Blob([file]), { cache: 0 })
    await array.chunkMap()
    const before = array.traffic
    const seen = []
    await array.stats(null, { ...options, onProgress: progress => seen.push(progress) })
    const once = await openArray(new Blob([file]), { cache: 0 })
    await once.chunkMap()
    const start = once.traffic
    await once.get()
    const { loaded, total, bytes } = seen.at(-1)
    assert.deepEqual([loaded, total], [passes * 12 * 30 * 40 * 4, passes * 12 * 30 * 40 * 4])
    assert.equal(bytes, array.traffic.bytes - before.bytes)
    assert.equal(bytes, passes * (once.traffic.bytes - start.bytes))
    assert.ok(seen.every((progress, k) => k === 0 || progress.loaded > seen[k - 1].loaded))
  }
})

test('bins next to numbers that have no half', async () => {
  const { createHistogram } = await source('data/histogram')
  for (const value of [2 ** 60, -(2 ** 53), 1.6e18]) {
    const histogram = createHistogram(4, value, value)
    histogram.add([value, NaN, Infinity])
    const { counts, start, end } = histogram.result()
    assert.ok(start < value && value < end)
    assert.equal(
      counts.reduce((a, b) => a + b),
      1,
    )
  }
})
