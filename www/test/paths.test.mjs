// What may be at a path in Node.js: directories, links, pipes and devices, and what killed processes leave.

import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { isB2ndError } from 'b2nd'
import { folderSource, openArrayFile, openFile, openStoreFile } from 'b2nd/node'
import { openStore } from 'b2nd/store'
import { arrayWriter, edit } from 'b2nd/write'
import { FOLDER } from './lib/golden.mjs'

const CLI = join(import.meta.dirname, '../dist/cli.js')
const skip = process.platform === 'win32' && 'there are neither pipes nor devices'
const root = mkdtempSync(join(tmpdir(), 'b2nd-paths-'))
after(() => rmSync(root, { recursive: true }))
let folder
beforeEach(() => (folder = mkdtempSync(join(root, 't'))))
const at = (...names) => join(folder, ...names)
const names = (...path) => readdirSync(at(...path)).sort()
const isLink = name => lstatSync(at(name)).isSymbolicLink()

const failing = (code, message) => error => isB2ndError(error, code) && message.test(error.message)
const noise = count => Uint8Array.from({ length: count }, (_, k) => Math.imul(k, 2654435761) >>> 13)

/** Runs a command in the folder. Returns its status and what it printed. */
const b2nd = (...words) =>
  new Promise(resolve => {
    execFile(process.execPath, [CLI, ...words], { cwd: folder }, (error, out, err) =>
      resolve({ status: error?.code ?? 0, out, err }),
    )
  })

async function make(path, items = noise(400)) {
  const writer = await arrayWriter(path, { shape: [items.length], dtype: '|u1', chunks: [200] })
  await writer.append(items)
  await writer.close()
}

const read = async path => (await (await openArrayFile(path)).get()).data

const pipe = name => execFileSync('mkfifo', [at(name)])

/** What a process reads from a pipe. */
const received = name =>
  new Promise(resolve => {
    execFile('cat', [at(name)], { encoding: 'buffer' }, (_, out) => resolve(out))
  })

/** A sparse frame, as the reference writes it. */
function sparse(name) {
  execFileSync('cp', ['-r', join(FOLDER, 'blosc2-4.14.1/sparse-2d.b2nd'), at(name)])
  execFileSync('chmod', ['-R', 'u+w', at(name)])
}

test('directories stay', async () => {
  mkdirSync(at('vd'))
  writeFileSync(at('vd/thesis.txt'), 'years')
  writeFileSync(at('x.raw'), noise(16))
  for (const path of ['vd', 'vd/', 'vd/..', '.', 'new/']) {
    await assert.rejects(make(at(path)), failing('argument', /is a directory/), path)
    const created = await b2nd('create', 'x.raw', path, '--shape', '16', '--dtype', 'u1')
    assert.deepEqual([created.status, /directory/.test(created.err)], [2, true], created.err)
  }
  await make(at('x.b2nd'))
  assert.match((await b2nd('get', 'x.b2nd', '-o', 'vd')).err, /vd: the path is that of a directory/)
  assert.equal(readFileSync(at('vd/thesis.txt'), 'utf8'), 'years')
  assert.deepEqual(names(), ['vd', 'x.b2nd', 'x.raw'])
})

test('links are followed, also one that leads nowhere yet', { skip }, async () => {
  mkdirSync(at('data'))
  symlinkSync('data/a.b2nd', at('next'))
  symlinkSync('next', at('link'))
  for (const count of [400, 300]) {
    await make(at('link'), noise(count))
    assert.deepEqual(await read(at('data/a.b2nd')), noise(count))
  }
  const editor = await edit(at('link'))
  await editor.setMetalayer('name', 'a longer header')
  await editor.set(null, 1)
  await editor.close()
  assert.deepEqual(await read(at('data/a.b2nd')), new Uint8Array(300).fill(1))
  symlinkSync('data/a.npy', at('npy'))
  for (let k = 0; k < 2; k++) assert.equal((await b2nd('get', 'link', '-o', 'npy', '-f', 'npy')).status, 0)
  assert.deepEqual(
    [isLink('link'), isLink('next'), isLink('npy'), names('data')],
    [true, true, true, ['a.b2nd', 'a.npy']],
  )
  symlinkSync('loop', at('loop'))
  await assert.rejects(make(at('loop')), failing('source', /ELOOP/))
})

