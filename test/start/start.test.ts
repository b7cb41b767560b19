import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { isLong } from '../long-only.ts'
import { Caller } from '../load/caller.ts'
import { killHard, postgresOf, startProcess, statusOf, type RunningProcess } from './processes.ts'
import { emptyDirectory, startedDirectory } from './started-directory.ts'

/** Stops Ringbind as a terminal and npm do together: npm passes on a signal that the terminal has already sent. */
async function stopCleanly(
  { child, ended }: RunningProcess,
  signal: NodeJS.Signals,
  postgres: () => number[],
): Promise<void> {
  expect(postgres().length).toBeGreaterThan(1)
  child.kill(signal)
  child.kill(signal)
  expect(await ended).toBe(0)
  expect(postgres()).toEqual([])
}

it.runIf(isLong)('a mail server that hangs does not delay a stop', async () => {
  const DATA_DIR = await startedDirectory()
  postgresOf(DATA_DIR)
  let isReached = false
  const silent = createServer(() => void (isReached = true))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const env = { DATA_DIR, SMTP_URL: `smtp://127.0.0.1:${port}`, SHUTDOWN_SECONDS: '1' }
  const { child, url, ended, output } = startProcess(env)
  await url
  // The first administrator asks for a new password.
  await expect.poll(output).toMatch(/setup\?token=\S+\n/)
  const setup = /http:\S+\/setup\?token=\S+/.exec(output())![0]
  const who = new Caller(async (method, path, { headers, body } = {}) => {
    const answer = await fetch((await url) + path, {
      method,
      headers: headers ?? {},
      ...(body !== undefined && { body: body.toString() }),
    })
    const cookies = answer.headers.getSetCookie()
    return {
      status: answer.status,
      headers: { 'set-cookie': cookies },
      body: Buffer.from(await answer.arrayBuffer()),
    }
  })
  const email = 'kirsten@example.dk'
  const token = new URL(setup).searchParams.get('token')!
  await who.page()
  const person = { token, name: 'Kirsten', email, password: 'korrekt hest batteri' }
  expect((await who.json('/setup', person)).status).toBe(200)
  await who.page()
  expect((await who.json('/forgot-password', { email })).status).toBe(200)
  await expect.poll(() => isReached).toBe(true)
  const began = performance.now()
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(90_000) // 1 + 6 + 1 s on a quiet computer; before the fix it took 120 s
})

it('a stop during the start leaves nothing behind, and SIGTERM stops everything cleanly', async () => {
  const DATA_DIR = await emptyDirectory()
  const postgres = postgresOf(DATA_DIR)
  for (const wait of [150, 400, 800, 1200]) {
    const { child, ended } = startProcess({ DATA_DIR })
    await sleep(wait)
    child.kill('SIGTERM')
    await ended
    expect(postgres()).toEqual([])
  }
  const whole = startProcess({ DATA_DIR })
  expect(await statusOf(await whole.url)).toBe(200)
  await stopCleanly(whole, 'SIGTERM', postgres)
})

it('continues or starts again at once after kill -9, and SIGINT stops everything cleanly', async () => {
  const DATA_DIR = await startedDirectory()
  const postgres = postgresOf(DATA_DIR)
  const start = async () => {
    const started = startProcess({ DATA_DIR })
    expect(await statusOf(await started.url)).toBe(200)
    return started
  }
  const first = await start()
  postgres().forEach(killHard)
  const url = await first.url
  await expect.poll(() => statusOf(url)).toBe(200)

  first.child.kill('SIGKILL')
  await first.ended
  const second = await start()
  postgres().forEach(killHard)
  second.child.kill('SIGKILL')
  await second.ended
  await stopCleanly(await start(), 'SIGINT', postgres)
})

it('refuses a second Ringbind on the same data directory, in one line, and SIGHUP stops everything cleanly', async () => {
  const DATA_DIR = await startedDirectory()
  const postgres = postgresOf(DATA_DIR)
  const first = startProcess({ DATA_DIR })
  const url = await first.url
  const second = startProcess({ DATA_DIR })
  expect(await second.ended).toBe(1)
  expect(second.output()).toBe(`Another Ringbind is already running on ${DATA_DIR}.\n`)
  expect(await statusOf(url)).toBe(200)
  await stopCleanly(first, 'SIGHUP', postgres)
})

it.each([
  [{ PORT: 'abc' }, `PORT takes a whole number from 0 to 65535; it is 'abc'.\n`],
  [
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^The database in DATABASE_URL cannot be used: .*ECONNREFUSED.*\n$/,
  ],
  [{ HOST: '192.0.2.55' }, `HOST takes an address of this computer; '192.0.2.55' is none.\n`],
])('a wrong value stops the start with one clear line: %j', async (env, line) => {
  const DATA_DIR = await startedDirectory()
  const { ended, output } = startProcess({ DATA_DIR, ...env })
  expect(await ended).toBe(1)
  expect(output()).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
})

it('stops at once and without an error while it waits for a database', async () => {
  const DATA_DIR = await emptyDirectory()
  const asked = Promise.withResolvers<void>()
  const hangsUp = createServer((socket) => {
    socket.destroy()
    asked.resolve()
  })
  await new Promise<void>((resolve) => hangsUp.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void hangsUp.close())
  const { port } = hangsUp.address() as AddressInfo
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${port}/none`
  const { child, ended, output } = startProcess({ DATA_DIR, DATABASE_URL })
  await asked.promise
  child.kill('SIGTERM')
  expect(await ended).toBe(0) // it would give up after 15 seconds, with status 1
  expect(output()).toBe('')
})

it.runIf(isLong)('a port in use stops the start with one clear line, and leaves nothing behind', async () => {
  const DATA_DIR = await startedDirectory()
  const postgres = postgresOf(DATA_DIR)
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const { ended, output } = startProcess({ DATA_DIR, PORT: String(port) })
  expect(await ended).toBe(1)
  expect(output()).toContain(`PORT takes a port that is free; ${port} is taken.`)
  expect(postgres()).toEqual([])
})
