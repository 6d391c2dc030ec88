// The package's command, the tool in WebAssembly, prints what the native tool prints: `node tool.mjs TOOL FOLDER`, the corpus in FOLDER.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

const [TOOL, GOLDEN] = process.argv.slice(2)
const CLI = join(import.meta.dirname, '../../dist/cli.js')
const AT_ONCE = 4

/** What a program prints, and its status. */
const run = (program, words) =>
  new Promise(resolve => {
    const options = { encoding: 'buffer', maxBuffer: 2 ** 28 }
    execFile(program, words, options, (error, out) => resolve({ status: error?.code ?? 0, out }))
  })

/** What was printed, as text; of a picture the bytes before compression, which has other results on 32 bits. */
function content(out) {
  const text = bytes => bytes.toString('latin1')
  if (!text(out).startsWith('\x89PNG')) return text(out)
  const [chunks, data] = [[], []]
  for (let at = 8; at < out.length; at += out.readUInt32BE(at) + 12) {
    const end = at + 8 + out.readUInt32BE(at)
    if (text(out.subarray(at + 4, at + 8)) === 'IDAT') data.push(out.subarray(at + 8, end))
    else chunks.push(text(out.subarray(at, end)))
  }
  return chunks.join('') + text(inflateSync(Buffer.concat(data)))
}

const files = (folder, pattern) =>
  readdirSync(join(GOLDEN, folder))
    .filter(name => pattern.test(name))
    .sort()
    .map(name => join(GOLDEN, folder, name))

// The reference writes the metalayer of 16 dimensions so that no reader of MessagePack takes it.
const arrays = files('blosc2-4.14.1', /^(dtype|shape|special|sparse|lazy|proxy)-(?!.*-16d-).*\.b2nd$/)
const calls = [
  ...arrays.map((file, k) => ['get', file, '-f', ['text', 'json', 'csv', 'npy', 'raw'][k % 5]]),
  ...[['...'], ['2:, ::-3'], ['[5,1,-1], ::7, :2'], ['-1, 3, 5'], ['11:3:-4, [], 0']].flatMap(words =>
    ['text', 'json', 'csv'].map(format => ['get', join(GOLDEN, 'blosc2-4.14.1/sample.b2nd'), ...words, '-f', format]),
  ),
  // The command is built without Arrow.
  ...files('tables', /^(?!arrow).*\.b2[dz]$/).flatMap(file => [
    ['get', file, '-f', 'json'],
    ['get', file, '1:9:2', '-f', 'csv'],
    ['get', file, '-f', 'ndjson', '--bytes', 'utf8', '--nan', 'null'],
    ['info', '--json', file],
  ]),
  ['get', join(GOLDEN, 'tables/members.b2e/group/table'), '-f', 'csv'],
  ['info', '--json', join(GOLDEN, 'tables/members.b2e/group/table')],
  ...files('objects', /^\d+\.b2b$/).flatMap(file => [
    ['get', file, '::-1', '-f', 'json'],
    ['info', '--json', file],
  ]),
  ...['tree.b2z', 'dict.b2d', 'embed.b2e'].flatMap(name => [['ls', '--json', join(GOLDEN, 'stores', name)]]),
  ['get', join(GOLDEN, 'stores/tree.b2z/group/image'), '0'],
  ...arrays.filter((_, k) => k % 4 === 0).map(file => ['info', '--json', file]),
  ...[['::2'], ['5, 3'], ['--size', '40']].map(words => [
    'preview',
    join(GOLDEN, 'blosc2-4.14.1/sample.b2nd'),
    ...words,
    '-o',
    '-',
  ]),
]

let next = 0
const different = []
async function worker() {
  while (next < calls.length) {
    const words = calls[next++]
    const [native, ours] = await Promise.all([run(TOOL, words), run(process.execPath, [CLI, ...words])])
    try {
      assert.equal(ours.status, native.status)
      assert.equal(content(ours.out), content(native.out))
    } catch (error) {
      different.push(`${words.join(' ')}\n${error.message.slice(0, 600)}`)
    }
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker))
console.log(`${calls.length} calls, ${different.length} differ`)
if (different.length) {
  console.log(different.slice(0, 60).join('\n\n').slice(0, 60_000))
  process.exitCode = 1
}
