// Runs a program for WASI: `node wasi.mjs PROGRAM ARGUMENT…`.

import { readFile } from 'node:fs/promises'
import { WASI } from 'node:wasi'

const args = process.argv.slice(2)
const wasi = new WASI({ version: 'preview1', args })
const { instance } = await WebAssembly.instantiate(await readFile(args[0]), wasi.getImportObject())
process.exitCode = wasi.start(instance)