test('devices and pipes are written to', { skip }, async () => {
  await make(at('x.b2nd'))
  writeFileSync(at('x.raw'), noise(400))
  symlinkSync('/dev/full', at('full'))
  const raw = ['--shape', '400', '--dtype', 'u1', '--chunks', '200']
  for (const words of [
    ['create', 'x.raw', 'full', ...raw],
    ['repack', 'x.b2nd', 'full'],
    ['get', 'x.b2nd', '-f', 'raw', '-o', 'full'],
  ]) {
    const { status, err } = await b2nd(...words)
    assert.deepEqual([status, /No space/.test(err)], [2, true], err)
  }
  assert.ok(isLink('full') && lstatSync('/dev/full').isCharacterDevice())
  assert.equal((await b2nd('get', 'x.b2nd', '-f', 'raw', '-o', '/dev/null')).status, 0)
  assert.equal((await b2nd('create', 'x.raw', '/dev/null', ...raw)).status, 0)
  pipe('pipe')
  const frame = readFileSync(at('x.b2nd'))
  let out = received('pipe')
  await make(at('pipe'))
  assert.deepEqual(await out, frame)
  out = received('pipe')
  assert.equal((await b2nd('repack', 'x.b2nd', 'pipe')).status, 0)
  assert.equal((await out).length, frame.length)
  out = received('pipe')
  assert.equal((await b2nd('get', 'x.b2nd', '-f', 'raw', '-o', 'pipe')).status, 0)
  assert.deepEqual(new Uint8Array(await out), noise(400))
  // Standard output may be a file that is appended to.
  writeFileSync(at('log'), 'old')
  for (const words of [
    ['get', 'x.b2nd', '-f', 'raw', '-o', '/dev/stdout'],
    ['repack', 'x.b2nd', '/dev/stdout'],
  ]) {
    const child = spawn(process.execPath, [CLI, ...words], {
      cwd: folder,
      stdio: ['ignore', openSync(at('log'), 'a'), 2],
    })
    assert.equal(await new Promise(resolve => child.on('exit', resolve)), 0)
  }
  assert.equal(readFileSync(at('log')).length, 3 + 400 + frame.length)
  assert.deepEqual(names(), ['full', 'log', 'pipe', 'x.b2nd', 'x.raw'])
})

test('pipes are read to their end, but only by the command', { skip }, async () => {
  pipe('pipe')
  for (const open of [openFile, openArrayFile]) {
    await assert.rejects(open(at('pipe')), failing('source', /pipe: a pipe or a device/))
  }
  await assert.rejects(edit(at('pipe')), failing('argument', /pipe is no file/))
  await assert.rejects(edit('/dev/null'), failing('argument', /is no file/))
  await make(at('x.b2nd'))
  writeFileSync(at('x.raw'), noise(400))
  const send = name =>
    new Promise(resolve => {
      const writer = spawn('sh', ['-c', 'echo begun; exec cat "$0" > "$1"', at(name), at('pipe')])
      writer.stdout.once('data', () => resolve(writer))
    })
  for (const [name, ...words] of [
    ['x.b2nd', 'info', 'pipe'],
    ['x.b2nd', 'verify', 'pipe'],
    ['x.b2nd', 'get', 'pipe', '-f', 'raw', '-o', 'y.raw'],
    ['x.raw', 'create', 'pipe', 'y.b2nd', '--shape', '400', '--dtype', 'u1'],
  ]) {
    const writer = await send(name)
    const { status, err } = await b2nd(...words)
    writer.kill()
    assert.equal(status, 0, err)
  }
  assert.deepEqual([new Uint8Array(readFileSync(at('y.raw'))), await read(at('y.b2nd'))], [noise(400), noise(400)])
  // Nothing waits for a process that writes.
  const silent = [
    ['info', 'pipe'],
    ['ls', 'pipe'],
    ['view', 'pipe', '--no-open'],
    ['create', 'pipe', 'z.b2nd', '--shape', '4', '--dtype', 'u1'],
  ]
  for (const { status, err } of await Promise.all(silent.map(words => b2nd(...words)))) {
    assert.notEqual(status, 0)
    assert.match(err, /pipe/)
  }
  assert.ok(!existsSync(at('z.b2nd')))
})

test('links in frames and stores are not followed', { skip }, async () => {
  sparse('a.b2nd')
  const chunk = readdirSync(at('a.b2nd')).find(name => name.endsWith('.chunk'))
  execFileSync('mv', [at('a.b2nd', chunk), at('target')])
  symlinkSync('../target', at('a.b2nd', chunk))
  await assert.rejects(read(at('a.b2nd')), failing('source', new RegExp(`${chunk}: a link within a frame`)))
  rmSync(at('a.b2nd', chunk))
  pipe(`a.b2nd/${chunk}`)
  await assert.rejects(read(at('a.b2nd')), failing('source', new RegExp(`${chunk}: no regular file`)))
  execFileSync('mv', [at('a.b2nd/chunks.b2frame'), at('index')])
  symlinkSync('../index', at('a.b2nd/chunks.b2frame'))
  await assert.rejects(openFile(at('a.b2nd')), failing('source', /chunks\.b2frame: a link within a frame/))

  mkdirSync(at('s.b2d'))
  execFileSync('cp', [join(FOLDER, 'blosc2-4.14.1/store.b2e'), at('s.b2d/embed.b2e')])
  await make(at('x.b2nd'))
  await make(at('s.b2d/own.b2nd'))
  symlinkSync('../x.b2nd', at('s.b2d/planted.b2nd'))
  const refused = failing('source', /planted\.b2nd: a link within a frame or a store/)
  const check = async store => {
    assert.ok(await store.get('/own'))
    await assert.rejects(store.get('/planted'), refused)
  }
  await check(await openStore(folderSource(at('s.b2d'))))
  await check(await openStoreFile(at('s.b2d')))
  // A process that is killed while it replaces a directory leaves the old one under another name.
  execFileSync('mv', [at('s.b2d'), at('.s.b2d.b2nd-old')])
  await check(await openStoreFile(at('s.b2d')))
})

