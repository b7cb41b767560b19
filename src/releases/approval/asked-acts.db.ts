import { sql } from 'kysely'
import type { StoredAct } from '../../access/gate.ts'
import type { Reader, Visit } from '../../access/reader.ts'
import { IS_WAITING, LAPSE_DAYS } from '../../access/waiting-acts.db.ts'
import { isWithin, NOTHING_STORED, type StoredSight } from '../../access/sight.ts'
import { tryAgain } from '../../files/change/lock.db.ts'
import { addLogEntries, addLogEntry } from '../../log/log.db.ts'
import { CAN_APPROVE, findOffice } from '../../office/office.db.ts'
import { isOffice, may, type Role } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, forbidden, notFound } from '../../server/http/errors.ts'
import { sendMail } from '../../server/mail.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { rejectedActMail } from './approval-mail.ts'
import { withTexts, type Moments } from '../release/release.ts'
import type { WaitingAct } from './asked.ts'
import { waitForGate } from './enter-gate.db.ts'
import { describeSights } from './describe-sight.db.ts'
import { tookPartInShown } from './took-part.db.ts'
import { tryAct } from './try-act.db.ts'

/** Lists the newest acts that wait, with who would see what, and counts them: a colleague's to answer, and the reader's own. */
export async function listAskedActs(
  db: Database,
  reader: Reader,
  { isOwnToo = true } = {},
): Promise<{ acts: WaitingAct[]; total: number; approvers: string[] }> {
  type Row = Omit<WaitingAct, 'shows'>
  const { rows } = await sql<Moments<Row> & { sight: StoredSight | null; total: number }>`
    select asked_acts.id, says, reached, asked_at, asked_at + make_interval(days => ${LAPSE_DAYS}) as lapses_at, sight,
      users.name as asked_by, asked_by = ${reader.id} as is_own, count(*) over ()::integer as total
    from asked_acts join users on users.id = asked_acts.asked_by
    where ${IS_WAITING} and (${isOwnToo} or asked_by <> ${reader.id})
    order by asked_at desc, asked_acts.id limit ${MOST}`.execute(db)
  const sights = rows.map(({ sight }) => sight ?? NOTHING_STORED)
  const shows = await describeSights(db, sights)
  const acts = rows.map(({ sight: _sight, total: _total, ...row }, index) => ({
    ...withTexts<Row>(row),
    shows: shows[index]!,
  }))
  const total = rows[0]?.total ?? 0
  if (!acts.some((act) => act.is_own)) return { acts, total, approvers: [] }
  const { rows: people } = await sql<{ name: string }>`
    select name from users where ${CAN_APPROVE} and id <> ${reader.id} order by name collate danish, id`.execute(
    db,
  )
  return { acts, total, approvers: people.map(({ name }) => name) }
}

const MOST = 50

type Locked = {
  kind: string
  params: unknown
  says: string
  sight: StoredSight | null
  asked_by: number
  asked_at: Date
  role: Role
  name: string
  email: string
  is_in: boolean
}

const ANSWERED = 'Der er allerede svaret. Genindlæs siden.'

/** Locks an act that waits. Nobody answers their own. */
async function lockAct(trx: Trx, reader: Reader, id: string): Promise<Locked> {
  const { rows } = await sql<Locked & { state: string }>`
    select kind, params, says, sight, asked_by, asked_at,
      case when state = 'waiting' and not ${IS_WAITING} then 'lapsed' else state end as state, users.role, users.name, users.email, ${CAN_APPROVE} as is_in
    from asked_acts join users on users.id = asked_acts.asked_by
    where asked_acts.id = ${id}::uuid for update of asked_acts`.execute(trx)
  const [act] = rows
  if (!act) throw notFound('Det findes ikke længere.')
  if (act.state === 'lapsed')
    throw conflict(
      `Ingen svarede inden for ${LAPSE_DAYS} dage, så det er bortfaldet. ${act.name} kan bede om det igen.`,
    )
  if (act.state !== 'waiting') throw conflict(ANSWERED)
  if (act.asked_by === reader.id) throw forbidden('Du har selv bedt om det. En kollega skal svare.')
  return act
}

