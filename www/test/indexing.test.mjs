// Lists of positions, masks, points and views, compared with a plain array, and with NumPy: golden cases, and random ones if
// B2ND_INDEXING names a folder; and what is requested and decoded for them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, openArray, slice } from 'b2nd'
import { view } from 'b2nd/indexing'
import { encodeArray } from 'b2nd/write'
import { FOLDER, sha256 } from './lib/golden.mjs'
import { serve } from './lib/server.mjs'

const SAMPLE = readFileSync(join(FOLDER, 'blosc2-4.14.1/sample.b2nd'))
const strides = shape => shape.map((_, axis) => shape.slice(axis + 1).reduce((product, length) => product * length, 1))

/** xorshift: the same numbers everywhere. */
function random(seed) {
  let state = seed
  return bound => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
}

/** An array in memory: an offset for each position along each axis. */
const model = shape => strides(shape).map((stride, axis) => Array.from({ length: shape[axis] }, (_, k) => k * stride))

/** The items of a model whose axes take these positions; a number drops the axis. */
function items(data, axes, taken) {
  let offsets = [0]
  taken.forEach((positions, axis) => {
    const along = [positions].flat().map(at => axes[axis].at(at))
    offsets = offsets.flatMap(offset => along.map(at => offset + at))
  })
  return offsets.map(offset => data[offset])
}

/** A random index, and the positions that it takes. */
function index(below, length) {
  const all = Array.from({ length }, (_, k) => k)
  switch (below(6)) {
    case 0:
      return [null, all]
    case 1:
      return [length - 1 - below(2 * length), undefined]
    case 2: {
      const start = below(length)
      const step = 1 + below(3)
      return [slice(start, null, step), all.filter(at => at >= start && (at - start) % step === 0)]
    }
    case 3:
      return [slice(null, null, -1), all.toReversed()]
    case 4: {
      const mask = all.map(() => below(3) === 0)
      return [mask, all.filter(at => mask[at])]
    }
    default: {
      const list = Array.from({ length: below(6) }, () => below(2 * length) - length)
      return [below(2) ? list : Int32Array.from(list), list]
    }
  }
}

test('a mask that was read is a mask, and not positions', async () => {
  const values = view(await openArray(await encodeArray([10, 11, 12, 13, 14], { dtype: '<i4' })))
  const read = await openArray(await encodeArray([true, false, false, true, false], { dtype: 'bool' }))
  const { data: mask } = await read.get()
  const taken = async index => [...(await values.get([index])).data]
  assert.deepEqual(await taken({ mask }), [10, 13])
  assert.deepEqual(await taken({ mask: [...mask].map(Boolean) }), [10, 13])
  assert.deepEqual(await taken({ mask: new Uint8Array(5) }), [])
  assert.deepEqual(await taken([...mask]), [11, 10, 10, 11, 10])
  for (const Type of [Int8Array, Int32Array, Uint16Array, Float64Array]) {
    assert.deepEqual(await taken(Type.from(mask)), [11, 10, 10, 11, 10])
  }
  assert.deepEqual(await taken(BigInt64Array.of(-1n, 0n)), [14, 10])
  assert.deepEqual((await values.getPoints([{ mask }])).data, Int32Array.of(10, 13))
  for (const [index, what] of [
    [mask, /axis 0.*\{ mask: … \} or Array\.from/],
    [new Uint8ClampedArray(5), /\{ mask: … \}/],
    [Buffer.from(mask), /\{ mask: … \}/],
    [{ mask: Uint8Array.of(1, 0, 2, 0, 0) }, /axis 0 has 2 at 2/],
    [{ mask: [true, false, 1, true, true] }, /axis 0 has 1 at 2/],
    [{ mask: [1, 0, 1, 0, 1] }, /axis 0 has 1 at 0/],
    [{ mask: mask.subarray(1) }, /a mask of 4 for axis 0 of length 5/],
    [{ mask: await read.get() }, /neither booleans nor bytes/],
    [[true, false, true], /a mask of 3/],
    [[true, false, 1, true, true], /has 1 at 2/],
    [[1, true], /true is no position/],
    [Array(2), /undefined is no position/],
    [await read.get(), /neither positions nor a mask/],
    [mask.buffer, /neither positions nor a mask/],
    [{}, /neither positions nor a mask/],
  ]) {
    await assert.rejects(values.get([index]), error => isB2ndError(error, 'argument') && what.test(error.message))
  }
})

