// Measures how long the thread is blocked.

/**
 * The result of some work, and the longest time, in milliseconds of the processor, that it took at a stretch. What other
 * processes do meanwhile does not count.
 */
export async function longestStretch(work) {
  let longest = 0
  let last = process.cpuUsage()
  let over = false
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  const result = await work()
  over = true
  look()
  return { result, longest }
}
