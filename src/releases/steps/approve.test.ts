import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject, wantApproval } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { deliverMail, type Mail, type Mailer } from '../../server/mail.ts'
import type { StartPageProps } from '../../start/start-page.tsx'
import { receiveTemporaryFile } from '../../uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../../urls.ts'
import { ASK_COLLEAGUE, mailApprovers } from '../approval/approval.db.ts'
import type { Reach } from '../release/release.ts'
import type { ReleasePageProps } from '../release-page.tsx'
import { publishPlanned } from './publish-planned.db.ts'

let test: TestApp
let maker: Entered
let colleague: Entered
let administrator: Entered
let investor: Entered
let auditor: Entered
let project: { id: number; number: string; name: string }
let folders: Record<string, number>
let sent: Mail[]

beforeAll(async () => {
  test = await freshApp({
    env: { REQUESTS_PER_MINUTE: '100000', TIME_ZONE: 'Europe/Copenhagen' },
    hasJobs: false,
    jobsEverySeconds: 0.5,
  })
  maker = await enter(test, 'employee', { name: 'Mette Maker' })
  colleague = await enter(test, 'employee', { name: 'Karl Kollega' })
  administrator = await enter(test, 'administrator', { name: 'Anne Admin' })
  investor = await enter(test, 'investor')
  auditor = await enter(test, 'auditor')
  const mailer: Mailer = {
    async deliver(mail) {
      sent.push(mail)
    },
  }
  await deliverMail(test.jobs, mailer)
  const way = { appUrl: 'https://ringbind.example', timeZone: 'Europe/Copenhagen' }
  await mailApprovers(test.jobs, { db: test.db, mailer, watch: undefined, ...way })
})

beforeEach(async () => {
  sent = []
  await wantApproval(test.db, true)
  project = await makeProject(test.db, { members: [investor.id, auditor.id] })
  folders = await foldersByName(test.db, project.id)
})

afterEach(async () => {
  await sql`update users set deactivated_at = null`.execute(test.db)
})

const CHANGED = 'Filerne, eller hvem der kan se dem, er ændret imens. Genindlæs siden.'

const nameOf = (what: string) => `Budget (${project.number}) ${what}.pdf`

/** Saves a file as the form does, and returns the release and where the form leads. */
async function save(more: Record<string, string> = {}, folder = 'Budget', who = maker) {
  const name = nameOf('2026')
  const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${Math.random()}`)])
  const { hash_name: data } = await receiveTemporaryFile(test, who.id, name, bytes, 1e6)
  const url = urls.uploadTo(project.id, folders[folder]!)
  const reply = await who.visitor.post(url, { files: { a: { name, data } }, ...more }, { script: true })
  expect(reply.statusCode).toBe(200)
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return { release: rows[0]!.id, redirect: reply.json<{ redirect: string }>().redirect }
}

/** Presses a button, which says what the page shows, unless `fields` says something else. */
async function act(release: number, what: string, who: Entered, fields: Record<string, string> = {}) {
  const showsPapers = ['approve', 'publish', 'plan'].includes(what) && who !== investor && who !== auditor
  const papers = showsPapers ? { papers: (await pageFor(release, who)).props.approval.papers } : {}
  const sending = { ...papers, ...fields }
  const reply = await who.visitor.post(urls.releaseAct(release, what), sending, { script: true })
  type Answer = { message?: string; errors?: Record<string, string[]> }
  return { status: reply.statusCode, ...reply.json<Answer>() }
}

async function rowOf(release: number) {
  const { rows } = await sql<{
    state: string
    publish_at: Date | null
    approved_by: number | null
    published_by: number | null
    planned_by: number | null
  }>`select state, publish_at, approved_by, published_by, planned_by from releases where id = ${release}`.execute(
    test.db,
  )
  return rows[0]!
}

async function isSeen(who: Entered, folder = 'Budget') {
  const { data } = (await who.visitor.get(fileUrls.list({ project: project.id }, folders[folder]!))).json<{
    data: unknown[]
  }>()
  return data.length === 1
}

async function pageFor(release: number, who: Entered) {
  const { body } = await who.visitor.get(urls.release(release))
  const text = body.slice(0, body.indexOf('<script type="application/json"')).replaceAll(/<[^>]*>/g, '')
  return { props: propsIn<ReleasePageProps>(body), text }
}

async function waitingFor(who: Entered) {
  const { waiting } = propsIn<StartPageProps>((await who.visitor.get(urls.start)).body)
  return waiting?.releases.map(({ id }) => id)
}

/** Waits until every mail that was queued has left, or was found to be needless. */
async function mailsLeft(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from jobs.job where name in ('ask-colleague', 'send-mail') and state < 'completed'`.execute(
        test.db,
      )
      return rows.length
    })
    .toBe(0)
}

