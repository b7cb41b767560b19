import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { connect, type Database } from '../../src/server/database/database.ts'
import { Bucket } from '../../src/server/storage/s3-bucket.ts'
import { openS3Storage } from '../../src/server/storage/storage-s3.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { descendants } from '../../bench/measure/memory.ts'
import { Caller } from '../load/caller.ts'
import { freshDirectory } from '../directory.ts'
import { makeExternalPostgres, type ExternalPostgres } from '../neighbours/external-postgres.ts'
import { freePort } from '../neighbours/free-port.ts'
import { LoadClient } from '../load/instance-load.ts'
import {
  fileFaults,
  idsOf,
  mailFaults,
  releaseFaults,
  releaseOf,
  servingFaults,
  sessionFaults,
  totalOf,
} from '../load/ledger.ts'
import { foldersByName, makeProject, makeUser, PASSWORD } from '../make.ts'
import { directly, NAME, startNginx, type Nginx } from '../neighbours/nginx.ts'
import { killHard, startProcess, type RunningProcess } from '../start/processes.ts'
import { startRadosgw, type Radosgw } from '../neighbours/radosgw.ts'

const SEED = Number(process.env.INSTANCES_SEED ?? Date.now() % 1_000_000_000)
const KILLS = 10
const WORKER_KILLS = 4
const CLIENTS = 6

let postgres: ExternalPostgres
let db: Database
let rgw: Radosgw
beforeAll(async () => {
  rgw = await startRadosgw()
  await rgw.makeBucket('papers')
  postgres = await makeExternalPostgres()
  db = connect({ connection: { connectionString: postgres.url }, onError: () => undefined })
}, 300_000)
afterAll(async () => {
  await db.destroy()
  await postgres.stop()
  await rgw.stop()
})

type Places = { store: Record<string, string>; directories: [string, string]; ports: [number, number] }

/** Makes the directories and ports of two instances that share one bucket. */
async function makePlaces(): Promise<Places> {
  const directories: [string, string] = [await freshDirectory(), await freshDirectory()]
  return { store: rgw.env('papers'), directories, ports: [await freePort(), await freePort()] }
}

