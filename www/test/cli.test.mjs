// The command of the package, as npm installs it.

import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFile } from 'b2nd/node'
import { encodeArray } from 'b2nd/write'
import { FOLDER } from './lib/golden.mjs'
import { serve } from './lib/server.mjs'

const CLI = join(import.meta.dirname, '../dist/cli.js')
const SAMPLE = join(FOLDER, 'blosc2-4.14.1/sample.b2nd')
const folder = mkdtempSync(join(tmpdir(), 'b2nd-cli-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs a command. Returns its status and what it printed. */
const b2nd = (...words) =>
  new Promise(resolve => {
    execFile(process.execPath, [CLI, ...words], (error, out, err) => resolve({ status: error?.code ?? 0, out, err }))
  })

test('info describes a file', async () => {
  const facts = JSON.parse((await b2nd('info', '--json', SAMPLE)).out)
  assert.deepEqual([facts.kind, facts.shape, facts.dtype], ['array', [12, 30, 40], '<f4'])
  assert.match((await b2nd('info', SAMPLE)).out, /^codec +\w+$/m)
})

test('values go to .npy files, to new arrays and back', async () => {
  const [npy, made, packed] = ['a.npy', 'a.b2nd', 'b.b2nd'].map(name => join(folder, name))
  assert.equal((await b2nd('get', SAMPLE, '-1, ::2, 3:5', '-o', npy)).status, 0)
  assert.equal((await b2nd('create', npy, made, '--codec', 'lz4', '--chunks', '10,2')).status, 0)
  assert.equal((await b2nd('repack', made, packed, '--filters', 'bitshuffle', '--blocks', '5,1')).status, 0)
  const [first, last] = [await openFile(SAMPLE), await openFile(packed)]
  const { data } = await first.get([-1, { start: null, stop: null, step: 2 }, { start: 3, stop: 5, step: null }])
  assert.deepEqual((await last.get()).data, data)
  assert.deepEqual([last.chunks, last.blocks, last.info.codec.name], [[10, 2], [5, 1], 'lz4'])
  assert.equal(Math.fround((await b2nd('get', packed, '2, 0')).out), data[4])
  assert.equal((await b2nd('get', packed, '0, 1', '-f', 'json')).out, '"NaN"\n')
  assert.equal((await b2nd('verify', made, packed)).out.match(/: good/g).length, 2)
  assert.deepEqual(readdirSync(folder).sort(), ['a.b2nd', 'a.npy', 'b.b2nd'], 'nothing else is left')
})

test('create takes structures, Fortran order and other byte orders', async () => {
  const create = async (descr, fortran, shape, items) => {
    const header = `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }`.padEnd(117) + '\n'
    const file = Buffer.concat([Buffer.from('\x93NUMPY\x01\0\x76\0' + header, 'latin1'), Buffer.from(items)])
    writeFileSync(join(folder, 'in.npy'), file)
    const { status, err } = await b2nd('create', join(folder, 'in.npy'), join(folder, 'out.b2nd'))
    return status ? err : openFile(join(folder, 'out.b2nd'))
  }
  const fortran = await create("'<i2'", 'True', '(2, 3)', [1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6, 0])
  assert.deepEqual([...(await fortran.get()).data], [1, 2, 3, 4, 5, 6])
  const big = await create("'>u2'", 'False', '(2,)', [1, 2, 3, 4])
  assert.deepEqual([big.dtype, ...(await big.get()).data], ['>u2', 0x102, 0x304])
  const rows = await create("[('a[', '|u1'), ('b', '<i2', (2,))]", 'False', '(1,)', [7, 1, 0, 2, 0])
  assert.deepEqual({ ...(await rows.get()).data.row(0) }, { 'a[': 7, b: [1, 2] })
  assert.match(await create("'|O'", 'False', '(1,)', [0]), /Python objects/)
  assert.match(await create("'<f8'", 'True', '(60000, 60000)', []), /the shape needs 28800000000/)
  for (const name of ['in.npy', 'out.b2nd']) rmSync(join(folder, name))
})

test('ls lists a store', async () => {
  const rows = JSON.parse((await b2nd('ls', '--json', join(FOLDER, 'stores/tree.b2z'))).out)
  assert.deepEqual(
    rows.map(({ key }) => key),
    ['/group/deep/er/line', '/group/image', '/group/items', '/small'],
  )
})

test('get formats values of each kind', async () => {
  const of = async (dtype, data, format = 'json', shape = [data.length]) => {
    const file = join(folder, 'values.b2nd')
    writeFileSync(file, await encodeArray({ data, shape, dtype }))
    const { out } = await b2nd('get', file, '-f', format)
    rmSync(file)
    return out
  }
  assert.equal(await of('|b1', [true, false]), '[true, false]\n')
  assert.equal(await of('<u8', [2n ** 64n - 1n]), '[18446744073709551615]\n')
  assert.equal(await of('<M8[D]', [18262n, -(2n ** 63n)]), '["2020-01-01", null]\n')
  assert.equal(await of('<M8[D]', [18262n, -(2n ** 63n)], 'text'), "['2020-01-01'        'NaT']\n")
  assert.equal(
    await of('<f4', [0.1, NaN, -Infinity, 1e16, 2 ** -24]),
    '[0.1, "NaN", "-Infinity", 1e16, 5.9604645e-8]\n',
  )
  assert.equal(await of('<f2', [0.1, 65504, 18.125]), '[0.1, 65500.0, 18.12]\n')
  assert.equal(await of('<c8', new Float32Array([1, -2.5]), 'csv', [1]), '1.0-2.5j\n')
  assert.equal(await of('|S2', ['a', '', '"'], 'csv'), 'a\n""\n""""\n')
})

test('members of stores are behind the path of the store', async () => {
  const store = join(FOLDER, 'stores/tree.b2z')
  assert.equal(JSON.parse((await b2nd('info', '--json', store)).out).members, 4)
  assert.equal(JSON.parse((await b2nd('info', '--json', `${store}/group/image`)).out).kind, 'array')
  const { out } = await b2nd('get', `${store}/group/image`, '0, :3', '-f', 'json')
  assert.equal(JSON.parse(out).length, 3)
  assert.equal((await b2nd('verify', store)).out.match(/: good/g).length, 4)
  assert.match((await b2nd('get', `${store}/none`)).err, /no member/)
})

test('tables and objects are written by rows', async () => {
  const table = join(FOLDER, 'tables/000.b2d')
  const rows = JSON.parse((await b2nd('get', table, ':3', '-f', 'json')).out)
  assert.equal(rows.length, 3)
  const [name] = Object.keys(rows[0])
  const { out } = await b2nd('get', table, '-1', '--columns', name, '-f', 'csv')
  assert.equal(out.split('\n').length, 3)
  assert.match((await b2nd('verify', table)).out, /: good, /)
})

test('columns that are stored as Arrow do not keep others from being printed', async () => {
  const table = join(FOLDER, 'tables/arrow.b2z')
  const { status, out, err } = await b2nd('get', '-f', 'csv', table)
  assert.equal(status, 3)
  assert.match(err, /left out .* stored as Arrow/)
  const { columns } = JSON.parse((await b2nd('info', '--json', table)).out)
  assert.equal(out.split('\n')[0].split(',').length, columns.length - err.match(/"/g).length / 2)
})

test('groups of a directory are directories, which may have the names of files', async () => {
  const store = join(folder, 'groups.b2d')
  const table = join(FOLDER, 'tables/010.b2d')
  for (const group of ['group/t', 'v1.b2nd/t']) {
    cpSync(table, join(store, group), { recursive: true })
    rmSync(join(store, group, 'embed.b2e'))
  }
  cpSync(join(table, 'embed.b2e'), join(store, 'embed.b2e'))
  cpSync(SAMPLE, join(store, 'v1.b2nd/x.b2nd'))
  cpSync(join(FOLDER, 'blosc2-4.14.1/sparse-lz4.b2frame'), join(store, 'sparse.b2nd'), { recursive: true })
  mkdirSync(join(store, 'empty.b2nd'))
  const rows = JSON.parse((await b2nd('ls', '--json', store)).out)
  assert.deepEqual(
    rows.map(({ key, kind }) => [key, kind]),
    [
      ['/group/t', 'table'],
      ['/sparse', 'schunk'],
      ['/v1.b2nd/t', 'table'],
      ['/v1.b2nd/x', 'array'],
    ],
  )
  const whole = await b2nd('get', '-f', 'json', table)
  assert.equal(whole.status, 0)
  for (const group of ['group/t', 'v1.b2nd/t'])
    assert.deepEqual(await b2nd('get', '-f', 'json', join(store, group)), whole, group)
  const { status, out } = await b2nd('verify', store)
  assert.deepEqual(
    [
      status,
      out
        .trim()
        .split('\n')
        .filter(line => !line.includes(': good')),
    ],
    [0, []],
  )
  rmSync(store, { recursive: true })
})

test('damaged stores are verified beside others, and frames of frames with their members', async () => {
  const [archive, frame] = ['cut.b2z', 'cut.b2e'].map(name => join(folder, name))
  writeFileSync(archive, readFileSync(join(FOLDER, 'stores/tree.b2z')).subarray(0, -9))
  writeFileSync(frame, readFileSync(join(FOLDER, 'stores/embed.b2e')).subarray(0, -9))
  const { status, out } = await b2nd('verify', archive, frame, SAMPLE)
  assert.equal(status, 1)
  assert.deepEqual(
    out
      .trim()
      .split('\n')
      .map(line => [line.split(': ')[0], line.includes(': good')]),
    [
      [archive, false],
      [frame, false],
      [SAMPLE, true],
    ],
  )
  const embed = (await b2nd('verify', join(FOLDER, 'stores/embed.b2e'))).out
  assert.equal(embed.match(/: good/g).length, 5, embed)
  for (const path of [archive, frame]) rmSync(path)
})

test('stale columns are refused, and good', async () => {
  const table = join(FOLDER, 'tables/stale.b2z')
  const { status, err } = await b2nd('get', table)
  assert.equal(status, 3)
  assert.match(err, /column "double" is stale/)
  assert.equal((await b2nd('get', table, '--columns', 'a,half', '-f', 'csv', '0')).out, 'a,half\n100,0.25\n')
  assert.match((await b2nd('verify', table)).out, /stale\.b2z: good, 3 rows, 5 columns/)
})

test('create takes raw items, also from standard input, and leaves nothing if some are missing', async () => {
  const to = join(folder, 'raw.b2nd')
  const before = readdirSync(folder).sort()
  const make = (items, ...words) =>
    new Promise(resolve => {
      const child = execFile(process.execPath, [CLI, 'create', '-', to, ...words], (error, out, err) =>
        resolve({ status: error?.code ?? 0, err }),
      )
      child.stdin.end(items)
    })
  const words = ['--shape', '5,3', '--dtype', '>u2', '--chunks', '2,3']
  assert.match((await make(new Uint8Array(20), ...words)).err, /20 bytes of items, the shape needs 30/)
  assert.deepEqual(readdirSync(folder).sort(), before)
  assert.equal(
    (
      await make(
        Uint8Array.from({ length: 30 }, (_, k) => k),
        ...words,
      )
    ).status,
    0,
  )
  const array = await openFile(to)
  assert.deepEqual([array.dtype, [...(await array.get([4])).data]], ['>u2', [0x1819, 0x1a1b, 0x1c1d]])
  await array.close()
  assert.equal((await make(new Uint8Array(2))).status, 2)
  rmSync(to)
})

test('standard output takes a file, surplus input is refused, and help is about the command', async () => {
  const npy = join(folder, 'in.npy')
  await b2nd('get', SAMPLE, '0, 0', '-o', npy)
  const to = join(folder, 'piped')
  mkdirSync(to)
  const { status } = await new Promise(resolve => {
    const child = spawn(process.execPath, [CLI, 'create', npy, '-'], { cwd: to, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.pipe(createWriteStream(join(to, 'out.b2nd')))
    child.on('close', status => resolve({ status }))
  })
  assert.deepEqual([status, readdirSync(to)], [0, ['out.b2nd']])
  assert.deepEqual((await (await openFile(join(to, 'out.b2nd'))).get()).shape, [40])
  writeFileSync(npy, Buffer.concat([readFileSync(npy), Buffer.from('surplus')]))
  const surplus = await b2nd('create', npy, join(to, 'x.b2nd'))
  assert.equal(surplus.status, 1)
  assert.match(surplus.err, /in\.npy: more than the 160 bytes/)
  assert.match((await b2nd('--version')).out, /^b2nd\S* \d+\.\d+\.\d+\n$/)
  assert.match((await b2nd('create', '--help')).out, /^Create an array[^]*Usage: b2nd create/)
  writeFileSync(join(to, 'cut.b2nd'), readFileSync(SAMPLE).subarray(0, 80))
  assert.match((await b2nd('info', join(to, 'cut.b2nd'))).err, /cut\.b2nd: truncated: \d+ bytes needed, 80 there/)
  rmSync(to, { recursive: true })
  rmSync(npy)
})

test('a full standard output is told', { skip: !existsSync('/dev/full') }, async () => {
  for (const words of [
    ['info', SAMPLE],
    ['get', SAMPLE, '0'],
  ]) {
    const full = openSync('/dev/full', 'w')
    const { stderr, status } = spawnSync(process.execPath, [CLI, ...words], { stdio: ['ignore', full, 'pipe'] })
    closeSync(full)
    assert.equal(status, 2)
    assert.match(String(stderr), /cannot write the output: No space left/)
  }
})

test('repack keeps the permissions of what it replaces', { skip: process.platform === 'win32' }, async () => {
  const file = join(folder, 'private.b2nd')
  writeFileSync(file, '', { mode: 0o600 })
  assert.equal((await b2nd('repack', SAMPLE, file)).status, 0)
  assert.equal((await b2nd('repack', file, file)).status, 0)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  rmSync(file)
})

test('the status tells who is at fault', async () => {
  const status = async (...words) => (await b2nd(...words)).status
  assert.equal(await status('--help'), 0)
  assert.equal(await status('get', SAMPLE, '-f', 'tiff'), 2)
  assert.equal(await status('create', SAMPLE, join(folder, 'x.b2nd'), '--clevel', 'high'), 2)
  assert.equal(await status('get', join(FOLDER, 'stores/tree.b2z')), 2)
  assert.equal(await status('nothing'), 2)
  assert.equal(await status('get', SAMPLE, 'x'), 2)
  assert.equal(await status('info', '--nothing', SAMPLE), 2)
  assert.equal(await status('info', join(folder, 'missing.b2nd')), 1)
  assert.equal(await status('verify', join(FOLDER, 'README.md')), 1)
  assert.equal(await status('get', join(FOLDER, 'damaged/x-frame-user-codec.b2nd')), 3)
})

test('files behind URLs are read with few requests', async () => {
  const store = readFileSync(join(FOLDER, 'stores/tree.b2z'))
  const items = Uint8Array.from({ length: 2 ** 21 }, (_, k) => Math.imul(k, 2654435761) >>> 13)
  const array = await encodeArray({ data: items, shape: [2048, 1024], chunks: [64, 1024], blocks: [8, 128] })
  const server = await serve({ '/tree.b2z': store, '/a.b2nd': array })
  try {
    const local = join(FOLDER, 'stores/tree.b2z')
    for (const words of [['ls'], ['get', '/group/image', '0, :3'], ['info', '--json', '/small'], ['verify']]) {
      const [command, member = '', ...rest] = words.includes('--json') ? [words[0], words[2], words[1]] : words
      const there = await b2nd(command, `${server.url('/tree.b2z')}${member}`, ...rest)
      const here = await b2nd(command, `${local}${member}`, ...rest)
      assert.deepEqual([there.status, there.out.replaceAll(server.url('/tree.b2z'), local)], [0, here.out], there.err)
    }
    server.reset()
    const { status, out, err } = await b2nd('get', server.url('/a.b2nd'), ':, 5', '-f', 'json')
    assert.equal(status, 0, err)
    assert.deepEqual(
      JSON.parse(out),
      Array.from({ length: 2048 }, (_, k) => items[1024 * k + 5]),
    )
    assert.ok(server.requests.length < 8, `${server.requests.length} requests`)
    const { message, ...missing } = await b2nd('get', server.url('/none.b2nd'))
    assert.deepEqual([missing.status, message], [1, undefined], missing.err)
    server.manner = 'broken'
    const refused = await b2nd('info', server.url('/a.b2nd'))
    assert.deepEqual([refused.status, /HTTP status 500/.test(refused.err)], [1, true], refused.err)
  } finally {
    await server.close()
  }
})

test('view serves the viewer and the file, and nothing else', async () => {
  const server = spawn(process.execPath, [CLI, 'view', SAMPLE, '--no-open'])
  try {
    const address = await new Promise(resolve => server.stdout.once('data', text => resolve(String(text).trim())))
    const answer = path => fetch(new URL(path, address))
    const page = await (await answer('/')).text()
    const [, script] = /script type="module" src="([^"]+)"/.exec(page)
    const source = new URL(address).searchParams.get('url')
    assert.equal((await answer(script)).status, 200)
    assert.deepEqual(Buffer.from(await (await answer(source)).arrayBuffer()), readFileSync(SAMPLE))
    const part = await fetch(new URL(source, address), { headers: { range: 'bytes=10-19' } })
    assert.deepEqual([part.status, (await part.arrayBuffer()).byteLength], [206, 10])
    for (const path of ['/..%2F..%2Fpackage.json', '/file/other.b2nd', '/file/..%2Fgolden.b2nd', '/x'])
      assert.equal((await answer(path)).status, 404, path)
  } finally {
    server.kill()
  }
})
