// How long things take: medians, taken in turns so that what disturbs the machine disturbs all alike.
const TURNS = 7
const TURN_MS = 25

/** Milliseconds that each of `works` takes, a median. */
export async function medians(works) {
  const rounds = []
  for (const work of works) {
    // The first calls compile, and grow memory.
    for (let k = 0; k < 3; k++) await work()
    const start = performance.now()
    await work()
    rounds.push(Math.max(1, Math.ceil(TURN_MS / (performance.now() - start))))
  }
  const times = works.map(() => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [k, work] of works.entries()) {
      const start = performance.now()
      for (let round = 0; round < rounds[k]; round++) await work()
      times[k].push((performance.now() - start) / rounds[k])
    }
  }
  return times.map(list => list.sort((a, b) => a - b)[TURNS >> 1])
}

export const geometricMean = numbers => Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length)
