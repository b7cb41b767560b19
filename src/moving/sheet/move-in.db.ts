import { sql } from 'kysely'
import { lockPeople } from '../../accounts/users/lock-people.db.ts'
import { emailKey } from '../../base/text.ts'
import { sheetDetail } from '../../log/words/act.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { isTaken, transactional, type Database, type Trx } from '../../server/database/database.ts'
import { invalid } from '../../server/http/errors.ts'
import { addMemberships, addPeople, changePeople } from './apply-people.db.ts'
import { addProjects, changeProjects } from './apply-projects.db.ts'
import type { SheetCounts } from './import.ts'
import { inParts } from '../../server/database/in-parts.ts'
import { planNow } from './plan/plan-now.db.ts'
import type { Plan } from './plan/plan.ts'
import { restOf } from './rest-sheet.ts'
import { countsOf, getContent } from './sheets.db.ts'
import { Stale, type Writing } from './write-rows.db.ts'

type ChangeKind = 'project-added' | 'project-changed' | 'user-added' | 'user-changed' | 'member-added'

type Confirmed = {
  id: number
  userId: number
  hash: string
  /** Read by the last release alone. */
  today: string
  /** From when new projects are followed whose rows do not say; null for always. */
  followedFrom: string | null
}

/**
 * Does what the preview showed, in one transaction, or throws `Stale` if that would now be something else. A sheet that
 * is confirmed twice is imported once. Uploaded again it is compared again: rows that are so already and empty cells change
 * nothing, and numbers and projects are only added (`plan/compare.ts`). Returns the import.
 */
export async function moveIn(db: Database | Trx, actor: Actor, confirmed: Confirmed): Promise<number> {
  try {
    return await moveInWithin(db, actor, confirmed)
  } catch (error) {
    // Somebody else has just written the same number or e-mail.
    throw TAKEN.some((index) => isTaken(error, index)) ? new Stale() : error
  }
}

const TAKEN = ['projects_number', 'users_email_key_key', 'user_numbers_pkey']

const moveInWithin = transactional(
  async (trx: Trx, actor: Actor, { id, userId, hash, followedFrom }: Confirmed): Promise<number> => {
    await lockPeople(trx, actor)
    const before = await findImportOf(trx, userId, id)
    if (before !== null) return before
    const { name, content, hash: shownHash } = await getContent(trx, userId, id)
    const { plan: shown, hash: hashNow } = await planNow(trx, content)
    if (hashNow !== shownHash || hashNow !== hash) throw new Stale()
    const plan = followedSince(shown, followedFrom)
    const counts = countsOf(plan)
    const hasGood = counts.new + counts.changed > 0
    if (content.faults.length > 0 || (counts.wrong > 0 && !hasGood))
      throw invalid({ sheet: ['Der er fejl i arket. Ret dem, og upload det igen.'] })
    const { id: sheet } = await trx
      .insertInto('sheet_imports')
      .values({
        sheet_id: id,
        user_id: userId,
        name,
        counts: JSON.stringify(counts satisfies SheetCounts),
        rest: counts.wrong > 0 ? JSON.stringify(restOf(content, plan)) : null,
        last_log_id: 0,
        undone_at: null,
        undone_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addLogEntry(trx, actor, 'sheet-imported', { detail: sheetDetail(sheet) })
    await write({ trx, actor, sheet }, plan)
    await sql`
      update sheet_imports set last_log_id = (select max(id) from log) where id = ${sheet}`.execute(trx)
    await trx.deleteFrom('sheets').where('id', '=', id).execute()
    return sheet
  },
)

const followedSince = (plan: Plan, from: string | null): Plan => ({
  ...plan,
  newProjects: plan.newProjects.map((project) => ({
    ...project,
    followed_from: project.followed_from ?? from,
  })),
})

async function findImportOf(trx: Trx, userId: number, sheet: number): Promise<number | null> {
  const found = await trx
    .selectFrom('sheet_imports')
    .select('id')
    .where('sheet_id', '=', sheet)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.id ?? null
}

type Change = {
  what: ChangeKind
  project_id?: number
  user_id?: number
  before?: object
  after?: object
}

const noted = <Each>(what: ChangeKind, all: readonly Each[], on: (each: Each) => Omit<Change, 'what'>) =>
  all.map((each) => ({ what, ...on(each) }))

/** Locks people, then projects, as everybody does. */
async function write(writing: Writing, plan: Plan): Promise<void> {
  const { trx, sheet } = writing
  await changePeople(writing, plan.changedPeople)
  await changeProjects(writing, plan.changedProjects)
  const projects = await addProjects(writing, plan.newProjects)
  const people = await addPeople(writing, plan.newPeople)
  const members = await addMemberships(writing, plan.memberships)
  const changes: Change[] = [
    ...noted('project-added', plan.newProjects, (after) => ({
      project_id: projects.get(after.number)!,
      after,
    })),
    ...noted('project-changed', plan.changedProjects, ({ id, ...sides }) => ({ project_id: id, ...sides })),
    ...noted('user-added', plan.newPeople, (after) => ({
      user_id: people.get(emailKey(after.email))!,
      after,
    })),
    ...noted('user-changed', plan.changedPeople, ({ id, before, after, addedNumbers }) => ({
      user_id: id,
      before,
      after: { ...after, addedNumbers },
    })),
    ...noted('member-added', members, ({ projectId, userId }) => ({
      project_id: projectId,
      user_id: userId,
    })),
  ]
  for (const part of inParts(changes))
    await sql`
      insert into sheet_changes (import_id, what, project_id, user_id, before, after)
      select ${sheet}, what, project_id, user_id, before, after
      from json_to_recordset(${JSON.stringify(part)}::json) as row (what text, project_id bigint, user_id bigint,
        before jsonb, after jsonb)`.execute(trx)
}
