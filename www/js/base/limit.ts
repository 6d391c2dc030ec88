/** Returns what runs tasks, at most `count` at a time. The others wait for their turn. */
export function createLimit(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async task => {
    while (running >= count) await new Promise<void>(resolve => waiting.push(resolve))
    running++
    try {
      return await task()
    } finally {
      running--
      waiting.shift()?.()
    }
  }
}
