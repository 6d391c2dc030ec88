// Test files written by Python. `B2ND_PYTHON` is an interpreter with the packages that the scripts import.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PYTHON = process.env.B2ND_PYTHON

/** For tests that need Python: why they cannot run, if they cannot. */
export const skip = PYTHON ? false : 'B2ND_PYTHON names no interpreter'

/** Runs a script of www/test. Returns what it printed. */
export const python = (script, ...parameters) => pythonIn({}, script, ...parameters)

/** The same with more in its environment. */
export async function pythonIn(environment, script, ...parameters) {
  const { stdout } = await promisify(execFile)(PYTHON, [join(import.meta.dirname, '..', script), ...parameters], {
    maxBuffer: 2 ** 26,
    env: { ...process.env, ...environment },
  })
  return stdout
}

/** Does `work` with the folder that a script has written and the cases that it lists. */
export async function withFiles(script, work) {
  const folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  try {
    await python(script, folder)
    await work(folder, JSON.parse(await readFile(join(folder, 'cases.json'), 'utf8')))
  } finally {
    await rm(folder, { recursive: true })
  }
}
