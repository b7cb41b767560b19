import { Readable } from 'node:stream'
import { sql, type RawBuilder } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject, makeUser } from '../../../test/make.ts'
import type { MailRate } from '../../accounts/users/mail-rate.ts'
import { stopMailsUrl } from '../../accounts/profile/stop-mails.routes.ts'
import { deliverMail, MailRefused, type Mail, type Mailer } from '../../server/mail.ts'
import { receiveTemporaryFile } from '../../uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { Page } from '../../base/pagination.ts'
import type { ReleasePerson } from '../release/release.ts'
import { sendMailings } from '../mailings/mailings.db.ts'
import { queueAgain, queueReminders } from './mail-again.db.ts'
import { announceReleases, endLostMails, tellPeople } from './tell-people.db.ts'

let test: TestApp
let office: Entered
let investor: Entered
let auditor: Entered
let project: { id: number; number: string }
let folders: Record<string, number>
let sent: (Mail & { id: string })[]
/** Makes the mail server refuse mails to one address. */
let refusal: { to: string; error: Error } | null

beforeAll(async () => {
  test = await freshApp({
    env: { REQUESTS_PER_MINUTE: '100000', SMTP_URL: 'smtp://127.0.0.1:1' },
    hasJobs: false,
    jobsEverySeconds: 0.5,
  })
  office = await enter(test, 'employee')
  const mailer: Mailer = {
    async deliver(mail, id) {
      if (refusal?.to === mail.to) throw refusal.error
      sent.push({ ...mail, id })
    },
  }
  await deliverMail(test.jobs, mailer)
  await tellPeople(test.jobs, {
    db: test.db,
    mailer,
    appUrl: 'https://ringbind.example',
    stopPath: (userId) => stopMailsUrl(test.secret, userId),
    watch: undefined,
  })
})

beforeEach(async () => {
  sent = []
  refusal = null
  await sql`delete from release_people`.execute(test.db)
  await sql`update releases set announced_at = now() where announced_at is null`.execute(test.db)
  investor = await enter(test, 'investor')
  auditor = await enter(test, 'auditor')
  project = await makeProject(test.db, { name: 'K/S Østergade', members: [investor.id, auditor.id] })
  folders = await foldersByName(test.db, project.id)
})

