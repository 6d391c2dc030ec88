import type { Answer, Need } from './protocol.js'

/** Reads ranges of bytes. They are shorter where their part ends earlier. */
export type ReadRanges = (needs: readonly Need[]) => Promise<readonly Uint8Array[]>

/** Repeats a call with the bytes that it needs until it is done. All that reads goes through this loop. `answers` get these bytes. */
export async function drive<T>(
  call: (answers: readonly Uint8Array[]) => Answer<T> | Promise<Answer<T>>,
  read: ReadRanges,
  answers: Uint8Array[] = [],
): Promise<T> {
  for (;;) {
    const answer = await call(answers)
    if (!answer.need) return answer.done
    for (const bytes of await read(answer.need)) answers.push(bytes)
  }
}

/** Drives an exchange over bytes in memory. */
export function driveSync<T>(call: (answers: readonly Uint8Array[]) => Answer<T>, bytes: Uint8Array): T {
  for (const answers: Uint8Array[] = []; ;) {
    const answer = call(answers)
    if (!answer.need) return answer.done
    for (const { start, end } of answer.need) answers.push(bytes.subarray(start, end))
  }
}
