// Files that other writers change while they are read or edited: one committed state, or the error `changed`.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { isB2ndError, open, openArray, slice } from 'b2nd'
import { fileSource, openArrayFile } from 'b2nd/node'
import { edit, encodeArray, memoryFile } from 'b2nd/write'

const code = expected => error => isB2ndError(error, expected)
const [ROWS, COLUMNS] = [24, 40]

/** State `k`: it cannot be compressed, so that all states have the same lengths. */
const items = k => Uint8Array.from({ length: ROWS * COLUMNS }, (_, n) => (Math.imul(n, 2_654_435_761) >>> 13) + k)
const frame = k =>
  encodeArray(items(k), { shape: [ROWS, COLUMNS], dtype: '|u1', chunks: [2, COLUMNS], blocks: [1, COLUMNS] })

/** The state that rows from `at` on are of, if it is one. */
const stateOf = (data, at) => {
  const start = at * COLUMNS
  const k = (data[0] - items(0)[start]) & 255
  return Buffer.compare(data, items(k).subarray(start, start + data.length)) ? undefined : k
}

let folder
before(async () => (folder = await mkdtemp(join(tmpdir(), 'b2nd-changing-'))))
after(() => rm(folder, { recursive: true }))

const filed = async (name, k = 0) => {
  const path = join(folder, name)
  await writeFile(path, await frame(k))
  return path
}

/** A source over a file in memory, into which an editor commits `count` states before read `at`. */
async function changing(live, at, count) {
  const file = memoryFile(await frame(0))
  const editor = await edit(file)
  let [reads, state] = [0, 0]
  const source = {
    live,
    async read(offset, length) {
      if (reads++ === at) for (let k = 0; k < count; k++) await commit()
      return file.read(offset, length)
    },
  }
  const commit = async () => {
    await editor.set([], items(++state))
    await editor.commit()
  }
  return { source, state: () => state, stop: () => (at = -1) }
}

/** Commits at each moment of opening and reading. Counts whole, refused and mixed results. */
async function interleaved(live) {
  const counts = { whole: 0, changed: 0, mixed: 0 }
  for (const count of [1, 2, 4]) {
    for (let at = 0; at < 16; at++) {
      const { source, state, stop } = await changing(live, at, count)
      const array = await openArray(source, { cache: 0 })
      for (const [from, to] of [
        [0, 1],
        [3, 20],
        [0, ROWS],
      ]) {
        try {
          const { data } = await array.get([slice(from, to)])
          counts[stateOf(data, from) === undefined ? 'mixed' : 'whole']++
        } catch (error) {
          counts[isB2ndError(error, 'changed') ? 'changed' : 'mixed']++
        }
      }
      stop()
      const again = await openArray(source)
      assert.equal(stateOf((await again.get()).data, 0), state())
    }
  }
  return counts
}

test('a reader gets one state, or the error `changed`', async () => {
  const counts = await interleaved(true)
  assert.ok(counts.whole > 50 && counts.changed > 20 && counts.mixed === 0, JSON.stringify(counts))
  const harmed = await interleaved(false)
  assert.ok(
    harmed.mixed > 0,
    `the same commits do harm to a source that is not said to change: ${JSON.stringify(harmed)}`,
  )
})

test('an array in a file says what to do, and opening it again does', async () => {
  const path = await filed('read.b2nd')
  const array = await openArrayFile(path)
  assert.equal((await array.get([0])).data.length, COLUMNS)
  const editor = await edit(path)
  for (let k = 1; k < 4; k++) {
    await editor.set([], items(k))
    await editor.commit()
  }
  await editor.close()
  await assert.rejects(array.get(), error => code('changed')(error) && /open it again/.test(error.message))
  await array.close()
  const again = await openArrayFile(path)
  assert.equal(stateOf((await again.get()).data, 0), 3)
  await again.close()
})

test('an editor leaves the commits of others alone', async () => {
  const changes = [
    editor => editor.set([slice(1, 5)], new Uint8Array(4 * COLUMNS)),
    editor => editor.append(new Uint8Array(COLUMNS)),
    editor => editor.resize([3, 7]),
    editor => editor.setAttr('name', 'x'),
  ]
  for (const change of changes) {
    for (const early of [false, true]) {
      const file = memoryFile(await frame(0))
      const editor = await edit(file)
      if (early) await change(editor)
      const other = await edit(file)
      await other.set([], items(1))
      await other.commit()
      await other.close()
      const before = file.bytes.slice()
      await assert.rejects(async () => {
        if (!early) await change(editor)
        await editor.commit()
      }, code('changed'))
      assert.deepEqual(file.bytes.slice(), before)
      await assert.rejects(editor.commit(), code('changed'))
      await editor.abort()
    }
  }
})

test('a file that was replaced is not written to', async () => {
  const [path, other] = [await filed('replaced.b2nd'), await filed('other.b2nd', 7)]
  const editor = await edit(path)
  await rename(other, path)
  await assert.rejects(editor.set([], items(1)), code('changed'))
  await editor.abort()
  const array = await openArrayFile(path)
  assert.equal(stateOf((await array.get()).data, 0), 7)
  await array.close()
})