async function save(names: string[], more: Record<string, string> = {}): Promise<number> {
  const files: Record<string, object> = {}
  for (const [index, name] of names.entries()) {
    const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${name} ${Math.random()}`)])
    const { hash_name: data } = await receiveTemporaryFile(test, office.id, name, bytes, 1e6)
    files[`f${index}`] = { name, data, mime: 'application/pdf' }
  }
  const url = urls.uploadTo(project.id, folders.Budget!)
  const reply = await office.visitor.post(url, { files, ...more }, { script: true })
  expect(reply.statusCode).toBe(200)
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return rows[0]!.id
}

const nameOf = (what: string) => `Budget (${project.number}) ${what}.pdf`

const announce = async (regretMinutes = 0) => {
  await sendMailings(test.db, test.jobs, regretMinutes, { reminder: queueReminders, again: queueAgain })
  await announceReleases(test.db, test.jobs, { regretMinutes, timeZone: 'Europe/Copenhagen' })
}

/** Waits until nobody of a release waits for a mail, and returns what became of each. */
async function outcomes(release: number): Promise<Record<string, string>> {
  const read = async () => {
    const { rows } = await sql<{ user_id: number; outcome: string | null }>`
      select user_id, outcome from release_people where release_id = ${release} order by user_id`.execute(
      test.db,
    )
    return rows
  }
  await expect.poll(async () => (await read()).filter(({ outcome }) => outcome === null)).toEqual([])
  const names = new Map([
    [investor.id, 'investor'],
    [auditor.id, 'auditor'],
  ])
  return Object.fromEntries((await read()).map(({ user_id: id, outcome }) => [names.get(id) ?? id, outcome!]))
}

/** Returns the address of the first file that the investor sees. */
async function firstFile(): Promise<string> {
  const list = await investor.visitor.get(urls.listFolders(project.id))
  const { data } = list.json<{ data: { files: { path: string }[] }[] }>()
  return fileUrls.open({ project: project.id }, data.flatMap(({ files }) => files)[0]!.path)
}

const act = async (release: number, what: string) => {
  const reply = await office.visitor.post(urls.releaseAct(release, what), {}, { script: true })
  return { status: reply.statusCode, ...reply.json<{ message?: string }>() }
}

/** Reads what the release's page says at the investor. */
async function readInvestor(release: number): Promise<ReleasePerson> {
  const { data } = (await office.visitor.get(urls.listReleasePeople(release))).json<Page<ReleasePerson>>()
  return data.find(({ id }) => id === investor.id)!
}
const reasonAt = async (release: number) => (await readInvestor(release)).reason
const mailAt = async (release: number) => (await readInvestor(release)).mail

const mailTo = ({ id }: Entered) =>
  test.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()
const choose = ({ id }: Entered, rate: MailRate) =>
  test.db.updateTable('users').set({ mail_rate: rate }).where('id', '=', id).execute()

describe('a published release', () => {
  it('a release is mailed once to everybody outside the office who sees some of it', async () => {
    const release = await save([nameOf('2025'), nameOf('2026')])
    await announce()
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'sent' })
    expect(sent).toHaveLength(2)
    const { email } = await mailTo(investor)
    const mail = sent.find(({ to }) => to === email)!
    expect(mail.subject).toBe('Du har 2 nye filer i K/S Østergade')
    expect(mail.text).toContain(`K/S Østergade · Budget\n– ${nameOf('2026')}\n– ${nameOf('2025')}`)
    const link = /https:\/\/ringbind\.example(\/papers\/\S+)/.exec(mail.text)![1]!
    const listed = async ({ visitor }: Entered) => {
      const reply = await visitor.get(link)
      return [nameOf('2025'), nameOf('2026'), nameOf('2024')].filter((name) => reply.body.includes(name))
    }
    // Exactly these, as far as a reader sees them now.
    await save([nameOf('2024')])
    expect(await listed(investor)).toEqual([nameOf('2025'), nameOf('2026')])
    expect(await listed(await enter(test, 'investor'))).toEqual([])
    await act(release, 'recall')
    expect(await listed(investor)).toEqual([])
    expect(mail.stopUrl).toContain('https://ringbind.example/stop-mails/')
  })

  it('a mail about one file links to the file itself, also in the preview', async () => {
    const release = await save([nameOf('2025')])
    const { rows } = await sql<{ id: number }>`select max(id) as id from files`.execute(test.db)
    const link = urls.papers(String(rows[0]!.id))
    expect((await office.visitor.get(urls.releaseTab(release, 'mails'))).body).toContain(
      `${test.config.appUrl}${link}`,
    )
    await announce()
    await outcomes(release)
    expect(sent[0]!.text).toContain(`Se filen:\nhttps://ringbind.example${link}\n`)
    const page = await investor.visitor.get(link)
    expect([page.statusCode, page.body.includes('aria-current="true"')]).toEqual([200, true])
    const stranger = await (await enter(test, 'investor')).visitor.get(link)
    expect(stranger.statusCode).toBe(404)
  })

  it('advisers are mailed if their lender wants it, and the others count as readers', async () => {
    const [told, untold, elsewhere] = [
      await makeUser(test.db, { role: 'adviser' }),
      await makeUser(test.db, { role: 'adviser' }),
      await makeUser(test.db, { role: 'adviser' }),
    ]
    const lend = (adviser: number, names: string[], getsMails: boolean) =>
      sql`insert into lendings (lender_id, adviser_id, is_everything, folder_names, gets_mails)
        values (${investor.id}, ${adviser}, false, ${names}, ${getsMails})`.execute(test.db)
    await lend(told.id, ['Budget'], true)
    await lend(untold.id, ['Budget'], false)
    await lend(elsewhere.id, ['Årsrapport'], true)
    const reach = await office.visitor.post(
      urls.findReach,
      { folders: [folders.Budget!], users: [] },
      { script: true },
    )
    expect(reach.json()).toMatchObject({ people: 4, no_mail: 1 })
    const release = await save([nameOf('2025')], {})
    await announce()
    expect(await outcomes(release)).toEqual({
      investor: 'sent',
      auditor: 'sent',
      [told.id]: 'sent',
      [untold.id]: 'declined',
    })
    expect(sent.map(({ to }) => to)).toContain(told.email)
    expect(sent.map(({ to }) => to)).not.toContain(untold.email)
    const { data } = (await office.visitor.get(urls.listReleasePeople(release))).json<Page<ReleasePerson>>()
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([told.id, untold.id]))
    expect(data.map(({ id }) => id)).not.toContain(elsewhere.id)
    const own = await office.visitor.post(
      urls.findReach,
      { folders: [], users: [investor.id] },
      { script: true },
    )
    expect(own.json()).toMatchObject({ people: 1 })
  })

  it('a release is mailed only after the time for undoing, and can be undone before', async () => {
    const release = await save([nameOf('2025')])
    await announce(10)
    expect(await act(release, 'regret')).toMatchObject({ status: 200 })
    await announce()
    expect(await outcomes(release)).toEqual({})
    const { rows } = await sql<{ left: number }>`
      select count(*) filter (where deleted_at is null or not is_held_back)::integer as left
      from files where folder_id = ${folders.Budget!}`.execute(test.db)
    expect(rows).toEqual([{ left: 0 }])
  })

  it('a release can be undone on the office’s start page until it is mailed', async () => {
    const release = await save([nameOf('2025'), nameOf('2026')])
    const start = async (who: Entered) => (await who.visitor.get(urls.start)).body.replaceAll('<!-- -->', '')
    const body = await start(office)
    expect(body).toMatch(/2 filer udgivet ((den )?\S+ )?kl\. \d\d\.\d\d/)
    expect(body).toMatch(/kan fortrydes til ((den )?\S+ )?kl\. \d\d\.\d\d/)
    expect(body).toContain(`action="${urls.releaseAct(release, 'regret')}"`)
    for (const who of [investor, auditor]) expect(await start(who)).not.toContain('mails går')
    await announce()
    expect(await start(office)).not.toContain('mails går')
  })

  it('a release cannot be undone after it is mailed', async () => {
    const release = await save([nameOf('2025')])
    await announce()
    await outcomes(release)
    expect(await act(release, 'regret')).toMatchObject({
      status: 409,
      message: 'Der er allerede sendt besked om filerne. Træk dem tilbage i stedet.',
    })
  })

  it('two releases share a mail', async () => {
    await choose(auditor, 'never')
    const [one, two] = [await save([nameOf('2025')]), await save([nameOf('2026')])]
    await announce()
    expect(await outcomes(one)).toEqual({ investor: 'sent', auditor: 'declined' })
    expect(await outcomes(two)).toEqual({ investor: 'sent', auditor: 'declined' })
    expect(sent.map(({ subject }) => subject)).toEqual(['Du har 2 nye filer i K/S Østergade'])
  })

  const changes: [string, (release: number) => Promise<unknown>, Record<string, string>][] = [
    [
      'no longer shared',
      () =>
        sql`update folders set visible_to_investors = false where id = ${folders.Budget!}`.execute(test.db),
      { investor: 'nothing', auditor: 'sent' },
    ],
    [
      'of a project that the person has left',
      () =>
        sql`delete from project_members where project_id = ${project.id} and user_id = ${investor.id}`.execute(
          test.db,
        ),
      { investor: 'nothing', auditor: 'sent' },
    ],
    [
      'for a person who was deactivated',
      () => sql`update users set deactivated_at = now() where id = ${investor.id}`.execute(test.db),
      { investor: 'nothing', auditor: 'sent' },
    ],
    [
      'not for a person who has joined the office',
      () => sql`update users set role = 'employee' where id = ${investor.id}`.execute(test.db),
      { investor: 'nothing', auditor: 'sent' },
    ],
    [
      'deleted',
      () => sql`update files set deleted_at = now() where folder_id = ${folders.Budget!}`.execute(test.db),
      { investor: 'nothing', auditor: 'nothing' },
    ],
  ]
  it.each(changes)(
    'does not mail about files that are %s when the mail is sent',
    async (_how, change, expected) => {
      // Nobody's turn comes before the change.
      await Promise.all([choose(investor, 'weekly'), choose(auditor, 'weekly')])
      const release = await save([nameOf('2025')])
      await announce()
      await change(release)
      await Promise.all([choose(investor, 'at-once'), choose(auditor, 'at-once')])
      await announce()
      expect(await outcomes(release)).toEqual(expected)
      expect(sent).toHaveLength(Object.values(expected).filter((outcome) => outcome === 'sent').length)
    },
  )

  it.each(['daily', 'weekly'] as const)(
    'a release waits for the turn of those who want mails %s',
    async (rate) => {
      await Promise.all([choose(investor, rate), choose(auditor, 'never')])
      const release = await save([nameOf('2025')])
      await announce()
      expect(sent).toEqual([])
      await sql`update releases set announced_at = now() - interval '8 days' where id = ${release}`.execute(
        test.db,
      )
      await announce()
      expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'declined' })
    },
  )

  it('a refusal by the mail server is shown at the person', async () => {
    const answer = { cause: { code: 'EENVELOPE', response: '550 No such user' } }
    refusal = { to: (await mailTo(investor)).email, error: new MailRefused('550', answer) }
    const release = await save([nameOf('2025')])
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'failed', auditor: 'sent' })
    const people = await office.visitor.get(urls.listReleasePeople(release))
    expect(people.json<{ data: object[] }>().data).toContainEqual(
      expect.objectContaining({
        id: investor.id,
        mail: 'failed',
        told_at: null,
        reason: '550 No such user',
      }),
    )
    // React writes a comment between two texts.
    const page = (await office.visitor.get(urls.releaseTab(release, 'recipients'))).body.replaceAll(
      '<!-- -->',
      '',
    )
    expect(page).toContain('1 mail kom ikke frem')
    expect(page).toContain('Mailen kom ikke frem: 550 No such user')
    refusal = null
    await act(release, 'remind')
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'sent' })
    expect(await reasonAt(release)).toBeNull()
  })

  const endings: [string, RawBuilder<unknown>][] = [
    ['the last try fails as well', sql`retry_count = retry_limit, start_after = now()`],
    // As pg-boss leaves it.
    ['a process is killed in the last try', sql`state = 'failed'`],
  ]
  it.each(endings)('the person shows the outcome of the latest try, if %s', async (_how, end) => {
    await choose(auditor, 'never')
    refusal = {
      to: (await mailTo(investor)).email,
      error: Object.assign(new Error('Come again'), { code: 'EENVELOPE', response: '451 Come again' }),
    }
    const release = await save([nameOf('2025')])
    await announce()
    await expect.poll(() => reasonAt(release)).toBe('451 Come again')
    const endJob = () =>
      sql`update jobs.job set ${end} where state = 'retry' and id in (
        select mail_id from release_people where release_id = ${release})`.execute(test.db)
    await endLostMails(test.db)
    expect(await mailAt(release)).toBe('waiting')
    await expect.poll(async () => (await endJob()).numAffectedRows).toBe(1n)
    await expect.poll(() => endLostMails(test.db).then(() => mailAt(release))).toBe('failed')
    expect(await reasonAt(release)).toBe('451 Come again')
  })

  it('a release mail is shown as failed if its job is gone', async () => {
    const release = await save([nameOf('2025')])
    await sql`insert into release_people (release_id, user_id, mail_id)
      values (${release}, ${investor.id}, gen_random_uuid())`.execute(test.db)
    await endLostMails(test.db)
    expect(await outcomes(release)).toEqual({ investor: 'failed' })
    expect(await reasonAt(release)).toBe('Ringbind blev afbrudt, mens mailen blev sendt')
  })

  it('people whom the office has not invited get no mail, and the page says so', async () => {
    const { id, email } = await makeUser(test.db, { role: 'investor', passwordHash: null })
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${id})`.execute(
      test.db,
    )
    const places = { folders: [folders.Budget!], users: [] }
    const reach = await office.visitor.post(urls.findReach, places, { script: true })
    expect(reach.json()).toMatchObject({ people: 3, uninvited: 1, no_mail: 0, sends_mail: true })
    const release = await save([nameOf('2025')])
    const page = async () => (await office.visitor.get(urls.release(release))).body.replaceAll('<!-- -->', '')
    expect(await page()).toMatch(/2 personer får mail.*1 er ikke inviteret og får ingen mail\./)
    await announce()
    expect(await outcomes(release)).toMatchObject({ investor: 'sent', [id]: 'declined' })
    expect(sent.map(({ to }) => to)).not.toContain(email)
    expect(await page()).toContain('2 personer har fået mail.')
    expect((await office.visitor.get(urls.releaseTab(release, 'recipients'))).body).toContain(
      'Er ikke inviteret og får ingen mail',
    )
  })

  it('a release mail has the invitation of an invited person who has never signed in', async () => {
    const { id, email } = await makeUser(test.db, { role: 'investor', passwordHash: null })
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${id})`.execute(
      test.db,
    )
    await sql`insert into log (act, subject_user_id) values ('user-invited', ${id})`.execute(test.db)
    await outcomes(await announced(await save([nameOf('2025')])))
    const mail = sent.find(({ to }) => to === email)!
    expect(mail.text).toMatch(/Vælg adgangskode:\nhttps:\/\/ringbind.example\/invitation\/[\w-]{32}/)
  })

  it('a release mail has no invitation for a person who accepted theirs without a password', async () => {
    const { id, email } = await makeUser(test.db, { role: 'investor', passwordHash: null })
    await sql`
      with linked as (insert into identities (user_id, issuer, subject) values (${id}, 'https://x.example', 'nogen'))
      insert into project_members (project_id, user_id) values (${project.id}, ${id})`.execute(test.db)
    await outcomes(await announced(await save([nameOf('2025')])))
    expect(sent.find(({ to }) => to === email)!.text).not.toContain('/invitation/')
  })
})

