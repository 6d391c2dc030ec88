// Lists of positions, masks, points and views, compared with a plain array; and what is requested and decoded for them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isB2ndError, openArray, slice } from 'b2nd'
import { view } from 'b2nd/indexing'
import { FOLDER } from './lib/golden.mjs'
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
