import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { urls } from '../../src/urls.ts'
import { Caller } from '../load/caller.ts'
import { makeExternalPostgres } from '../neighbours/external-postgres.ts'
import { countWords, LETTER } from '../files/scans.ts'
import { freePort } from '../neighbours/free-port.ts'
import { PASSWORD } from '../make.ts'
import {
  buildImage,
  ensureBases,
  ensurePodman,
  podman,
  podmanStatus,
  startContainer,
} from '../neighbours/podman.ts'
import { ROOT } from '../start/processes.ts'
import { wayTo } from '../load/way.ts'

const IMAGE = 'localhost/ringbind:test'
const RUN = randomBytes(4).toString('hex')
const VOLUME = `ringbind-${RUN}`
/** As compose.yaml runs it. */
const LOCKED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges']

const started: string[] = []
beforeAll(async () => {
  ensurePodman()
  const standIns = await ensureBases()
  if (standIns.length > 0) console.log(`stand-ins, because they could not be fetched: ${standIns.join(', ')}`)
  const began = Date.now()
  await buildImage(IMAGE, ROOT)
  const size = Number(await podman(['image', 'inspect', IMAGE, '--format', '{{.Size}}']))
  console.log(
    `the image has ${Math.round(size / 1e6)} MB and was built in ${Math.round((Date.now() - began) / 1000)} s`,
  )
  await podman(['volume', 'create', VOLUME])
}, 3_600_000)
afterAll(async () => {
  for (const name of started) podmanStatus(['rm', '--force', '--time', '0', name])
  await podman(['volume', 'rm', '--force', VOLUME])
})

/** Starts the image, waits until it serves, and returns its name and a way to call it. */
async function start(args: string[], port: number): Promise<{ name: string; caller: Caller; log: string }> {
  const name = `ringbind-${RUN}-${started.length}`
  started.push(name)
  await startContainer(name, [...LOCKED, '--env', `APP_URL=http://127.0.0.1:${port}`, ...args, IMAGE])
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  const log = () => podman(['logs', name])
  try {
    await expect.poll(ready).toBe(true)
  } catch (error) {
    throw new Error(`${name} does not serve:\n${await log()}`, { cause: error })
  }
  const way = wayTo(port)
  const host = `127.0.0.1:${port}`
  const caller = new Caller((method, path, sending = {}) =>
    way(method, path, { ...sending, headers: { host, ...sending.headers } }),
  )
  return { name, caller, log: await log() }
}

const inside = (name: string, ...command: string[]) => podman(['exec', name, ...command])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Makes the first administrator by the link that the first start prints. */
async function setUp(caller: Caller, log: string): Promise<void> {
  const token = /\/setup\?token=(\S+)/.exec(log)![1]!
  await caller.page(`${urls.setup}?token=${token}`)
  const fields = { token, name: 'Ada', email: 'ada@example.dk', password: PASSWORD }
  expect((await caller.json(urls.setup, fields)).status).toBe(200)
  await caller.page() // sets the session's token
}

/** Uploads a file to the first folder of a new project and returns its id. */
async function upload(caller: Caller, name: string, bytes: Buffer): Promise<number> {
  const made = await caller.json(urls.newProject, { number: '1024', name: 'K/S Nordhavn', status: 'active' })
  expect([made.status, String(made.body)]).toEqual([200, expect.any(String)])
  const read = async (path: string): Promise<{ id: number }[]> => {
    const { data } = JSON.parse(String((await caller.call('GET', path)).body)) as { data: { id: number }[] }
    return data
  }
  const [project] = await read('/api/projects')
  const [folder] = await read(`/api/projects/${project!.id}/folders`)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  const request = new Request('http://x', { method: 'POST', body: form })
  const answer = await caller.call('POST', `/api/projects/${project!.id}/folder/${folder!.id}/files`, {
    headers: { 'content-type': request.headers.get('content-type')! },
    body: Buffer.from(await request.arrayBuffer()),
  })
  const sent = String(answer.body)
  expect([answer.status, sent]).toEqual([201, expect.any(String)])
  const [file] = await read(`/api/projects/${project!.id}/folder/${folder!.id}/files`)
  return file!.id
}

