// Shows a file, or what is behind a URL: `node examples/node.mjs FILE|URL`. Reads little more of it than it shows.

import { NDArray, StructArray, isB2ndError, open, slice } from 'b2nd'
import { openFile } from 'b2nd/node'

/** Items along an axis that fit a line. */
const SHOWN = 6

try {
  const [where] = process.argv.slice(2)
  const opened = await (/^https?:/.test(where) ? open(where) : openFile(where))
  await (opened instanceof NDArray ? showArray(opened) : showBytes(opened))
  const { requests, bytes } = opened.traffic
  console.log(`read   ${bytes} of ${opened.info.cbytes} bytes, in ${requests} requests`)
  await opened.close()
} catch (error) {
  console.error(isB2ndError(error) ? `${error.code}: ${error.message}` : error)
  process.exitCode = 1
}

async function showArray(array) {
  const { shape, chunks, blocks, dtype } = array
  console.log('shape ', shape, 'in chunks of', chunks, 'in blocks of', blocks)
  console.log('dtype ', dtype)
  console.log('attrs ', { ...(await array.attrs()) })
  console.log('corner', nested(await array.get(corner(shape))))
}

/** A super-chunk without the metalayer that would make it an array. */
async function showBytes(schunk) {
  console.log('nbytes', schunk.nbytes, 'in', await schunk.nchunks(), 'chunks')
  console.log('attrs ', { ...(await schunk.attrs()) })
  console.log('start ', await schunk.get(0, SHOWN))
}

/** Of the last two dimensions the first items, of those before them the first. */
function corner(shape) {
  return shape.map((_, axis) => (axis < shape.length - 2 ? 0 : slice(SHOWN)))
}

/** The items as arrays in arrays. */
function nested({ data, shape, stride, width }) {
  const item = at => {
    if (data instanceof StructArray) return { ...data.row(at) }
    // No more digits than there are.
    if (data instanceof Float32Array && width === 1) return Number(data[at].toPrecision(7))
    // Complex numbers and sub-arrays have several elements.
    return width === 1 ? data[at] : data.slice(at * width, (at + 1) * width)
  }
  const rows = (axis, at) =>
    axis === shape.length
      ? item(at)
      : Array.from({ length: shape[axis] }, (_, i) => rows(axis + 1, at + i * stride[axis]))
  return rows(0, 0)
}
