// Arrays that are changed in their files.

import assert from 'node:assert/strict'
import { mkdtemp, open as openHandle, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isB2ndError, open, openArray, slice } from 'b2nd'
import { openArrayFile } from 'b2nd/node'
import { edit, encodeArray, memoryFile, recover } from 'b2nd/write'
import { cases } from './lib/golden.mjs'
import { python, skip } from './lib/python.mjs'
import { randomOf } from './lib/random-arrays.mjs'

const code = expected => error => isB2ndError(error, expected)
const OPTIONS = { shape: [20, 30], dtype: '<i4', chunks: [8, 9], blocks: [3, 4], codec: 'lz4' }
const ITEMS = Int32Array.from({ length: 600 }, (_, k) => (k * 7) % 101)
const WHOLE = await encodeArray(ITEMS, { ...OPTIONS, attrs: { a: 1 }, metalayers: { m: 'x' } })
let folder
before(async () => (folder = await mkdtemp(join(tmpdir(), 'b2nd-'))))
after(() => rm(folder, { recursive: true }))

/** A matrix to change in the same way. */
class Model {
  constructor(rows, columns, items) {
    Object.assign(this, { rows, columns, items: Int32Array.from(items) })
  }

  resize(rows, columns) {
    const items = new Int32Array(rows * columns)
    for (let row = 0; row < Math.min(rows, this.rows); row++) {
      for (let column = 0; column < Math.min(columns, this.columns); column++) {
        items[row * columns + column] = this.items[row * this.columns + column]
      }
    }
    Object.assign(this, { rows, columns, items })
  }

  set(row, column, height, width, values) {
    values.forEach((value, k) => {
      this.items[(row + Math.floor(k / width)) * this.columns + column + (k % width)] = value
    })
    assert.equal(values.length, height * width)
  }
}

const content = async bytes => {
  const array = await openArray(bytes)
  return {
    shape: array.shape,
    data: (await array.get()).data,
    attrs: { ...(await array.attrs()) },
    metalayers: { ...array.metalayers },
  }
}

/** Makes a random change to the editor and the model. */
async function change(editor, model, { below }) {
  const values = count => Int32Array.from({ length: count }, () => below(1000))
  const kind = below(6)
  if (kind < 3 && model.rows && model.columns) {
    const [row, column] = [below(model.rows), below(model.columns)]
    const [height, width] = [1 + below(model.rows - row), 1 + below(model.columns - column)]
    const items = values(height * width)
    await editor.set([slice(row, row + height), slice(column, column + width)], items)
    model.set(row, column, height, width, items)
  } else if (kind === 3) {
    const [rows, columns] = [1 + below(30), 1 + below(40)]
    await editor.resize([rows, columns])
    model.resize(rows, columns)
  } else {
    const axis = kind - 4
    const { rows, columns } = model
    const count = 1 + below(12)
    const [height, width] = axis ? [rows, count] : [count, columns]
    const items = values(height * width)
    await editor.append(items, { axis })
    model.resize(axis ? rows : rows + count, axis ? columns + count : columns)
    model.set(axis ? 0 : rows, axis ? columns : 0, height, width, items)
  }
  assert.deepEqual(editor.shape, [model.rows, model.columns])
}

test('random changes give the array, and the reference reads it', { skip }, async () => {
  const described = []
  for (let seed = 0; seed < 12; seed++) {
    const random = randomOf(seed)
    const file = memoryFile(WHOLE)
    const model = new Model(20, 30, ITEMS)
    const editor = await edit(file)
    for (let n = 0; n < 12; n++) {
      await change(editor, model, random)
      if (random.below(3)) continue
      await editor.commit()
      const { shape, data } = await content(file.bytes)
      assert.deepEqual([shape, data], [[model.rows, model.columns], model.items], `seed ${seed}`)
    }
    await editor.setAttr('seed', seed)
    await editor.close()
    const name = `edited${seed}`
    await writeFile(join(folder, `${name}.b2nd`), file.bytes)
    await writeFile(join(folder, `${name}.plain`), model.items)
    const shape = [model.rows, model.columns]
    described.push({ ...OPTIONS, name, shape, attrs: { a: 1, seed }, metalayers: { m: 'x' } })
  }
  await writeFile(join(folder, 'cases.json'), JSON.stringify(described))
  assert.deepEqual(
    JSON.parse(await python('written_arrays.py', folder)),
    described.map(() => null),
  )
})