it(
  'the image runs confined, with its own database, and data survive a new container',
  { timeout: 900_000 },
  async () => {
    const port = await freePort()
    const place = ['--volume', `${VOLUME}:/data`, '--publish', `127.0.0.1:${port}:3000`]
    const { name, caller, log } = await start(place, port)

    // No root, no capabilities, no way to get any, nowhere to write but /data and /tmp.
    expect(await inside(name, 'id', '-u')).toBe('10001')
    const status = await inside(name, 'cat', '/proc/1/status')
    expect(status).toMatch(/^Uid:\s+10001\s+10001\s+10001/m)
    for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'))
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    for (const path of ['/ringbind/x', '/etc/x', '/x', '/usr/local/x', '/var/x'])
      expect([path, podmanStatus(['exec', name, 'touch', path])]).toEqual([path, 1])
    for (const path of ['/data/x', '/tmp/x'])
      expect([path, podmanStatus(['exec', name, 'touch', path])]).toEqual([path, 0])
    expect(log).not.toContain('Building the pages')

    // A scan in Danish is read.
    await writeFile(
      join(await podman(['volume', 'inspect', VOLUME, '--format', '{{.Mountpoint}}']), 'scan.png'),
      LETTER.png,
    )
    expect(countWords(await inside(name, 'tesseract', '/data/scan.png', '-', '-l', 'dan'))).toBeGreaterThan(5)

    // Healthy; unhealthy while it hangs; healthy again.
    const isHealthy = () => podmanStatus(['healthcheck', 'run', name]) === 0
    expect(isHealthy()).toBe(true)
    await podman(['kill', '--signal', 'STOP', name])
    expect(isHealthy()).toBe(false)
    await podman(['kill', '--signal', 'CONT', name])
    await expect.poll(isHealthy).toBe(true)

    await setUp(caller, log)
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(3_000_000)])
    const file = await upload(caller, 'Årsrapport æøå.pdf', bytes)
    const began = Date.now()
    await podman(['stop', '--time', '60', name])
    const took = Date.now() - began
    console.log(`SIGTERM ended it in ${took} ms`)
    expect(Number(await podman(['inspect', name, '--format', '{{.State.ExitCode}}']))).toBe(0)
    expect(took).toBeLessThan(45_000)
    await podman(['rm', name])

    const next = await start(place, port)
    expect(next.log).not.toContain('/setup?token=')
    expect((await next.caller.signIn('ada@example.dk')).status).toBe(200)
    const { status: found, body } = await next.caller.call('GET', `/api/files/${file}/content`)
    expect([found, sha256(body)]).toEqual([200, sha256(bytes)])

    // The commands of docs/drift.md.
    await inside(next.name, 'node', 'scripts/backup.ts', '/data/kopi.tar')
    await inside(next.name, 'node', 'scripts/verify.ts', '/data/kopi.tar')
    await inside(next.name, 'node', 'scripts/verify.ts')
  },
)

it(
  'the image runs with an external PostgreSQL and keeps no database of its own',
  { timeout: 600_000 },
  async () => {
    const postgres = await makeExternalPostgres()
    try {
      const port = await freePort()
      const env = [
        '--env',
        `DATABASE_URL=${postgres.url}`,
        '--env',
        `PORT=${port}`,
        '--env',
        'HOST=127.0.0.1',
      ]
      const { name, caller, log } = await start(['--network', 'host', ...env], port)
      await setUp(caller, log)
      await upload(caller, 'Budget.pdf', Buffer.from('%PDF-1.7 et budget'))
      expect(podmanStatus(['exec', name, 'test', '-e', '/data/postgres'])).toBe(1)
      expect(podmanStatus(['healthcheck', 'run', name])).toBe(0) // on its own port
      await podman(['stop', '--time', '60', name])
    } finally {
      await postgres.stop()
    }
  },
)