function startInstance(
  { store, directories, ports }: Places,
  which: 0 | 1,
  more: Record<string, string> = {},
): RunningProcess {
  return startProcess({
    ...store,
    DATA_DIR: directories[which],
    DATABASE_URL: postgres.url,
    PORT: String(ports[which]),
    APP_URL: `https://${NAME}`,
    TRUST_PROXY: '127.0.0.1',
    REQUESTS_PER_MINUTE: '1000000',
    ...more,
  })
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const setupLinkIn = (output: string) => /https:\/\/[^/]+(\/setup\?token=\S+)/.exec(output)![1]!

it('two instances behind nginx act as one Ringbind', { timeout: 170_000 }, async () => {
  const places = await makePlaces()
  const instances = [
    startInstance(places, 0, { LOG_LEVEL: 'info' }),
    startInstance(places, 1, { LOG_LEVEL: 'info' }),
  ] as const
  for (const { url } of instances) await url
  const nginx = await startNginx(places.ports)
  const [one, other] = places.ports.map(directly) as [Way, Way]

  // They started together on an empty database. Each migration ran once, and either link makes the first administrator.
  const { rows: migrations } = await sql<{ name: string }>`select name from migrations order by name`.execute(
    db,
  )
  const files = readdirSync(new URL('../../db', import.meta.url)).filter((name) => name.endsWith('.sql'))
  expect(migrations.map(({ name }) => name)).toEqual(files.sort())
  const links = instances.map(({ output }) => setupLinkIn(output()))
  const admin = new Caller(nginx.call)
  for (const link of links) expect((await admin.page(link)).status).toBe(200)
  const token = links[0]!.split('token=')[1]!
  const fields = { token, name: 'Ada', email: 'ada@example.dk', password: PASSWORD }
  expect((await admin.json(urls.setup, fields)).status).toBe(200)
  await admin.page() // sets the session's token
  expect((await new Caller(nginx.call).page(links[1])).status).toBe(404)

  // nginx redirects http to https, uses both instances in turns, and lets no client forge its address.
  const plain = await directly(nginx.ports.http)('GET', '/projects?q=%C3%A5')
  expect([plain.status, plain.headers.location]).toEqual([301, `https://${NAME}/projects?q=%C3%A5`])
  for (let round = 0; round < 6; round++) expect((await nginx.call('GET', '/login')).status).toBe(200)
  for (const { output } of instances) expect(output()).toContain('"route":"/login"')
  const forged = new Caller((method, path, { headers, ...rest } = {}) =>
    nginx.call(method, path, { ...rest, headers: { ...headers, 'x-forwarded-for': '9.9.9.9' } }),
  )
  expect((await forged.signIn('ada@example.dk')).status).toBe(200)
  const { rows: addresses } = await sql<{ address: string }>`
    select distinct host(address) as address from log where act = 'sign-in'`.execute(db)
  expect(addresses).toEqual([{ address: '127.0.0.1' }])

  // A session and a form's token from one instance are valid at the other, and signing out counts for both.
  const atOne = new Caller(one)
  expect((await atOne.signIn('ada@example.dk')).status).toBe(200)
  const atOther = atOne.by(other)
  expect((await atOther.page('/projects')).status).toBe(200)
  const old = atOne.token
  const form = new URLSearchParams({ _token: old, name: 'Ada Lund' }).toString()
  const sent = await other('POST', urls.profile, {
    headers: {
      cookie: atOne.headers.cookie!,
      'content-type': 'application/x-www-form-urlencoded',
      origin: `https://${NAME}`,
    },
    body: form,
  })
  expect(sent.status).toBe(303)
  expect((await atOther.json(urls.logout, {})).status).toBe(200)
  expect(
    (
      await new Caller(one).call('GET', '/api/projects', {
        headers: { cookie: String(atOne.headers.cookie) },
      })
    ).status,
  ).toBe(401)

  // The pieces of a large file go to both instances in turns, directly and through nginx.
  const project = (await makeProject(db)).id
  const folder = (await foldersByName(db, project)).Budget!
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(11_000_000)])
  const names: string[] = []
  for (const ways of [[one, other], [nginx.call]]) {
    const path = String((await admin.announce('Stor æøå.pdf', bytes.length)).headers.location)
    for (let offset = 0, piece = 0; offset < bytes.length; offset += 2_000_000, piece++) {
      const by = admin.by(ways[piece % ways.length]!)
      const { status } = await by.sendPiece(path, offset, bytes.subarray(offset, offset + 2_000_000))
      expect([offset, status]).toEqual([offset, 204])
    }
    names.push(path.split('/').at(-1)!)
  }
  const entries = names.map((data, index) => [
    `f${index}`,
    { name: `Stor æøå ${index}.pdf`, data, folder_id: folder },
  ])
  const submission = { submission: randomUUID(), files: Object.fromEntries(entries) as object }
  expect((await admin.json(urls.uploadTo(project, folder), submission)).status).toBe(200)
  const { rows: stored } = await sql<{ path: string; sha256: string }>`
    select files.key || '/' || name as path, sha256 from files join blobs on blobs.id = blob_id`.execute(db)
  expect(stored.map((file) => file.sha256)).toEqual([sha256(bytes), sha256(bytes)])
  for (const { path } of stored) {
    const { status, body } = await admin.call('GET', fileUrls.download({ project }, path))
    expect([status, sha256(body)]).toEqual([200, sha256(bytes)])
  }

  // One instance is stopped normally while people save, and few requests fail. nginx must not send a save twice, so a
  // request to an instance that has just closed its port is told to try again.
  const saves = Promise.all(
    Array.from({ length: 40 }, async (_, round) => {
      await sleep(round * 50)
      return (await admin.json(urls.profile, { name: `Ada ${round}` })).status
    }),
  )
  await sleep(500)
  instances[0].child.kill('SIGTERM')
  const refused = (await saves).filter((status) => status !== 200)
  console.log(`of 40 saves while an instance was stopped, ${refused.length} had to be made again`)
  expect(refused.filter((status) => status !== 503)).toEqual([])
  expect(refused.length).toBeLessThan(8)
  expect(await instances[0].ended).toBe(0)
  // With no instance left, nginx says so in Danish.
  instances[1].child.kill('SIGTERM')
  expect(await instances[1].ended).toBe(0)
  const away = await nginx.call('GET', '/')
  expect([away.status, away.headers['retry-after']]).toEqual([503, '5'])
  expect(away.body.toString()).toContain('Ringbind er midlertidigt ude af drift')
})