test('a file that stops anywhere has the old array or the new one', async () => {
  /** Makes a file that records what is done to it. */
  const recorded = done => {
    const file = memoryFile(WHOLE)
    return {
      file,
      read: (offset, length) => file.read(offset, length),
      write: (offset, bytes) => (done.push(file => file.write(offset, bytes)), file.write(offset, bytes)),
      truncate: length => (done.push(file => file.truncate(length)), file.truncate(length)),
      sync: () => void done.push('sync'),
    }
  }
  const done = []
  const { file, ...handle } = recorded(done)
  const editor = await edit(handle)
  const states = [(await content(WHOLE)).data.join()]
  const marks = []
  for (let n = 0; n < 4; n++) {
    await editor.set([slice(n, 19), slice(2, 28)], n + 1)
    await editor.setAttr('n', 'x'.repeat(n * 50))
    if (n === 2) await editor.resize([17, 30])
    await editor.commit()
    states.push((await content(file.bytes)).data.join())
    marks.push(done.length)
  }
  // Writes between two syncs may reach the disk in any order, or not at all.
  const replayed = memoryFile(WHOLE)
  let commit = 0
  for (const [at, act] of done.entries()) {
    if (at === marks[commit]) commit++
    if (act === 'sync') continue
    const group = []
    for (let next = at; next < done.length && done[next] !== 'sync'; next++) group.push(done[next])
    for (const picked of [[], group.slice(1), group.slice(0, 1), group.toReversed()]) {
      const copy = memoryFile(replayed.bytes)
      for (const act of picked) act(copy)
      const state = (await content(copy.bytes)).data.join()
      assert.ok([states[commit], states[commit + 1]].includes(state), `operation ${at}`)
    }
    act(replayed)
  }
  assert.equal(new Set(states).size, 5)
  assert.ok(done.filter(act => act === 'sync').length >= 8)
})

test('a path, a handle, and handles of browsers', async () => {
  const path = join(folder, 'file.b2nd')
  const edited = async file => {
    const editor = await edit(file)
    await editor.set([3], 7)
    await editor.close()
  }
  const expected = memoryFile(WHOLE)
  await edited(expected)
  await writeFile(path, WHOLE)
  await edited(path)
  assert.ok((await readFile(path)).equals(expected.bytes))
  await writeFile(path, WHOLE)
  const handle = await openHandle(path, 'r+')
  await edited(handle)
  await handle.close()
  assert.ok((await readFile(path)).equals(expected.bytes))
  const memory = memoryFile(WHOLE)
  const { bytes: _, ...file } = memory
  await edited(file)
  assert.deepEqual(memory.bytes, expected.bytes)
  const browser = browserFile(WHOLE)
  await edited(browser)
  assert.deepEqual(browser.bytes(), expected.bytes)
  const unfinished = browserFile(WHOLE)
  const editor = await edit(unfinished)
  await editor.set([3], 7)
  await editor.abort()
  assert.deepEqual((await content(unfinished.bytes())).data, ITEMS)
})

/** A `FileSystemFileHandle`, whose file changes when a stream is closed. */
function browserFile(bytes) {
  let file = new Uint8Array(bytes)
  return {
    bytes: () => file,
    getFile: async () => new Blob([file]),
    async createWritable({ keepExistingData }) {
      const memory = memoryFile(keepExistingData ? file : undefined)
      return {
        write: async ({ position, data }) => memory.write(position, data),
        truncate: async size => memory.truncate(size),
        close: async () => void (file = memory.bytes.slice()),
        abort: async () => {},
      }
    },
  }
}

test('a file does not grow with each opening', async () => {
  const path = join(folder, 'often.b2nd')
  await writeFile(path, WHOLE)
  const model = new Model(20, 30, ITEMS)
  for (let round = 0; round < 50; round++) {
    const editor = await edit(path)
    await editor.set([round % 20, 3], Int32Array.of(round))
    model.set(round % 20, 3, 1, 1, [round])
    await editor.setAttr('round', round)
    await editor.close()
  }
  const { size } = await stat(path)
  assert.ok(size < 3 * WHOLE.length, `${WHOLE.length} bytes became ${size}`)
  assert.deepEqual((await content(await readFile(path))).data, model.items)
})

