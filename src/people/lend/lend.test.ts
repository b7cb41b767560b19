import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import {
  foldersByName,
  makeFile,
  makeProject,
  makeReport,
  makeUser,
  makeUserFolder,
  NOBODY,
  PASSWORD,
} from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { deactivateUser, reactivateUser } from '../../accounts/change-user.db.ts'
import { sendLinks } from '../../accounts/links/link-mail.db.ts'
import { clientFilter } from '../../access/lent.ts'
import { listReadersOfOwn } from '../../access/outside-readers.db.ts'
import type { Page } from '../../base/pagination.ts'
import { sendRestedMails } from '../../office/joined-mails.db.ts'
import { changeFolder } from '../../projects/folders.db.ts'
import type { Project, ProjectWithNews } from '../../projects/project/project.ts'
import { sendMailings } from '../../releases/mailings/mailings.db.ts'
import type { Mail } from '../../server/mail.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { CompanyReport } from '../../report/company/company.ts'
import type { UploadMap } from '../../uploads/names/placing.ts'
import { listLendings } from './lend.db.ts'
import { queueLendingMails } from './tell-lending.db.ts'
import { MOST_LENDINGS } from './lending.ts'

let test: TestApp
let admin: Entered
let investor: Entered
let adviser: Entered
let project: Project
let folders: Record<string, number>
let report: { id: number; path: string }
let budget: { id: number; path: string }
let own: { id: number; path: string }
let count = 0

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  admin = await enter(test, 'administrator', { name: 'Kirsten Overgaard' })
})
beforeEach(async () => {
  await forgetMails()
  investor = await enter(test, 'investor', { name: 'Bo Holm' })
  adviser = await enter(test, 'adviser', { name: 'Karen Revisor' })
  project = await makeProject(test.db, { members: [investor.id] })
  folders = await foldersByName(test.db, project.id)
  report = await makeFile(test, folders['Årsrapport']!)
  budget = await makeFile(test, folders.Budget!)
  own = await makeFile(test, await makeUserFolder(test.db, investor.id))
})