type Way = ReturnType<typeof directly>

it(
  `nothing acknowledged is lost or done twice while an instance is killed ${KILLS} times`,
  { timeout: 400_000 },
  async () => {
    console.log(`instances and kill -9: INSTANCES_SEED=${SEED}`)
    const began = Date.now()
    const mails = await openMailbox()
    const places = await makePlaces()
    const more = { SMTP_URL: mails.url, LOG_LEVEL: 'warn' }
    const begin = (which: 0 | 1) =>
      startInstance(places, which, which === 1 ? { ...more, WORKERS: '2' } : more)
    const running: [RunningProcess, RunningProcess] = [begin(0), begin(1)]
    for (const { url } of running) await url
    const nginx = await startNginx(places.ports)
    const { clients, reader } = await enterClients(nginx)

    let isOver = false
    const work = Promise.all(clients.map((client) => client.workUntil(() => isOver)))
    const served = { times: 0, refused: 0 }
    const restarts: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill < WORKER_KILLS) killHard(descendants(running[1].child.pid!)[0]!)
      await sleep(500 + ((SEED + kill * 7919) % 1500))
      const victim = (kill % 2) as 0 | 1
      const probe = probeUntil(places.ports[victim === 0 ? 1 : 0], served)
      killHard(running[victim].child.pid!)
      await running[victim].ended
      const at = Date.now()
      running[victim] = begin(victim)
      await running[victim].url
      restarts.push(Date.now() - at)
      await probe.stop()
    }
    await sleep(1500)
    isOver = true
    await work

    await expect.poll(() => unfinishedJobs(), { timeout: 150_000, interval: 1000 }).toEqual([])
    const kept = clients.flatMap((client) => client.kept)
    const faults = [
      ...clients.flatMap((client) => client.faults),
      ...(await fileFaults(db, clients)),
      ...(await servingFaults(db, reader, clients)),
      ...(await sessionFaults(nginx.call, clients)),
      ...(await releaseFaults(db, clients)),
      ...(await storeFaults()),
      ...mailFaults(mails.received, clients),
    ]
    const twice = [...Map.groupBy(mails.received, ({ id }) => id).values()].filter(({ length }) => length > 1)
    const takenUp = await takenUpJobs()
    console.log('instances and kill -9:', {
      kills: KILLS,
      workerKills: WORKER_KILLS,
      ...totalOf(clients.map(({ counts }) => counts)),
      unansweredBy: Object.fromEntries(
        [
          ...Map.groupBy(
            clients.flatMap(({ reasons }) => reasons),
            String,
          ),
        ].map(([why, { length }]) => [why, length]),
      ),
      filesKept: kept.length,
      mails: mails.received.length,
      mailsTwice: twice.length,
      jobsTakenUp: takenUp.length,
      probes: served.times,
      probesRefused: served.refused,
      slowestRestartMs: Math.max(...restarts),
      seconds: Math.round((Date.now() - began) / 1000),
    })
    expect(faults).toEqual([])
    expect(totalOf(clients.map(({ counts }) => counts)).forgotten).toBe(0) // no database was killed
    expect(served.refused).toBe(0)
    // If an instance dies after the mail server accepted a mail and before it noted that, the mail is sent again, with the
    // same Message-ID.
    const unexcused = twice.filter(([mail]) => !takenUp.some((id) => mail!.id.startsWith(`<${id}@`)))
    expect(unexcused).toEqual([])
    expect(takenUp.length).toBeLessThanOrEqual(KILLS)
    for (const count of [served.times, kept.length, mails.received.length]) expect(count).toBeGreaterThan(10)
  },
)

