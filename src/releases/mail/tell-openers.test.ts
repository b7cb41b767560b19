import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { asOwner } from '../../../test/database.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeManyFiles, makeProject, makeUser } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { MailRefused, type Mail, type Mailer } from '../../server/mail.ts'
import { purgeTrash } from '../../files/trash/trash.db.ts'
import { urls } from '../../urls.ts'
import type { ReleasePageProps, ReleasePart } from '../release-page.tsx'
import type { Recall } from '../release/release.ts'
import { addRelease } from '../steps/releases.db.ts'
import { sendMailings } from '../mailings/mailings.db.ts'
import { endLostRecallMails, queueRecallMails, sendRecallMails } from './tell-openers.db.ts'

type Person = Awaited<ReturnType<typeof makeUser>>

let test: TestApp
let office: Entered
let anna: Person
let bo: Person
let carl: Person
let release: number
let files: number[]
let sent: (Mail & { id: string })[]
/** Makes the mail server fail for one address. */
let fault: { to: string; error: Error } | null

beforeAll(async () => {
  test = await freshApp({ env: { REQUESTS_PER_MINUTE: '100000' }, hasJobs: false, jobsEverySeconds: 0.5 })
  office = await enter(test, 'employee')
  const mailer: Mailer = {
    async deliver(mail, id) {
      if (fault?.to === mail.to) throw fault.error
      sent.push({ ...mail, id })
    },
  }
  await sendRecallMails(test.jobs, { db: test.db, mailer, watch: undefined })
})

