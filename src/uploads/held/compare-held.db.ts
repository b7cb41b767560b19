import { sql } from 'kysely'
import { IS_OPEN } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import type { HeldCause } from '../../files/versions/held.db.ts'
import type { Act } from '../../log/words/act.ts'
import { clearPapers, lockPapers } from '../../releases/held/clear-papers.db.ts'
import type { Found } from '../../releases/held/held.ts'
import { HELD_PAPERS } from '../../releases/held/held-papers.db.ts'
import type { Database } from '../../server/database/database.ts'
import { judgePapers } from '../papers/judge-temporary.db.ts'
import { foundOf, type Contradiction } from '../papers/judgement.ts'
import { listDue, clearDue } from './due-papers.db.ts'
import { textState, type Reading, type TextState } from './text-state.db.ts'
import { unreadableText, type UnreadBytes } from '../papers/unreadable.ts'

/** Papers are compared with all that the office knows. */
const OFFICE: Reader = { id: 0, role: 'administrator' }

/** How many papers are compared at once: their first pages are in memory meanwhile. */
const AT_ONCE = 100

type Looked = UnreadBytes & {
  blob_id: number
  submission_id: number | null
  held_by: number | null
  accepted: string[]
  folder_id: number
  user_id: number | null
  state: TextState
  is_shared: boolean
  is_open: boolean
  text_id: number | null
  pages: number
}

export type Complain = (about: Record<string, unknown>, message: string) => void

type Options = { reading: Reading; complain: Complain }

/**
 * Compares held papers that have been read since with their places. What agrees is shown as its release says; what does not
 * stays held until somebody in the office has looked at it. Looks at papers that may have been read since, and at these, if
 * any. Returns how many it looked at: more may be there.
 */
export async function compareHeld(
  db: Database,
  { reading, complain }: Options,
  others: readonly number[] = [],
): Promise<number> {
  const due = await listDue(db)
  const ids = [...new Set([...due.map(({ blob_id: id }) => id), ...others])]
  if (ids.length === 0) return 0
  if (reading.documents) await wantHeld(db, ids)
  const looked = await look(db, reading, ids)
  const ready = looked.filter(({ state }) => state !== 'waiting')
  for (let at = 0; at < ready.length; at += AT_ONCE)
    await compareAll(db, ready.slice(at, at + AT_ONCE), complain)
  await clearDue(db, due)
  return due.length
}

/** A paper that cannot be compared does not block others. It stays held, and is retried later. */
async function compareAll(db: Database, papers: Looked[], complain: Complain): Promise<void> {
  try {
    const found = await findAll(db, papers)
    for (const [submission, some] of Map.groupBy(papers, (paper) => paper.submission_id))
      await settle(db, submission, some, found)
  } catch (err) {
    if (papers.length > 1) for (const paper of papers) await compareAll(db, [paper], complain)
    else complain({ err, paper: papers[0]?.blob_id }, 'a held paper could not be compared')
  }
}

/** Asks for texts that nothing else has asked for: those of versions that are not shown, and all after a restore. */
async function wantHeld(db: Database, ids: number[]): Promise<void> {
  await sql`
    select want_texts(array_agg(held.blob_id), array_agg(held.name::text))
    from ${HELD_PAPERS} join blobs on blobs.id = held.blob_id
    where held.blob_id = any (${ids}::bigint[]) and held.cause = 'reading'
      and text_kind(blobs.type, held.name) is not null
      and not exists (select from texts where texts.sha256 = blobs.sha256)
    having count(*) > 0`.execute(db)
}

async function look(db: Database, reading: Reading, ids: number[]): Promise<Looked[]> {
  const { rows } = await sql<Looked>`
    select held.blob_id, held.submission_id, held.held_by, held.accepted, held.folder_id, folders.user_id, held.name,
      blobs.type, text_kind(blobs.type, held.name) as kind, texts.reason,
      texts.is_scan_failed is true as is_scan_failed,
      ${textState(sql`held.name`, reading)} as state, folders.visible_to_investors as is_shared, ${IS_OPEN} as is_open,
      texts.id as text_id, (select count(*)::integer from page_texts where page_texts.text_id = texts.id) as pages
    from ${HELD_PAPERS} join folders on folders.id = held.folder_id join blobs on blobs.id = held.blob_id
    left join texts on texts.sha256 = blobs.sha256
    where held.blob_id = any (${ids}::bigint[]) and held.cause = 'reading'
    order by held.held_at, held.blob_id`.execute(db)
  return rows
}