async function announced(release: number): Promise<number> {
  await announce()
  return release
}

describe('the mail', () => {
  it('the office’s message can be changed until the mail leaves', async () => {
    const release = await save([nameOf('2025')])
    const write = (fields: Record<string, string>) =>
      office.visitor.post(urls.releaseAct(release, 'write'), fields, { script: true })
    expect((await write({ message: 'x'.repeat(1001) })).json()).toMatchObject({
      errors: { message: ['Beskeden må højst være på 1000 tegn.'] },
    })
    expect((await write({ message: '  Husk fristen.\r\n\r\n\r\nHilsen  ' })).statusCode).toBe(200)
    await announce()
    await outcomes(release)
    expect(sent[0]!.text).toContain('Husk fristen.\n\nHilsen\n\nSe filen:')
    expect((await write({ message: 'For sent' })).statusCode).toBe(409)
  })

  it('a mail goes to everybody at once if it is marked so', async () => {
    await Promise.all([choose(investor, 'never'), choose(auditor, 'weekly')])
    const release = await save([nameOf('2025')])
    const page = async () =>
      (await office.visitor.get(urls.release(release))).body
        .replaceAll('<!-- -->', '')
        .replaceAll(/<time.*?<\/time>/g, 'kl.')
    expect(await page()).toContain(
      '1 person får mail, tidligst kl.. 1 har fravalgt mails. 1 får den i en daglig eller ugentlig mail. Indtil da',
    )
    await office.visitor.post(urls.releaseAct(release, 'write'), { is_for_everybody: '1' }, { script: true })
    expect(await page()).toContain('2 personer får mail, tidligst kl..  Indtil da')
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'sent' })
    expect(sent[0]!.text).toContain('Denne mail sendes til alle')
  })

  it('a mail does not name a release that its reader no longer sees', async () => {
    await choose(auditor, 'never')
    const [one, two] = [await save([nameOf('2025')]), await save([nameOf('2026')])]
    await office.visitor.post(urls.releaseAct(one, 'write'), { message: 'Hemmeligt' }, { script: true })
    await choose(investor, 'weekly')
    await announce()
    await act(one, 'recall')
    await choose(investor, 'at-once')
    await announce()
    await outcomes(two)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.text).not.toContain('Hemmeligt')
    expect(sent[0]!.text).not.toContain(nameOf('2025'))
    // Shown again, it is told.
    await act(one, 'undo-recall')
    await announce()
    expect(await outcomes(one)).toEqual({ investor: 'sent', auditor: 'declined' })
    expect(sent[1]!.text).toContain(nameOf('2025'))
  })

  it('only the releases that a mail names count as mailed', async () => {
    await Promise.all([choose(auditor, 'never'), choose(investor, 'weekly')])
    const one = await save([nameOf('2025')])
    const open = await firstFile()
    const two = await save([nameOf('2026')])
    await announce()
    await investor.visitor.get(open)
    await expect
      .poll(async () =>
        (await test.db.selectFrom('file_reads').select('user_id').execute()).map((row) => row.user_id),
      )
      .toContain(investor.id)
    await choose(investor, 'at-once')
    await announce()
    expect(await outcomes(one)).toEqual({ investor: 'nothing', auditor: 'declined' })
    expect(await outcomes(two)).toEqual({ investor: 'sent', auditor: 'declined' })
    expect(sent[0]!.text).not.toContain(nameOf('2025'))
  })

  it.each([
    ['has kept it from', 'nothing'],
    ['keeps it from while another mail to them is being sent', null],
  ])('after it is shown again a release is mailed to people whom a recall %s', async (_what, outcome) => {
    await choose(auditor, 'never')
    const release = await save([nameOf('2025')])
    await choose(investor, 'weekly')
    await announce()
    await act(release, 'recall')
    // As the mail's job leaves it if the recall comes between its queueing and its sending.
    await sql`update release_people set outcome = ${outcome}, mail_id = gen_random_uuid()
      where release_id = ${release} and user_id = ${investor.id}`.execute(test.db)
    await act(release, 'undo-recall')
    await choose(investor, 'at-once')
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'declined' })
  })

  it('a person who turns the mails off after one was queued does not get it', async () => {
    await choose(auditor, 'never')
    const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    refusal = { to: (await mailTo(investor)).email, error: away }
    const release = await save([nameOf('2025')])
    await announce()
    await expect.poll(() => reasonAt(release)).toBe('Mailserveren kunne ikke nås')
    refusal = null
    await choose(investor, 'never')
    await expect
      .poll(async () => {
        await sql`update jobs.job set start_after = now() where name = 'tell-person' and state = 'retry'`.execute(
          test.db,
        )
        return mailAt(release)
      })
      .toBe('declined')
    expect(sent).toEqual([])
  })

  it('the time for undoing starts again if a recall is undone before the mail', async () => {
    const release = await save([nameOf('2025')])
    await act(release, 'recall')
    await sql`update releases set published_at = now() - interval '1 hour' where id = ${release}`.execute(
      test.db,
    )
    await act(release, 'undo-recall')
    await announce(10)
    expect(await outcomes(release)).toEqual({})
    expect(await act(release, 'regret')).toMatchObject({ status: 200 })
  })

  it('one mail covers all releases of a while', async () => {
    await choose(auditor, 'never')
    const [one, two] = [await save([nameOf('2025')]), await save([nameOf('2026')])]
    const ago = (release: number, minutes: number) =>
      sql`update releases set published_at = now() - make_interval(mins => ${minutes}::integer) where id = ${release}`.execute(
        test.db,
      )
    await Promise.all([ago(one, 14), ago(two, 6)])
    await announce(10)
    expect(await outcomes(one)).toEqual({})
    await Promise.all([ago(one, 18), ago(two, 10)])
    await announce(10)
    expect(await outcomes(two)).toEqual({ investor: 'sent', auditor: 'declined' })
    expect(sent.map(({ subject }) => subject)).toEqual(['Du har 2 nye filer i K/S Østergade'])
  })

  it('a mail waits at most twice the time for undoing', async () => {
    const [one] = [await save([nameOf('2025')]), await save([nameOf('2026')])]
    await sql`update releases set published_at = now() - interval '20 minutes' where id = ${one}`.execute(
      test.db,
    )
    await announce(10)
    expect(await outcomes(one)).toEqual({ investor: 'sent', auditor: 'sent' })
  })

  it('a mail can be previewed, on the page and as a sample to oneself', async () => {
    const release = await save([nameOf('2025')], { publish: 'draft' })
    const { body } = await office.visitor.get(urls.releaseTab(release, 'mails'))
    expect(body).toContain('Du har en ny fil i K/S Østergade')
    expect(await act(release, 'sample')).toMatchObject({ status: 200 })
    await expect
      .poll(() => sent.map(({ to, subject }) => [to, subject]))
      .toEqual([[(await mailTo(office)).email, 'Prøve: Du har en ny fil i K/S Østergade']])
  })
})

