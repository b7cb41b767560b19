import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { descendants } from '../../bench/measure/memory.ts'
import { Workers } from '../../src/server/process/workers.ts'
import { isLong } from '../long-only.ts'
import { postgresOf, shareCompiled, startProcess, statusOf } from './processes.ts'
import { startedDirectory } from './started-directory.ts'

type Who = { worker: number; pid: number; from?: number; to?: number }

/** Starts workers on a free port, and collects their messages. */
async function start(env: Record<string, string> = {}, count = 2, wanted = 0, silenceMs = 30_000) {
  const said: string[] = []
  const program = fileURLToPath(new URL('./worker-program.ts', import.meta.url))
  const workers = new Workers({
    count,
    program,
    env: { ...shareCompiled(), ...env },
    say: (message) => said.push(message),
    tellOwn: () => Promise.resolve('primary'),
    silenceMs,
  })
  const stop = () => workers.stop(1)
  onTestFinished(stop)
  const port = await workers.start(wanted, '127.0.0.1')
  // Each call has its own connection.
  const get = async (path: string): Promise<Who> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
    return (await answer.json()) as Who
  }
  return { port, get, said, stop }
}

it('several workers serve one port in turns', async () => {
  const { get } = await start()
  const answers: number[] = []
  for (let round = 0; round < 6; round++) answers.push((await get('/')).worker)
  expect(answers.toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2, 2, 2])
})

it('a survey asks every process, and omits those that do not answer', async () => {
  const ask = async (env: Record<string, string>) => {
    const { port } = await start(env)
    const answers = (await (await fetch(`http://127.0.0.1:${port}/survey`)).json()) as string[]
    return answers.toSorted()
  }
  expect(await ask({})).toEqual(['primary', 'worker 1', 'worker 2'])
  expect(await ask({ SAYS_NOTHING: '2' })).toEqual(['primary', 'worker 1'])
})

it('a worker that dies is restarted and the other continues; the request in progress gets a broken connection', async () => {
  const { get, said } = await start()
  const before = await Promise.all([get('/'), get('/')])
  await expect(get('/die')).rejects.toThrow()
  for (let round = 0; round < 20; round++) expect((await get('/')).pid).toBeGreaterThan(0)
  expect(said).toEqual([
    expect.stringMatching(/^Worker [12] ended unexpectedly \(SIGKILL\); starting it again\.$/),
  ])
  const pids = new Set<number>()
  await expect.poll(async () => pids.add((await get('/')).pid).size).toBe(2)
  expect(before.filter(({ pid }) => pids.has(pid))).toHaveLength(1)
})

it.runIf(isLong)(
  'a worker that dies in the middle of a message is restarted, and a stop does not wait for it',
  async () => {
    const { get, said, stop } = await start({}, 1)
    const { pid } = await get('/')
    await expect(get('/die-speaking')).rejects.toThrow()
    expect((await get('/')).pid).not.toBe(pid)
    expect(said).toEqual([expect.stringMatching(/^Worker 1 ended unexpectedly/)])
    await expect(get('/die-speaking')).rejects.toThrow()
    await stop()
  },
)

it.runIf(isLong)(
  'a request that comes while all workers are dead waits for the first that is back',
  async () => {
    const { get } = await start()
    const dead = await Promise.allSettled([get('/die'), get('/die')])
    expect(dead.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await get('/')).toMatchObject({ worker: expect.any(Number) as number })
  },
)

it.runIf(isLong)('a worker that hangs is killed and replaced, and the other continues', async () => {
  const { get, said } = await start({}, 2, 0, 9000)
  const before = (await Promise.all([get('/'), get('/')])).map(({ pid }) => pid)
  await expect(get('/busy/600000')).rejects.toThrow()
  for (let round = 0; round < 6; round++) expect((await get('/')).pid).toBeGreaterThan(0)
  expect(said).toEqual([
    expect.stringMatching(/^Worker [12] has not answered for 9 seconds; it is ended\.$/),
    expect.stringMatching(/^Worker [12] ended unexpectedly \(SIGKILL\); starting it again\.$/),
  ])
  const pids = new Set<number>()
  await expect.poll(async () => pids.add((await get('/')).pid).size).toBe(2)
  expect(before.filter((pid) => pids.has(pid))).toHaveLength(1)
})

