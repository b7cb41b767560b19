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
  wantApproval,
} from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { ReleasesPageProps } from '../releases-page.tsx'
import { purgeAskedActs } from './asked-acts.db.ts'

let test: TestApp
let boss: Entered
let colleague: Entered
let investor: Entered
let project: { id: number; number: string; name: string }
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ env: { REQUESTS_PER_MINUTE: '100000' }, hasJobs: false })
  boss = await enter(test, 'administrator', { name: 'Anne Admin' })
  colleague = await enter(test, 'employee', { name: 'Karl Kollega' })
  investor = await enter(test, 'investor', { name: 'Ida Investor' })
})

beforeEach(async () => {
  // Two can approve, not those whom a test before has added.
  await sql`
    update users set deactivated_at =
      case when role in ('administrator', 'employee') and id <> all (${[boss.id, colleague.id]}) then now() end`.execute(
    test.db,
  )
  await wantApproval(test.db, true)
  await sql`delete from asked_acts`.execute(test.db)
  project = await makeProject(test.db, { members: [investor.id] })
  folders = await foldersByName(test.db, project.id)
  await sql`update folders set visible_to_investors = false where id = ${folders.Budget}`.execute(test.db)
})

type Answer = { success?: boolean; undo?: string | null; asked?: string; redirect?: string; said?: string }

async function post(who: Entered, url: string, fields: Record<string, unknown> = {}) {
  const reply = await who.visitor.post(url, fields, { script: true })
  return { status: reply.statusCode, ...reply.json<Answer & { message?: string }>() }
}

const owner = () => ({ project: project.id })

async function seenBy(who: Entered, folder = 'Årsrapport'): Promise<string[]> {
  const reply = await who.visitor.get(fileUrls.list(owner(), folders[folder]!))
  return reply.statusCode === 404
    ? []
    : reply.json<{ data: { name: string }[] }>().data.map(({ name }) => name)
}

async function waiting(who: Entered) {
  const { body } = await who.visitor.get(urls.releases)
  return propsIn<ReleasesPageProps>(body).asked
}

async function approve(who = colleague) {
  const { acts } = await waiting(who)
  expect(acts).toHaveLength(1)
  return post(who, urls.askedAct(acts[0]!.id, 'approve'))
}

async function actsInLog(): Promise<unknown[]> {
  const { rows } = await sql<{ act: string; user_id: number }>`
    select act, user_id from log where act like 'act-%' or act like 'file-m%' order by id`.execute(test.db)
  return rows.map(({ act, user_id: by }) => [act, by])
}

const move = (file: { id: number }, folder: string) =>
  post(boss, urls.moveFile(project.id), { file_id: file.id, folder_id: folders[folder], shares: 'true' })

const folderFields = (name: string, isShared: boolean) => ({
  name,
  ...(isShared && { visible_to_investors: '1' }),
})