test('an empty list takes nothing, an empty selection everything, as in NumPy', async () => {
  const array = await openArray(SAMPLE)
  const shape = async reading => (await reading).shape
  const [all, none] = [
    [12, 30, 40],
    [0, 30, 40],
  ]
  assert.deepEqual(await shape(array.get([])), all)
  assert.deepEqual(await shape(view(array).get([])), all)
  assert.deepEqual(await shape(view(array).get([[]])), none)
  assert.deepEqual(await shape(view(array).get([new Int32Array()])), none)
  assert.deepEqual(await shape(view(array).get([[], null, []])), [0, 30, 0])
  assert.deepEqual(await shape(view(array).get([[], 3])), [0, 40])
  assert.deepEqual(await shape(view(array).get(['...', []])), [12, 30, 0])
  assert.deepEqual(await shape(view(array).getPoints([[], [], []])), [0])
  await assert.rejects(array.get([[]]), error => isB2ndError(error, 'argument'))
  await assert.rejects(view(array).getPoints([]), error => isB2ndError(error, 'argument'))
})

test('selections and views are those of a plain array', async () => {
  const array = await openArray(SAMPLE)
  const { data } = await array.get()
  const below = random(7)
  for (let round = 0; round < 400; round++) {
    let turned = view(array)
    let axes = model(array.shape)
    for (let change = below(5); change > 0; change--) {
      const axis = axes.length && below(axes.length)
      switch (below(4)) {
        case 0:
          turned = turned.transpose()
          axes = axes.toReversed()
          break
        case 1:
          if (axes.length) {
            turned = turned.flip(axis)
            axes = axes.with(axis, axes[axis].toReversed())
          }
          break
        case 2:
          turned = turned.expandDims(axis)
          axes = axes.toSpliced(axis, 0, [0])
          break
        default: {
          const order = axes.map((_, k) => (k + axis) % axes.length)
          turned = turned.transpose(order)
          axes = order.map(k => axes[k])
        }
      }
    }
    assert.deepEqual(
      turned.shape,
      axes.map(axis => axis.length),
    )
    const taken = axes.map(axis => index(below, axis.length))
    const selection = taken.map(([index]) => index)
    const { data: found, shape, stride } = await turned.get(selection)
    const positions = taken.map(([index, positions]) => positions ?? index)
    const told = () => `round ${round}: ${JSON.stringify(selection)}`
    assert.deepEqual([...found], items(data, axes, positions), told())
    assert.deepEqual(
      shape,
      positions.filter(at => Array.isArray(at)).map(at => at.length),
      told(),
    )
    assert.deepEqual(stride, strides(shape), told())
  }
  assert.deepEqual(view(array).expandDims(-1).expandDims(0).squeeze().shape, array.shape)
  await array.close()
})

test('points are taken in their order', async () => {
  const array = await openArray(SAMPLE)
  const { data } = await array.get()
  const below = random(9)
  for (let round = 0; round < 50; round++) {
    const turned = round % 2 ? view(array).transpose([1, 2, 0]).flip(1) : view(array)
    const axes =
      round % 2
        ? [1, 2, 0].map(k => model(array.shape)[k]).map((axis, k) => (k === 1 ? axis.toReversed() : axis))
        : model(array.shape)
    const points = axes.map(axis => Array.from({ length: 30 }, () => below(2 * axis.length) - axis.length))
    const { data: found, shape } = await turned.getPoints(points)
    assert.deepEqual(shape, [30])
    assert.deepEqual(
      [...found],
      points[0].map((_, k) => data[points.reduce((at, list, axis) => at + axes[axis].at(list[k]), 0)]),
    )
  }
  assert.equal((await view(array).getPoints([[], [], []])).data.length, 0)
  await array.close()
})

/** The bits of a mask. */
function bits({ shape, mask }) {
  const bytes = Buffer.from(mask, 'hex')
  const count = shape.reduce((count, length) => count * length, 1)
  return Array.from({ length: count }, (_, k) => Boolean((bytes[k >> 3] << (k & 7)) & 128))
}

/** The positions of points along each axis; of a mask where it is true. */
function alongAxes({ axes, points, shape, mask }) {
  if (points) return Array.from({ length: axes }, (_, axis) => points.filter((_, k) => k % axes === axis))
  const taken = bits({ shape, mask }).flatMap((taken, k) => (taken ? [k] : []))
  return strides(shape).map((stride, axis) => taken.map(k => Math.floor(k / stride) % shape[axis]))
}

/** How many axes an index takes. */
const axesOf = told => told.axes ?? told.shape?.length ?? 1

function indexOf(told) {
  if (told.points) return told.points
  if (told.mask) return bits(told)
  if (typeof told !== 'string' || told === '...') return told
  return slice(...told.split(':').map(bound => (bound === '' ? null : Number(bound))))
}

/** Calls of `view` as `indexing.jsonl` has them. */
const CHANGES = {
  transpose: (array, order) => array.transpose(order),
  flip: (array, axis) => array.flip(axis),
  squeeze: array => array.squeeze(),
  expand_dims: (array, axis) => array.expandDims(axis),
}

