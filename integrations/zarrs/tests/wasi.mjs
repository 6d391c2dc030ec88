// Runs a test program for wasm32-wasip1 with Node.js: the runner that README.md names.
import { readFile } from 'node:fs/promises'
import { argv, env, exit } from 'node:process'
import { WASI } from 'node:wasi'

const [program, ...args] = argv.slice(2)
// The tests read golden files by absolute paths.
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env, preopens: { '/': '/' } })
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject())
exit(wasi.start(instance))