test('permissions stay', { skip }, async () => {
  await make(at('a.b2nd'))
  chmodSync(at('a.b2nd'), 0o600)
  await make(at('a.b2nd'))
  const editor = await edit(at('a.b2nd'))
  await editor.setMetalayer('name', 'a longer header')
  await editor.close()
  assert.equal((await b2nd('get', 'a.b2nd', '-o', 'a.txt')).status, 0)
  chmodSync(at('a.txt'), 0o600)
  assert.equal((await b2nd('get', 'a.b2nd', '-o', 'a.txt')).status, 0)
  assert.deepEqual(
    ['a.b2nd', 'a.txt'].map(name => statSync(at(name)).mode & 0o777),
    [0o600, 0o600],
  )
})

test('what a command makes of a file is as private', { skip }, async () => {
  await make(at('a.b2nd'))
  for (const mode of [0o600, 0o640, 0o644]) {
    chmodSync(at('a.b2nd'), mode)
    assert.equal((await b2nd('repack', 'a.b2nd', `${mode}.b2nd`)).status, 0)
    assert.equal((await b2nd('get', 'a.b2nd', '-o', `${mode}.npy`)).status, 0)
    assert.deepEqual(
      [`${mode}.b2nd`, `${mode}.npy`].map(name => statSync(at(name)).mode & 0o077),
      Array(2).fill(mode & 0o077 & ~process.umask()),
    )
  }
})

test('the lock file of a command follows no link, and the locks of other programs hold', { skip }, async () => {
  await make(at('a.b2nd'))
  writeFileSync(at('one.u1'), 'b')
  writeFileSync(at('thesis.txt'), 'years')
  symlinkSync('thesis.txt', at('.a.b2nd.b2nd-lock'))
  const append = () => b2nd('append', 'a.b2nd', 'one.u1', '--from', 'raw', '--dtype', 'u1', '--shape', '1')
  const refused = await append()
  assert.equal(refused.status, 1)
  assert.match(refused.err, /another process is writing this frame: see .*b2nd-lock/)
  assert.equal(readFileSync(at('thesis.txt'), 'utf8'), 'years')
  rmSync(at('.a.b2nd.b2nd-lock'))
  if (process.platform !== 'linux') return
  // It ends when its input does.
  const other = spawn('flock', ['a.b2nd', 'sh', '-c', 'echo locked; cat'], { cwd: folder })
  await new Promise(resolve => other.stdout.once('data', resolve))
  const busy = await append()
  assert.equal(busy.status, 1)
  assert.match(busy.err, /another process/)
  other.stdin.end()
  await new Promise(resolve => other.once('exit', resolve))
  assert.equal((await append()).status, 0)
  assert.equal((await read(at('a.b2nd'))).length, 401)
  assert.deepEqual(names(), ['a.b2nd', 'one.u1', 'thesis.txt'])
})

test('what a killed command leaves is collected', { skip }, async () => {
  const create = () =>
    spawn(process.execPath, [CLI, 'create', '-', 'a.b2nd', '--shape', '400', '--dtype', 'u1'], { cwd: folder })
  const begun = async (process, wanted) => {
    process.stdin.write(noise(200))
    while (names().length < wanted) await new Promise(resolve => setTimeout(resolve, 20))
    return process
  }
  const [killed, living] = [await begun(create(), 2), await begun(create(), 4)]
  assert.deepEqual(names(), [
    '..a.b2nd.b2nd-0.tmp.b2nd-lock',
    '..a.b2nd.b2nd-1.tmp.b2nd-lock',
    '.a.b2nd.b2nd-0.tmp',
    '.a.b2nd.b2nd-1.tmp',
  ])
  const ended = process => new Promise(resolve => process.on('exit', resolve))
  let end = ended(killed)
  killed.kill('SIGKILL')
  await end
  const next = create()
  end = ended(next)
  next.stdin.end(noise(400))
  assert.equal(await end, 0)
  assert.deepEqual(names(), ['..a.b2nd.b2nd-1.tmp.b2nd-lock', '.a.b2nd.b2nd-1.tmp', 'a.b2nd'])
  end = ended(living)
  living.stdin.end(noise(200))
  assert.equal(await end, 0)
  assert.deepEqual([names(), (await read(at('a.b2nd'))).length], [['a.b2nd'], 400])
})

