import { B2ndError } from '../base/errors.js'
import { isAlive, modules } from './new-file.js'

/** Keeps other editors away from a file. */
export interface Lock {
  /** Another owner, who must release the lock, too. */
  share(): Lock
  release(): Promise<void>
}

/** How long a lock file may be empty, in ms: its owner has created it and writes its name next. */
const EMPTY = 10_000
/** Lock files that are removed, one after the other, because their processes have ended. */
const ATTEMPTS = 8

/**
 * Locks a file by a lock file next to it, `.NAME.b2nd-lock`, which names the process. Native editors look for it, and lock the file
 * itself, which Linux tells in `/proc/locks`.
 */
export async function lockOf(file: string): Promise<Lock> {
  const { fs, path: paths } = modules()
  const path = paths.join(paths.dirname(file), `.${paths.basename(file)}.b2nd-lock`)
  const busy = (who: string) => new B2ndError('source', `${who} is writing this file`)
  for (let attempt = 0; !(await created(path)); attempt++) {
    const owner = await ownerOf(path)
    if (owner || attempt === ATTEMPTS) throw busy(`${owner ?? 'another process'} (see ${path})`)
    await collect(path)
  }
  const release = () => fs.rm(path, { force: true })
  if (await isLockedNatively(file)) {
    await release()
    throw busy('another process')
  }
  let owners = 0
  const share = (): Lock => {
    owners++
    let held = true
    return {
      share,
      async release() {
        if (held && !--owners) await release()
        held = false
      },
    }
  }
  return share()
}

const here = () => modules().os.hostname()

/** Creates a lock file. Returns false if there is one. */
async function created(path: string): Promise<boolean> {
  const { fs } = modules()
  try {
    await fs.writeFile(path, `${process.pid} ${here()}\n`, { flag: 'wx' })
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  }
}

/** The process of a lock file, unless it has ended. */
async function ownerOf(path: string): Promise<string | undefined> {
  const { fs } = modules()
  try {
    const [pid, host] = (await fs.readFile(path, 'utf8')).split(/\s/)
    if (!pid) return Date.now() - (await fs.stat(path)).mtimeMs < EMPTY ? 'another process' : undefined
    return host !== here() || isAlive(Number(pid)) ? `process ${pid} on ${host}` : undefined
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/** Removes the lock file of a process that has ended, unless another process has just taken its place. */
async function collect(path: string): Promise<void> {
  const { fs } = modules()
  const aside = `${path}.${process.pid}.tmp`
  try {
    await fs.rename(path, aside)
  } catch {
    return
  }
  if (await ownerOf(aside)) await fs.link(aside, path).catch(() => {})
  await fs.rm(aside, { force: true })
}

/** Whether a process has locked the file itself, as far as the system tells. */
async function isLockedNatively(file: string): Promise<boolean> {
  const { fs } = modules()
  const locks = await fs.readFile('/proc/locks', 'utf8').catch(() => '')
  const { dev, ino } = await fs.stat(file, { bigint: true })
  const major = (dev >> 8n) & 0xfffn
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)
  const hex = (number: bigint) => number.toString(16).padStart(2, '0')
  const place = ` ${hex(major)}:${hex(minor)}:${ino} `
  return locks.split('\n').some(line => line.includes(' FLOCK ') && line.includes(place))
}