const emailOf = async ({ id }: Entered) =>
  (await test.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

/** The mails about the newest release: those of an earlier test may leave late. */
const mailsTo = async (who: Entered) => {
  const email = await emailOf(who)
  const { rows } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
  return sent.filter(({ to, text }) => to === email && text.includes(`${urls.release(rows[0]!.id)}\n`))
}

const PLAN = { publish: 'later', publish_day: '2027-06-01', publish_time: '09.00' }
const AT = '2027-06-01T07:00:00.000Z'
const OTHER_TIME = { publish_day: '2027-07-01', publish_time: '10.00' }

const logged = async (release: number) => {
  const { rows } = await sql<{ act: string; user_id: number }>`
    select act, user_id from log where detail = ${String(release)} and act like 'release-%' order by id`.execute(
    test.db,
  )
  return rows.map((row) => [row.act, row.user_id])
}

describe('an upload that needs approval', () => {
  it('an upload that needs approval is hidden until a colleague approves it', async () => {
    const { release, redirect } = await save({ submission: 'venter-paa-kollega' })
    expect(redirect).toBe(urls.uploadResult('venter-paa-kollega'))
    expect((await maker.visitor.get(redirect)).body).toContain('Venter på godkendelse')
    expect(await rowOf(release)).toMatchObject({ state: 'waiting', publish_at: null })
    expect([await isSeen(maker), await isSeen(investor), await isSeen(auditor)]).toEqual([true, false, false])
    const { text } = await pageFor(release, colleague)
    expect(text).toContain('Mette Maker bad om godkendelse')
    expect(text).toContain('Når du godkender, bliver 1 papir udgivet med det samme. 2 personer kan se det')
    expect(await act(release, 'approve', colleague, { publish_at: '' })).toMatchObject({ status: 200 })
    const approved = { approved_by: colleague.id, published_by: colleague.id }
    expect(await rowOf(release)).toMatchObject({ state: 'published', ...approved })
    expect([await isSeen(investor), await isSeen(auditor)]).toEqual([true, true])
    expect((await pageFor(release, maker)).text).toContain('Godkendt og udgivet')
    expect(await logged(release)).toEqual([
      ['release-asked', maker.id],
      ['release-approved', colleague.id],
    ])
  })

  it('everybody else in the office who can sign in is mailed about an upload that needs approval', async () => {
    const invited = await enter(test, 'employee')
    await sql`update users set password_hash = null where id = ${invited.id}`.execute(test.db)
    const gone = await enter(test, 'employee')
    await sql`update users set deactivated_at = now() where id = ${gone.id}`.execute(test.db)
    const { release } = await save(PLAN)
    await mailsLeft()
    const [mail] = await mailsTo(colleague)
    expect(await mailsTo(administrator)).toHaveLength(1)
    for (const who of [maker, invited, gone, investor, auditor]) expect(await mailsTo(who)).toEqual([])
    expect(mail!.subject).toBe(`Mette Maker beder om din godkendelse: Budget 2026 · ${project.name}`)
    expect(mail!.text).toContain(`${project.name} · Budget\n– ${nameOf('2026')}`)
    expect(mail!.text).toContain('som 2 personer uden for kontoret kan se')
    expect(mail!.text).toContain('Den skal udgives den 01/06/2027 kl. 09.00.')
    expect(mail!.text).toContain(`https://ringbind.example/releases/${release}`)
  })

  it('mails about an approval only while the release waits, since the last request', async () => {
    const { release } = await save()
    const answered = await save({}, 'Årsrapport')
    await act(answered.release, 'approve', administrator)
    await mailsLeft()
    sent = []
    const askedAt = async (id: number) =>
      (await test.db.selectFrom('releases').select('asked_at').where('id', '=', id).executeTakeFirstOrThrow())
        .asked_at!
    const now = await askedAt(release)
    const asking = (releaseId: number, at: Date) => ({
      id: randomUUID(),
      data: { releaseId, userId: colleague.id, askedAt: at.toISOString() },
    })
    await test.db
      .transaction()
      .execute(async (trx) =>
        test.jobs.enqueueMany(trx, ASK_COLLEAGUE, [
          asking(release, now),
          asking(release, new Date(now.getTime() - 1)),
          asking(answered.release, await askedAt(answered.release)),
        ]),
      )
    await mailsLeft()
    expect(sent.map(({ text }) => /releases\/(\d+)/.exec(text)![1])).toEqual([String(release)])
  })

  it('an upload that nobody outside the office can see is not held back', async () => {
    await sql`delete from project_members where project_id = ${project.id}`.execute(test.db)
    const { release } = await save()
    expect(await rowOf(release)).toMatchObject({ state: 'published', approved_by: null })
    const draft = await save({ publish: 'draft' })
    expect(await act(draft.release, 'publish', maker)).toMatchObject({ status: 200 })
    expect(await rowOf(draft.release)).toMatchObject({ state: 'published', approved_by: null })
  })

  it('an upload waits also if its only visible files are in the trash, from where they can come back', async () => {
    const { release } = await save({ publish: 'draft' })
    await sql`
      update files set deleted_at = now() from releases
      where files.submission_id = releases.submission_id and releases.id = ${release}`.execute(test.db)
    expect(await act(release, 'publish', maker)).toMatchObject({ status: 200 })
    expect(await rowOf(release)).toMatchObject({ state: 'waiting' })
  })

  it('the form says before saving that an upload needs approval, to those whom it concerns', async () => {
    const ask = async (folder: string) =>
      (
        await maker.visitor.post(urls.findReach, { folders: [folders[folder]], users: [] }, { script: true })
      ).json<Reach>()
    expect(await ask('Budget')).toMatchObject({ people: 2, needs_approval: true })
    await sql`delete from project_members where project_id = ${project.id}`.execute(test.db)
    expect(await ask('Budget')).toMatchObject({ people: 0, needs_approval: false })
    await wantApproval(test.db, false)
    expect(await ask('Budget')).toMatchObject({ needs_approval: false })
  })

  it('sending a form again leads to the same page, and asks nobody twice', async () => {
    const name = nameOf('2026')
    const bytes = Readable.from([Buffer.from('%PDF-1.7 to gange')])
    const { hash_name: data } = await receiveTemporaryFile(test, maker.id, name, bytes, 1e6)
    const fields = { files: { a: { name, data } }, submission: 'sendt-to-gange' }
    const url = urls.uploadTo(project.id, folders.Budget!)
    const answers = [
      await maker.visitor.post(url, fields, { script: true }),
      await maker.visitor.post(url, fields, { script: true }),
    ]
    const expected = { redirect: urls.uploadResult('sendt-to-gange') }
    expect(answers.map((answer) => answer.json<unknown>())).toEqual([expected, expected])
    await mailsLeft()
    expect(await mailsTo(colleague)).toHaveLength(1)
  })

  it('a waiting upload is on the start page of colleagues, not of its maker or of others', async () => {
    const { release } = await save()
    expect(await waitingFor(maker)).not.toContain(release)
    expect(await waitingFor(investor)).toBeUndefined()
    expect(await waitingFor(colleague)).toContain(release)
    expect((await colleague.visitor.get(urls.start)).body).toContain('venter på din godkendelse')
    await act(release, 'hold', maker)
    expect(await waitingFor(colleague)).not.toContain(release)
  })

  it('an upload whose files are all in the trash does not wait on the start page', async () => {
    const { release } = await save()
    await sql`
      update files set deleted_at = now() from releases
      where files.submission_id = releases.submission_id and releases.id = ${release}`.execute(test.db)
    expect(await waitingFor(colleague)).not.toContain(release)
  })
})

describe('an approval', () => {
  it('approving a plan keeps its time, and it is published in the name of its planner', async () => {
    const { release } = await save(PLAN)
    expect((await rowOf(release)).state).toBe('waiting')
    await act(release, 'approve', colleague, { publish_at: AT })
    expect(await rowOf(release)).toMatchObject({ state: 'planned', approved_by: colleague.id })
    expect((await pageFor(release, maker)).text).toContain('af Karl Kollega.')
    expect(await isSeen(investor)).toBe(false)
    await sql`update releases set publish_at = now() where id = ${release}`.execute(test.db)
    await publishPlanned(test.db, test.jobs)
    expect(await rowOf(release)).toMatchObject({
      state: 'published',
      published_by: maker.id,
      approved_by: colleague.id,
    })
    expect(await isSeen(investor)).toBe(true)
  })

  it('approving after the planned time publishes at once, and the page says so before', async () => {
    const { release } = await save(PLAN)
    await sql`update releases set publish_at = now() - interval '1 hour' where id = ${release}`.execute(
      test.db,
    )
    await publishPlanned(test.db, test.jobs)
    expect((await rowOf(release)).state).toBe('waiting')
    const { text } = await pageFor(release, colleague)
    expect(text).toMatch(/De skulle være udgivet .*Når du godkender, bliver 1 papir udgivet med det samme\./)
    await act(release, 'approve', colleague)
    expect(await rowOf(release)).toMatchObject({ state: 'published', publish_at: null })
  })

  it('refuses an approval if the time was changed since the page was opened', async () => {
    const { release } = await save(PLAN)
    await act(release, 'plan', maker, OTHER_TIME)
    expect(await act(release, 'approve', colleague, { publish_at: AT })).toMatchObject({
      status: 409,
      message: 'Tidspunktet er ændret imens. Genindlæs siden.',
    })
    expect((await rowOf(release)).state).toBe('waiting')
  })

  it('nobody can approve their own release', async () => {
    const { release } = await save()
    for (const what of ['approve', 'reject'])
      expect(await act(release, what, maker, { rejection: 'Nej' })).toMatchObject({
        status: 403,
        message: 'Du har selv bedt om godkendelse. En kollega skal svare.',
      })
    expect(await act(release, 'publish', maker)).toMatchObject({
      status: 409,
      message: 'Udsendelsen venter allerede på godkendelse.',
    })
    const { body } = await maker.visitor.get(urls.release(release))
    expect(body).not.toContain(urls.releaseAct(release, 'approve'))
    expect(await rowOf(release)).toMatchObject({ state: 'waiting', approved_by: null })
  })

  it('refuses an approval by those outside the office', async () => {
    const { release } = await save()
    for (const who of [investor, auditor])
      for (const what of ['approve', 'reject'])
        expect(await act(release, what, who, { rejection: 'Nej' })).toMatchObject({ status: 403 })
    expect((await rowOf(release)).state).toBe('waiting')
  })

  it('two approvals at once count once', async () => {
    const { release } = await save()
    const both = await Promise.all([
      act(release, 'approve', colleague),
      act(release, 'approve', administrator),
    ])
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await act(release, 'approve', colleague)).toMatchObject({
      status: 409,
      message: expect.stringContaining('Udsendelsen er udgivet') as string,
    })
    const { rows } = await sql`
      select from log join files on files.id = log.file_id join releases using (submission_id)
      where log.act = 'file-published' and releases.id = ${release}`.execute(test.db)
    expect(rows).toHaveLength(1)
  })

  it('refuses an approval after a rejection, a withdrawal or a deletion', async () => {
    for (const [what, who, fields] of [
      ['reject', colleague, { rejection: 'Forkert år' }],
      ['hold', maker, {}],
      ['discard', maker, {}],
    ] as const) {
      const { release } = await save()
      expect(await act(release, what, who, fields)).toMatchObject({ status: 200 })
      for (const answer of ['approve', 'reject'])
        expect(await act(release, answer, administrator, { rejection: 'Nej' })).toMatchObject({ status: 409 })
      expect((await rowOf(release)).state).toBe('draft')
    }
    expect(await isSeen(investor)).toBe(false)
  })

  it('publishing or planning by a colleague is an approval', async () => {
    const draft = await save({ publish: 'draft' })
    await act(draft.release, 'publish', colleague)
    expect(await rowOf(draft.release)).toMatchObject({ state: 'published', approved_by: colleague.id })
    const { release } = await save({ publish: 'draft' }, 'Årsrapport')
    await act(release, 'plan', administrator, OTHER_TIME)
    const planned = { state: 'planned', approved_by: administrator.id, planned_by: administrator.id }
    expect(await rowOf(release)).toMatchObject(planned)
  })

  it('an approval ends when the maker changes the time, and not when a colleague does', async () => {
    const { release } = await save(PLAN)
    await act(release, 'approve', colleague)
    await act(release, 'plan', administrator, OTHER_TIME)
    expect(await rowOf(release)).toMatchObject({ state: 'planned', approved_by: administrator.id })
    expect(await act(release, 'plan', maker, { ...OTHER_TIME, publish_time: '11.00' })).toMatchObject({
      status: 200,
    })
    expect(await rowOf(release)).toMatchObject({ state: 'waiting', approved_by: null })
    await act(release, 'approve', colleague)
    await act(release, 'publish', maker)
    expect(await rowOf(release)).toMatchObject({ state: 'waiting', publish_at: null, approved_by: null })
    await act(release, 'approve', colleague)
    await act(release, 'regret', maker)
    expect(await rowOf(release)).toMatchObject({ state: 'draft', approved_by: null })
  })

  it('showing a recalled release again needs approval, whoever recalled it', async () => {
    const { release } = await save()
    await act(release, 'approve', colleague)
    for (const recaller of [colleague, maker]) {
      await act(release, 'recall', recaller)
      const { said } = (await act(release, 'undo-recall', maker)) as { said?: string }
      expect(said).toMatch('Venter på godkendelse')
      expect(await rowOf(release)).toMatchObject({ state: 'recalled' })
      const { rows } = await sql<{ id: string }>`select id from asked_acts where state = 'waiting'`.execute(
        test.db,
      )
      await administrator.visitor.post(urls.askedAct(rows[0]!.id, 'approve'), {}, { script: true })
      expect(await rowOf(release)).toMatchObject({ state: 'published' })
    }
  })

  it('a person who moved a colleague’s draft asks for approval, which the colleague gives', async () => {
    const { release } = await save({ publish: 'draft' })
    const { rows } = await sql<{ id: number }>`
      select files.id from files join releases using (submission_id) where releases.id = ${release}`.execute(
      test.db,
    )
    const move = { file_id: rows[0]!.id, folder_id: folders.Årsrapport, shares: 'true' }
    await colleague.visitor.post(urls.moveFile(project.id), move, { script: true })
    await act(release, 'publish', colleague)
    expect(await rowOf(release)).toMatchObject({ state: 'waiting' })
    expect(await waitingFor(maker)).toContain(release)
    expect(await act(release, 'approve', colleague)).toMatchObject({ status: 403 })
    expect(await act(release, 'approve', maker)).toMatchObject({ status: 200 })
    expect(await isSeen(investor, 'Årsrapport')).toBe(true)
  })

  it('a person who moves a waiting file cannot approve it, nor other files than the page showed', async () => {
    const { release } = await save()
    const { papers } = (await pageFor(release, colleague)).props.approval
    const { rows } = await sql<{ id: number }>`
      select files.id from files join releases using (submission_id) where releases.id = ${release}`.execute(
      test.db,
    )
    const move = { file_id: rows[0]!.id, folder_id: folders.Årsrapport, shares: 'true' }
    await colleague.visitor.post(urls.moveFile(project.id), move, { script: true })
    expect(await act(release, 'approve', administrator, { papers })).toMatchObject({
      status: 409,
      message: CHANGED,
    })
    expect(await act(release, 'approve', colleague)).toMatchObject({ status: 409 })
    expect(await isSeen(investor, 'Årsrapport')).toBe(false)
    expect(await act(release, 'approve', administrator)).toMatchObject({ status: 200 })
  })

  describe('approval after a recall, which shows an older version', () => {
    /** Makes a file with two versions, the second of which others have approved, in a folder that may be hidden at first. */
    async function makeTwo(isHiddenFirst: boolean) {
      const share = (isShared: boolean) =>
        sql`update folders set visible_to_investors = ${isShared} where id = ${folders.Budget}`.execute(
          test.db,
        )
      await sql`delete from project_members where project_id = ${project.id} and user_id = ${auditor.id}`.execute(
        test.db,
      )
      if (isHiddenFirst) await share(false)
      const first = await save()
      if (!isHiddenFirst) await act(first.release, 'approve', colleague)
      const { rows } = await sql<{ id: number }>`
        select files.id from files join releases using (submission_id) where releases.id = ${first.release}`.execute(
        test.db,
      )
      const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${Math.random()}`)])
      const { hash_name: data } = await receiveTemporaryFile(test, maker.id, nameOf('2026'), bytes, 1e6)
      const url = fileUrls.replace({ project: project.id }, rows[0]!.id)
      await maker.visitor.post(url, { files: { a: { name: nameOf('2026'), data } } }, { script: true })
      const { rows: made } = await sql<{ id: number }>`select max(id) as id from releases`.execute(test.db)
      if (!isHiddenFirst) await act(made[0]!.id, 'approve', colleague)
      await share(true)
      expect(await isSeen(investor)).toBe(true)
      return made[0]!.id
    }

    it.each(['recall', 'regret'])('a file that nobody has seen stays hidden after a %s', async (what) => {
      const release = await makeTwo(true)
      expect(await act(release, what, maker)).toMatchObject({ status: 200 })
      expect(await isSeen(investor)).toBe(false)
    })

    it.each(['recall', 'regret'])(
      'a file that the same people have seen is shown after a %s',
      async (what) => {
        const release = await makeTwo(false)
        expect(await act(release, what, maker)).toMatchObject({ status: 200 })
        expect(await isSeen(investor)).toBe(true)
      },
    )
  })

  it('a person who lets more people see a colleague’s draft asks for approval', async () => {
    const late = await enter(test, 'investor')
    await sql`update folders set visible_to_investors = false where id = ${folders.Budget}`.execute(test.db)
    const { number, name } = project
    const shared = { name: 'Budget', visible_to_investors: '1' }
    for (const [folder, url, fields] of [
      [
        'Årsrapport',
        urls.editProject(project.id),
        { number, name, status: 'active', add_members: [late.id] },
      ],
      ['Budget', urls.folder(urls.projectFolders(project.id), folders.Budget!), shared],
    ] as const) {
      const { release } = await save({ publish: 'draft' }, folder)
      const reply = await administrator.visitor.post(url, fields, { script: true })
      expect(reply.statusCode).toBe(200)
      expect(reply.json()).not.toHaveProperty('said')
      await act(release, 'publish', administrator)
      expect(await rowOf(release)).toMatchObject({ state: 'waiting', approved_by: null })
      expect(await act(release, 'approve', maker)).toMatchObject({ status: 200 })
    }
  })

  it('an approval covers only the files and readers that the page showed', async () => {
    const draft = await save({ publish: 'draft' })
    const asked = await save({}, 'Årsrapport')
    const { papers } = (await pageFor(draft.release, colleague)).props.approval
    for (const [release, what, fields] of [
      [draft.release, 'publish', {}],
      [draft.release, 'plan', OTHER_TIME],
      [asked.release, 'approve', {}],
    ] as const) {
      const url = urls.releaseAct(release, what)
      expect((await colleague.visitor.post(url, { ...fields }, { script: true })).statusCode).toBe(409)
    }
    const late = await enter(test, 'investor')
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${late.id})`.execute(
      test.db,
    )
    expect(await act(draft.release, 'publish', colleague, { papers })).toMatchObject({
      status: 409,
      message: CHANGED,
    })
    expect(await rowOf(draft.release)).toMatchObject({ state: 'draft' })
    await act(draft.release, 'publish', colleague)
    expect(await rowOf(draft.release)).toMatchObject({ state: 'published' })
  })

  it('a due plan that now shows more than it was made for needs approval', async () => {
    await sql`update folders set visible_to_investors = false where id = ${folders.Budget}`.execute(test.db)
    await sql`delete from project_members where user_id = ${auditor.id}`.execute(test.db)
    const { release } = await save(PLAN)
    expect(await rowOf(release)).toMatchObject({ state: 'planned' })
    await sql`update folders set visible_to_investors = true where id = ${folders.Budget}`.execute(test.db)
    await sql`update releases set publish_at = now() where id = ${release}`.execute(test.db)
    await publishPlanned(test.db, test.jobs)
    expect(await rowOf(release)).toMatchObject({ state: 'waiting', planned_by: maker.id })
    expect(await isSeen(investor)).toBe(false)
    expect(await act(release, 'approve', colleague)).toMatchObject({ status: 200 })
    expect(await isSeen(investor)).toBe(true)
  })
})

describe('a waiting release', () => {
  it('the maker of a waiting release can change its time or mail, or withdraw it', async () => {
    const { release } = await save(PLAN)
    await act(release, 'plan', maker, OTHER_TIME)
    expect((await rowOf(release)).publish_at?.toISOString()).toBe('2027-07-01T08:00:00.000Z')
    await act(release, 'publish', maker)
    expect(await rowOf(release)).toMatchObject({ state: 'waiting', publish_at: null })
    expect(await act(release, 'write', maker, { message: 'Hilsen' })).toMatchObject({ status: 200 })
    await mailsLeft()
    expect(await mailsTo(colleague)).toHaveLength(1)
    await act(release, 'hold', maker)
    expect(await rowOf(release)).toMatchObject({ state: 'draft', publish_at: null })
  })

  it('colleagues answer a waiting release before they do anything else with it', async () => {
    const { release } = await save()
    for (const what of ['publish', 'plan', 'hold', 'discard'])
      expect(await act(release, what, colleague, OTHER_TIME)).toMatchObject({
        status: 409,
        message: 'Udsendelsen venter på godkendelse. Godkend eller afvis den først.',
      })
    expect((await rowOf(release)).state).toBe('waiting')
  })

  it('a release stays waiting when approval is turned off, and its maker may publish it', async () => {
    const { release } = await save()
    await wantApproval(test.db, false)
    await publishPlanned(test.db, test.jobs)
    expect((await rowOf(release)).state).toBe('waiting')
    expect((await pageFor(release, maker)).text).toContain('Du kan nu selv udgive dem.')
    expect(await act(release, 'publish', maker)).toMatchObject({ status: 200 })
    expect(await rowOf(release)).toMatchObject({ state: 'published', approved_by: null })
  })

  it('a waiting release says that nobody can approve it, and what can be done', async () => {
    const { release } = await save({}, 'Budget', administrator)
    expect((await pageFor(release, administrator)).text).not.toContain('Kontoret har ingen anden')
    await sql`update users set deactivated_at = now() where id <> ${administrator.id} and role in ('administrator', 'employee')`.execute(
      test.db,
    )
    const { text, props } = await pageFor(release, administrator)
    expect(text).toContain('Kontoret har ingen anden, der kan godkende papirerne.')
    expect(props.approval.has_approver).toBe(false)
    expect((await administrator.visitor.get(urls.release(release))).body).toContain(`href="${urls.office}"`)
  })
})

describe('a rejection', () => {
  it('a rejected release is a draft again, its maker is told why, and can ask again', async () => {
    const { release } = await save(PLAN)
    const message = 'Det er budgettet for 2025.\nRet det, tak.'
    expect(await act(release, 'reject', colleague, { rejection: message })).toMatchObject({ status: 200 })
    expect(await rowOf(release)).toMatchObject({ state: 'draft', publish_at: null })
    await mailsLeft()
    const [mail] = await mailsTo(maker)
    expect(mail!.subject).toBe(`Karl Kollega har ikke godkendt: Budget 2026 · ${project.name}`)
    expect(mail!.text).toContain(message)
    expect(mail!.text).toContain(urls.release(release))
    const { text } = await pageFor(release, maker)
    expect(text).toMatch(/Afvist .* af Karl Kollega:/)
    expect(text).toContain(message)
    expect(text).toContain('Bed om godkendelse')
    await act(release, 'publish', maker)
    expect((await rowOf(release)).state).toBe('waiting')
    expect((await pageFor(release, administrator)).text).toContain(message)
    await act(release, 'approve', administrator)
    expect((await pageFor(release, maker)).text).not.toContain(message)
    expect((await logged(release)).map(([what]) => what)).toEqual([
      'release-asked',
      'release-rejected',
      'release-asked',
      'release-approved',
    ])
  })

  it.each([
    [{}, 'Beskeden skal udfyldes.'],
    [{ rejection: ' \n ' }, 'Beskeden skal udfyldes.'],
    [{ rejection: 'x'.repeat(1001) }, 'Beskeden må højst være på 1000 tegn.'],
    [{ rejection: 'x'.repeat(10_000) }, 'Beskeden må højst være på 1000 tegn.'],
  ])('a rejection needs a message: %#', async (fields: Record<string, string>, fault) => {
    const { release } = await save()
    expect(await act(release, 'reject', colleague, fields)).toMatchObject({
      status: 422,
      errors: { rejection: [fault] },
    })
    expect((await rowOf(release)).state).toBe('waiting')
  })

  it('a rejection works without JavaScript, and shows the form again with its fault', async () => {
    const { release } = await save()
    const refused = await colleague.visitor.post(urls.releaseAct(release, 'reject'), { rejection: '' })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('Beskeden skal udfyldes.')
    const done = await colleague.visitor.post(urls.releaseAct(release, 'reject'), { rejection: 'Nej' })
    expect([done.statusCode, done.headers.location]).toEqual([303, urls.release(release)])
  })

  it('a rejection is not mailed to somebody who has left the office', async () => {
    const gone = await enter(test, 'employee')
    const { release } = await save({}, 'Budget', gone)
    await mailsLeft()
    await sql`update users set deactivated_at = now() where id = ${gone.id}`.execute(test.db)
    expect(await act(release, 'reject', colleague, { rejection: 'Nej' })).toMatchObject({ status: 200 })
    await mailsLeft()
    expect(await mailsTo(gone)).toEqual([])
  })
})
