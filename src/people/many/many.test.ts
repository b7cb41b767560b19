import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, wantApproval } from '../../../test/make.ts'
import { sendMailings } from '../../releases/mailings/mailings.db.ts'
import type { Role } from '../../rights.ts'
import { fileUrls, urls } from '../../urls.ts'
import { NO_MAIL } from '../user/invitation-link.tsx'
import type { PeopleList } from '../user/people-list.ts'
import { queuePeopleInvitations } from './invite-many.db.ts'

let test: TestApp
let boss: Entered
beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  boss = await enter(test, 'administrator', { name: 'Kirsten Overgaard' })
})

let made = 0
/** Makes people with a word that nobody else has. */
async function people(...roles: Role[]): Promise<{ word: string; ids: number[] }> {
  const word = `Ord${++made}x`
  const ids: number[] = []
  for (const role of roles)
    ids.push((await makeUser(test.db, { name: `${word} ${role}`, role, passwordHash: null })).id)
  return { word, ids }
}

async function post(who: Entered, url: string, fields: Record<string, unknown>) {
  const reply = await who.visitor.post(url, fields, { script: true })
  const body = reply.json<{ redirect?: string; said?: string; message?: string }>()
  return { status: reply.statusCode, said: body.said, message: body.message, redirect: body.redirect }
}
const invite = (fields: Record<string, unknown>, who = boss) => post(who, urls.inviteMany, fields)
const listed = async (query: string) =>
  (await boss.visitor.get(`${urls.listPeople}${query}`)).json<PeopleList>()
const namesIn = async (query: string) => (await listed(query)).data.map(({ name }) => name.split(' ')[1])

