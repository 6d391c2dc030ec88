// Projects with the package as `npm pack` creates it, and the tools that build and run them.

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { openArray } from 'b2nd'
import { cases } from '../lib/golden.mjs'

const PACKAGE = join(import.meta.dirname, '../..')
/** The folder with the `node_modules` of tools/package.json. `cargo xtask test` makes it. */
export const TOOLS = process.env.B2ND_BUNDLERS ?? join(PACKAGE, '../target/xtask/bundlers')
const call = promisify(execFile)

/** The file that all applications read, and what all of them have to find in it. */
export const { path: PATH } = cases.find(({ file }) => file === 'blosc2-4.14.1/sample.b2nd')
export const FILE = await readFile(PATH)
const { data } = await (await openArray(FILE)).get([null, null, 3])
export const EXPECTED = String(data)
/** The text of an application. */
export const app = name => readFile(join(import.meta.dirname, 'apps', name), 'utf8')

/** Makes a project anew, with `files` in it, text by path, and `settings` in its package.json. */
export async function project(name, files, settings = {}) {
  const folder = join(TOOLS, 'projects', name)
  await rm(folder, { recursive: true, force: true })
  await add(folder, { 'package.json': JSON.stringify({ private: true, type: 'module', ...settings }), ...files })
  const installed = join(folder, 'node_modules/b2nd')
  await mkdir(installed, { recursive: true })
  const { stdout } = await call('npm', ['pack', PACKAGE, '--json', '--pack-destination', folder])
  await call('tar', ['-xzf', join(folder, JSON.parse(stdout)[0].filename), '-C', installed, '--strip-components=1'])
  return folder
}

async function add(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** Runs a program in a project, a tool by its name; fails with all that it printed. */
export async function run(folder, program, args) {
  try {
    return (await call(where(program), args, { cwd: folder, env: ENV, maxBuffer: 2 ** 26 })).stdout
  } catch (error) {
    throw new Error([error.message, error.stdout, error.stderr].join('\n'), { cause: error })
  }
}

/** Nothing is reported to anybody. Colors, which some tools print where `CI` is set, would hide addresses. */
export const ENV = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  PARCEL_WORKERS: '0',
  NO_COLOR: '1',
}

/** npm installs of each runtime the package for this machine, and no other: its scope and where the program is in it. */
const RUNTIMES = { bun: ['@oven', 'bin/bun'], deno: ['@deno', 'deno'], workerd: ['@cloudflare', 'bin/workerd'] }

/** Where a tool is. */
export function where(tool) {
  if (tool === 'node') return process.execPath
  const modules = join(TOOLS, 'node_modules')
  const [scope, path] = RUNTIMES[tool] ?? []
  return scope ? join(modules, scope, readdirSync(join(modules, scope))[0], path) : join(modules, '.bin', tool)
}
