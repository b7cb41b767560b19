import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freshDatabase } from '../../test/database.ts'
import { freshDirectory } from '../../test/directory.ts'
import { startJobs } from './work/jobs.ts'
import { mailReason } from './mail-reason.ts'
import { sql } from 'kysely'
import {
  deliverMail,
  MailRefused,
  openMailer,
  sendMail,
  sendSecurityMail,
  withPicture,
  type Mail,
} from './mail.ts'

const MAIL: Mail = {
  to: 'søren@example.dk',
  subject: 'Ny årsrapport',
  text: 'Kære Søren\n\nDer er en ny årsrapport.',
  html: '<p>Kære Søren</p>',
}

async function start(smtpUrl: string | null) {
  const { db } = await freshDatabase()
  const directory = join(await freshDirectory(), 'mail')
  const jobs = await startJobs({
    db,
    timeZone: 'Europe/Copenhagen',
    onError: () => undefined,
    everySeconds: 0.5,
  })
  onTestFinished(() => jobs.stop())
  const info = vi.fn()
  await deliverMail(
    jobs,
    openMailer({
      smtpUrl,
      from: 'Kontoret <post@example.dk>',
      directory,
      findPicture: async (name) => (name === 'logo@ringbind' ? Buffer.from('a picture') : null),
      log: { info, error: vi.fn() },
    }),
  )
  return { db, jobs, directory, info }
}

it('without a mail server, writes a mail to a file that the log names', async () => {
  const { db, jobs, directory, info } = await start(null)
  const id = await db.transaction().execute((trx) => sendMail(trx, jobs, MAIL))
  await expect.poll(() => info.mock.calls.length).toBe(1)
  const file = join(directory, `${id}.eml`)
  expect(info.mock.calls[0]![0]).toEqual({ mail: id, file })
  expect(JSON.stringify(info.mock.calls)).not.toContain('example.dk')
  expect(await readdir(directory)).toEqual([`${id}.eml`])
  const eml = await readFile(file, 'utf8')
  expect(eml).toContain(`Message-ID: <${id}@example.dk>`)
  expect(eml).toContain('From: Kontoret <post@example.dk>')
  expect(eml).toMatch(/Subject: =\?UTF-8\?/)
  expect(eml).toContain('Content-Type: text/html; charset=utf-8')
})

it('sends security mails first, and lets causers of mails take turns', async () => {
  const { db, jobs } = await start(null)
  const turns = await db.transaction().execute(async (trx) => {
    for (let mail = 0; mail < 3; mail++) await sendMail(trx, jobs, MAIL, { causer: 7 })
    await sendMail(trx, jobs, MAIL, { causer: 8 })
    await sendSecurityMail(trx, jobs, { ...MAIL, to: 'ny-enhed@example.dk' })
    const { rows } = await sql<{ turn: string }>`
      select data ->> 'turn' as turn from jobs.job where name = 'send-mail'
      order by priority desc, data ->> 'turn'`.execute(trx)
    return rows.map(({ turn }) => turn)
  })
  expect(turns).toEqual(['ny-enhed@example.dk', '7', '8', '7', '7'])
})

it('a mail has the given sender’s name, at our own address', async () => {
  const { db, jobs, directory, info } = await start(null)
  const id = await db
    .transaction()
    .execute((trx) => sendMail(trx, jobs, { ...MAIL, fromName: 'Nordhavn K/S' }))
  await expect.poll(() => info.mock.calls.length).toBe(1)
  expect(await readFile(join(directory, `${id}.eml`), 'utf8')).toMatch(
    /^From: "?Nordhavn K\/S"? <post@example.dk>$/m,
  )
})

it('sends a mail to the mail server', async () => {
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void text(stream).then((mail) => (received.push(mail), done())),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  const { db, jobs } = await start(`smtp://127.0.0.1:${port}`)
  await db.transaction().execute((trx) => sendMail(trx, jobs, MAIL))
  await expect.poll(() => received.length).toBe(1)
  expect(received[0]).toContain('multipart/alternative')
})

it('stores the answer of a mail server that refuses a mail', async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    from: 'Kontoret <post@example.dk>',
    directory: '',
    findPicture: async () => null,
    log: { info: vi.fn(), error: vi.fn() },
  })
  const error = await mailer.deliver(MAIL, 'et-nummer').catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(MailRefused)
  expect(mailReason(error)).toBe('550 5.1.1 No such user')
})

it('attaches the picture that a mail shows', async () => {
  const { db, jobs, directory, info } = await start(null)
  const html = '<p><img src="cid:logo@ringbind" alt="">Nordhavn</p>'
  const id = await db
    .transaction()
    .execute((trx) => sendMail(trx, jobs, { ...MAIL, html, replyTo: 'a@b.dk' }))
  await expect.poll(() => info.mock.calls.length).toBe(1)
  const eml = await readFile(join(directory, `${id}.eml`), 'utf8')
  expect(eml).toContain('multipart/related')
  expect(eml).toContain('Content-ID: <logo@ringbind>')
  expect(eml).toContain(Buffer.from('a picture').toString('base64'))
  expect(eml).toContain('Reply-To: a@b.dk')
})

it('omits a picture that is gone when the mail is sent', async () => {
  const mail = { ...MAIL, html: '<p><img src="cid:logo@ringbind" alt="">Nordhavn</p>' }
  expect(await withPicture(mail, async () => null)).toEqual({ ...MAIL, html: '<p>Nordhavn</p>' })
})