test('compact leaves no unused space', async () => {
  const path = join(folder, 'compact.b2nd')
  await writeFile(path, WHOLE)
  const editor = await edit(path)
  for (let k = 0; k < 30; k++) {
    await editor.set(
      [slice(5, 15)],
      ITEMS.slice(0, 10 * 30).map(item => item * k),
    )
    await editor.commit()
  }
  await editor.set([0], 3)
  const { size } = await stat(path)
  await editor.compact()
  const compacted = await stat(path)
  assert.ok(compacted.size < size, `${compacted.size} of ${size}`)
  const before = (await content(await readFile(path))).data
  await editor.set([3], 4)
  await editor.compact()
  await editor.close()
  assert.ok((await stat(path)).size <= compacted.size + 200)
  const after = (await content(await readFile(path))).data
  assert.deepEqual(after.subarray(0, 30), before.subarray(0, 30))
  const memory = await edit(memoryFile(WHOLE))
  await assert.rejects(memory.compact(), code('unsupported'))
  await memory.close()
})

test('closing twice is closing once, unless the first call has failed', async () => {
  const editor = await edit(memoryFile(WHOLE))
  await Promise.all([editor.close(), editor.close()])
  await editor.close()
  await assert.rejects(editor.commit(), code('argument'))
  const aborted = await edit(memoryFile(WHOLE))
  await aborted.abort()
  await assert.rejects(aborted.close(), code('argument'))
  await assert.rejects(aborted.close(), code('argument'))
})

test('a header of another length replaces the file of a path', async () => {
  const path = join(folder, 'longer.b2nd')
  await writeFile(path, WHOLE)
  const { ino } = await stat(path)
  const editor = await edit(path)
  await editor.set([0, 0], -1)
  await editor.setMetalayer('units', 'kelvin')
  await editor.setMetalayer('m', undefined)
  await editor.commit()
  assert.notEqual((await stat(path)).ino, ino)
  // The editor continues in the new file.
  await editor.set([0, 1], -2)
  await editor.setAttr('a', undefined)
  await editor.setAttr('b', [1, 2])
  await editor.close()
  const array = await openArrayFile(path)
  assert.deepEqual([...(await array.get([0, slice(0, 3)])).data], [-1, -2, ITEMS[2]])
  assert.equal(array.metalayers.units, 'kelvin')
  assert.equal('m' in array.metalayers, false)
  assert.deepEqual({ ...(await array.attrs()) }, { b: [1, 2] })
  await array.close()
  assert.deepEqual(
    (await readdir(folder)).filter(name => name.startsWith('longer')),
    ['longer.b2nd'],
  )

  const memory = memoryFile(WHOLE)
  const other = await edit(memory)
  await other.setMetalayer('units', 'kelvin')
  await assert.rejects(other.commit(), code('unsupported'))
  await other.abort()
  assert.deepEqual((await content(memory.bytes)).data, ITEMS)
})

test('without a commit nothing changes', async () => {
  const memory = memoryFile(WHOLE)
  const editor = await edit(memory)
  await editor.set(null, 1)
  await editor.resize([5, 5])
  await editor.abort()
  const { shape, data } = await content(memory.bytes)
  assert.deepEqual([shape, data], [[20, 30], ITEMS])
  await assert.rejects(editor.set(null, 1), code('argument'))
})