type ReceivedMail = { id: string; to: string }

/** Starts a slow mail server, so that kills can happen while a mail is sent. */
async function openMailbox(): Promise<{ url: string; received: ReceivedMail[] }> {
  const received: ReceivedMail[] = []
  const take = async (stream: Readable) => {
    const mail = await text(stream)
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(mail)?.[1]?.trim() ?? ''
    await sleep(300)
    received.push({ id: header('Message-ID'), to: header('To') })
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void take(stream).then(() => done(), done),
  })
  server.on('error', () => undefined) // from connections whose client was killed
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, received }
}

async function enterClients(nginx: Nginx): Promise<{ clients: LoadClient[]; reader: Caller }> {
  const clients: LoadClient[] = []
  const callers: Caller[] = []
  for (let number = 0; number < CLIENTS; number++) {
    const isAdmin = number === 0
    const email = `klient${number}@example.dk`
    await makeUser(db, { role: isAdmin ? 'administrator' : 'employee', email })
    const { id: project } = await makeProject(db)
    const agent = nginx.agent()
    onTestFinished(() => agent.destroy())
    const caller = new Caller((method, path, sending) => nginx.call(method, path, sending, agent))
    expect((await caller.signIn(email)).status).toBe(200)
    callers.push(caller)
    const invitees: { id: number; email: string }[] = []
    for (let guest = 0; guest < (isAdmin ? 150 : 0); guest++) {
      const invited = await makeUser(db, { email: `gaest${guest}@example.dk`, passwordHash: null })
      invitees.push(invited)
    }
    const folders = Object.values(await foldersByName(db, project))
    clients.push(
      new LoadClient({
        caller,
        email,
        project,
        folders,
        seed: SEED + number,
        idsOf: (submission) => idsOf(db, submission),
        releaseOf: (submission) => releaseOf(db, submission),
        invitees: isAdmin ? invitees : null,
      }),
    )
  }
  const reader = new Caller(nginx.call)
  await makeUser(db, { role: 'administrator', email: 'laeser@example.dk' })
  await reader.signIn('laeser@example.dk')
  return { clients, reader }
}

/** Calls the remaining instance until the other is back. */
function probeUntil(port: number, served: { times: number; refused: number }) {
  const over = new AbortController()
  const way = directly(port)
  const asking = (async () => {
    while (!over.signal.aborted) {
      const { status } = await way('GET', '/login').catch(() => ({ status: 0 }))
      served.times++
      if (status !== 200) served.refused++
      await sleep(100)
    }
  })()
  return {
    async stop() {
      over.abort()
      await asking
    },
  }
}

/** Returns the mail jobs that were retried after an instance died. */
async function takenUpJobs(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs.job where name = 'send-link' and retry_count > 0`.execute(db)
  return rows.map(({ id }) => id)
}

async function unfinishedJobs(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from jobs.job where name in ('send-link', 'send-mail') and state in ('created', 'retry', 'active')`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}

// Inspecting

/** Checks that every stored blob has its bytes, and that all bytes have a row. */
async function storeFaults(): Promise<string[]> {
  const { endpoint, region, credentials } = rgw
  const storage = openS3Storage(new Bucket({ bucket: 'papers', endpoint, region, credentials }))
  const there = new Map((await Array.fromAsync(storage.list())).map(({ key, size }) => [key, size]))
  const blobs = await db.selectFrom('blobs').select(['key', 'state', 'size']).execute()
  const known = new Set(blobs.map(({ key }) => key))
  return [
    ...blobs
      .filter(({ key, state, size }) => state === 'stored' && there.get(key) !== size)
      .map(({ key, size }) => `blob ${key} has ${there.get(key)} bytes instead of ${size}`),
    ...[...there.keys()].filter((key) => !known.has(key)).map((key) => `bytes without a row: ${key}`),
  ]
}
