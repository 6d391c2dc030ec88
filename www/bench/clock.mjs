// How long things take: medians, taken in turns so that what disturbs the machine disturbs all alike.
const TURNS = 7
const TURN_MS = 25
/** Rounds of single calls. */
const LEAST = 25

/** Milliseconds that this process has been computing: what others do beside it does not count. */
export const computing = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e3
}

/** Milliseconds that each of `works` takes, a median. */
export async function medians(works, now = () => performance.now()) {
  const rounds = []
  for (const work of works) {
    // The first calls compile, and grow memory.
    for (let k = 0; k < 3; k++) await work()
    const start = now()
    await work()
    rounds.push(Math.max(1, Math.ceil(TURN_MS / (now() - start))))
  }
  const times = works.map(() => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [k, work] of works.entries()) {
      const start = now()
      for (let round = 0; round < rounds[k]; round++) await work()
      times[k].push((now() - start) / rounds[k])
    }
  }
  return times.map(median)
}

/**
 * The same, one call at a time: for works that leave much garbage, as what one leaves slows down the next, be it
 * another or the same.
 */
export async function alternating(works, now) {
  const times = works.map(() => [])
  const start = now()
  for (let round = 0; round < LEAST || now() - start < works.length * TURNS * TURN_MS; round++) {
    // By chance, so that it is not always the same who is there when garbage has to be collected.
    const first = Math.floor(Math.random() * works.length)
    for (let k = 0; k < works.length; k++) {
      const at = (first + k) % works.length
      const start = now()
      await works[at]()
      // The first calls compile, and grow memory.
      if (round >= 4) times[at].push(now() - start)
    }
  }
  return times.map(median)
}

const median = list => list.sort((a, b) => a - b)[list.length >> 1]

export const geometricMean = numbers =>
  Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length)
