import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readMailbox } from '../../src/intake/read-mailbox.server.ts'
import { freshApp, type TestApp } from '../app.ts'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { ensureDovecot, startDovecot, type Dovecot } from '../neighbours/dovecot.ts'
import { writeMail } from '../office/mails.ts'

const LONG = { timeout: 240_000 }
let dovecot: Dovecot

beforeAll(async () => {
  ensureDovecot()
  dovecot = await startDovecot()
})
afterAll(() => dovecot[Symbol.asyncDispose]())

const subjectsOf = async ({ db }: Pick<TestApp, 'db'>) => {
  const { rows } = await sql<{ subject: string }>`
    select subject from intakes join inbox using (submission_id) order by subject`.execute(db)
  return rows.map(({ subject }) => subject)
}

it('a mail that is sent by SMTP is in the inbox, once', async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      void text(stream)
        .then((mail) => dovecot.deliver(envelope.rcptTo[0]!.address.split('@')[0]!, mail))
        .then(() => done(), done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const test = await freshApp({ env: { IMAP_URL: dovecot.url('smtp') } })
  const sender = createTransport({ host: '127.0.0.1', port })
  for (const subject of ['en', 'to'])
    await sender.sendMail({
      from: 'Bo Holm <bo@example.dk>',
      to: 'smtp@example.dk',
      subject,
      text: 'Kære kontor',
      attachments: [{ filename: 'Pas.pdf', content: `%PDF-1.7 ${subject}` }],
    })
  await expect.poll(() => subjectsOf(test), LONG).toEqual(['en', 'to'])
  expect(test.logged()).not.toContain('hemmelig-kode')
  await expect.poll(() => dovecot.flags('smtp'), LONG).toEqual(['S', 'S'])
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

it('5,000 mails are taken once, and not fetched again', async () => {
  const test = await freshApp({ hasJobs: false })
  const mails = await Promise.all(
    Array.from({ length: 5000 }, (_, index) => writeMail({ subject: `nr. ${index}`, text: 'Hej' })),
  )
  dovecot.fill('stor', mails)
  const reading = { mailbox: dovecot.address('stor'), maxFileBytes: 1e6 }
  const { signal } = new AbortController()
  const began = performance.now()
  expect(await readMailbox(test, reading, signal)).toBe(5000)
  const first = performance.now() - began
  expect(new Set(await subjectsOf(test)).size).toBe(5000)
  const again = performance.now()
  expect(await readMailbox(test, reading, signal)).toBe(0)
  const second = performance.now() - again
  console.log(
    `5,000 mails took ${Math.round(first)} ms, and ${Math.round(second)} ms to see that none is new.`,
  )
  expect(second).toBeLessThan(first / 20)
})

it('kill -9 in between loses no mail and no file, and takes none twice', async () => {
  const { db, connection } = await freshDatabase()
  const [data, directory] = [await freshDirectory(), join(await freshDirectory(), 'ind')]
  await mkdir(directory)
  const MAILS = 60
  dovecot.fill(
    'kill',
    await Promise.all(
      Array.from({ length: MAILS }, (_, index) =>
        writeMail({
          subject: `mail ${String(index).padStart(3, '0')}`,
          attachments: [1, 2].map((each) => ({ filename: `${each}.txt`, content: `${index} ${each}` })),
        }),
      ),
    ),
  )
  for (let index = 0; index < MAILS; index++) await writeFile(join(directory, `fil ${index}.txt`), `${index}`)
  const env = {
    ...process.env,
    CONNECTION: JSON.stringify(connection),
    DATA: data,
    DIRECTORY: directory,
    IMAP_URL: dovecot.url('kill'),
  }
  const count = async () => {
    const { rows } = await sql<{ mails: number; files: number }>`
      select (select count(*) from intakes join inbox using (submission_id) where source = 'mailbox') as mails,
        (select count(*) from intake_files join intakes using (submission_id) where source = 'directory') as files`.execute(
      db,
    )
    return rows[0]!
  }
  let kills = 0
  for (let before = { mails: 0, files: 0 }; before.mails < MAILS || before.files < MAILS;) {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../rounds/intake-writer.ts')], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    const isLast = kills >= 25
    // Killed while it works: after it has taken some more.
    await expect
      .poll(
        async () => {
          const now = await count()
          return (
            child.exitCode !== null || (!isLast && now.mails + now.files >= before.mails + before.files + 4)
          )
        },
        { ...LONG, interval: 5 },
      )
      .toBe(true)
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      kills++
    }
    await ended
    before = await count()
  }
  console.log(`Killed ${kills} times.`)
  expect(kills).toBeGreaterThan(5)
  // One more round repairs what the last kill left.
  const child = spawn(process.execPath, [join(import.meta.dirname, '../rounds/intake-writer.ts')], {
    env,
    stdio: 'inherit',
  })
  await once(child, 'exit')
  const subjects = await subjectsOf({ db })
  expect(subjects.filter((subject) => subject.startsWith('mail'))).toHaveLength(MAILS)
  expect(new Set(subjects.filter((subject) => subject.startsWith('mail'))).size).toBe(MAILS)
  const { rows } = await sql<{ name: string }>`
    select intake_files.name from intake_files join intakes using (submission_id)
    join blobs on blobs.id = blob_id and state = 'stored' where source = 'directory'`.execute(db)
  expect(rows.map(({ name }) => name).sort()).toEqual(
    Array.from({ length: MAILS }, (_, index) => `fil ${index}.txt`).sort(),
  )
  // A mail is whole. One that was killed over and over says that it could not be read, and is in the mailbox still.
  const { rows: partial } = await sql<{ subject: string; files: number; untaken: object[]; tries: number }>`
    select subject, files.count as files, untaken, tries from intakes join inbox using (submission_id)
    join intake_mails using (submission_id)
    cross join lateral (
      select count(*) from intake_files where intake_files.submission_id = intakes.submission_id) as files
    where files.count <> 2`.execute(db)
  for (const mail of partial)
    expect(mail).toMatchObject({ files: 0, tries: 6, untaken: [{ name: 'Mailen' }] })
  expect(partial.length).toBeLessThan(5)
  expect(await readdir(directory)).toEqual([])
})