/** Makes a release that Anna has opened both files of and Bo the second; Carl has opened none. */
beforeEach(async () => {
  sent = []
  fault = null
  const make = (name: string) => makeUser(test.db, { name, role: 'investor' })
  ;[anna, bo, carl] = [await make('Anna Ask'), await make('Bo Birk'), await make('Carl Ceder')]
  const project = await makeProject(test.db, { members: [anna.id, bo.id, carl.id] })
  const { Budget: budget } = await foldersByName(test.db, project.id)
  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content) values (${office.id}, ${crypto.randomUUID()}, '')
    returning id`.execute(test.db)
  const submission = rows[0]!.id
  files = await makeManyFiles(test.db, budget!, 2)
  for (const [index, name] of ['Løn A.pdf', 'Løn B.pdf'].entries())
    await sql`update files set submission_id = ${submission}, name = ${name} where id = ${files[index]!}`.execute(
      test.db,
    )
  await test.db.transaction().execute((trx) => addRelease(trx, office.id, submission, { way: 'now' }))
  const made = await sql<{ id: number }>`
    select id from releases where submission_id = ${submission}`.execute(test.db)
  release = made.rows[0]!.id
  await open(anna, files[0]!)
  await open(anna, files[1]!, 'file-downloaded')
  await open(bo, files[1]!)
})

async function open({ id }: Person, file: number, act = 'file-opened') {
  await sql`insert into file_reads (user_id, file_id) values (${id}, ${file})`.execute(test.db)
  await sql`insert into log (act, user_id, file_id) values (${act}, ${id}, ${file})`.execute(test.db)
}

const act = async (what: string, fields: Record<string, string> = {}) => {
  const reply = await office.visitor.post(urls.releaseAct(release, what), fields, { script: true })
  return { status: reply.statusCode, ...reply.json<{ message?: string; errors?: object }>() }
}
const ask = (message = 'Slet dem straks.') => act('tell-openers', { message })
const leave = (regretMinutes = 0) =>
  sendMailings(test.db, test.jobs, regretMinutes, { recall: queueRecallMails })
/** Asks for the mails, and lets the time for regret pass. */
const tell = async (message?: string) => {
  const answer = await ask(message)
  await leave()
  return answer
}

async function readTab(tab: 'mails' | 'history'): Promise<ReleasePart> {
  const { body } = await office.visitor.get(urls.releaseTab(release, tab))
  return propsIn<ReleasePageProps>(body).part
}

async function readRecall(): Promise<Recall | null> {
  const part = await readTab('mails')
  return part.tab === 'mails' ? part.recall : null
}

const mailsTo = async () =>
  Object.fromEntries((await readRecall())!.openers.rows.map(({ name, mail }) => [name, mail]))

/** Waits until nobody waits for a mail. */
const settled = async () => {
  await expect.poll(async () => Object.values(await mailsTo())).not.toContain('waiting')
  return mailsTo()
}

describe('the mail about a recall', () => {
  it('a recall mail goes once to those who had opened something, and names what they had opened', async () => {
    await sql`update users set mail_rate = 'never' where id = ${anna.id}`.execute(test.db)
    await act('recall')
    const recall = await readRecall()
    expect(recall!.openers).toMatchObject({ total: 2, untold: 2 })
    expect(recall!.mail!.before).toContain('– Løn A.pdf\n– Løn B.pdf')
    expect(recall!.message).toContain('Det var en fejl')
    expect(await tell()).toMatchObject({ status: 200 })
    expect(await settled()).toEqual({ 'Anna Ask': 'sent', 'Bo Birk': 'sent' })
    const texts = Object.fromEntries(sent.map(({ to, text }) => [to, text]))
    expect(Object.keys(texts).toSorted()).toEqual([anna.email, bo.email].toSorted())
    expect(texts[anna.email]).toContain('– Løn A.pdf\n– Løn B.pdf\n\nSlet dem straks.')
    expect(texts[bo.email]).not.toContain('Løn A.pdf')
    expect(sent.map(({ stopUrl }) => stopUrl)).toEqual([undefined, undefined])
    expect(await tell()).toMatchObject({ status: 409 })
    expect((await readRecall())!.mail).toBeNull()
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from log
      where act = 'release-openers-told' and detail = ${`${release} 2`}`.execute(test.db)
    expect(rows[0]!.count).toBe(1)
  })

  it('a recall mail can be undone until it leaves, and keeps its text', async () => {
    await act('recall')
    expect(await ask('Slet alt.')).toMatchObject({ status: 200 })
    const { body } = await office.visitor.get(urls.release(release))
    expect(body.replaceAll('<!-- -->', '')).toContain(
      'Mail om tilbagetrækningen til 2 personer lægges på serveren, ikke sendt, tidligst',
    )
    expect(body).not.toContain('tell-openers')
    await leave(10)
    expect(await act('regret-mails')).toMatchObject({ status: 200 })
    await leave()
    expect(await mailsTo()).toEqual({ 'Anna Ask': null, 'Bo Birk': null })
    expect((await readRecall())!.message).toBe('Slet alt.')
    expect(await tell()).toMatchObject({ status: 200 })
    expect(await settled()).toEqual({ 'Anna Ask': 'sent', 'Bo Birk': 'sent' })
    expect(sent).toHaveLength(2)
  })

  it('a recall mail is sent again only to those whom it did not reach, with the server’s answer', async () => {
    await act('recall')
    const answer = { cause: { code: 'EENVELOPE', response: '550 No such user' } }
    fault = { to: bo.email, error: new MailRefused('550', answer) }
    await tell()
    expect(await settled()).toEqual({ 'Anna Ask': 'sent', 'Bo Birk': 'failed' })
    const recall = await readRecall()
    expect(recall!.openers.rows[1]).toMatchObject({ reason: '550 No such user', told_at: null })
    expect(recall!.message).toBe('Slet dem straks.')
    fault = null
    sent = []
    expect(await tell('Igen.')).toMatchObject({ status: 200 })
    expect(await settled()).toEqual({ 'Anna Ask': 'sent', 'Bo Birk': 'sent' })
    expect(sent.map(({ to }) => to)).toEqual([bo.email])
  })

  it('a deactivated person gets no recall mail, but is listed', async () => {
    await sql`update users set deactivated_at = now() where id = ${bo.id}`.execute(test.db)
    await act('recall')
    const { body } = await office.visitor.get(urls.releaseTab(release, 'mails'))
    expect(body).toContain('Deaktiveret, får ingen mail')
    expect(body.replaceAll('<!-- -->', '')).toContain('Skriv til den ene, der har åbnet papirerne')
    await tell()
    expect(await settled()).toEqual({ 'Anna Ask': 'sent', 'Bo Birk': null })
    expect(sent.map(({ to }) => to)).toEqual([anna.email])
  })

  it('a recall mail does not leave if the recall is undone first, and may leave after another recall', async () => {
    await act('recall')
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    fault = { to: anna.email, error: away }
    await tell()
    await expect
      .poll(async () => (await readRecall())!.openers.rows[0]!.reason)
      .toBe('Mailserveren kunne ikke nås')
    expect(await act('undo-recall')).toMatchObject({ status: 200 })
    expect(await readRecall()).toBeNull()
    fault = null
    await expect
      .poll(async () => {
        await sql`update jobs.job set start_after = now() where name = 'tell-opener' and state = 'retry'`.execute(
          test.db,
        )
        const { rows } = await sql`
          select from jobs.job where name = 'tell-opener' and state in ('created', 'retry', 'active')`.execute(
          test.db,
        )
        return rows.length
      })
      .toBe(0)
    expect(sent.map(({ to }) => to)).toEqual([bo.email])
    expect(await tell()).toMatchObject({ status: 409 })
    // Everybody may be told of the next recall.
    await act('recall')
    expect((await readRecall())!.openers.untold).toBe(2)
  })

  it('a recall mail is shown as failed if its job is gone', async () => {
    await act('recall')
    await sql`insert into recall_mails (release_id, user_id, mail_id, message)
      values (${release}, ${anna.id}, gen_random_uuid(), 'x')`.execute(test.db)
    await endLostRecallMails(test.db)
    expect(await mailsTo()).toMatchObject({ 'Anna Ask': 'failed' })
  })

  it('a recall mail needs a text of limited length, and a recalled release that somebody had opened', async () => {
    expect(await tell()).toMatchObject({ status: 409 })
    await act('recall')
    expect(await tell('  ')).toMatchObject({
      status: 422,
      errors: { message: ['Skriv, hvad de skal vide.'] },
    })
    expect(await tell('x'.repeat(1001))).toMatchObject({ status: 422 })
    expect(sent).toEqual([])
    await asOwner(test.db, sql`delete from log where file_id = any (${files})`)
    expect(await tell()).toMatchObject({ status: 409 })
    expect((await office.visitor.get(urls.releaseTab(release, 'mails'))).body).not.toContain('tell-openers')
  })
})