/** Carries out what a colleague has asked for, in their name, as it would be done now. */
export async function approveAct(
  parts: Parts,
  acts: readonly StoredAct[],
  { actor, reader }: Visit,
  id: string,
): Promise<void> {
  await tryAgain(() =>
    parts.db.transaction().execute(async (trx) => {
      await waitForGate(trx)
      const asked = await lockAct(trx, reader, id)
      if (!asked.is_in || !isOffice(asked.role))
        throw conflict(`${asked.name} er ikke længere på kontoret. Afvis det i stedet.`)
      const act = acts.find(({ kind }) => kind === asked.kind)
      if (!act) throw conflict('Det kan ikke godkendes længere. Afvis det i stedet.')
      if (!may(asked.role, act.right))
        throw conflict(`${asked.name} må ikke længere gøre det. Afvis det i stedet.`)
      await addLogEntry(trx, actor, 'act-approved', { userId: asked.asked_by, detail: asked.kind })
      const asker = { id: asked.asked_by, role: asked.role }
      const visit = { actor: { userId: asker.id, address: null }, reader: asker }
      const shown = asked.sight ?? NOTHING_STORED
      if (await tookPartInShown(trx, shown, reader.id, asked.asked_at))
        throw conflict(
          `Du har selv ændret filerne, eller hvem der kan se dem, siden ${asked.name} bad om det. En anden skal svare, eller der skal bedes igen.`,
        )
      const { shows } = await act.use(asked.params, (bound) => tryAct(trx, parts, visit, bound))
      if (!isWithin(shows, shown))
        throw conflict(
          `Nogen ville få mere at se, end ${asked.name} bad om. Intet er ændret. Afvis det, eller få ${asked.name} til at bede igen.`,
        )
      await answer(trx, id, 'approved', reader, '')
    }),
  )
}

/** Refuses what a colleague has asked for, and tells them why. */
export const rejectAct = transactional(
  async (trx: Trx, { jobs, config }: Parts, { actor, reader }: Visit, id: string, message: string) => {
    const asked = await lockAct(trx, reader, id)
    await answer(trx, id, 'rejected', reader, message)
    await addLogEntry(trx, actor, 'act-rejected', { userId: asked.asked_by, detail: asked.kind })
    if (!asked.is_in) return
    const { rows } = await sql<{ name: string }>`select name from users where id = ${reader.id}`.execute(trx)
    const content = { rejecter: rows[0]!.name, says: asked.says, message }
    await sendMail(
      trx,
      jobs,
      rejectedActMail(await findOffice(trx), asked, content, config.appUrl + urls.releases),
    )
  },
)

async function answer(
  trx: Trx,
  id: string,
  state: 'approved' | 'rejected',
  reader: Reader,
  text: string,
): Promise<void> {
  await sql`
    update asked_acts set state = ${state}, answered_by = ${reader.id}, answered_at = now(), answer = ${text}, params = '{}', sight = null
    where id = ${id}::uuid`.execute(trx)
}

const KEPT_DAYS = 30

/** Lets wishes lapse that nobody has answered, and forgets those that were answered long ago; the log has them. */
export const purgeAskedActs = transactional(async (trx: Trx): Promise<void> => {
  const { rows } = await sql<{ asked_by: number; kind: string }>`
    update asked_acts set state = 'lapsed', answered_at = now(), params = '{}', sight = null
    where state = 'waiting' and not ${IS_WAITING} returning asked_by, kind`.execute(trx)
  await addLogEntries(
    trx,
    { userId: null, address: null },
    'act-lapsed',
    rows.map(({ asked_by: userId, kind }) => ({ userId, detail: kind })),
  )
  await sql`
    delete from asked_acts where answered_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(trx)
})