for (const folder of [join(FOLDER, 'indexing'), process.env.B2ND_INDEXING].filter(Boolean)) {
  test(`what NumPy takes of the arrays in ${folder}`, async () => {
    const count = { lists: 0, points: 0 }
    for (const line of readFileSync(join(folder, 'indexing.jsonl'), 'utf8').trim().split('\n')) {
      const { path, dtype, cases } = JSON.parse(line)
      // Other items are not handed out as they are stored.
      if (!/^[|<](u|i|f4|f8)/.test(dtype)) continue
      const array = await openArray(readFileSync(join(folder, path)))
      for (const { changes, selection, order, squeeze, shape, sha256: digest } of cases) {
        // The order of the axes is that of the view.
        if (order || squeeze) continue
        const turned = changes.reduce((array, [name, argument]) => CHANGES[name](array, argument), view(array))
        const isPoints = selection.some(told => axesOf(told) > 1)
        // Points are given in all axes.
        if (isPoints && (selection.length > 1 || axesOf(selection[0]) < turned.shape.length)) continue
        const result = await (isPoints ? turned.getPoints(alongAxes(selection[0])) : turned.get(selection.map(indexOf)))
        const told = `${path}: ${JSON.stringify({ changes, selection })}`
        assert.deepEqual(result.shape, shape, told)
        const { buffer, byteOffset, byteLength } = result.data
        assert.equal(sha256(new Uint8Array(buffer, byteOffset, byteLength)), digest, told)
        count[isPoints ? 'points' : 'lists']++
      }
      await array.close()
    }
    assert.ok(count.lists >= 15 && count.points >= 1, JSON.stringify(count))
  })
}

test('what does not fit is told', async () => {
  const array = view(await openArray(SAMPLE))
  const fails = (call, message) =>
    assert.rejects(call, error => isB2ndError(error, 'argument') && message.test(error.message))
  await fails(() => array.get([null, [3, 30]]), /index 30 is outside axis 1 of length 30/)
  await fails(() => array.get(['...', [true, false]]), /a mask of 2 for axis 2 of length 40/)
  await fails(() => array.get([0, 0, 0, 0]), /4 indices for 3 dimensions/)
  await fails(() => array.get([[1.5]]), /1.5/)
  await fails(() => array.getPoints([[1], [2]]), /each of 3 axes/)
  await fails(() => array.getPoints([[1], [2], [3, 4]]), /all of one length/)
  await fails(async () => array.transpose([0, 1, 1]), /each of 3 axes once/)
  await fails(async () => array.flip(3), /no axis 3/)
  await fails(async () => array.squeeze(0), /axis 0 has length 12/)
})

test('only blocks with items are read, and no more bytes than the file has', async () => {
  const server = await serve({ '/sample.b2nd': SAMPLE })
  try {
    const array = await openArray(server.url('/sample.b2nd'), { cache: 0 })
    const { chunks, blocks } = array
    const list = [11, 0, 5, 0]
    const cost = await view(array).plan([list, 3, [39, 1]])
    const cells = new Set(list.map(at => `${Math.floor(at / chunks[0])} ${Math.floor((at % chunks[0]) / blocks[0])}`))
      .size
    const columns = new Set(
      [39, 1].map(at => `${Math.floor(at / chunks[2])} ${Math.floor((at % chunks[2]) / blocks[2])}`),
    ).size
    assert.equal(cost.blocks, cells * columns)
    const before = server.bytes
    await view(array).get([list, 3, [39, 1]])
    assert.ok(server.bytes - before <= SAMPLE.length, `${server.bytes - before} bytes of ${SAMPLE.length}`)
    await array.close()
  } finally {
    await server.close()
  }
})

/** An array of noise: 4 chunks of 32 blocks, of 8 KiB each. */
const NOISE = await (async () => {
  const below = random(3)
  const data = Uint32Array.from({ length: 2 ** 18 }, () => below(2 ** 32))
  return encodeArray({ data, shape: [256, 1024] }, { chunks: [64, 1024], blocks: [2, 1024], clevel: 1 })
})()

/** Reads over HTTP: the requests and bytes after opening, those that were planned, and what was read. */
async function counted(options, plan, read) {
  const server = await serve({ '/noise.b2nd': NOISE })
  try {
    const array = await openArray(server.url('/noise.b2nd'), options)
    await array.chunkMap()
    const cost = await plan(array)
    const before = { requests: server.requests.length, bytes: server.bytes }
    const result = await read(array)
    const after = { requests: server.requests.length - before.requests, bytes: server.bytes - before.bytes }
    await array.close()
    return { cost, ...after, result }
  } finally {
    await server.close()
  }
}

