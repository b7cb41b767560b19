import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { addRelease } from '../../src/releases/releases.db.ts'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { foldersByName, makeFiles, makeManyFiles, makeProject, makeUser, makeUserFolder } from '../make.ts'
import { startProcess } from '../processes.ts'

const ROUNDS = 12
const PEOPLE = 120
/** Ringbind takes over the jobs of a killed process after half a minute, and tries a mail again after another. */
const MOST_MS = 600_000

type Received = { to: string; messageId: string; body: string }

/** A mail server that is slow, tells some to come again (greylisting), hangs up on some, and refuses some for good. */
async function startMailServer(received: Received[]): Promise<string> {
  const met = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const isNew = !met.has(address)
      met.add(address)
      if (address.startsWith('afvist'))
        return done(Object.assign(new Error('no such person'), { responseCode: 550 }))
      if (isNew && address.startsWith('senere'))
        return done(Object.assign(new Error('come again'), { responseCode: 451 }))
      return done()
    },
    onData(stream, { envelope }, done) {
      const receive = async () => {
        const body = await text(stream)
        const messageId = /^Message-ID: (\S+)/im.exec(body)![1]!
        received.push({ to: envelope.rcptTo[0]!.address, messageId, body })
        await sleep(randomInt(0, 40)) // it has the mail, and we do not know yet
        done()
      }
      void receive()
    },
  })
  server.on('error', () => undefined) // killed clients
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

const kindOf = (index: number) => (index % 10 === 0 ? 'afvist' : index % 10 === 1 ? 'senere' : 'person')

async function publish(db: Database, by: number, folder: number, name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content) values (${by}, ${name}, '') returning id`.execute(db)
  const [submission] = rows
  const files = await makeManyFiles(db, folder, 1)
  await sql`update files set submission_id = ${submission!.id}, name = ${`${name}.pdf`} where id = any (${files})`.execute(
    db,
  )
  await db.transaction().execute((trx) => addRelease(trx, by, submission!.id, { way: 'now' }))
  const release = await sql<{ id: number }>`
    select id from releases where submission_id = ${submission!.id}`.execute(db)
  return release.rows[0]!.id
}

/** Stores a file as an investor's form does. */
async function sendIn(db: Database, by: number, name: string): Promise<void> {
  const { rows } = await sql<{ submission: number; blob: number }>`
    with submission as (
      insert into submissions (user_id, key, content) values (${by}, ${name}, '') returning id
    ), blob as (
      insert into blobs (key, state, size, sha256, type)
      values (md5(${name}), 'stored', 12345, repeat('a', 64), 'application/pdf') returning id
    )
    select submission.id as submission, blob.id as blob from submission, blob`.execute(db)
  const [{ submission, blob }] = rows as [{ submission: number; blob: number }]
  await makeFiles(db, await makeUserFolder(db, by), [
    { name, blobId: blob, submissionId: submission, uploadedBy: by, fromInvestor: true },
  ])
}

/** Stores bytes for every file: Ringbind refuses to start where those of the newest are missing. */
async function storeBytes(db: Database, dataDir: string): Promise<void> {
  for (const { key, size } of await db.selectFrom('blobs').select(['key', 'size']).execute()) {
    const directory = join(dataDir, 'files', key.slice(0, 2))
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, key.slice(2)), Buffer.alloc(Number(size)))
  }
}

it(
  `everybody is told once, or twice under one Message-ID, through ${ROUNDS} rounds of kill -9`,
  { timeout: 2 * MOST_MS },
  async () => {
    const { db, connection } = await freshDatabase()
    const received: Received[] = []
    const env = {
      DATABASE_URL: `postgres://ringbind@localhost/${connection.database}?host=${encodeURIComponent(connection.host!)}`,
      DATA_DIR: await freshDirectory(),
      SMTP_URL: await startMailServer(received),
      RELEASE_REGRET_MINUTES: '0',
    }
    const { id: office } = await makeUser(db, { role: 'employee' })
    const colleagues = []
    for (let index = 0; index < 10; index++)
      colleagues.push(
        await makeUser(db, { role: 'employee', email: `${kindOf(index)}-kontor${index}@example.dk` }),
      )
    const people = []
    for (let index = 0; index < PEOPLE; index++)
      people.push(await makeUser(db, { role: 'investor', email: `${kindOf(index)}${index}@example.dk` }))
    const { id: project } = await makeProject(db, { members: people.map(({ id }) => id) })
    const { Budget: folder } = await foldersByName(db, project)
    const taken = await publish(db, office, folder!, 'taget-tilbage')
    await sql`with files as (update files set is_held_back = true)
      update releases set state = 'recalled', recalled_at = now(), recalled_by = made_by where id = ${taken}`.execute(
      db,
    )
    const releases = [await publish(db, office, folder!, 'foerste')]
    await storeBytes(db, env.DATA_DIR)

    let kills = 0
    for (let round = 0; round < ROUNDS; round++) {
      const server = startProcess(env)
      await server.url
      if (round === ROUNDS / 2) {
        releases.push(await publish(db, office, folder!, 'anden'))
      }
      await sendIn(db, people[0]!.id, `ind-${round}.pdf`)
      await storeBytes(db, env.DATA_DIR)
      await sleep(randomInt(500, 6000))
      server.child.kill('SIGKILL')
      await server.ended
      kills++
    }
    await startProcess(env).url
    await expect
      .poll(
        async () => {
          const { rows } = await sql<{ waiting: number }>`
            select (select count(*) from release_people where outcome is null)::integer
              + (select count(*) from inbox_people)::integer
              + (select count(*) from inbox where announced_at is null)::integer as waiting`.execute(db)
          return rows[0]!.waiting
        },
        { timeout: MOST_MS, interval: 1000 },
      )
      .toBe(0)

    const { rows: outcomes } = await sql<{ outcome: string; many: number }>`
      select outcome, count(*)::integer as many from release_people group by outcome order by outcome`.execute(
      db,
    )
    const refused = people.filter(({ email }) => email.startsWith('afvist')).length
    expect(outcomes).toEqual([
      { outcome: 'failed', many: releases.length * refused },
      { outcome: 'sent', many: releases.length * (PEOPLE - refused) },
    ])
    let twice = 0
    const told = [
      ...people.map(({ email }) => ({ email, names: ['foerste.pdf', 'anden.pdf'] })),
      ...colleagues.map(({ email }) => ({
        email,
        names: Array.from({ length: ROUNDS }, (_, round) => `ind-${round}.pdf`),
      })),
    ]
    for (const { email, names } of told) {
      const mails = received.filter(({ to }) => to === email)
      if (email.startsWith('afvist')) expect(mails).toEqual([])
      else
        for (const name of names) {
          const naming = mails.filter(({ body }) => body.includes(name))
          expect([email, name, new Set(naming.map(({ messageId }) => messageId)).size]).toEqual([
            email,
            name,
            1,
          ])
          twice += naming.length - 1
        }
    }
    expect(received.filter(({ body }) => body.includes('taget-tilbage'))).toEqual([])
    console.log('mails:', { received: received.length, kills, twice })
  },
)