test('there is one editor of a file, until it ends', async () => {
  const path = await filed('locked.b2nd')
  const busy = error => code('source')(error) && /is writing this file/.test(error.message)
  for (const end of ['close', 'abort']) {
    const editor = await edit(path)
    await assert.rejects(edit(path), busy)
    // A file that is replaced stays locked.
    await editor.setMetalayer('name', end.repeat(3))
    await editor.commit()
    await assert.rejects(edit(path), busy)
    await editor[end]()
    assert.ok(!(await readdir(folder)).some(name => name.endsWith('-lock')))
  }
  const lock = join(folder, '.locked.b2nd.b2nd-lock')
  // No process has this number.
  await writeFile(lock, `4194305 ${hostname()}\n`)
  await (await edit(path)).close()
  await writeFile(lock, `1 not-${hostname()}\n`)
  await assert.rejects(edit(path), busy)
  await rm(lock)
})

/** Appends its rows one by one, each in an edit of its own, which it repeats until it succeeds. */
const APPENDER = `
import { isB2ndError } from 'b2nd'
import { edit } from 'b2nd/write'
const [path, value, count] = process.argv.slice(1)
for (let done = 0; done < count;) {
  try {
    const editor = await edit(path)
    try {
      await editor.append(new Uint8Array(${COLUMNS}).fill(value))
      await editor.close()
      done++
    } catch (error) {
      await editor.abort()
      throw error
    }
  } catch (error) {
    if (!isB2ndError(error, 'changed', 'source')) throw error
    await new Promise(resolve => setTimeout(resolve, 1 + Math.random() * 3))
  }
}`

test('no commit of two processes is lost', async () => {
  const path = await filed('two.b2nd')
  const run = promisify(execFile)
  const rows = 8
  await Promise.all(
    [1, 2].map(value =>
      run(process.execPath, ['--input-type=module', '-e', APPENDER, path, `${value}`, `${rows}`], {
        cwd: import.meta.dirname,
      }),
    ),
  )
  const array = await openArrayFile(path)
  assert.deepEqual(array.shape, [ROWS + 2 * rows, COLUMNS])
  const { data } = await array.get([slice(ROWS, ROWS + 2 * rows), 0])
  assert.equal(data.filter(value => value === 1).length, rows)
  assert.equal(data.filter(value => value === 2).length, rows)
  await array.close()
})

/** Reads until its input ends, and says how often it got one state, and how often none. */
const READER = `
import { isB2ndError, slice } from 'b2nd'
import { openArrayFile } from 'b2nd/node'
const items = ${items}
const [ROWS, COLUMNS] = [${ROWS}, ${COLUMNS}]
const stateOf = ${stateOf}
let ended = false
process.stdin.on('end', () => (ended = true)).resume()
const counts = { whole: 0, changed: 0 }
let array = await openArrayFile(process.argv[1])
while (!ended) {
  for (const [from, to] of [[0, ROWS], [5, 17], [2, 3]]) {
    try {
      const { data } = await array.get([slice(from, to)])
      if (stateOf(data, from) === undefined) throw new Error('a mixture')
      counts.whole++
    } catch (error) {
      if (!isB2ndError(error, 'changed')) throw error
      counts.changed++
      await array.close()
      array = await openArrayFile(process.argv[1])
    }
  }
}
console.log(JSON.stringify(counts))`

// B2ND_COMMITS=10000 for longer.
test('readers in other processes see one state', async () => {
  const path = await filed('stress.b2nd')
  const commits = Number(process.env['B2ND_COMMITS'] ?? 40)
  const readers = [1, 2].map(() => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', READER, path], { cwd: import.meta.dirname })
    const said = Promise.all(['stdout', 'stderr'].map(name => child[name].setEncoding('utf8').toArray()))
    return { child, said, ended: new Promise(resolve => child.on('close', resolve)) }
  })
  const editor = await edit(path)
  for (let k = 1; k <= commits; k++) {
    await editor.set([], items(k))
    await editor.commit()
  }
  await editor.close()
  for (const { child, said, ended } of readers) {
    child.stdin.end()
    const status = await ended
    const [out, errors] = (await said).map(pieces => pieces.join(''))
    assert.equal(status, 0, errors)
    if (commits > 1000) console.log(out)
  }
})

test('a sparse frame whose index is replaced while it is opened is opened', async () => {
  const states = [0, 1].map(k => join(folder, `sparse-${k}.b2nd`))
  const golden = new URL('../../tests/golden/blosc2-4.14.1/sparse-lz4.b2frame/', import.meta.url)
  for (const path of states) await cp(golden, path, { recursive: true })
  const [path, other] = states
  const source = await fileSource(path)
  let opened = 0
  const frame = await open({
    async part(number) {
      const part = await source.part(number)
      if (number >= 0 || opened++) return part
      // The index that was read first is replaced before it is compared.
      let reads = 0
      return {
        live: true,
        async read(...request) {
          if (reads++ === 1) await rename(join(other, 'chunks.b2frame'), join(path, 'chunks.b2frame'))
          return part.read(...request)
        },
      }
    },
  })
  assert.ok((await frame.chunk(0)).length > 0)
  assert.equal(opened, 2)
})