describe('a file that was removed for good', () => {
  it('a deleted file stays in the list of who had opened what, on the page, in the CSV and in the mail', async () => {
    await sql`update files set deleted_at = now() - interval '60 days' where id = any (${files})`.execute(
      test.db,
    )
    await purgeTrash(test.db)
    await act('recall')
    const history = await readTab('history')
    const openings = history.tab === 'history' ? history.openings.data : []
    expect(openings.map(({ name, file }) => [name, file])).toEqual([
      ['Anna Ask', 'Løn A.pdf'],
      ['Anna Ask', 'Løn B.pdf'],
      ['Bo Birk', 'Løn B.pdf'],
    ])
    const csv = await office.visitor.get(urls.releaseOpenings(release))
    expect(csv.body).toContain('Bo Birk;Løn B.pdf;Åbnet')
    await tell()
    await settled()
    expect(sent.find(({ to }) => to === bo.email)!.text).toContain('– Løn B.pdf')
  })

  it('a deleted file leaves no name behind if nobody outside the office had opened it', async () => {
    await sql`delete from file_reads where file_id = any (${files})`.execute(test.db)
    await asOwner(test.db, sql`delete from log where file_id = any (${files})`)
    await sql`insert into file_reads (user_id, file_id) values (${office.id}, ${files[0]!})`.execute(test.db)
    await sql`delete from files where id = any (${files})`.execute(test.db)
    const { rows } = await sql`
      select from removed_release_files where release_id = ${release}`.execute(test.db)
    expect(rows).toEqual([])
  })
})