/** Finds what papers say against their places, by their bytes. */
async function findAll(db: Database, papers: Looked[]): Promise<Map<number, Contradiction[]>> {
  const keyOf = ({ blob_id: id }: Looked) => String(id)
  const judged = await judgePapers(
    db,
    OFFICE,
    papers.map((paper) => ({
      hash_name: keyOf(paper),
      name: paper.name,
      ...(paper.user_id === null ? { folder_id: paper.folder_id } : { user_id: paper.user_id }),
    })),
    papers
      .filter(({ state }) => state === 'read')
      .map((paper) => ({
        hash_name: keyOf(paper),
        state: 'read',
        text_id: paper.text_id,
        pages: paper.pages,
        known: null,
        unreadable: null,
      })),
  )
  const byKey = new Map(judged.map((each) => [each.judgement.hash_name, each]))
  return new Map(
    papers.map((paper) => {
      const own = byKey.get(keyOf(paper))
      const found: Contradiction[] =
        paper.state === 'read'
          ? own?.isCompared
            ? own.judgement.contradictions
            : [{ kind: 'place' }]
          : paper.is_open
            ? [{ kind: 'unreadable', reason: unreadableText(paper) }]
            : []
      return [paper.blob_id, found.filter(({ kind }) => !paper.accepted.includes(kind))]
    }),
  )
}

/** Acts that have a paper compared again, whoever uploaded it: the person of the latest is told. */
const OPENING: Act[] = ['file-moved', 'file-restored', 'file-renamed', 'version-restored']

/** Clears or doubts the papers of one submission, unless somebody has changed their places meanwhile. */
async function settle(
  db: Database,
  submission: number | null,
  papers: Looked[],
  found: ReadonlyMap<number, Contradiction[]>,
): Promise<void> {
  const before = new Map(papers.map((paper) => [paper.blob_id, paper]))
  await db.transaction().execute(async (trx) => {
    const locked = await lockPapers(trx, submission, [...before.keys()])
    const same = locked.papers.filter((paper) => {
      const old = before.get(paper.blob_id)!
      return (
        paper.cause === 'reading' &&
        paper.folder_id === old.folder_id &&
        paper.name === old.name &&
        (old.is_shared || !paper.is_shared) &&
        (old.is_open || !paper.is_open)
      )
    })
    const isClear = ({ blob_id: id }: { blob_id: number }) => found.get(id)!.length === 0
    const actor = { userId: papers[0]!.held_by, address: null }
    await clearPapers(trx, actor, submission, { ...locked, papers: same.filter(isClear) })
    const doubts = same
      .filter((paper) => !isClear(paper))
      .map(({ blob_id: id, file_id: file }): { id: number; file: number; found: Found[] } => ({
        id,
        file,
        found: foundOf(found.get(id)!),
      }))
    if (doubts.length > 0) {
      const doubt: HeldCause = 'doubt'
      await sql`
        update held_papers set cause = ${doubt}, found = doubts.found, held_by = coalesce(held_by, (
          select log.user_id from log where log.file_id = doubts.file and log.act = any (${OPENING})
          order by log.id desc limit 1))
        from json_to_recordset(${JSON.stringify(doubts)}::json) as doubts (id bigint, file bigint, found jsonb)
        where held_papers.blob_id = doubts.id and held_papers.cause = 'reading'`.execute(trx)
    }
    const left = locked.papers.filter((paper) => paper.cause === 'reading' && !same.includes(paper))
    if (left.length > 0)
      await sql`
        update held_papers set held_at = held_at
        where blob_id = any (${left.map((paper) => paper.blob_id)}) and cause = 'reading'`.execute(trx)
  })
}
