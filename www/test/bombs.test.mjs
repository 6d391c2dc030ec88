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
const path = process.argv.at(-1)
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
    if (!table) continue
    await attempt(() => table.rows(Math.max(0, table.length - 3)))
    const names = [...table.schema.columns, ...table.schema.computed].map(({ name }) => name)
    for (const name of names.slice(0, 4)) {
      const signal = AbortSignal.timeout(100)
      const condition = \`\\\`\${name}\\\` is null\`
      await attempt(() => table.where(condition, { signal }).catch(error => signal.aborted || Promise.reject(error)))
    }
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

/** The command, which prints what it took as well. */
const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const RUN = `
process.argv.splice(1, 0, '${CLI}')
process.on('exit', () => console.error(JSON.stringify(process.resourceUsage())))
await import('${CLI}')
`

/** Runs a script. What it took is in the last line of an output. */
const run = (script, words) =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', script, '--', ...words], {
    encoding: 'utf8',
    timeout: 60_000,
  })

/** They should take 0.8 s; a busy machine takes longer. */
function check(usage) {
  const { maxRSS, userCPUTime, systemCPUTime } = JSON.parse(usage)
  assert.ok(maxRSS < 170 * 1024, `${maxRSS} KiB`)
  assert.ok(userCPUTime + systemCPUTime < 8e6, `${(userCPUTime + systemCPUTime) / 1e6} s`)
}

for (const name of readdirSync(folder)) {
  test(name, () => {
    const { status, stdout, stderr } = run(`${READ}\nconsole.log(JSON.stringify(process.resourceUsage()))`, [
      folder + name,
    ])
    assert.equal(status, 0, stderr)
    const lines = stdout.trim().split('\n')
    check(lines.pop())
    assert.deepEqual(lines, [])
  })
  test(`the command, of ${name}`, () => {
    for (const command of ['info', 'get', 'verify']) {
      const { status, stderr } = run(RUN, [command, folder + name])
      assert.ok([0, 1, 2, 3].includes(status), `${command}: ${stderr}`)
      check(stderr.trim().split('\n').pop())
    }
  })
}
