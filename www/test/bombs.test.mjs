// Small files that ask for much: the package gives data or an error, within little time and memory.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../tests/common/bombs/', import.meta.url))

/** Reads what there is in a file, and prints the code of an error that is none of the package's. */
const READ = `
import { readFileSync } from 'node:fs'
import { isB2ndError, open } from '${new URL('../dist/index.js', import.meta.url)}'
import { openObjects, openStore } from '${new URL('../dist/store.js', import.meta.url)}'
const [, path] = process.argv
const bytes = new Uint8Array(readFileSync(path))
const attempt = async act => {
  try {
    return await act()
  } catch (error) {
    if (!isB2ndError(error)) console.log(error)
  }
}
if (/b2[ez]$/.test(path)) {
  const store = await attempt(() => openStore(bytes))
  for (const key of store?.keys() ?? []) {
    const member = await attempt(() => store.get(key))
    await attempt(() => member?.attrs())
  }
  for (const group of store?.tables() ?? []) {
    const table = await attempt(() => store.getTable(group))
    if (table) await attempt(() => table.rows(Math.max(0, table.length - 3)))
  }
} else {
  const frame = await attempt(() => open(bytes))
  await attempt(() => frame?.attrs())
  if (/b2b$/.test(path)) {
    const objects = await attempt(() => openObjects(bytes))
    if (objects) await attempt(() => objects.slice(Math.max(0, objects.length - 3)))
  } else if (frame?.shape) await attempt(() => frame.get([-1]))
}
`

for (const name of readdirSync(folder)) {
  test(name, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', `${READ}\nconsole.log(JSON.stringify(process.resourceUsage()))`, folder + name],
      { encoding: 'utf8', timeout: 60_000 },
    )
    assert.equal(status, 0, stderr)
    const lines = stdout.trim().split('\n')
    const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(lines.pop())
    assert.deepEqual(lines, [])
    // It should take 0.8 s; a busy machine takes longer.
    assert.ok(maxRSS < 170 * 1024, `${maxRSS} KiB`)
    assert.ok(userCPUTime + systemCPUTime < 8e6, `${(userCPUTime + systemCPUTime) / 1e6} s`)
  })
}