it.runIf(isLong)('a worker that is busy for a while is left alone', async () => {
  const { get, said } = await start({}, 1, 0, 9000)
  const { pid } = await get('/')
  expect((await get('/busy/3000')).pid).toBe(pid)
  expect((await get('/busy/3000')).pid).toBe(pid)
  expect(said).toEqual([])
})

it.runIf(isLong)('reports a port that is in use', async () => {
  const { port } = await start({}, 1)
  await expect(start({}, 1, port)).rejects.toThrow('EADDRINUSE')
})

it('reports at once a worker that cannot start', async () => {
  await expect(start({ DIES_AT_ONCE: '2' })).rejects.toThrow('Worker 2 ended (3) before it was ready.')
})

it.runIf(isLong)('waits longer each time before it restarts a worker that keeps dying', async () => {
  const { get, said } = await start({}, 1)
  const began = Date.now()
  for (let death = 1; death <= 4; death++) {
    await get('/die').catch(() => undefined)
    await expect.poll(() => said.length).toBe(death)
  }
  expect(Date.now() - began).toBeGreaterThan(200 + 400 + 800)
})

it('a stop finishes a running request, accepts no new one, and leaves no process behind', async () => {
  const { port, get, stop } = await start()
  const pids = (await Promise.all([get('/'), get('/')])).map(({ pid }) => pid)
  const idle = connect(port, '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  const slow = get('/slow')
  await sleep(200)
  const stopped = stop()
  await expect(get('/')).rejects.toThrow()
  expect(await slow).toMatchObject({ worker: expect.any(Number) as number })
  await stopped
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  idle.destroy()
})

it('only one worker has a turn at a time, and a new request ends the turn before it', async () => {
  const { get } = await start()
  // Whichever comes first, the other ends its turn.
  const both = [get('/turn/file'), get('/turn/file')]
  const one = await Promise.race(both)
  const last = await get('/short-turn/file')
  const two = (await Promise.all(both)).find((each) => each !== one)!
  expect(one.worker).not.toBe(two.worker)
  expect([two.from! >= one.to!, last.from! >= two.to!]).toEqual([true, true])
})

it('turns of other keys do not wait, and a turn is free when its worker dies', async () => {
  const { get } = await start()
  const held = get('/turn/file')
  held.catch(() => undefined)
  await sleep(300)
  expect(await get('/short-turn/other')).toMatchObject({ worker: expect.any(Number) as number })
  // Kills both workers, because either may have the turn.
  await Promise.allSettled([get('/die'), get('/die')])
  await expect(held).rejects.toThrow()
  expect(await get('/short-turn/file')).toMatchObject({ worker: expect.any(Number) as number })
})

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('WORKERS=2: all of Ringbind ends with its primary, and can start again at once', async () => {
  const DATA_DIR = await startedDirectory()
  const postgres = postgresOf(DATA_DIR)
  const first = startProcess({ DATA_DIR, WORKERS: '2', DRAIN_SECONDS: '300', LOG_LEVEL: 'info' })
  const url = await first.url
  for (let round = 0; round < 4; round++) expect(await statusOf(`${url}/login`)).toBe(200)
  for (const worker of [1, 2])
    await expect.poll(() => first.output()).toMatch(new RegExp(`"worker":${worker},.*"route":"/login"`))
  const workersOf = (pid: number) => descendants(pid).filter((each) => !postgres().includes(each))
  // A connection to PostgreSQL that has just ended is not counted.
  await expect.poll(() => workersOf(first.child.pid!)).toHaveLength(2)
  const workers = workersOf(first.child.pid!)

  // Workers that are told to stop still answer for some time, and say at /readyz that no more should come.
  first.child.kill('SIGTERM')
  await expect.poll(() => statusOf(`${url}/readyz`)).toBe(503)
  expect(await statusOf(`${url}/login`)).toBe(200)
  first.child.kill('SIGKILL')
  await first.ended
  const second = startProcess({ DATA_DIR, WORKERS: '2', PORT: new URL(url).port })
  expect(await second.url).toBe(url)
  expect(await statusOf(`${url}/readyz`)).toBe(200)
  await expect.poll(() => workers.filter(isAlive)).toEqual([])

  const others = workersOf(second.child.pid!)
  second.child.kill('SIGTERM')
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect([...others.filter(isAlive), ...postgres()]).toEqual([])
})