describe('a reminder', () => {
  it('a reminder goes to those who were mailed and have opened nothing', async () => {
    const release = await announced(await save([nameOf('2025')]))
    await outcomes(release)
    await investor.visitor.get(await firstFile())
    await expect
      .poll(async () => (await office.visitor.get(urls.release(release))).body)
      .toContain('Send påmindelse til den ene')
    // Who joins later sees the papers, but was not mailed.
    const late = await enter(test, 'investor')
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${late.id})`.execute(
      test.db,
    )
    expect((await office.visitor.get(urls.release(release))).body).toContain('Send påmindelse til 1 af de 2')
    sent = []
    const page = async (tab: 'papers' | 'mails' = 'papers') =>
      (await office.visitor.get(urls.releaseTab(release, tab))).body.replaceAll('<!-- -->', '')
    expect(await act(release, 'remind')).toMatchObject({ status: 200 })
    expect(await act(release, 'remind')).toMatchObject({ status: 409 })
    expect(await page()).toContain('Påmindelse til 1 person sendes tidligst')
    const start = (await office.visitor.get(urls.start)).body
    expect(start).toContain('Påmindelse til 1 person')
    expect(start).toContain(urls.releaseAct(release, 'regret-mails'))
    await announce(10)
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'sent' })
    expect(sent).toEqual([])
    await announce()
    await outcomes(release)
    expect(await page('mails')).toContain('Påmindelse til 1 person sendt')
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      [(await mailTo(auditor)).email, 'Påmindelse: Du har en ulæst fil i K/S Østergade'],
    ])
  })

  it('a reminder can be undone until it leaves, and both are logged', async () => {
    const release = await announced(await save([nameOf('2025')]))
    await outcomes(release)
    sent = []
    await act(release, 'remind')
    expect(await act(release, 'regret-mails')).toMatchObject({ status: 200 })
    expect(await act(release, 'regret-mails')).toMatchObject({ status: 409 })
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'sent' })
    await act(release, 'remind')
    // Somebody opens a file before it leaves.
    await investor.visitor.get(await firstFile())
    await expect
      .poll(async () => (await office.visitor.get(urls.release(release))).body)
      .toContain('1 af 2 personer')
    await announce()
    await outcomes(release)
    expect(sent.map(({ to }) => to)).toEqual([(await mailTo(auditor)).email])
    const { rows } = await sql<{ act: string; detail: string }>`
      select act, detail from log where user_id = ${office.id} and (act like 'mails-%' or act = 'release-reminded')
        and detail ~ ${`\\m${release}\\M`} order by id`.execute(test.db)
    expect(rows.map((row) => [row.act, row.detail])).toEqual([
      ['mails-asked', `reminder ${release} 2`],
      ['mails-regretted', `reminder ${release} 2`],
      ['mails-asked', `reminder ${release} 2`],
      ['release-reminded', `${release} 1`],
    ])
  })

  it('a reminder does not leave after a recall', async () => {
    const release = await announced(await save([nameOf('2025')]))
    await outcomes(release)
    sent = []
    await act(release, 'remind')
    await act(release, 'recall')
    await act(release, 'undo-recall')
    await announce()
    expect(await outcomes(release)).toEqual({ investor: 'sent', auditor: 'sent' })
    expect(sent).toEqual([])
  })

  it('refuses a reminder that nobody needs', async () => {
    await Promise.all([choose(investor, 'never'), choose(auditor, 'never')])
    const release = await announced(await save([nameOf('2025')]))
    expect(await act(release, 'remind')).toMatchObject({ status: 409 })
  })
})

describe('how often', () => {
  const rateOf = async ({ id }: Entered) => {
    const { mail_rate: rate } = await test.db
      .selectFrom('users')
      .select('mail_rate')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return rate
  }

  it('each person chooses in their profile how often mails come', async () => {
    const post = (rate: string) =>
      investor.visitor.post(urls.profileMails, { mail_rate: rate }, { script: true })
    expect((await post('daily')).statusCode).toBe(200)
    expect(await rateOf(investor)).toBe('daily')
    expect((await post('sometimes')).json()).toMatchObject({
      errors: { mail_rate: ['Vælg en af mulighederne.'] },
    })
    expect((await investor.visitor.get(urls.profile)).body).toContain('Mails om nye filer')
    expect((await office.visitor.get(urls.profile)).body).not.toContain('Mails om nye filer')
  })

  it('a mail program can unsubscribe with one post, without a session', async () => {
    const url = stopMailsUrl(test.secret, investor.id)
    const post = (to: string) =>
      test.app.inject({
        method: 'POST',
        url: to,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
    // A scanner follows the link.
    const followed = await test.app.inject({ url })
    expect([followed.statusCode, followed.headers.location]).toEqual([303, urls.profile])
    expect(await rateOf(investor)).toBe('at-once')
    for (const forged of [url.replace(/.$/, '_'), urls.stopMails(`${investor.id}.x`), urls.stopMails('x')])
      expect((await post(forged)).statusCode).toBe(404)
    expect(await rateOf(investor)).toBe('at-once')
    expect((await post(url)).statusCode).toBe(200)
    expect((await post(url)).statusCode).toBe(200)
    expect(await rateOf(investor)).toBe('never')
  })
})