for (const cache of [2 ** 25, 0]) {
  test(`positions and points in neighbouring blocks take the requests of a slice, with a cache of ${cache} bytes`, async () => {
    // One row in each of 50 neighbouring blocks of three chunks, at uneven distances, in no order, and some twice.
    const rows = Array.from({ length: 60 }, (_, k) => (k * 7) % 50).map(block => 40 + 2 * block + (block % 3 ? 0 : 1))
    const columns = [5, 900, 7, 6, 30]
    const slices = [slice(40, 140), null]
    const plain = await counted(
      { cache },
      array => array.plan(slices),
      array => array.get(slices),
    )
    const lists = await counted(
      { cache },
      array => view(array).plan([rows, columns]),
      array => view(array).get([rows, columns]),
    )
    const points = await counted(
      { cache },
      () => undefined,
      array => view(array).getPoints([rows, rows]),
    )
    const at = (row, column) => plain.result.data[(row - 40) * 1024 + column]
    assert.deepEqual(
      [...lists.result.data],
      rows.flatMap(row => columns.map(column => at(row, column))),
    )
    assert.deepEqual(
      [...points.result.data],
      rows.map(row => at(row, row)),
    )
    assert.equal(lists.cost.blocks, 50)
    for (const { requests, bytes } of [lists, points]) {
      assert.ok(
        requests <= plain.requests && bytes <= plain.bytes * 1.01,
        `${requests} of ${plain.requests}, ${bytes} bytes`,
      )
    }
  })

  test(`scattered positions and points take the requests that were planned, with a cache of ${cache} bytes`, async () => {
    const below = random(5)
    const rows = Array.from({ length: 50 }, () => below(256)).filter((row, k, all) => all.indexOf(row) === k)
    const columns = rows.map(() => below(1024))
    const options = { cache, waste: 10 }
    const lists = await counted(
      options,
      array => view(array).plan([rows, 3]),
      array => view(array).get([rows, 3]),
    )
    const points = await counted(
      options,
      () => undefined,
      array => view(array).getPoints([rows, columns]),
    )
    const all = (await (await openArray(NOISE)).get()).data
    assert.deepEqual(
      [...lists.result.data],
      rows.map(row => all[row * 1024 + 3]),
    )
    assert.deepEqual(
      [...points.result.data],
      rows.map((row, k) => all[row * 1024 + columns[k]]),
    )
    assert.equal(lists.cost.chunks, 4)
    for (const { requests } of [lists, points]) {
      assert.ok(requests <= lists.cost.requestsMax && requests <= 8, `${requests}: ${JSON.stringify(lists.cost)}`)
    }
  })
}

test('the items of a super-chunk are one axis', async () => {
  const array = await openArray(SAMPLE)
  const { schunk, itemsize } = array
  const all = await schunk.get()
  const items = view(schunk)
  assert.deepEqual(items.shape, [all.length / itemsize])
  const below = random(11)
  const list = Array.from({ length: 200 }, () => below(items.shape[0]))
  for (const { data, shape, width } of [await items.get([list]), await items.getPoints([list])]) {
    assert.deepEqual([shape, width], [[200], itemsize])
    const expected = list.flatMap(at => [...all.subarray(at * itemsize, (at + 1) * itemsize)])
    assert.deepEqual([...data], expected)
  }
  const { data } = await items.flip(0).get([[0, -1]])
  assert.deepEqual([...data], [...all.subarray(-itemsize), ...all.subarray(0, itemsize)])
  await array.close()
})

test('structures are taken by lists', async () => {
  const array = await openArray(readFileSync(join(FOLDER, 'blosc2-4.14.1/dtype-struct-mixed.b2nd')))
  const all = (await array.get()).data
  const { data } = await view(array).get([
    [10, 0],
    [8, 1],
  ])
  assert.deepEqual(
    [...data],
    [10, 0].flatMap(row => [8, 1].map(column => all.row(row * 9 + column))),
  )
  await array.close()
})

test('arrays of another entry are viewed', async () => {
  const external = await import('../dist/external.js')
  await external.init({ bytes: readFileSync(join(import.meta.dirname, '../dist/b2nd.wasm')) })
  const array = await external.openArray(SAMPLE)
  const { data } = await view(array).get([[3, 1], 2, [5, 0]])
  const all = (await array.get()).data
  assert.deepEqual(
    [...data],
    [3, 1].flatMap(row => [5, 0].map(column => all[(row * 30 + 2) * 40 + column])),
  )
  await array.close()
})

test('too large a result is refused, and an aborted one', async () => {
  const array = await openArray(NOISE, { limits: { memory: 2 ** 20 } })
  await assert.rejects(view(array).get([Array.from({ length: 257 }, () => 0)]), error => isB2ndError(error, 'limit'))
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(view(array).get([[0, 9]], { signal }), /enough/)
})
