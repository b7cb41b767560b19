import { sql } from 'kysely'
import type { Visit } from '../access/reader.ts'
import type { Act } from '../log/words/act.ts'
import { addLogEntry } from '../log/log.db.ts'
import { transactional, type Trx } from '../server/database/database.ts'
import { conflict, notFound } from '../server/http/errors.ts'
import { openPile } from '../intake/sort.db.ts'
import { getItem } from './inbox-list.db.ts'
import { conflictText, stateAfter, type InboxAct, type InboxItem, type InboxState } from './inbox.ts'

const LOGGED: Record<InboxAct, Act> = {
  take: 'inbox-taken',
  'take-over': 'inbox-taken-over',
  'put-back': 'inbox-put-back',
  finish: 'inbox-finished',
  reopen: 'inbox-reopened',
}

const NO_ITEM = 'Det findes ikke i indbakken.'

type Change = {
  act: InboxAct
  /** The person whom the page named as its taker. Taking it over from somebody else is a conflict. */
  from?: number | undefined
}

/** Does an act on what was sent, and returns it as it is then. Refuses it if somebody else was first. */
export const changeItem = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    { act, from }: Change,
    timeZone: string,
  ): Promise<InboxItem> => {
    const standing = await lockItem(trx, id)
    const next = stateAfter(act, standing, reader.id)
    const isOthers = act === 'take-over' && next === 'taken' && standing.by !== null && standing.by !== from
    if (next === 'conflict' || isOthers) {
      const item = await getItem(trx, reader, id)
      throw Object.assign(conflict(conflictText(item, reader.id, new Date(), timeZone)), { more: { item } })
    }
    if (next !== null) {
      await trx
        .updateTable('inbox')
        .set({
          state: next,
          changed_by: next === 'new' ? null : reader.id,
          changed_at: next === 'new' ? null : sql<Date>`now()`,
        })
        .where('submission_id', '=', id)
        .execute()
      const about = standing.sender === null ? {} : { userId: standing.sender }
      await addLogEntry(trx, actor, LOGGED[act], { ...about, detail: String(id) })
    }
    return getItem(trx, reader, id)
  },
)

type Locked = { state: InboxState; by: number | null; sender: number | null }

async function lockItem(trx: Trx, id: number): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select inbox.state, inbox.changed_by as by, submissions.user_id as sender
    from inbox join submissions on submissions.id = inbox.submission_id
    where inbox.submission_id = ${id} for update of inbox`.execute(trx)
  const [standing] = rows
  if (!standing) throw notFound(NO_ITEM)
  return standing
}

/** Takes what was handed in, unless somebody else has, and returns the address of the form with its files as a pile. */
export const sortItem = transactional(
  async (trx: Trx, visit: Visit, id: number, timeZone: string): Promise<string> => {
    const { intake } = await changeItem(trx, visit, id, { act: 'take' }, timeZone)
    if (!intake) throw notFound(NO_ITEM)
    return openPile(trx, visit.reader, id)
  },
)