const leave = () => sendMailings(test.db, test.jobs, 0, { 'invited-people': queuePeopleInvitations })
/** How often each of these people was invited. */
async function invitations(ids: number[]): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from log where subject_user_id = wanted.id and act = 'user-invited') as count
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place) order by place`.execute(test.db)
  return rows.map(({ count }) => count)
}
async function lastEntries(many: number): Promise<string[]> {
  const { rows } = await sql<{ act: string; detail: string }>`
    select act, detail from log where act like 'mails-%' order by id desc limit ${many}`.execute(test.db)
  return rows.map(({ act, detail }) => `${act} ${detail.replace(/ \d+ /, ' # ')}`)
}
const deactivate = (ids: number[]) =>
  sql`update users set deactivated_at = now() where id = any (${ids})`.execute(test.db)
const letIn = (ids: number[]) =>
  sql`update users set password_hash = 'some' where id = any (${ids})`.execute(test.db)

describe('the filters of the list', () => {
  it('finds who never came, whose mail came back, who signs in with one step, and who is deactivated', async () => {
    const { word, ids } = await people('investor', 'auditor', 'employee', 'adviser', 'administrator')
    const [investor, auditor, employee, adviser, administrator] = ids as [
      number,
      number,
      number,
      number,
      number,
    ]
    await letIn([auditor, employee])
    await sql`update users set has_factor = true where id = ${employee}`.execute(test.db)
    await deactivate([adviser])
    await sql`
      insert into failed_mails (job_id, user_id, is_final)
      values (gen_random_uuid(), ${investor}, true), (gen_random_uuid(), ${auditor}, false),
        (gen_random_uuid(), ${adviser}, true)`.execute(test.db)
    expect(await namesIn(`?q=${word}&filter=never`)).toEqual(['administrator', 'investor'])
    expect(await namesIn(`?q=${word}&filter=bounced`)).toEqual(['investor'])
    expect(await namesIn(`?q=${word}&filter=one-step`)).toEqual(['auditor'])
    expect(await namesIn(`?q=${word}&filter=deactivated`)).toEqual(['adviser'])
    expect(await namesIn(`?q=${word}&filter=never&kind=investor`)).toEqual(['investor'])
    expect(await namesIn(`?q=${word}&kind=auditor`)).toEqual(['auditor'])
    const { counts, invitable, meta } = await listed(`?q=${word}`)
    expect(counts).toEqual({ never: 2, bounced: 1, 'one-step': 1, deactivated: 1 })
    expect([meta.total, invitable]).toEqual([5, 1])
    expect((await listed(`?q=${word}&kind=investor`)).counts.never).toBe(1)
    expect((await listed(`?filter=never`)).meta.total).toBe((await listed('')).counts.never)
    expect(administrator).toBeGreaterThan(0)
  })

  it.each([
    ['?filter=nobody', 'filter'],
    ['?kind=boss', 'kind'],
  ])('refuses the filter %s', async (query, field) => {
    const answer = await boss.visitor.get(urls.listPeople + query)
    expect([answer.statusCode, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, [field]])
    expect((await boss.visitor.get(urls.users + query)).statusCode).toBe(200)
  })
})

describe('inviting many', () => {
  it('tells an employee, who may not invite, who can, where an administrator has the button', async () => {
    const { word } = await people('investor')
    const employee = await enter(test, 'employee')
    const pageOf = async (who: Entered, filter: string) => {
      const { body } = await who.visitor.get(`${urls.users}?q=${word}${filter}`)
      return body.slice(0, body.indexOf('<script type="application/json"'))
    }
    const SAID = 'Kun administratorer kan invitere.'
    expect(await pageOf(employee, '&filter=never')).toContain(SAID)
    expect(await pageOf(employee, '')).not.toContain(SAID)
    expect(await pageOf(boss, '&filter=never')).not.toContain(SAID)
    expect(await pageOf(boss, '&filter=never')).toContain('Inviter 1 person')
  })

  it('invites those who never came, and says whom it skips', async () => {
    const { word, ids } = await people('investor', 'investor', 'investor', 'administrator')
    await letIn([ids[1]!])
    await deactivate([ids[2]!])
    const { status, said, redirect } = await invite({ ids: ids.join(), list: `?q=${word}` })
    expect([status, redirect]).toEqual([200, `/users?q=${word}`])
    expect(said).toBe(
      'Invitation til 1 person. Mailen sendes om 10 minutter. Indtil da kan du fortryde. 3 er sprunget over: 1 med login, 1 deaktiveret, 1 administrator.',
    )
    expect(await invitations(ids)).toEqual([0, 0, 0, 0])
    await leave()
    expect(await invitations(ids)).toEqual([1, 0, 0, 0])
  })

  it('invites all of a filter, apart from those taken out, beyond the rows of a page', async () => {
    const { word, ids } = await people(...Array.from({ length: 27 }, () => 'investor' as const))
    const { meta, data, invitable } = await listed(`?q=${word}&filter=never`)
    expect([meta.total, data.length, invitable]).toEqual([27, 25, 27])
    const answer = await invite({ list: `?q=${word}&filter=never`, count: '27', except: `${ids[3]}` })
    expect([answer.status, answer.redirect]).toEqual([200, `/users?q=${word}&filter=never`])
    expect((await listed(`?q=${word}&filter=never`)).invitable).toBe(1)
    await leave()
    expect(await invitations(ids)).toEqual(ids.map((_id, at) => (at === 3 ? 0 : 1)))
  })

  it('refuses all of a filter that has changed since it was shown', async () => {
    const { word, ids } = await people('investor', 'investor')
    await letIn([ids[0]!])
    const { status, message } = await invite({ list: `?q=${word}&filter=never`, count: '2' })
    expect([status, message]).toEqual([
      409,
      'Listen er ændret: Den viste 2, og nu er der 1. Intet er sket. Genindlæs siden.',
    ])
    await leave()
    expect(await invitations(ids)).toEqual([0, 0])
  })

  it('a double click sends once', async () => {
    const { ids } = await people('investor', 'investor')
    const answers = await Promise.all([1, 2].map(() => invite({ ids: ids.join() })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)!.message).toBe(
      'Der er ingen at invitere. 2 er sprunget over: 2 med en invitation på vej.',
    )
    await leave()
    expect(await invitations(ids)).toEqual([1, 1])
  })

  it('can be regretted, once, and is in the log', async () => {
    const { ids } = await people('investor', 'investor')
    await invite({ ids: ids.join() })
    expect(await lastEntries(1)).toEqual(['mails-asked invited-people # 2'])
    for (const page of [urls.users, urls.start])
      expect((await boss.visitor.get(page)).body.replaceAll('<!-- -->', '')).toContain(
        'Invitation til 2 personer',
      )
    const { rows } = await sql<{ id: number }>`select max(id) as id from mailings`.execute(test.db)
    const regret = () => post(boss, urls.regretInvitations(rows[0]!.id), {})
    expect((await regret()).status).toBe(200)
    expect((await regret()).status).toBe(409)
    expect(await lastEntries(1)).toEqual(['mails-regretted invited-people # 2'])
    await leave()
    expect(await invitations(ids)).toEqual([0, 0])
  })

  it('no other mails can be regretted as invitations', async () => {
    const { rows } = await sql<{ id: number }>`
      with done as (
        insert into sheet_imports (sheet_id, user_id, name, counts, last_log_id)
        values (1, ${boss.id}, 'Ark', '{}', 0) returning id
      )
      insert into mailings (kind, import_id, user_ids, asked_by)
      select 'invitations', id, array[1], ${boss.id} from done returning id`.execute(test.db)
    expect((await post(boss, urls.regretInvitations(rows[0]!.id), {})).status).toBe(409)
  })

  it('who has come in or been deactivated meanwhile gets no invitation', async () => {
    const { ids } = await people('investor', 'investor', 'investor', 'investor')
    await invite({ ids: ids.join() })
    await letIn([ids[0]!])
    await deactivate([ids[1]!])
    await sql`update users set role = 'administrator' where id = ${ids[2]!}`.execute(test.db)
    await leave()
    expect(await invitations(ids)).toEqual([0, 0, 0, 1])
  })

  it('who was invited before is invited again, and a mail that came back is forgotten', async () => {
    const { ids } = await people('investor')
    for (const times of [1, 2]) {
      await sql`insert into failed_mails (job_id, user_id, is_final) values (gen_random_uuid(), ${ids[0]!}, true)`.execute(
        test.db,
      )
      await invite({ ids: ids.join() })
      await leave()
      expect(await invitations(ids)).toEqual([times])
    }
    const { rows } = await sql`select from failed_mails where user_id = ${ids[0]!}`.execute(test.db)
    expect(rows).toEqual([])
  })

  it.each([
    ['an id that does not exist', { ids: '999999999' }, 404],
    ['one of several that does not exist', { ids: 'known,999999999' }, 404],
    ['nobody', { ids: '' }, 422],
    ['no number', { ids: '1,x' }, 422],
    ['too many', { ids: Array.from({ length: 1001 }, (_, id) => id + 1).join() }, 422],
    ['a list that cannot be read', { list: '?filter=nobody', count: '1' }, 422],
    ['a count that is none', { list: '', count: '-1' }, 422],
  ])('refuses %s, and asks for nothing', async (_what, fields, status) => {
    const { ids } = await people('investor')
    const sent = { ...fields, ...('ids' in fields && { ids: fields.ids.replace('known', String(ids[0])) }) }
    expect((await invite(sent)).status).toBe(status)
    await leave()
    expect(await invitations(ids)).toEqual([0])
  })

  it.each(['employee', 'auditor', 'investor', 'adviser'] as const)('is not for the role %s', async (role) => {
    const who = await enter(test, role)
    const { ids } = await people('investor')
    const project = await makeProject(test.db)
    for (const [url, fields] of [
      [urls.inviteMany, { ids: ids.join() }],
      [urls.addToProject, { ids: ids.join(), project: project.id }],
      [urls.regretInvitations(1), {}],
    ] as const)
      expect([url, (await post(who, url, fields)).status]).toEqual([url, 403])
    if (role === 'employee') {
      const page = (await who.visitor.get(`${urls.users}?filter=never`)).body
      expect(page).toContain('Aldrig logget ind')
      expect(page).not.toMatch(/Inviter alle|Vælg /)
    } else expect((await who.visitor.get(urls.listPeople)).statusCode).toBe(403)
  })

  it('needs a mail server, without which each link is shown once', async () => {
    const bare = await freshApp({ hasJobs: false })
    const chief = await enter(bare, 'administrator')
    const { id } = await makeUser(bare.db, { passwordHash: null })
    expect((await post(chief, urls.inviteMany, { ids: String(id) })).status).toBe(409)
    const page = (await chief.visitor.get(`${urls.users}?filter=never`)).body
    expect(page).not.toContain('Inviter alle')
    expect(page).toContain(`${NO_MAIL} Åbn hver person, og inviter derfra: Du får et link at give videre.`)
  })

  it('works without JavaScript', async () => {
    const { word } = await people('investor', 'investor')
    const page = (await boss.visitor.get(`/users?q=${word}&filter=never`)).body
    expect(page).toContain('Inviter alle 2')
    expect(page).toContain(`name="list" value="?q=${word}&amp;filter=never"`)
    const reply = await boss.visitor.post(urls.inviteMany, { list: `?q=${word}&filter=never`, count: '2' })
    expect([reply.statusCode, reply.headers.location]).toEqual([303, `/users?q=${word}&filter=never`])
  })
})

describe('adding many to a project', () => {
  const members = async (project: number) =>
    (
      await sql<{ id: number }>`
        select user_id as id from project_members where project_id = ${project} order by user_id`.execute(
        test.db,
      )
    ).rows.map(({ id }) => id)

  it('adds investors and auditors, says whom it skips, and writes each in the log', async () => {
    const { word, ids } = await people('investor', 'auditor', 'investor', 'investor', 'employee')
    await deactivate([ids[3]!])
    const project = await makeProject(test.db, { name: 'K/S Mange', members: [ids[2]!] })
    const { status, said } = await post(boss, urls.addToProject, {
      list: `?q=${word}`,
      count: '5',
      project: project.id,
    })
    expect([status, said]).toEqual([
      200,
      '2 personer er tilføjet til K/S Mange. 3 er sprunget over: 1 med i forvejen, 1 deaktiveret, 1 ikke investor eller revisor.',
    ])
    expect(await members(project.id)).toEqual([ids[0], ids[1], ids[2]])
    const { rows } = await sql`
      select from log where act = 'member-added' and project_id = ${project.id} and user_id = ${boss.id}`.execute(
      test.db,
    )
    expect(rows).toHaveLength(2)
    const again = await post(boss, urls.addToProject, { ids: String(ids[0]), project: project.id })
    expect([again.status, again.message]).toEqual([
      409,
      'Der er ingen at tilføje. 1 er sprunget over: 1 med i forvejen.',
    ])
  })

  it.each([
    ['no project', '', 422],
    ['a project that does not exist', 999999, 404],
  ])('refuses %s', async (_what, project, status) => {
    const { ids } = await people('investor')
    expect((await post(boss, urls.addToProject, { ids: ids.join(), project })).status).toBe(status)
  })

  it('waits for a colleague if it shows more', async () => {
    const { ids } = await people('investor', 'investor')
    const reader = await enter(test, 'investor')
    const colleague = await enter(test, 'employee')
    const project = await makeProject(test.db, { name: 'K/S Lukket' })
    const folders = await foldersByName(test.db, project.id)
    await makeFile(test, folders.Årsrapport!)
    await wantApproval(test.db, true)
    const isSeen = async () =>
      (await reader.visitor.get(fileUrls.list({ project: project.id }, folders.Årsrapport!))).statusCode ===
      200
    const { said, redirect } = await post(boss, urls.addToProject, {
      ids: [...ids, reader.id].join(),
      project: project.id,
    })
    expect(redirect).toBe(`${urls.releases}#asked`)
    expect(said).toMatch('Venter')
    expect([await members(project.id), await isSeen()]).toEqual([[], false])
    const { rows } = await sql<{ id: string }>`select id from asked_acts where kind = 'add-members'`.execute(
      test.db,
    )
    expect((await post(boss, urls.askedAct(rows[0]!.id, 'approve'), {})).status).toBeGreaterThanOrEqual(400)
    expect((await post(colleague, urls.askedAct(rows[0]!.id, 'approve'), {})).status).toBe(200)
    expect([await members(project.id), await isSeen()]).toEqual([[...ids, reader.id], true])
    await wantApproval(test.db, false)
  })
})