type Fields = Record<string, unknown>
const emailOf = async (id: number) =>
  (await test.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
const stranger = () => `ny${++count}@example.dk`
const fields = (more: Fields = {}): Fields => ({
  name: 'Ida Lund',
  email: stranger(),
  what: 'everything',
  until: '',
  ...more,
})
const post = (who: Entered, url: string, sent: Fields = {}) => who.visitor.post(url, sent, { script: true })
const faults = (answer: { json: () => unknown }) =>
  (answer.json() as { errors: Record<string, string[]> }).errors

/** A row of a list with a link that ends so, and later another text. */
const rowOf = (link: string, text: string) => new RegExp(`${link}</a>(?:(?!</li>).)*${text}`)

/** Lends to the adviser of the test, and returns the lending's id. */
async function lend(more: Fields = {}, lender = investor): Promise<number> {
  const email = await emailOf(adviser.id)
  const answer = await post(lender, urls.ownLendings, fields({ email, ...more }))
  expect(answer.statusCode).toBe(200)
  const lendings = await listLendings(test.db, { lender: lender.id })
  return lendings.find((lending) => lending.adviser.id === adviser.id)!.id
}
const CHOSEN = { what: 'chosen', folders: ['Årsrapport', 'Skatteoplysninger'] }

let since: string
/** Makes `mails` and `invitations` list only those from now on. */
async function forgetMails(): Promise<void> {
  await sql`delete from joined_mails`.execute(test.db)
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(test.db)
  since = rows[0]!.now
}
const mails = async () =>
  (
    await sql<{ to: string; subject: string; text: string }>`
      select data ->> 'to' as to, data ->> 'subject' as subject, data ->> 'text' as text
      from jobs.job where name = 'send-mail' and created_on > ${since} order by created_on`.execute(test.db)
  ).rows
const invitations = async () =>
  (
    await sql<{
      data: Fields
    }>`select data from jobs.job where name = 'send-link' and created_on > ${since}`.execute(test.db)
  ).rows.map(({ data }) => data)
const entries = async (act: string) =>
  (
    await sql<Fields>`
      select user_id, subject_user_id, for_user_id from log where act = ${act} order by id desc limit 1`.execute(
      test.db,
    )
  ).rows[0]
/** The rows that a refused act must not change. */
const everything = async () =>
  (
    await sql`select (select json_agg(lendings order by id) from lendings) as lendings,
      (select count(*) from users) as people, (select count(*) from log where act !~ '^file-') as entries, -- who opens a file is noted a moment later
      (select count(*) from jobs.job where name in ('send-mail', 'send-link')) as jobs`.execute(test.db)
  ).rows

const openReport = (who = adviser) => who.visitor.get(fileUrls.open({ project: project.id }, report.path))
const openBudget = () => adviser.visitor.get(fileUrls.open({ project: project.id }, budget.path))
const openOwn = () => adviser.visitor.get(fileUrls.open({ user: investor.id }, own.path))
const seen = async () =>
  Promise.all([openReport(), openBudget(), openOwn()]).then((all) => all.map(({ statusCode }) => statusCode))

const CANNOT = /kan ikke få adgang/

describe('lending access', () => {
  it('lending to a stranger makes them an adviser, invites them, tells the lender and is logged', async () => {
    const email = stranger()
    const answer = await post(investor, urls.ownLendings, fields({ email, name: ' Ida  Lund ' }))
    expect(answer.json()).toEqual({ redirect: '/profile/access?done=lent' })
    const [lending] = await listLendings(test.db, { lender: investor.id })
    expect(lending).toMatchObject({
      adviser: { name: 'Ida Lund', email, is_pending: true, is_deactivated: false },
      is_everything: true,
      until: null,
      gets_mails: false,
    })
    const id = lending!.adviser.id
    expect(await invitations()).toEqual([
      { kind: 'invitation', email, userId: id, invitedBy: investor.id, lenderId: investor.id },
    ])
    expect(await mails()).toMatchObject([
      { to: await emailOf(investor.id), subject: 'En anden har fået adgang til dine papirer' },
    ])
    expect(await entries('access-lent')).toEqual({
      user_id: investor.id,
      subject_user_id: id,
      for_user_id: null,
    })
    expect((await investor.visitor.get(urls.ownLendings)).body).toContain('Har ikke logget ind endnu')
    expect((await investor.visitor.get(urls.ownLendings)).body).toContain('Bed kontoret om at give linket')
  })

  it('an adviser who has a login is told by a separate mail', async () => {
    await lend({ ...CHOSEN, until: '31/12/2099' })
    expect(await invitations()).toEqual([])
    const [, given] = (await mails()).toSorted((a, b) => (a.subject < b.subject ? 1 : -1))
    expect(given).toMatchObject({
      to: await emailOf(adviser.id),
      subject: 'Bo Holm har givet dig adgang hos Ringbind',
    })
    expect(given!.text).toContain('Årsrapport og Skatteoplysninger, til og med 31/12/2099')
  })

  it('lending again invites an adviser who never accepted', async () => {
    await sql`update users set password_hash = null where id = ${adviser.id}`.execute(test.db)
    await lend()
    expect(await invitations()).toHaveLength(1)
  })

  it.each([
    ['everything', {}, [200, 200, 200]],
    ['some folders', CHOSEN, [200, 404, 404]],
    ['some folders and the own files', { ...CHOSEN, own_files: '1' }, [200, 404, 200]],
    ['the own files alone', { what: 'chosen', own_files: '1' }, [404, 404, 200]],
  ])('lending %s shows only that', async (_what, more, expected) => {
    expect(await seen()).toEqual([404, 404, 404])
    await lend(more)
    expect(await seen()).toEqual(expected)
  })

  it('lent access lasts the whole last day in the office’s time zone', async () => {
    const id = await lend({ until: '29/03/2099' })
    const { rows } = await sql<{ until: Date }>`select until from lendings where id = ${id}`.execute(test.db)
    expect(rows[0]!.until.toISOString()).toBe('2099-03-29T22:00:00.000Z') // the clock is put forward that day
    expect((await investor.visitor.get(urls.ownLendings)).body).toContain('til og med 29/03/2099')
  })

  const refusals: [what: string, sent: () => Fields | Promise<Fields>, at: string, message: RegExp][] = [
    ['oneself', async () => ({ email: await emailOf(investor.id) }), 'email', /din egen e-mail/],
    [
      'oneself in other letters',
      async () => ({ email: (await emailOf(investor.id)).toUpperCase() }),
      'email',
      /din egen/,
    ],
    [
      'an employee',
      async () => ({ email: (await makeUser(test.db, { role: 'employee' })).email }),
      'email',
      CANNOT,
    ],
    ['another investor', async () => ({ email: (await makeUser(test.db)).email }), 'email', CANNOT],
    [
      'a deactivated adviser',
      async () => {
        await deactivateUser(test.db, NOBODY, adviser.id)
        return { email: await emailOf(adviser.id) }
      },
      'email',
      CANNOT,
    ],
    [
      'the same adviser twice',
      async () => {
        await lend()
        return { email: await emailOf(adviser.id) }
      },
      'email',
      /har allerede adgang/,
    ],
    ['nobody', () => ({ email: '' }), 'email', /skal udfyldes/],
    ['no address', () => ({ email: 'ida' }), 'email', /gyldig e-mail/],
    ['no name', () => ({ name: ' ' }), 'name', /skal udfyldes/],
    ['nothing', () => ({ what: 'chosen' }), 'folders', /mindst én mappe/],
    ['an unknown folder', () => ({ what: 'chosen', folders: ['Ferie'] }), 'folders.0', /fra listen/],
    ['a hidden folder', () => ({ what: 'chosen', folders: ['Bestyrelsesmøder'] }), 'folders.0', /fra listen/],
    ['something else', () => ({ what: 'andet' }), 'what', /Vælg/],
    ['no day', () => ({ until: 'i morgen' }), 'until', /dd\/mm\/åååå/],
    ['a day that does not exist', () => ({ until: '31/02/2099' }), 'until', /findes ikke/],
    ['a day that has passed', () => ({ until: '01/01/2026' }), 'until', /er gået/],
    ['a long day', () => ({ until: '9'.repeat(10_000) }), 'until', /dd\/mm\/åååå/],
  ]
  it.each(refusals)(
    'refuses to lend to or of %s, and changes nothing',
    async (_what, sentOf, at, message) => {
      const sent = fields(await sentOf())
      const before = await everything()
      const answer = await post(investor, urls.ownLendings, sent)
      expect(answer.statusCode).toBe(422)
      expect(faults(answer)[at]?.[0]).toMatch(message)
      expect(await everything()).toEqual(before)
    },
  )

  it('without JavaScript a refused form is shown again with what was typed', async () => {
    const { statusCode, body } = await investor.visitor.post(urls.ownLendings, fields({ name: '' }))
    expect(statusCode).toBe(422)
    expect(body).toContain('Navnet skal udfyldes.')
    expect(body).toContain(`ny${count}@example.dk`)
  })

  it(`an investor lends to at most ${MOST_LENDINGS} people at once, and as many times a day`, async () => {
    for (let number = 0; number < MOST_LENDINGS; number++)
      expect((await post(investor, urls.ownLendings, fields())).statusCode).toBe(200)
    expect(faults(await post(investor, urls.ownLendings, fields())).email![0]).toMatch(/Højst 20 personer/)
    await sql`update lendings set ended_at = now() where lender_id = ${investor.id}`.execute(test.db)
    expect(faults(await post(investor, urls.ownLendings, fields())).email![0]).toMatch(/i morgen/)
    await sql`update lendings set created_at = now() - interval '2 days' where lender_id = ${investor.id}`.execute(
      test.db,
    )
    await sql`update sign_in_failures set at = now() - interval '2 days'`.execute(test.db)
    expect((await post(investor, urls.ownLendings, fields())).statusCode).toBe(200)
  })

  it('does not reveal which e-mails have an account, neither at the limit nor by repeated tries', async () => {
    const { email: known } = await makeUser(test.db, { role: 'employee' })
    const ask = async (email: string) =>
      faults(await post(investor, urls.ownLendings, fields({ email }))).email
    for (let tries = 0; tries < MOST_LENDINGS; tries++) expect((await ask(known))![0]).toMatch(CANNOT)
    expect((await ask(known))![0]).toMatch(/i morgen/)
    expect(await ask(known)).toEqual(await ask(stranger()))
    // At the limit of people, with tries left.
    await sql`delete from sign_in_failures`.execute(test.db)
    for (let number = 0; number < MOST_LENDINGS; number++) {
      const { id } = await makeUser(test.db, { role: 'adviser', passwordHash: null })
      await sql`
        insert into lendings (lender_id, adviser_id, is_everything) values (${investor.id}, ${id}, true)`.execute(
        test.db,
      )
    }
    expect(await ask(known)).toEqual(await ask(stranger()))
    expect((await ask(known))![0]).toMatch(/Højst 20 personer/)
  })

  it('the mail to a stranger contains nothing that the investor typed', async () => {
    const bait = 'Vind en iPhone! Gå til ond.example'
    await sql`update users set name = ${bait} where id = ${investor.id}`.execute(test.db)
    const email = stranger()
    await post(investor, urls.ownLendings, fields({ email, name: bait }))
    const sent: Mail[] = []
    const works: unknown[] = []
    await sendLinks(
      { ...test.jobs, work: (_job, act) => Promise.resolve(void works.push(act)) },
      test.db,
      { deliver: (mail) => Promise.resolve(void sent.push(mail)) },
      'https://ringbind.example',
    )
    const send = works[0] as (data: Fields, id: string, attempt: object) => Promise<void>
    const asked = { kind: 'reset', email } // they ask for a link themselves before they have accepted
    for (const data of [...(await invitations()), asked]) await send(data, 'x', { isLast: false })
    expect(sent.map(({ to }) => to)).toEqual([email, email])
    for (const mail of sent) expect(JSON.stringify(mail)).not.toContain('iPhone')
    expect(sent[0]!.text).toContain(`${await emailOf(investor.id)} har givet dig adgang`)
  })

  it('repeated changes mail the lender once, and then once about all the rest', async () => {
    const id = await lend()
    await forgetMails()
    for (let time = 0; time < 12; time++) {
      const terms = { what: 'chosen', folders: [time % 2 ? 'Budget' : 'Årsrapport'], until: '' }
      expect((await post(investor, urls.lending(urls.ownLendings, id), terms)).statusCode).toBe(200)
    }
    expect(await mails()).toHaveLength(1)
    await sendRestedMails(test.db, test.jobs)
    expect(await mails()).toHaveLength(1)
    await sql`update joined_mails set left_at = left_at - interval '11 minutes'`.execute(test.db)
    await sendRestedMails(test.db, test.jobs)
    await sendRestedMails(test.db, test.jobs)
    const [, joined, ...more] = await mails()
    expect(joined!.text).toContain('Fra nu af: Budget')
    expect(joined!.text).toContain('11 gange siden den forrige mail')
    expect(more).toEqual([])
  })

  it('pages that say who sees the lender’s own files mention lending', async () => {
    const readers = async () => (await listReadersOfOwn(test.db, [investor.id])).get(investor.id) ?? []
    expect(await readers()).toEqual([])
    const id = await lend({ what: 'chosen', folders: ['Årsrapport'] })
    expect(await readers()).toEqual([])
    await post(investor, urls.lending(urls.ownLendings, id), { what: 'everything', until: '' })
    expect(await readers()).toEqual(['Karen Revisor'])
    const page = await investor.visitor.get(urls.papers(String(own.id)))
    expect(page.body).toContain('Ses af dig, kontoret og Karen Revisor')
    const theirs = await adviser.visitor.get(urls.papers(String(own.id)))
    expect([theirs.statusCode, theirs.body.includes('Ses af')]).toEqual([200, false])
    await sql`update users set deactivated_at = now() where id = ${adviser.id}`.execute(test.db)
    expect(await readers()).toEqual([])
  })

  it('every page that says who sees the lender’s own files names the adviser', async () => {
    await sql`insert into user_numbers (user_id, number) values (${investor.id}, ${`9${investor.id}`})`.execute(
      test.db,
    )
    const PAGES: [who: Entered, url: string, said: string][] = [
      [investor, urls.myFiles, 'Filerne ses af <!-- -->dig, kontoret og Karen Revisor'],
      [admin, urls.user(investor.id), 'Ses af Bo Holm, kontoret og Karen Revisor'],
      [admin, urls.uploadToUser(investor.id), 'Ses af Bo Holm, kontoret og Karen Revisor'],
      [admin, fileUrls.replace({ user: investor.id }, own.id), '"readers":["Karen Revisor"]'],
    ]
    await lend()
    for (const [who, url, said] of PAGES) {
      const { body } = await who.visitor.get(url)
      expect([url, body.includes(said)]).toEqual([url, true])
      expect([url, body.match(/(dig|Bo Holm) og kontoret|ses kun|kun dig/i)]).toEqual([url, null])
    }
    const map: UploadMap = (await post(admin, urls.resolveUpload, { keys: [`9${investor.id}`] })).json()
    expect(map.users[`9${investor.id}`]!.readers).toEqual(['Karen Revisor'])
    // A person who is no longer an investor sees none of their former files.
    await sql`update users set role = 'auditor' where id = ${investor.id}`.execute(test.db)
    const former = await admin.visitor.get(urls.user(investor.id))
    expect([former.body.includes('Ses af'), former.body.includes('Kun kontoret')]).toEqual([false, true])
  })

  it('a double click lends once', async () => {
    const sent = fields()
    const answers = await Promise.all([1, 2].map(() => post(investor, urls.ownLendings, sent)))
    expect(answers.map(({ statusCode }) => String(statusCode)).sort()).toEqual(['200', '422'])
    expect(await listLendings(test.db, { lender: investor.id })).toHaveLength(1)
  })

  it('two investors who lend to the same stranger at once make one adviser', async () => {
    const other = await enter(test, 'investor')
    const sent = fields()
    const answers = await Promise.all([investor, other].map((who) => post(who, urls.ownLendings, sent)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const [one] = await listLendings(test.db, { lender: investor.id })
    const [two] = await listLendings(test.db, { lender: other.id })
    expect(one!.adviser.id).toBe(two!.adviser.id)
  })
})

describe('the end of lent access', () => {
  const ways: [what: string, end: (id: number) => Promise<unknown>][] = [
    ['when it is taken back', (id) => post(investor, urls.takeBack(urls.ownLendings, id))],
    [
      'when an administrator takes it back',
      (id) => post(admin, urls.takeBack(urls.lendings(investor.id), id)),
    ],
    ['after its last day', (id) => sql`update lendings set until = now() where id = ${id}`.execute(test.db)],
    [
      'when the lender leaves the project',
      () => sql`delete from project_members where user_id = ${investor.id}`.execute(test.db),
    ],
    [
      'when the folder is no longer shared',
      () =>
        test.db.transaction().execute((trx) =>
          changeFolder(trx, NOBODY, project.id, folders['Årsrapport']!, {
            name: 'Årsrapport',
            sub_names: [],
            visible_to_investors: false,
          }),
        ),
    ],
    ['when the lender is deactivated', () => deactivateUser(test.db, NOBODY, investor.id)],
    [
      'when the file is held back',
      () => sql`update files set is_held_back = true where id = ${report.id}`.execute(test.db),
    ],
  ]
  it.each(ways)('lent access ends at once: %s', async (_what, end) => {
    const id = await lend()
    expect((await openReport()).statusCode).toBe(200)
    await end(id)
    expect((await openReport()).statusCode).toBe(404)
  })

  it('lent access ends for good when the lender’s role changes, even if it changes back', async () => {
    await lend()
    const change = async (role: string) => {
      const email = await emailOf(investor.id)
      const sent = { name: 'Bo Holm', email, role, numbers: ['B1'], add_projects: [project.id] }
      expect((await post(admin, urls.editUser(investor.id), sent)).statusCode).toBe(200)
    }
    await change('auditor')
    expect((await openReport()).statusCode).toBe(404)
    await change('investor')
    expect((await openReport()).statusCode).toBe(404)
    expect(await entries('access-taken-back')).toMatchObject({
      user_id: admin.id,
      subject_user_id: adviser.id,
      for_user_id: investor.id,
    })
  })

  it('lent access ends for good when the lender is deactivated, even if reactivated', async () => {
    await lend()
    await deactivateUser(test.db, NOBODY, investor.id)
    await reactivateUser(test.db, NOBODY, investor.id)
    expect((await openReport()).statusCode).toBe(404)
    expect(await entries('access-taken-back')).toMatchObject({
      subject_user_id: adviser.id,
      for_user_id: investor.id,
    })
  })

  it('lent access can be given again, also after its last day', async () => {
    const first = await lend()
    await sql`update lendings set until = now() where id = ${first}`.execute(test.db)
    expect((await investor.visitor.get(urls.lending(urls.ownLendings, first))).statusCode).toBe(404)
    expect(await lend()).not.toBe(first)
    expect((await openReport()).statusCode).toBe(200)
  })

  it('taking access back twice answers 404 the second time', async () => {
    const id = await lend()
    const answers = await Promise.all([1, 2].map(() => post(investor, urls.takeBack(urls.ownLendings, id))))
    expect(answers.map(({ statusCode }) => String(statusCode)).sort()).toEqual(['200', '404'])
  })
})

describe('changing lent access', () => {
  it('a change narrows or widens lent access, is logged, and tells the lender', async () => {
    const id = await lend()
    await forgetMails()
    const address = urls.lending(urls.ownLendings, id)
    expect((await post(investor, address, { ...CHOSEN, until: '' })).json()).toEqual({
      redirect: urls.ownLendings,
    })
    expect(await seen()).toEqual([200, 404, 404])
    expect(await mails()).toMatchObject([{ subject: 'Adgangen til dine papirer er ændret' }])
    await post(investor, address, { what: 'everything', mails: '1' })
    expect(await seen()).toEqual([200, 200, 200])
    expect(await entries('access-changed')).toEqual({
      user_id: investor.id,
      subject_user_id: adviser.id,
      for_user_id: null,
    })
  })

  it('a change to the same terms changes nothing', async () => {
    const id = await lend({ ...CHOSEN, until: '31/12/2099', mails: '1' })
    const before = await everything()
    const sent = { ...CHOSEN, until: '31/12/2099', mails: '1' }
    expect((await post(investor, urls.lending(urls.ownLendings, id), sent)).statusCode).toBe(200)
    expect(await everything()).toEqual(before)
  })

  it('the form still offers a chosen folder that no project has any more', async () => {
    const id = await lend(CHOSEN)
    await sql`update lendings set folder_names = array['Gammel'] where id = ${id}`.execute(test.db)
    const { statusCode } = await post(investor, urls.lending(urls.ownLendings, id), {
      what: 'chosen',
      folders: ['Gammel', 'Budget'],
    })
    expect(statusCode).toBe(200)
  })

  it.each([
    ['another investor at their own page', () => enter(test, 'investor'), () => urls.ownLendings],
    ['an administrator at another investor', () => Promise.resolve(admin), () => urls.lendings(adviser.id)],
  ])('lent access cannot be changed by %s', async (_who, whoOf, home) => {
    const id = await lend()
    const who = await whoOf()
    for (const address of [urls.lending(home(), id), urls.takeBack(home(), id)])
      expect((await post(who, address, { what: 'everything' })).statusCode).toBe(404)
    expect((await who.visitor.get(urls.lending(home(), id))).statusCode).toBe(404)
    expect((await openReport()).statusCode).toBe(200)
  })
})

describe('an administrator', () => {
  it('lends for an investor, who is told, and gets the link to pass on if no mail is sent', async () => {
    const email = stranger()
    const answer = await post(admin, urls.lendings(investor.id), fields({ email }))
    const [lending] = await listLendings(test.db, { lender: investor.id })
    expect(answer.json()).toEqual({ redirect: urls.user(lending!.adviser.id) })
    expect((await admin.visitor.get(urls.user(lending!.adviser.id))).body).toContain('/invitation/')
    await sendMailings(test.db, test.jobs, 0, { lending: queueLendingMails(test.config) })
    expect((await mails())[0]!.text).toContain('Kontoret har givet Ida Lund')
    expect(await invitations()).toMatchObject([{ kind: 'invitation', email, lenderId: investor.id }])
    expect(await entries('access-lent')).toEqual({
      user_id: admin.id,
      subject_user_id: lending!.adviser.id,
      for_user_id: investor.id,
    })
    const { body } = await admin.visitor.get(urls.user(investor.id))
    expect(body).toContain('Ida Lund')
    expect((await admin.visitor.get('/log')).body).toContain('(for ')
  })

  describe('mails about access that an administrator lends', () => {
    const giveKaren = async (more: Fields = {}) => {
      const email = await emailOf(adviser.id)
      await post(admin, urls.lendings(investor.id), fields({ email, ...more }))
      return (await listLendings(test.db, { lender: investor.id }))[0]!.id
    }
    const passRegret = () =>
      sql`update mailings set asked_at = asked_at - interval '1 hour' where left_at is null`.execute(test.db)
    const sendWaiting = () =>
      sendMailings(test.db, test.jobs, 10, { lending: queueLendingMails(test.config) })
    const areWaiting = async () =>
      (await listLendings(test.db, { lender: investor.id }))[0]!.mails_asked_at !== null

    it('both people are mailed after the time for undoing, about the terms as they are then', async () => {
      const id = await giveKaren()
      expect(await areWaiting()).toBe(true)
      const home = urls.lendings(investor.id)
      await post(admin, urls.lending(home, id), { what: 'chosen', folders: ['Årsrapport'], until: '' })
      await sendWaiting()
      expect([await mails(), await invitations()]).toEqual([[], []])
      await passRegret()
      await sendWaiting()
      await sendWaiting()
      const sent = await mails()
      expect(sent.map(({ to }) => to).sort()).toEqual(
        [await emailOf(investor.id), await emailOf(adviser.id)].sort(),
      )
      for (const { text } of sent) expect(text).toContain('Årsrapport')
      expect(await areWaiting()).toBe(false)
    })

    it('nobody is mailed if access is taken back before, and no login is made for it', async () => {
      await post(admin, urls.lendings(investor.id), fields())
      const [lending] = await listLendings(test.db, { lender: investor.id })
      await post(admin, urls.takeBack(urls.lendings(investor.id), lending!.id))
      await passRegret()
      await sendWaiting()
      expect([await mails(), await invitations()]).toEqual([[], []])
      const { rows } = await sql<{ act: string; detail: string }>`
        select act, detail from log where act in ('mails-asked', 'mails-regretted') order by id desc limit 2`.execute(
        test.db,
      )
      const detail = `lending ${lending!.id} 2`
      expect(rows).toEqual([
        { act: 'mails-regretted', detail },
        { act: 'mails-asked', detail },
      ])
    })

    it('only the lender is told when access is taken back from an adviser with a login', async () => {
      const id = await giveKaren()
      await post(admin, urls.takeBack(urls.lendings(investor.id), id))
      await passRegret()
      await sendWaiting()
      expect((await mails()).map(({ to, subject }) => [to, subject])).toEqual([
        [await emailOf(investor.id), 'En adgang til dine papirer er taget tilbage'],
      ])
    })

    it('nobody is mailed if one of them is deactivated before', async () => {
      await giveKaren()
      await deactivateUser(test.db, NOBODY, adviser.id)
      await passRegret()
      await sendWaiting()
      expect(await mails()).toEqual([])
    })
  })

  it('takes back what a deactivated person had lent under an older version, and lends nothing more for them', async () => {
    const id = await lend()
    await sql`update users set deactivated_at = now() where id = ${investor.id}`.execute(test.db)
    const home = urls.lendings(investor.id)
    expect((await admin.visitor.get(home)).body).toContain('Karen Revisor')
    expect((await post(admin, home, fields())).statusCode).toBe(403)
    expect((await post(admin, urls.lending(home, id), { what: 'everything', mails: '1' })).statusCode).toBe(
      403,
    )
    expect((await post(admin, urls.takeBack(home, id))).statusCode).toBe(200)
    await reactivateUser(test.db, NOBODY, investor.id)
    expect((await openReport()).statusCode).toBe(404)
  })

  it.each(['auditor', 'employee', 'adviser'] as const)(
    'an administrator cannot lend for an %s',
    async (role) => {
      const { id } = await makeUser(test.db, { role })
      expect((await post(admin, urls.lendings(id), fields())).statusCode).toBe(404)
    },
  )

  it.each([
    ['numbers', { numbers: ['77'] }, 'numbers.0'],
    ['projects', { add_projects: [1] }, 'add_project'],
    ['a project by number', { add_project: '1000' }, 'add_project'],
  ])('an administrator cannot give an adviser %s', async (_what, more, at) => {
    const sent = { name: 'Ida', email: stranger(), role: 'adviser', ...more }
    expect(faults(await post(admin, urls.newUser, sent))[at]).toBeDefined()
  })

  it('a member who becomes an adviser leaves their projects', async () => {
    const member = await makeUser(test.db, { role: 'auditor' })
    await sql`insert into project_members values (${project.id}, ${member.id})`.execute(test.db)
    const sent = { name: 'Ida', email: member.email, role: 'adviser', numbers: [] }
    expect((await post(admin, urls.editUser(member.id), sent)).statusCode).toBe(200)
    const { rows } = await sql`select from project_members where user_id = ${member.id}`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('an administrator cannot upload to an adviser', async () => {
    expect((await admin.visitor.get(urls.uploadToUser(adviser.id))).statusCode).toBe(404)
  })
})

describe('an adviser', () => {
  it('an adviser sees on whose behalf they look', async () => {
    const other = await enter(test, 'investor', { name: 'Ane Lund' })
    await sql`insert into project_members values (${project.id}, ${other.id})`.execute(test.db)
    await lend(CHOSEN)
    await lend({}, other)
    const { data } = (await adviser.visitor.get('/api/projects')).json<Page<ProjectWithNews>>()
    expect(data).toMatchObject([{ id: project.id, lent_by: ['Ane Lund', 'Bo Holm'] }])
    const { body } = await adviser.visitor.get('/')
    expect(body).toContain('For Ane Lund og Bo Holm')
    expect(body).toContain('Du ser på vegne af')
    expect((await adviser.visitor.get(urls.files(project.id))).body).toContain('For Ane Lund og Bo Holm')
  })

  it('an adviser has their own unread marks', async () => {
    await lend()
    const later = await makeFile(test, folders['Årsrapport']!)
    const letter = await makeFile(test, await makeUserFolder(test.db, investor.id))
    const news = async (who: Entered) =>
      (await who.visitor.get('/api/projects')).json<Page<ProjectWithNews>>().data[0]!.new_count
    expect(await news(adviser)).toBe(1)
    await adviser.visitor.get(fileUrls.open({ project: project.id }, later.path))
    expect(await news(adviser)).toBe(0)
    expect(await news(investor)).toBeGreaterThan(0)
    const isNew = async () =>
      (await adviser.visitor.get(urls.listUserFiles(investor.id))).body.includes('"is_new":true')
    expect(await isNew()).toBe(true)
    expect((await post(adviser, urls.lenderSeen(investor.id))).statusCode).toBe(200)
    expect(await isNew()).toBe(false)
    await makeFile(test, folders['Årsrapport']!)
    expect(await news(adviser)).toBe(1)
    expect((await post(adviser, urls.projectSeen(project.id))).statusCode).toBe(200)
    expect(await news(adviser)).toBe(0)
    await makeFile(test, folders['Årsrapport']!)
    expect((await post(adviser, urls.seen)).statusCode).toBe(200)
    expect(await news(adviser)).toBe(0)
    expect(letter.id).toBeGreaterThan(0)
  })

  it('an adviser does not mark as read what they cannot see', async () => {
    expect((await post(adviser, urls.lenderSeen(investor.id))).statusCode).toBe(404)
    expect((await post(adviser, urls.projectSeen(project.id))).statusCode).toBe(404)
  })

  it('the log names the adviser and the person for whom they looked', async () => {
    await lend()
    await openReport()
    await adviser.visitor.get(fileUrls.zip({ user: investor.id }))
    await expect
      .poll(() => entries('file-opened'), { timeout: 60_000 })
      .toMatchObject({ user_id: adviser.id, for_user_id: investor.id })
    await expect
      .poll(() => entries('file-downloaded'), { timeout: 60_000 })
      .toMatchObject({ user_id: adviser.id, subject_user_id: investor.id, for_user_id: investor.id })
    const { body } = await admin.visitor.get('/log.csv')
    expect(body).toContain('Karen Revisor (for Bo Holm)')
    const ofLender = (await admin.visitor.get(`/api/log?person=${investor.id}`)).json<{
      data: { act: string }[]
    }>()
    expect(ofLender.data.map(({ act }) => act)).toContain('file-opened')
  })

  it('an adviser cannot lend access on or send files', async () => {
    await lend()
    expect((await post(adviser, urls.ownLendings, fields())).statusCode).toBe(403)
    expect((await adviser.visitor.get(urls.myFiles)).statusCode).toBe(403)
  })

  it('an adviser sees whose each project and new file is, and can filter by person', async () => {
    await lend()
    const other = await enter(test, 'investor', { name: 'Ida Lund' })
    const hers = await makeProject(test.db, { members: [other.id] })
    const budgets = await foldersByName(test.db, hers.id)
    expect((await adviser.visitor.get(urls.papersPage)).body.includes('name="client"')).toBe(false)
    await lend({ what: 'chosen', folders: ['Budget'] }, other)
    await makeFile(test, budgets.Budget!)
    await makeFile(test, await makeUserFolder(test.db, investor.id), { name: 'Udlodning.pdf' })
    const [his, theirs] = [investor, other].map(({ id }) => clientFilter(id))
    const listed = async (url: string) => {
      const { data }: Page<ProjectWithNews> = (await adviser.visitor.get(url)).json()
      return data.map(({ id }) => id)
    }
    expect(await listed(`${urls.listProjects}?filter=${his}`)).toEqual([project.id])
    expect(await listed(`${urls.listProjects}?filter=${theirs}`)).toEqual([hers.id])
    const wrong = await adviser.visitor.get(`${urls.listProjects}?filter=${clientFilter(admin.id)}`)
    expect(wrong.statusCode).toBe(422)
    const ofHers = `${urls.papersPage}?client=${other.id}`
    expect((await adviser.visitor.get(`${urls.projects}?filter=${theirs}`)).headers.location).toBe(ofHers)
    expect((await adviser.visitor.get(`${urls.year}?client=${other.id}`)).headers.location).toBe(ofHers)
    const page = await adviser.visitor.get(ofHers)
    expect([page.body.includes(hers.name), page.body.includes(project.name)]).toEqual([true, false])
    const start = await adviser.visitor.get(urls.start)
    expect(start.body).toMatch(rowOf(hers.name.replace('K/S ', ''), 'For Ida Lund'))
    expect(start.body).toMatch(rowOf('Udlodning · Egne filer', 'For Bo Holm'))
    const ofHis = await adviser.visitor.get(`${urls.papersPage}?client=${investor.id}&project=own`)
    expect(ofHis.body).toMatch(rowOf('Egne filer', 'For Bo Holm'))
    expect(page.body).toContain('For Ida Lund')
    expect(page.body).toMatch(/<option value="\d+" selected="">Ida Lund/)
    const name = 'Kølberg (9) 2025.pdf'
    const made = [await makeFile(test, budgets.Budget!, { name }), await makeFile(test, budgets.Budget!)]
    const address = urls.papers(made.map(({ id }) => id).join('.'))
    type Hit = { name: string; lent_by: string[] }
    const found = async (who: Entered) =>
      (await who.visitor.get(`${urls.searchAnswers}?q=K%C3%B8lberg`)).json<{ data: Hit[] }>().data
    expect(await found(adviser)).toMatchObject([{ name, lent_by: ['Ida Lund'] }])
    expect(await found(other)).toMatchObject([{ name, lent_by: [] }])
    const named = async (url: string, who = adviser) =>
      (await who.visitor.get(url)).body
        .replace(/<script[\s\S]*?<\/script>|<!-- -->/g, '')
        .includes('For Ida Lund')
    expect(await named(`${urls.search}?q=K%C3%B8lberg`)).toBe(true)
    expect(await named(address)).toBe(true)
    expect(await named(address, other)).toBe(false)
    // An investor has nobody to choose among.
    expect((await investor.visitor.get(ofHers)).body).toContain(project.name)
  })

  it('an adviser reads the report of whoever lends everything, and cannot change it', async () => {
    const id = await lend()
    await makeReport(test.db, investor.id, [{ name: 'K/S Vindmøller Øst' }])
    const page = await adviser.visitor.get(urls.report(investor.id))
    expect([page.statusCode, page.body.includes('K/S Vindmøller Øst')]).toEqual([200, true])
    expect([page.body.includes('For Bo Holm'), page.body.includes('Tilføj Eksternt')]).toEqual([true, false])
    const { companies }: CompanyReport = (await adviser.visitor.get(urls.readReport(investor.id))).json()
    expect(companies.map(({ name, editable, deletable }) => [name, editable, deletable])).toEqual([
      ['K/S Vindmøller Øst', [], false],
    ])
    expect((await adviser.visitor.get(urls.reportFile(investor.id))).statusCode).toBe(200)
    expect(await entries('report-opened')).toEqual({
      user_id: adviser.id,
      subject_user_id: investor.id,
      for_user_id: null,
    })
    expect((await post(adviser, urls.report(investor.id), { version: 1, rows: 0 })).statusCode).toBe(403)
    const lender = await adviser.visitor.get(urls.user(investor.id))
    expect(lender.body).toContain(urls.report(investor.id))
    await post(investor, urls.lending(urls.ownLendings, id), { ...CHOSEN, own_files: 'on', until: '' })
    for (const url of [urls.report, urls.readReport, urls.reportFile])
      expect((await adviser.visitor.get(url(investor.id))).statusCode).toBe(404)
  })

  it('a deactivated adviser loses all access', async () => {
    await lend()
    await deactivateUser(test.db, NOBODY, adviser.id)
    expect((await openReport()).statusCode).toBe(303)
    const again = new Visitor(test.app)
    await again.signIn(await emailOf(adviser.id), PASSWORD)
    expect((await again.get('/projects')).statusCode).toBe(303)
  })
})
