// Plain data that Python has pickled: None, booleans, numbers, texts, bytes, lists, tuples and dictionaries. Nothing is called.

/** Python's classes whose instances are what they were made of. */
const TRANSPARENT = /^mlarray\.meta\._Frozen(List|Dict)$/

/** A class, by its name. */
class Global {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Where a list of arguments begins. */
const MARK = Symbol('mark')

/** Reads a pickle. Fails if it has anything but plain data, or a container twice: what it gives is a tree no larger than the bytes. */
export function unpickled(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const stack: unknown[] = []
  const memo: unknown[] = []
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let at = 0
  const wrong = (what: string) => new TypeError(`a pickle with ${what} at ${at}`)
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw wrong('an early end')
    return bytes.subarray(at, (at += length))
  }
  const number = (length: 1 | 2 | 4) => {
    const start = at
    take(length)
    return length === 1
      ? view.getUint8(start)
      : length === 2
        ? view.getUint16(start, true)
        : view.getUint32(start, true)
  }
  const pop = () => {
    if (!stack.length) throw wrong('too few values')
    return stack.pop()
  }
  const marked = () => {
    const from = stack.lastIndexOf(MARK)
    if (from < 0) throw wrong('no mark')
    return stack.splice(from).slice(1)
  }
  const list = () => {
    const top = stack.at(-1)
    if (!Array.isArray(top)) throw wrong('no list')
    return top as unknown[]
  }
  const set = (items: unknown[]) => {
    const top = stack.at(-1)
    if (!(top instanceof Map) || items.length % 2) throw wrong('no dictionary')
    for (let k = 0; k < items.length; k += 2) top.set(items[k], items[k + 1])
  }
  const recalled = (place: number) => {
    const value = memo[place]
    if (typeof value !== 'string' && !(value instanceof Global)) throw wrong('a value twice')
    return value
  }
  const calls: Record<number, () => unknown> = {
    0x80: () => void take(1),
    0x95: () => void take(8),
    0x94: () => void memo.push(stack.at(-1)),
    0x28: () => stack.push(MARK),
    0x4e: () => stack.push(null),
    0x88: () => stack.push(true),
    0x89: () => stack.push(false),
    0x4b: () => stack.push(number(1)),
    0x4d: () => stack.push(number(2)),
    0x4a: () => stack.push(number(4) | 0),
    0x47: () => stack.push(new DataView(take(8).slice().buffer).getFloat64(0)),
    0x8c: () => stack.push(utf8.decode(take(number(1)))),
    0x58: () => stack.push(utf8.decode(take(number(4)))),
    0x43: () => stack.push(take(number(1))),
    0x42: () => stack.push(take(number(4))),
    0x7d: () => stack.push(new Map()),
    0x5d: () => stack.push([]),
    0x29: () => stack.push([]),
    0x85: () => stack.push(stack.splice(-1)),
    0x86: () => stack.push(stack.splice(-2)),
    0x87: () => stack.push(stack.splice(-3)),
    0x74: () => stack.push(marked()),
    0x61: () => {
      const item = pop()
      list().push(item)
    },
    0x65: () => {
      const items = marked()
      list().push(...items)
    },
    0x73: () => set(stack.splice(-2)),
    0x75: () => set(marked()),
    0x68: () => stack.push(recalled(number(1))),
    0x6a: () => stack.push(recalled(number(4))),
    0x93: () => {
      const [module, name] = stack.splice(-2)
      stack.push(new Global(`${String(module)}.${String(name)}`))
    },
    0x52: () => {
      const [called, values] = stack.splice(-2)
      if (
        !(called instanceof Global) ||
        !TRANSPARENT.test(called.name) ||
        !Array.isArray(values) ||
        values.length !== 1
      )
        throw wrong('more than plain data')
      stack.push(values[0])
    },
  }
  for (;;) {
    const code = number(1)
    if (code === 0x2e) return plain(pop())
    const call = calls[code]
    if (!call) throw wrong(`the code ${code}`)
    call()
  }
}

/** Dictionaries as objects, without what is no value. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [String(key), plain(one)]))
  if (value === MARK || value instanceof Global) throw new TypeError('a pickle with more than plain data')
  return value
}
