import { sql } from 'kysely'
import { z } from 'zod'
import { endNotice, raiseNotice } from '../log/notices/notices.db.ts'
import type { NoticeKind } from '../log/notices/notice.ts'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import {
  findTroubles,
  isMailed,
  MAILED,
  unknownKinds,
  type MailedKind,
  type MailedTrouble,
} from './attention.ts'
import { COPY_FAULTS, type Facts } from './facts.ts'

/** A stored trouble, whether it lasts or has ended. */
type StoredTrouble = { trouble: MailedTrouble; since: Date; endedAt: Date | null }

type TroubleKey = { kind: MailedKind; place: string }

const OF_THE_DISK = new Set<MailedKind>(['disk-low', 'store-closed'])

/** Each instance has its own disk. Everything else is the same for all of them. */
const placeOf = (kind: MailedKind, instance: string) => (OF_THE_DISK.has(kind) ? instance : '')

/** The notices on the start page, and the troubles that they tell of. A full disk and failing mails have older ones. */
const NOTICES_OF: { notice: NoticeKind & ('copies-failing' | 'certificate-ending'); kinds: MailedKind[] }[] =
  [
    { notice: 'copies-failing', kinds: ['copy-failed', 'copy-old'] },
    { notice: 'certificate-ending', kinds: ['certificate-ending'] },
  ]

/**
 * Stores the troubles that these facts show, and ends those that they no longer show. Returns those to mail to
 * administrators: each once, and again if it comes back after a day.
 */
export const saveTroubles = transactional(
  async (trx: Trx, instance: string, facts: Facts): Promise<TroubleKey[]> => {
    const found = findTroubles(facts).filter(isMailed)
    const unknown = unknownKinds(facts)
    const toTell: TroubleKey[] = []
    for (const kind of MAILED) {
      const key = { kind, place: placeOf(kind, instance) }
      const trouble = found.find((each) => each.kind === kind)
      if (trouble) {
        if (await raise(trx, key, trouble)) toTell.push(key)
      } else if (!unknown.includes(kind)) await end(trx, key)
    }
    for (const { notice, kinds } of NOTICES_OF) {
      if (found.some(({ kind }) => kinds.includes(kind))) await raiseNotice(trx, notice, {})
      else if (!kinds.some((kind) => unknown.includes(kind))) await endNotice(trx, notice)
    }
    await endOfLostInstances(trx)
    return toTell
  },
)

/** Returns whether administrators are to be mailed. Two instances that see it at once mail once. */
async function raise(trx: Trx, { kind, place }: TroubleKey, trouble: MailedTrouble): Promise<boolean> {
  await sql`
    insert into troubles (kind, place, detail) values (${kind}, ${place}, ${JSON.stringify(trouble)}::jsonb)
    on conflict (kind, place) do update set detail = excluded.detail, seen_at = now(), ended_at = null,
      since = case when troubles.ended_at is null then troubles.since else now() end`.execute(trx)
  const { rows } = await sql`
    update troubles set told_at = now()
    where kind = ${kind} and place = ${place}
      and (told_at is null or (told_at < since and told_at < now() - interval '1 day'))
    returning kind`.execute(trx)
  return rows.length > 0
}

async function end(trx: Trx, { kind, place }: TroubleKey): Promise<void> {
  await sql`
    update troubles set ended_at = now()
    where kind = ${kind} and place = ${place} and ended_at is null`.execute(trx)
}

/** An instance that is no more does not end its own. */
async function endOfLostInstances(trx: Trx): Promise<void> {
  await sql`
    update troubles set ended_at = seen_at
    where place <> '' and ended_at is null and seen_at < now() - interval '1 day'`.execute(trx)
}

const Detail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('copy-failed'), at: z.string(), reason: z.enum(COPY_FAULTS).catch('other') }),
  z.object({ kind: z.literal('copy-old'), newest: z.string().nullable(), since: z.string() }),
  z.object({
    kind: z.literal('disk-low'),
    free: z.number(),
    total: z.number(),
    isBelowReserve: z.boolean(),
  }),
  z.object({ kind: z.literal('store-closed'), code: z.string() }),
  z.object({ kind: z.literal('mails-failing'), since: z.string(), count: z.number() }),
  z.object({ kind: z.literal('certificate-ending'), host: z.string(), endsAt: z.string() }),
])

/** Returns a trouble that was mailed, or null if it is not known (any more). */
export async function findTrouble(
  db: Database,
  { kind, place }: { kind: string; place: string },
): Promise<StoredTrouble | null> {
  const row = await db
    .selectFrom('troubles')
    .select(['detail', 'since', 'ended_at'])
    .where('kind', '=', kind)
    .where('place', '=', place)
    .executeTakeFirst()
  return row ? troubleOf(row) : null
}

/** How long the status page shows a trouble that has ended. */
const SHOWN_DAYS = 7

/** Lists the troubles that ended within the last days, the newest first. */
export async function listEndedTroubles(db: Database): Promise<StoredTrouble[]> {
  const rows = await db
    .selectFrom('troubles')
    .select(['detail', 'since', 'ended_at'])
    .where('ended_at', '>', sql<Date>`now() - make_interval(days => ${sql.lit(SHOWN_DAYS)})`)
    .orderBy('ended_at', 'desc')
    .limit(20)
    .execute()
  return rows.flatMap((row) => troubleOf(row) ?? [])
}

type Row = { detail: unknown; since: Date; ended_at: Date | null }

/** Null for one that was written by a newer version. */
function troubleOf({ detail, since, ended_at: endedAt }: Row): StoredTrouble | null {
  const { data } = Detail.safeParse(detail)
  return data ? { trouble: data, since, endedAt } : null
}
