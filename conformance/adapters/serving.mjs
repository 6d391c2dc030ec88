// What adapters in JavaScript share: they give a function that reads, and answer requests line by line, with --serve.

import { createInterface } from 'node:readline'

export class Unsupported extends Error {}

/** Of the arguments of a request. */
function parse(words) {
  const at = words.indexOf('--')
  const options = words.slice(0, at)
  const value = name => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
  return {
    file: words[at + 1],
    selection: words[at + 2],
    offset: Number(value('--offset') ?? 0),
    member: value('--member'),
    column: value('--column'),
    earlyBitshuffle: options.includes('--early-bitshuffle'),
  }
}

/** Items of a chunk that a selection of one axis takes. */
export function items(bytes, typesize, selection) {
  const text = selection.replace(/,?\s*\.\.\.$/, '')
  if (!text) return bytes
  const count = Math.floor(bytes.length / typesize)
  const positions = positionsOf(text, count)
  return Buffer.concat(positions.map(at => bytes.subarray(at * typesize, (at + 1) * typesize)))
}

function positionsOf(text, count) {
  if (!text.includes(':')) return [(Number(text) + count) % count]
  const [start, stop, step] = [...text.split(':'), ''].map(bound => (bound.trim() === '' ? undefined : Number(bound)))
  const all = Array.from({ length: count }, (_, at) => at)
  const stride = step ?? 1
  if (stride > 0) return all.slice(start, stop).filter((_, at) => at % stride === 0)
  const bound = (value, none) => (value === undefined ? none : Math.max(value < 0 ? value + count : value, -1))
  const [first, last] = [Math.min(bound(start, count - 1), count - 1), bound(stop, -1)]
  return all.reverse().filter(at => at <= first && at > last && (first - at) % -stride === 0)
}

async function answer(read, words) {
  try {
    return [0, await read(parse(words))]
  } catch (error) {
    return [error instanceof Unsupported || error.code === 'unsupported' ? 3 : 1, Buffer.from(String(error))]
  }
}

export async function serve(read) {
  for await (const line of createInterface({ input: process.stdin })) {
    const [status, content] = await answer(read, JSON.parse(line))
    process.stdout.write(Buffer.concat([Buffer.from(`${status} ${content.length}\n`), content]))
  }
}
