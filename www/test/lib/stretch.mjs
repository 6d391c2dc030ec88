// Measures how long the thread is blocked.

/**
 * The result of some work, in how many stretches the thread did it, and the longest, in milliseconds of the processor. What other
 * processes do meanwhile does not count.
 */
export async function longestStretch(work) {
  let longest = 0
  let stretches = 0
  let last = process.cpuUsage()
  let over = false
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    stretches++
    if (!over) setImmediate(look)
  }
  setImmediate(look)
  const result = await work()
  over = true
  look()
  return { result, stretches, longest }
}
