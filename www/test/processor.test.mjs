// The reference writes the same test files on every processor. By default it would choose chunks and blocks by cache sizes, and
// threads by the number of cores.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pythonIn, skip } from './lib/python.mjs'

const SCRIPTS = [['values_files.py'], ['../viewer/files.py'], ['../../tests/interop/random_files.py', '--count', '100']]
const PROCESSORS = { small: [1, 2 ** 14, 2 ** 17, 2 ** 20], large: [64, 2 ** 16, 2 ** 22, 2 ** 30] }

/** The digest of each file that a script writes on a processor. */
async function written([script, ...options], processor) {
  const folder = await mkdtemp(join(tmpdir(), 'b2nd-'))
  const environment = { PYTHONPATH: join(import.meta.dirname, 'lib/processor'), PROCESSOR: processor.join(' ') }
  try {
    await pythonIn(environment, script, folder, ...options)
    // A .b2z is a zip: it records when its members were written.
    const isStable = entry => entry.isFile() && !entry.name.endsWith('.b2z')
    const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(isStable)
    return Object.fromEntries(
      await Promise.all(
        entries.map(async ({ path, name }) => {
          const place = join(path, name)
          return [
            place.slice(folder.length),
            createHash('sha256')
              .update(await readFile(place))
              .digest('hex'),
          ]
        }),
      ),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

for (const script of SCRIPTS) {
  test(`${script[0]} does not depend on the processor`, { skip }, async () => {
    const [small, large] = await Promise.all(Object.values(PROCESSORS).map(processor => written(script, processor)))
    assert.ok(Object.keys(small).length > 10)
    assert.deepEqual(small, large)
  })
}
