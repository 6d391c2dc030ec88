// The command of the package: `npx b2nd`. It is the tool, cli/ in the repository, compiled to WebAssembly, and the server of the viewer.

import { readFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { view } from './cli/serve.js'
import { rooted, run } from './cli/wasi.js'

const OPTIONS = {
  port: { type: 'string', default: '0' },
  'no-open': { type: 'boolean' },
  proxy: { type: 'boolean' },
  // It ends with standard input, for programs that start it.
  'until-closed': { type: 'boolean' },
} as const

async function serve(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const options = { port: Number(values.port), open: !values['no-open'], proxy: !!values.proxy }
  console.log(await view(positionals[0], options))
  if (values['until-closed']) process.stdin.resume().on('end', () => process.exit())
}

/** On Windows the tool, which knows slashes only, gets these. JSON stays as it is. */
const plain = (word: string): string => (process.platform === 'win32' && !/^[[{"]/.test(word) ? rooted(word) : word)

function tool(words: string[]): number {
  const module = new WebAssembly.Module(readFileSync(new URL('./tool.wasm', import.meta.url)))
  // WebAssembly has neither processes, nor a current directory, nor one for temporary files.
  const environment = {
    B2ND_PROCESS: `${process.pid} ${hostname()}`,
    PWD: rooted(process.cwd()),
    TMPDIR: rooted(tmpdir()),
  }
  return run(module, { words: ['b2nd', ...words.map(plain)], environment })
}

const words = process.argv.slice(2)
try {
  if (words[0] === 'view' && !words.some(word => /^(-h|--help)$/.test(word))) await serve(words.slice(1))
  else process.exitCode = tool(words)
} catch (error) {
  console.error(`b2nd: ${(error as Error).message}`)
  const { code } = error as { code?: unknown }
  process.exitCode = code === 'argument' || String(code).startsWith('ERR_PARSE_ARGS') ? 2 : 1
}