test('what killed processes leave is collected', { skip }, async () => {
  const script = `
    import { arrayWriter } from 'b2nd/write'
    const writer = await arrayWriter('a.b2nd', { shape: [400], dtype: '|u1' })
    console.log('begun')
    setTimeout(() => {}, 60_000)`
  writeFileSync(at('script.mjs'), script.replace('b2nd/write', join(import.meta.dirname, '../dist/write.js')))
  const children = [0, 1].map(() => spawn(process.execPath, ['script.mjs'], { cwd: folder }))
  await Promise.all(children.map(({ stdout }) => new Promise(resolve => stdout.once('data', resolve))))
  assert.deepEqual(names(), ['.a.b2nd.b2nd-0.tmp', '.a.b2nd.b2nd-1.tmp', 'script.mjs'])
  // Of others, and an empty one.
  const there = {
    '.a.b2nd.b2nd-2.tmp': `1@elsewhere.${hostname()}`,
    '.a.b2nd.b2nd-3.tmp': 'thesis.txt',
    '.a.b2nd.b2nd-4.tmp': undefined,
  }
  for (const [name, file] of Object.entries(there)) {
    mkdirSync(at(name))
    if (file) writeFileSync(at(name, file), 'years')
  }
  children[0].kill('SIGKILL')
  await new Promise(resolve => children[0].once('exit', resolve))
  await make(at('a.b2nd'))
  await make(at('a.b2nd'))
  children[1].kill('SIGKILL')
  await new Promise(resolve => children[1].once('exit', resolve))
  await make(at('a.b2nd'))
  await make(at('a.b2nd'))
  assert.deepEqual(
    names().filter(name => !/^\.a\.b2nd\.b2nd-[14]/.test(name)),
    ['.a.b2nd.b2nd-2.tmp', '.a.b2nd.b2nd-3.tmp', 'a.b2nd', 'script.mjs'],
  )
  assert.deepEqual(await read(at('a.b2nd')), noise(400))
})

test('what is not committed gives its space back', async () => {
  await make(at('a.b2nd'))
  const { size } = statSync(at('a.b2nd'))
  let editor = await edit(at('a.b2nd'))
  await editor.append(noise(20_000))
  assert.notEqual(statSync(at('a.b2nd')).size, size)
  await editor.abort()
  assert.equal(statSync(at('a.b2nd')).size, size)
  editor = await edit(at('a.b2nd'))
  await editor.append(noise(20_000))
  await editor.commit()
  const larger = statSync(at('a.b2nd')).size
  await editor.append(noise(10_000))
  await editor.abort()
  assert.equal(statSync(at('a.b2nd')).size, larger)
  assert.equal((await read(at('a.b2nd'))).length, 20_400)
})

test('a failed commit gives its space back', { skip }, async () => {
  await make(at('a.b2nd'))
  const script = `
    import { edit } from ${JSON.stringify(join(import.meta.dirname, '../dist/write.js'))}
    const editor = await edit('a.b2nd')
    try {
      for (;;) {
        await editor.append(Uint8Array.from({ length: 2000 }, () => Math.random() * 256))
        await editor.commit()
      }
    } catch (error) {
      if (!/EFBIG/.test(error.message)) throw error
      await editor.abort()
    }`
  writeFileSync(at('script.mjs'), script)
  execFileSync('sh', ['-c', `trap '' XFSZ; ulimit -f 20; exec "$0" script.mjs`, process.execPath], { cwd: folder })
  const bytes = readFileSync(at('a.b2nd'))
  assert.equal(BigInt(bytes.length), bytes.readBigUInt64BE(16))
  assert.deepEqual((await read(at('a.b2nd'))).subarray(0, 400), noise(400))
})

test('the old frame is read where a killed process has put it', { skip }, async () => {
  sparse('a.b2nd')
  const items = await read(at('a.b2nd'))
  execFileSync('mv', [at('a.b2nd'), at('.a.b2nd.b2nd-old')])
  assert.deepEqual(await read(at('a.b2nd')), items)
  await assert.rejects(openFile(at('b.b2nd')), failing('source', /ENOENT/))
})

test('a file that became shorter is no frame', async () => {
  await make(at('a.b2nd'))
  truncateSync(at('a.b2nd'), 100)
  await assert.rejects(openFile(at('a.b2nd')), failing('format', /./))
})
