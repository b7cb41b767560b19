import { randomInt } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import type { Publishing } from '../../src/releases/release/release.ts'
import { addRelease } from '../../src/releases/steps/releases.db.ts'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { startMailServer, type ReceivedMail } from '../neighbours/mail-server.ts'
import { foldersByName, makeFiles, makeManyFiles, makeProject, makeUser, makeUserFolder } from '../make.ts'
import { startProcess } from '../start/processes.ts'

const ROUNDS = 12
const PEOPLE = 120
/** Ringbind takes over the jobs of a killed process after half a minute, and tries a mail again after another. */
const MOST_MS = 600_000

const kindOf = (index: number) => (index % 10 === 0 ? 'afvist' : index % 10 === 1 ? 'senere' : 'person')

async function publish(
  db: Database,
  by: number,
  folder: number,
  name: string,
  publishing: Publishing,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content) values (${by}, ${name}, '') returning id`.execute(db)
  const [submission] = rows
  const files = await makeManyFiles(db, folder, 1)
  await sql`
    update files set submission_id = ${submission!.id}, name = ${`${name}.pdf`}, is_held_back = ${publishing.way !== 'now'}
    where id = any (${files})`.execute(db)
  await db.transaction().execute((trx) => addRelease(trx, by, submission!.id, publishing))
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

type MailOffice = {
  db: Database
  env: Record<string, string>
  /** Addresses of the investors. */
  people: string[]
  received: ReceivedMail[]
  /** Publishes a file for all of them, or lets the server do it. Returns the id of its release. */
  publish: (name: string, publishing?: Publishing) => Promise<number>
}

/** Makes an office whose investors see one folder, and a mail server. */
async function makeOffice(kinds: string[]): Promise<MailOffice> {
  const { db, connection } = await freshDatabase()
  const received: ReceivedMail[] = []
  const env = {
    DATABASE_URL: `postgres://ringbind@localhost/${connection.database}?host=${encodeURIComponent(connection.host!)}`,
    DATA_DIR: await freshDirectory(),
    SMTP_URL: await startMailServer(received),
    RELEASE_REGRET_MINUTES: '0',
  }
  const { id: office } = await makeUser(db, { role: 'employee' })
  const people = []
  for (const [index, kind] of kinds.entries())
    people.push(await makeUser(db, { role: 'investor', email: `${kind}${index}@example.dk` }))
  const { id: project } = await makeProject(db, { members: people.map(({ id }) => id) })
  const { Budget: folder } = await foldersByName(db, project)
  return {
    db,
    env,
    people: people.map(({ email }) => email),
    received,
    async publish(name, publishing = { way: 'now' }) {
      const release = await publish(db, office, folder!, name, publishing)
      await storeBytes(db, env.DATA_DIR)
      return release
    },
  }
}

/** Waits until nobody waits for a mail, and counts the outcomes. */
async function waitForAll(db: Database): Promise<Record<string, number>> {
  const count = async () => {
    const { rows } = await sql<{ outcome: string; many: number }>`
      select outcome, count(*)::integer as many from release_people group by outcome order by outcome`.execute(
      db,
    )
    return Object.fromEntries(rows.map(({ outcome, many }) => [outcome, many]))
  }
  const isOver = async () => {
    const { rows } = await sql<{ is_over: boolean }>`
      select not exists (select from release_people where outcome is null) and not exists (select from inbox_people)
        and not exists (select from inbox where announced_at is null)
        and not exists (select from releases where state <> 'recalled' and announced_at is null) as is_over`.execute(
      db,
    )
    return rows[0]!.is_over
  }
  await expect.poll(isOver, { timeout: MOST_MS, interval: 1000 }).toBe(true)
  return count()
}

it(
  `everybody is mailed once, or twice under one Message-ID, through ${ROUNDS} rounds of kill -9`,
  { timeout: 2 * MOST_MS },
  async () => {
    const kinds = Array.from({ length: PEOPLE }, (_, index) => kindOf(index))
    const { db, env, people, received, publish: publishFile } = await makeOffice(kinds)
    const { id: sender } = await makeUser(db, { role: 'investor' })
    const colleagues: string[] = []
    for (const kind of kinds.slice(0, 10)) {
      const email = `${kind}-kontor${colleagues.length}@example.dk`
      await makeUser(db, { role: 'employee', email })
      colleagues.push(email)
    }
    const taken = await publishFile('taget-tilbage')
    await sql`with files as (update files set is_held_back = true)
      update releases set state = 'recalled', recalled_at = now(), recalled_by = made_by where id = ${taken}`.execute(
      db,
    )
    const releases = [await publishFile('foerste')]

    let kills = 0
    for (let round = 0; round < ROUNDS; round++) {
      const server = startProcess(env)
      await server.url
      if (round === ROUNDS / 2) releases.push(await publishFile('anden', { way: 'later', at: new Date() }))
      await sendIn(db, sender, `ind-${round}.pdf`)
      await storeBytes(db, env.DATA_DIR!)
      await sleep(randomInt(500, 6000))
      server.child.kill('SIGKILL')
      await server.ended
      kills++
    }
    await startProcess(env).url
    const outcomes = await waitForAll(db)
    const refused = kinds.filter((kind) => kind === 'afvist').length
    expect(outcomes).toEqual({
      failed: releases.length * refused,
      sent: releases.length * (PEOPLE - refused),
    })
    let twice = 0
    const told = [
      ...people.map((email) => ({ email, names: ['foerste.pdf', 'anden.pdf'] })),
      ...colleagues.map((email) => ({
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

it(
  'everybody is mailed once although the mail server refuses half, is silent for some and defers others',
  { timeout: 2 * MOST_MS },
  async () => {
    // As many receivers are silent as mails are sent at the same time.
    const kinds = [
      'tavs',
      'tavs',
      'tavs',
      'tavs',
      'senere',
      'person',
      'person',
      'person',
      'person',
      'person',
    ].flatMap((kind) => [kind, 'afvist'])
    const { db, env, people, received, publish: publishFile } = await makeOffice(kinds)
    await publishFile('budget')
    await startProcess(env).url
    expect(await waitForAll(db)).toEqual({ failed: 10, sent: 10 })
    expect(received.map(({ to }) => to).toSorted()).toEqual(
      people.filter((email) => !email.startsWith('afvist')).toSorted(),
    )
    // The deferred one comes again in its own time.
    const order = received.map(({ to }) => to.replace(/\d.*/, '')).filter((kind) => kind !== 'senere')
    expect(order.slice(-4)).toEqual(['tavs', 'tavs', 'tavs', 'tavs'])
  },
)