test('wrong calls fail, and change nothing', async () => {
  const memory = memoryFile(WHOLE)
  const editor = await edit(memory)
  for (const call of [
    () => editor.set([20], 1),
    () => editor.set([0], new Int32Array(29)),
    () => editor.set('all', 1),
    () => editor.resize([5]),
    () => editor.resize([5, -1]),
    () => editor.resize(5),
    () => editor.set([[1, 5]], 0),
    () => editor.set([[]], 0),
    () => editor.set([Int32Array.of(1)], 0),
    () => editor.set([{ mask: new Uint8Array(20) }], 0),
    () => editor.set([{}], 0),
    () => editor.set([0, 0], 'hello'),
    () => editor.set([0, 0], 1.5),
    () => editor.set([0, slice(0, 2)], [1, 2 ** 31]),
    () => editor.append([Array(30).fill(0.5)]),
    () => editor.append([Array(15).fill(0), Array(15).fill(0)]),
    () => editor.append(new Int32Array(31)),
    () => editor.append(new Int32Array(30), { axis: 2 }),
    () => editor.append(new Int32Array(30), { axis: -1 }),
    () => editor.setMetalayer('b2nd', 1),
    () => editor.setAttr('f', () => {}),
  ]) {
    await assert.rejects(async () => call(), code('argument'), String(call))
  }
  await editor.close()
  assert.deepEqual((await content(memory.bytes)).data, ITEMS)
})

test('what cannot be changed fails', async () => {
  const { path } = cases.find(({ kind, error }) => kind === 'chunk' && !error)
  await assert.rejects(edit(memoryFile(await readFile(path))), isB2ndError)
  await assert.rejects(edit(memoryFile(new Uint8Array(100))), code('format'))
  await assert.rejects(edit(memoryFile()), code('format'))
  await assert.rejects(edit(join(folder, 'missing.b2nd')), code('source'))
  await assert.rejects(edit({}), code('argument'))
  await assert.rejects(edit(memoryFile(WHOLE), { limits: 5 }), code('argument'))
  const sparse = cases.find(({ file, error }) => /sparse/.test(file) && !error)
  const frame = await readFile(join(sparse.path, 'chunks.b2frame'))
  await assert.rejects(edit(memoryFile(frame)), code('unsupported'))
  for (let at = 0; at < WHOLE.length; at += 3) {
    const damaged = memoryFile(WHOLE)
    damaged.bytes[at] ^= 0xff
    const editor = await edit(damaged).catch(error => assert.ok(isB2ndError(error), String(error)))
    await editor?.set([slice(5, 15)], 3).catch(error => assert.ok(isB2ndError(error), String(error)))
  }
})

test('arrays of the corpus can be changed', async () => {
  let count = 0
  for (const { kind, error, offset, path, shape, file } of cases) {
    if (kind !== 'array' || error || offset || !file.endsWith('.b2nd') || !shape.length || shape.includes(0)) continue
    if ((await stat(path)).isDirectory()) continue
    const bytes = await readFile(path)
    const array = await openArray(bytes)
    const lossy = /zfp/.test(array.info.codec.name) || array.info.filters.some(({ name }) => /ndmean|trunc/.test(name))
    if (lossy || array.info.reference || array.type?.kind !== 'float' || ![4, 8].includes(array.itemsize)) continue
    const memory = memoryFile(bytes)
    const editor = await edit(memory).catch(error => assert.ok(isB2ndError(error, 'unsupported'), `${file}: ${error}`))
    if (!editor) continue
    await editor.set(
      shape.map(() => -1),
      2.5,
    )
    await editor.close()
    const after = await open(memory.bytes)
    assert.equal(await after.at(...shape.map(() => -1)), 2.5, file)
    count++
  }
  assert.ok(count > 20, String(count))
})

test('a frame without its end is put together from its chunks', async () => {
  const { frame, ...found } = await recover(WHOLE)
  assert.deepEqual(found, { found: 12, chunks: 12, isCertain: true })
  const whole = await openArray(frame)
  assert.deepEqual((await whole.get()).data, ITEMS)
  assert.equal(whole.metalayers.m, 'x')
  const cut = await recover(new Blob([WHOLE.subarray(0, (WHOLE.length * 2) / 3)]), { limits: { memory: 2 ** 20 } })
  assert.ok(cut.found > 4 && cut.found < 12 && !cut.isCertain)
  const { data } = await (await openArray(cut.frame)).get([slice(8)])
  assert.deepEqual(data, ITEMS.subarray(0, 240))
  await assert.rejects(recover(WHOLE.subarray(0, 30)), code('format'))
  await assert.rejects(recover(WHOLE, { signal: AbortSignal.abort() }), { name: 'AbortError' })
  await assert.rejects(recover('x.b2nd'), code('argument'))
})
