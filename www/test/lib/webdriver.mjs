// Firefox and WebKit under W3C WebDriver. Each browser has its own transport.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A script may take as long as reading all golden files. */
const PATIENCE = 240_000

/** A browser with one page. */
class Browser {
  /** `command` takes a command's name and what it is about; `end` closes all. */
  constructor(command, end) {
    this.command = command
    this.end = end
  }

  go(url) {
    return this.command('go', { url })
  }

  /**
   * Calls a function of `hands`, which the page has to have, and gives what its promise does. All is JSON: browsers run what
   * they are told beside the page, where an array is no array of the page's.
   */
  async run(name, argument = null) {
    const script = `const done = arguments[arguments.length - 1]
      window.hands.call(arguments[0], arguments[1]).then(done)`
    const { error, value } = JSON.parse(
      await this.command('script', { script, args: [name, JSON.stringify(argument)] }),
    )
    if (error) throw new Error(`${name}: ${error.slice(0, 2000)}`)
    return value
  }

  /** Presses and releases keys. */
  press(...keys) {
    const actions = keys.flatMap(value => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    return this.command('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
  }
}

/** Firefox, whose own protocol Marionette has WebDriver's commands on a plain socket. */
export async function firefox(program) {
  const profile = mkdtempSync(join(tmpdir(), 'b2nd-firefox-'))
  const port = await freePort()
  writeFileSync(
    join(profile, 'user.js'),
    `user_pref("marionette.port", ${port});\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\nuser_pref("app.update.disabledForTesting", true);\n`,
  )
  const child = spawn(program, ['--headless', '--marionette', '--no-remote', '--profile', profile, 'about:blank'], {
    stdio: 'ignore',
    detached: true,
  })
  const clean = () => {
    kill(child)
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    const socket = await reach(port, child)
    const send = marionette(socket)
    await send('WebDriver:NewSession', {})
    await send('WebDriver:SetTimeouts', { script: PATIENCE, pageLoad: 60_000 })
    const commands = {
      go: ['WebDriver:Navigate', ({ url }) => ({ url })],
      script: ['WebDriver:ExecuteAsyncScript', request => request],
      actions: ['WebDriver:PerformActions', request => request],
    }
    const command = async (name, request) => {
      const [path, about] = commands[name]
      return (await send(path, about(request)))?.value
    }
    return new Browser(command, async () => {
      socket.destroy()
      clean()
    })
  } catch (error) {
    clean()
    throw error
  }
}

/** Messages are `length:[kind, id, …]`. */
function marionette(socket) {
  const waiting = new Map()
  let [bytes, last] = [Buffer.alloc(0), 0]
  socket.on('data', data => {
    bytes = Buffer.concat([bytes, data])
    for (let at; (at = bytes.indexOf(':')) > 0;) {
      const end = at + 1 + Number(bytes.subarray(0, at))
      if (!(end <= bytes.length)) return
      const message = JSON.parse(bytes.subarray(at + 1, end))
      bytes = bytes.subarray(end)
      if (!Array.isArray(message)) continue
      const [, id, error, result] = message
      const { resolve, reject } = waiting.get(id)
      if (error) reject(new Error(`${error.error}: ${error.message}`))
      else resolve(result)
    }
  })
  return (name, request) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, { resolve, reject })
      const text = JSON.stringify([0, id, name, request])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

/** WebKit's MiniBrowser, which needs a screen: one that nobody sees. */
export async function webkit(driver, screen, browser) {
  const xvfb = spawn(screen, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const home = mkdtempSync(join(tmpdir(), 'b2nd-webkit-'))
  let child
  const clean = () => {
    if (child) kill(child)
    kill(xvfb)
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    const ended = once(xvfb, 'exit').then(([code]) => {
      throw new Error(`${screen} ended with ${code}`)
    })
    ended.catch(() => {})
    const [display] = await Promise.race([once(xvfb.stdio[3], 'data'), ended])
    const port = await freePort()
    const env = {
      ...process.env,
      HOME: home,
      DISPLAY: `:${String(display).trim()}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
    }
    child = spawn(driver, ['-p', String(port)], { stdio: 'ignore', env, detached: true })
    ;(await reach(port, child)).destroy()
    const send = async (method, path, request) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(request && { body: JSON.stringify(request), headers: { 'Content-Type': 'application/json' } }),
      })
      const { value } = await response.json()
      if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
      return value
    }
    const options = { binary: browser, args: ['--automation'] }
    const { sessionId } = await send('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    })
    const session = `/session/${sessionId}`
    await send('POST', `${session}/timeouts`, { script: PATIENCE, pageLoad: 60_000 })
    const paths = { go: '/url', script: '/execute/async', actions: '/actions' }
    return new Browser(
      (name, request) => send('POST', session + paths[name], request),
      async () => {
        await send('DELETE', session).catch(() => {})
        clean()
      },
    )
  } catch (error) {
    clean()
    throw error
  }
}

/** The program and all that it has started. */
function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** A connection, once somebody listens. */
async function reach(port, child) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const there = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    if (there) return socket
    socket.destroy()
    await sleep(100)
  }
  throw new Error(`${child.spawnfile} does not listen`)
}