describe('where a colleague has to approve', () => {
  it('a move that shows a file waits, and is carried out in the name of who asked', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget.pdf' })
    const before = (await actsInLog()).length
    const answer = await move(file, 'Årsrapport')
    expect(answer).toMatchObject({
      status: 200,
      asked:
        'Venter på godkendelse, fordi 1 person uden for kontoret får mere at se. Karl Kollega kan godkende det.',
    })
    expect(await seenBy(boss, 'Budget')).toEqual(['Budget.pdf'])
    expect(await seenBy(investor)).toEqual([])
    expect((await waiting(colleague)).acts).toMatchObject([
      {
        says: `Flyt ”Budget.pdf” til Årsrapport i ${project.name}`,
        reached: 1,
        asked_by: 'Anne Admin',
        is_own: false,
      },
    ])
    expect((await approve(boss)).status).toBe(403)
    expect((await approve()).status).toBe(200)
    expect(await seenBy(investor)).toEqual(['Budget.pdf'])
    expect((await actsInLog()).slice(before)).toEqual([
      ['act-asked', boss.id],
      ['act-approved', colleague.id],
      ['file-moved', boss.id],
    ])
    expect((await waiting(colleague)).acts).toEqual([])
  })

  it('a request to move says the new name, which comes with its approval and goes with its undo', async () => {
    const from = await makeProject(test.db, {})
    const home = (await foldersByName(test.db, from.id)).Budget!
    const [was, is] = [`Budget (${from.number}) 2024.pdf`, `Budget (${project.number}) 2024.pdf`]
    const file = await makeFile(test, home, { name: was })
    const wish = { files: [file.id], folder_id: folders.Årsrapport, rename: true }
    expect((await post(boss, fileUrls.many({ project: from.id }, 'move'), wish)).asked).toMatch('Venter')
    const { acts } = await waiting(colleague)
    expect(acts[0]!.says).toBe(`Flyt ”${was}” til Årsrapport i ${project.name} som ”${is}”`)
    const nameNow = async () => {
      const { rows } = await sql<{ name: string }>`select name from files where id = ${file.id}`.execute(
        test.db,
      )
      return rows[0]!.name
    }
    expect(await nameNow()).toBe(was)
    expect((await approve()).status).toBe(200)
    expect([await seenBy(investor), await nameNow()]).toEqual([[is], is])
    const { rows } = await sql<{ id: string }>`
      select id from undos where user_id = ${boss.id} order by made_at desc limit 1`.execute(test.db)
    expect((await post(boss, urls.undo(rows[0]!.id))).status).toBe(200)
    expect([await seenBy(investor), await nameNow()]).toEqual([[], was])
  })

  it('a file’s row tells only the office that a request about it waits', async () => {
    const [file, other] = [
      await makeFile(test, folders.Forsikring!),
      await makeFile(test, folders.Forsikring!),
    ]
    const rows = async (who: Entered) => {
      const reply = await who.visitor.get(fileUrls.list(owner(), folders.Forsikring!))
      const { data } = reply.json<{ data: { id: number; is_asked: boolean }[] }>()
      return data.flatMap(({ id, is_asked: isAsked }) => (isAsked ? [id] : []))
    }
    const page = async (who: Entered) =>
      (await who.visitor.get(urls.files(project.id))).body.split('Venter på godkendelse</').length - 1
    const elsewhere = await makeProject(test.db, { members: [(await enter(test, 'investor')).id] })
    const { Budget: to } = await foldersByName(test.db, elsewhere.id)
    await post(boss, fileUrls.many(owner(), 'move'), { files: [file.id], folder_id: to })
    expect([await rows(colleague), await page(colleague)]).toEqual([[file.id], 1])
    expect([await rows(investor), await page(investor)]).toEqual([[], 0])
    await sql`update asked_acts set asked_at = now() - interval '31 days'`.execute(test.db)
    expect(await rows(colleague)).toEqual([])
    await sql`delete from asked_acts`.execute(test.db)
    await post(boss, fileUrls.many(owner(), 'move'), { files: [other.id], folder_id: to })
    expect(await rows(boss)).toEqual([other.id])
    await approve()
    expect(await page(colleague)).toBe(0)
  })

  it('a move that shows nobody more is carried out at once', async () => {
    const file = await makeFile(test, folders.Årsrapport!)
    expect(await move(file, 'Budget')).not.toHaveProperty('asked')
    expect(await seenBy(investor)).toEqual([])
  })

  it('the question before a move says that a colleague has to approve it exactly if the move waits', async () => {
    const elsewhere = await makeProject(test.db, { members: [investor.id] })
    const there = await foldersByName(test.db, elsewhere.id)
    await sql`update folders set visible_to_investors = false where id = ${there.Budget}`.execute(test.db)
    const own = await enter(test, 'investor')
    for (const [to, isAsked] of [
      [{ folder_id: there.Budget }, false],
      [{ folder_id: there.Årsrapport }, true],
      [{ user_id: own.id }, true],
    ] as const) {
      const file = await makeFile(test, folders.Budget!)
      const before = (await actsInLog()).length
      const wish = { files: [file.id], ...to }
      const { status, asked } = await post(boss, fileUrls.many(owner(), 'foresee-move'), wish)
      expect([status, asked]).toEqual([
        200,
        isAsked
          ? 'En kollega skal godkende det først, fordi 1 person uden for kontoret får mere at se. Karl Kollega kan godkende det.'
          : null,
      ])
      expect([(await actsInLog()).length, (await waiting(colleague)).acts]).toEqual([before, []])
      expect(await seenBy(boss, 'Budget')).toHaveLength(1)
      expect('asked' in (await post(boss, fileUrls.many(owner(), 'move'), wish))).toBe(isAsked)
      await sql`delete from asked_acts`.execute(test.db)
      await sql`delete from files where id = ${file.id}`.execute(test.db)
    }
  })

  it('asking twice makes one request, and undo withdraws it', async () => {
    const file = await makeFile(test, folders.Budget!)
    const { undo } = await move(file, 'Årsrapport')
    expect((await move(file, 'Årsrapport')).undo).toBe(undo)
    expect((await post(boss, urls.undo(undo!))).status).toBe(200)
    expect((await waiting(colleague)).acts).toEqual([])
    expect((await post(colleague, urls.askedAct(undo!, 'approve'))).status).toBe(409)
  })

  it('a rejected move changes nothing, and the one who asked is told why', async () => {
    const file = await makeFile(test, folders.Budget!)
    const { undo } = await move(file, 'Årsrapport')
    expect((await post(colleague, urls.askedAct(undo!, 'reject'), { rejection: 'Forkert fil' })).status).toBe(
      200,
    )
    expect(await seenBy(investor)).toEqual([])
    const { rows } = await sql<{ answer: string }>`select answer from asked_acts where id = ${undo}`.execute(
      test.db,
    )
    expect(rows).toEqual([{ answer: 'Forkert fil' }])
  })

  it('refuses to approve a request for a file that is gone since', async () => {
    const file = await makeFile(test, folders.Budget!)
    await move(file, 'Årsrapport')
    await post(boss, fileUrls.many(owner(), 'delete'), { files: [file.id] })
    expect((await approve()).status).toBe(404)
    expect((await waiting(colleague)).acts).toHaveLength(1)
  })

  it('sharing a folder that has files waits, and an empty one does not', async () => {
    const url = urls.folder(urls.projectFolders(project.id), folders.Budget!)
    const isShared = async () => {
      const { rows } = await sql<{ is: boolean }>`
        select visible_to_investors as is from folders where id = ${folders.Budget}`.execute(test.db)
      return rows[0]!.is
    }
    expect(await post(boss, url, folderFields('Budget', true))).not.toHaveProperty('said')
    expect(await isShared()).toBe(true)
    await post(boss, url, folderFields('Budget', false))
    await makeFile(test, folders.Budget!)
    expect((await post(boss, url, folderFields('Budget', true))).said).toMatch('Venter på godkendelse')
    expect(await isShared()).toBe(false)
    await approve()
    expect(await isShared()).toBe(true)
  })

  describe('a wish shows no more than what was asked for', () => {
    const share = () =>
      post(boss, urls.folder(urls.projectFolders(project.id), folders.Budget!), folderFields('Budget', true))
    const makeMember = async (id: number) =>
      sql`insert into project_members (project_id, user_id) values (${project.id}, ${id})`.execute(test.db)
    const REFUSED = /^Nogen ville få mere at se, end Anne Admin bad om/

    it.each([
      ['another file', () => makeFile(test, folders.Budget!, { name: 'Hemmelig.pdf' })],
      [
        'other bytes',
        async (file: { id: number }) => {
          const other = await makeFile(test, folders.Budget!)
          await sql`
            with other as (delete from files where id = ${other.id} returning blob_id)
            update files set blob_id = other.blob_id from other where id = ${file.id}`.execute(test.db)
        },
      ],
      ['another reader', async () => makeMember((await enter(test, 'investor')).id)],
    ])('a request is refused after %s, until it is asked for again', async (_name, enlarge) => {
      const file = await makeFile(test, folders.Budget!, { name: 'Budget.pdf' })
      await share()
      await enlarge(file)
      const answer = await approve()
      expect(answer).toMatchObject({ status: 409, message: expect.stringMatching(REFUSED) })
      expect(await seenBy(investor, 'Budget')).toEqual([])
      expect((await waiting(colleague)).acts).toHaveLength(1)
      await share()
      expect((await approve()).status).toBe(200)
      expect(await seenBy(investor, 'Budget')).toContain('Budget.pdf')
    })

    it('a request that now shows less than was asked for is carried out', async () => {
      const file = await makeFile(test, folders.Budget!)
      await makeFile(test, folders.Budget!, { name: 'B.pdf' })
      await share()
      await post(colleague, fileUrls.many(owner(), 'delete'), { files: [file.id] })
      expect((await approve()).status).toBe(200)
      expect(await seenBy(investor, 'Budget')).toEqual(['B.pdf'])
    })

    it('a request keeps the person it was made for', async () => {
      await makeFile(test, folders.Årsrapport!, { name: 'A.pdf' })
      const fields = { name: 'Sent Kommet', email: 'kommet@example.dk', role: 'investor', numbers: ['K1'] }
      expect((await post(boss, urls.newUser, { ...fields, add_projects: [project.id] })).said).toMatch(
        'Venter',
      )
      await makeUser(test.db, { name: 'En anden' })
      expect((await approve()).status).toBe(200)
    })

    it('a person who has taken part since cannot approve a request', async () => {
      const file = await makeFile(test, folders.Budget!, { name: 'Budget.pdf' })
      await share()
      const moving = (folder: string) =>
        post(colleague, urls.moveFile(project.id), { file_id: file.id, folder_id: folders[folder] })
      await sql`update folders set visible_to_investors = false where id = ${folders.Årsrapport}`.execute(
        test.db,
      )
      await moving('Årsrapport')
      await moving('Budget')
      expect((await approve()).message).toMatch(/^Du har selv ændret filerne/)
      const third = await enter(test, 'employee', { name: 'Tine Tredje' })
      expect((await approve(third)).status).toBe(200)
    })

    it('a request is refused if its maker is no longer allowed to do it', async () => {
      const former = await enter(test, 'administrator')
      await makeFile(test, folders.Budget!)
      const url = urls.folder(urls.projectFolders(project.id), folders.Budget!)
      await post(former, url, folderFields('Budget', true))
      await sql`update users set role = 'employee' where id = ${former.id}`.execute(test.db)
      expect((await approve()).message).toMatch('må ikke længere gøre det. Afvis')
      expect(await seenBy(investor, 'Budget')).toEqual([])
    })
  })

  it('restoring from the trash and undoing a deletion wait', async () => {
    const file = await makeFile(test, folders.Årsrapport!, { name: 'A.pdf' })
    const { undo } = await post(boss, fileUrls.many(owner(), 'delete'), { files: [file.id] })
    expect((await post(boss, urls.undo(undo!))).asked).toMatch('Venter')
    expect((await post(boss, fileUrls.many(owner(), 'restore'), { files: [file.id] })).asked).toMatch(
      'Venter',
    )
    expect(await seenBy(investor)).toEqual([])
  })

  it('a new member of a project with files waits, added at the project or at the person', async () => {
    await makeFile(test, folders.Årsrapport!, { name: 'A.pdf' })
    const late = await enter(test, 'investor', { name: 'Sen', email: 'sen@example.dk' })
    const { number, name } = project
    const saved = { number, name, status: 'active', add_members: [late.id] }
    expect((await post(boss, urls.editProject(project.id), saved)).said).toMatch('Venter')
    const person = { name: 'Sen', email: 'sen@example.dk', role: 'investor', numbers: ['L1'] }
    const asked = await post(boss, urls.editUser(late.id), { ...person, add_projects: [project.id] })
    expect(asked.said).toMatch('Venter')
    expect(await seenBy(late)).toEqual([])
    const { acts } = await waiting(colleague)
    await post(colleague, urls.askedAct(acts[0]!.id, 'approve'))
    expect(await seenBy(late)).toEqual(['A.pdf'])
  })

  it('a new person, one who comes back, and one who gets another role wait', async () => {
    await makeFile(test, folders.Budget!, { name: 'B.pdf' })
    await makeFile(test, folders.Årsrapport!, { name: 'A.pdf' })
    const fields = { name: 'Ny', email: 'ny@example.dk', role: 'investor', numbers: ['N9'] }
    expect((await post(boss, urls.newUser, { ...fields, add_projects: [project.id] })).said).toMatch('Venter')
    const other = await makeUser(test.db, { name: 'Ole', email: 'ole@example.dk' })
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${other.id})`.execute(
      test.db,
    )
    const role = { name: 'Ole', email: 'ole@example.dk', role: 'auditor', numbers: [] }
    expect((await post(boss, urls.editUser(other.id), role)).said).toMatch('Venter')
    expect(await post(boss, urls.deactivateUser(other.id))).not.toHaveProperty('said')
    expect((await post(boss, urls.reactivateUser(other.id))).said).toMatch('Venter')
  })

  it('another e-mail waits, of a reader or of a colleague, and another name does not', async () => {
    const ida = { name: 'Ida Investor', role: 'investor', numbers: ['I77'] }
    const emailOf = async (id: number) =>
      (await test.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
    const [hers, his] = [await emailOf(investor.id), await emailOf(colleague.id)]
    expect(await post(boss, urls.editUser(investor.id), { ...ida, email: hers })).not.toHaveProperty('said')
    const other = await post(boss, urls.editUser(investor.id), { ...ida, email: 'fremmed@example.dk' })
    expect(other.said).toMatch('Venter')
    const karl = { name: 'Karl Kollega', role: 'employee', numbers: [], email: 'min-anden@example.dk' }
    expect((await post(boss, urls.editUser(colleague.id), karl)).said).toMatch('Venter')
    expect([await emailOf(investor.id), await emailOf(colleague.id)]).toEqual([hers, his])
  })

  it('turning approval off waits, and so does losing the last colleague who can approve', async () => {
    expect((await post(boss, urls.officeApproval, { was: '1' })).said).toMatch('Venter')
    expect((await post(boss, urls.deactivateUser(colleague.id))).said).toMatch('Venter')
    const { rows } = await sql<{ is: boolean }>`select needs_approval as is from office`.execute(test.db)
    expect(rows[0]!.is).toBe(true)
    const { acts } = await waiting(colleague)
    await post(colleague, urls.askedAct(acts.at(-1)!.id, 'approve'))
    expect(
      (await sql<{ is: boolean }>`select needs_approval as is from office`.execute(test.db)).rows[0]!.is,
    ).toBe(false)
  })

  it('removing a colleague’s second factor waits, also while others can approve', async () => {
    await enter(test, 'employee', { name: 'Tine Tredje' })
    const answer = await post(boss, urls.resetFactors(colleague.id))
    expect(answer.said).toMatch('Venter')
  })

  it('without mail nobody gets a colleague’s link, which would let one act as two', async () => {
    const answer = await post(boss, urls.sendPasswordLink(colleague.id))
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.message).toMatch('En kollega skal godkende her')
    const invited = await makeUser(test.db, { role: 'employee', passwordHash: null })
    expect((await post(boss, urls.inviteUser(invited.id))).status).toBe(422)
    const { rows } = await sql`
      select from link_tokens where user_id = any (${[colleague.id, invited.id]})`.execute(test.db)
    expect(rows).toEqual([])
    expect((await post(boss, urls.sendPasswordLink(investor.id))).status).toBe(200)
  })

  it('longer access that the office lends waits, and shorter does not', async () => {
    const adviser = await makeUser(test.db, { role: 'adviser' })
    const terms = { name: adviser.name, email: adviser.email, what: 'everything', until: '01/06/2090' }
    await post(investor, urls.ownLendings, terms)
    const { rows } = await sql<{ id: number }>`
      select id from lendings where adviser_id = ${adviser.id}`.execute(test.db)
    const url = urls.lending(urls.lendings(investor.id), rows[0]!.id)
    expect((await post(boss, url, { ...terms, until: '01/06/2091' })).said).toMatch('Venter')
    expect((await post(boss, url, { ...terms, until: '' })).said).toMatch('Venter')
    expect(await post(boss, url, { ...terms, until: '01/06/2089' })).not.toHaveProperty('said')
    const { acts } = await waiting(colleague)
    expect(acts[0]!.says).toMatch(/: Alt, i længere tid end nu$/)
  })

  it('a new version that only waits to be read counts as seen, so a new member waits', async () => {
    const file = await makeFile(test, folders.Årsrapport!, { name: 'A.pdf' })
    const other = await makeFile(test, folders.Budget!)
    await sql`
      with sent as (
        insert into submissions (user_id, key, content) values (${boss.id}, gen_random_uuid(), '') returning id
      ), old as (delete from files where id = ${other.id} returning blob_id), held as (
        insert into held_papers (blob_id, cause) select blob_id, 'reading' from old
      )
      insert into file_versions (file_id, blob_id, submission_id, is_held_back)
      select ${file.id}, old.blob_id, sent.id, true from sent, old`.execute(test.db)
    const late = await enter(test, 'investor')
    await sql`update files set is_held_back = true where id = ${file.id}`.execute(test.db)
    const { number, name } = project
    const saved = { number, name, status: 'active', add_members: [late.id] }
    expect((await post(boss, urls.editProject(project.id), saved)).said).toMatch('Venter')
  })

  it('a request says who would see which files, and what is changed of a person', async () => {
    for (const name of ['A.pdf', 'B.pdf', 'C.pdf', 'D.pdf'])
      await makeFile(test, folders.Årsrapport!, { name })
    const fields = { name: 'Ny Ven', email: 'nyven@example.dk', role: 'investor', numbers: ['V1'] }
    await post(boss, urls.newUser, { ...fields, add_projects: [project.id] })
    const { acts, total } = await waiting(colleague)
    expect(total).toBe(1)
    expect(acts[0]).toMatchObject({
      says: `Opret Ny Ven (nyven@example.dk) som investor i ${project.name}`,
      shows: [{ people: ['nyven@example.dk'], people_total: 1, files_total: 4 }],
    })
    const { body } = await colleague.visitor.get(urls.releases)
    const text = body.slice(0, body.indexOf('<script type="application/json"')).replaceAll(/<[^>]*>/g, '')
    expect(text).toContain('nyven@example.dk får 4 filer at se')
    const ida = { name: 'Ida Investor', role: 'auditor', numbers: [], email: 'anden@example.dk' }
    await post(boss, urls.editUser(investor.id), ida)
    expect((await waiting(colleague)).acts[0]!.says).toMatch(
      /^Ret Ida Investor: rolle fra investor til revisor; e-mail fra .* til anden@example\.dk$/,
    )
  })

  it('a request lapses after 30 days, and the log says so', async () => {
    const file = await makeFile(test, folders.Budget!)
    const { undo } = await move(file, 'Årsrapport')
    await sql`update asked_acts set asked_at = now() - interval '31 days'`.execute(test.db)
    expect((await waiting(colleague)).acts).toEqual([])
    const answer = await post(colleague, urls.askedAct(undo!, 'approve'))
    expect(answer).toMatchObject({ status: 409, message: expect.stringMatching('bortfaldet') })
    await purgeAskedActs(test.db)
    expect((await actsInLog()).at(-1)).toEqual(['act-lapsed', null])
    expect((await move(file, 'Årsrapport')).asked).toMatch('Venter')
    expect((await waiting(colleague)).acts).toHaveLength(1)
  })

  it('access that the office lends waits; what an investor lends is theirs', async () => {
    await makeFile(test, folders.Årsrapport!, { name: 'A.pdf' })
    const adviser = await makeUser(test.db, { role: 'adviser' })
    const terms = { name: adviser.name, email: adviser.email, what: 'everything' }
    expect((await post(boss, urls.lendings(investor.id), terms)).said).toMatch('Venter')
    expect(await post(investor, urls.ownLendings, terms)).not.toHaveProperty('said')
  })

  it('access that shows only a report waits too', async () => {
    const holder = await makeUser(test.db, { role: 'investor' })
    await makeReport(test.db, holder.id, [{ name: 'K/S Øst' }])
    const adviser = await makeUser(test.db, { role: 'adviser' })
    const terms = { name: adviser.name, email: adviser.email }
    expect((await post(boss, urls.lendings(holder.id), { ...terms, what: 'everything' })).said).toMatch(
      'Venter',
    )
    const own = { ...terms, what: 'chosen', own_files: 'on' }
    expect(await post(boss, urls.lendings(holder.id), own)).not.toHaveProperty('said')
  })
})

it('nothing waits while approval is off', async () => {
  await wantApproval(test.db, false)
  const file = await makeFile(test, folders.Budget!, { name: 'Budget.pdf' })
  const wish = { files: [file.id], folder_id: folders.Årsrapport }
  expect((await post(boss, fileUrls.many(owner(), 'foresee-move'), wish)).asked).toBeNull()
  expect(await move(file, 'Årsrapport')).not.toHaveProperty('asked')
  expect(await seenBy(investor)).toEqual(['Budget.pdf'])
})
