import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import type { HeldCause } from '../../files/versions/held.db.ts'
import { clearPapers, lockPapers } from '../../releases/held/clear-papers.db.ts'
import type { Found } from '../../releases/held/held.ts'
import { HELD_PAPERS } from '../../releases/held/held-papers.db.ts'
import type { Database } from '../../server/database/database.ts'
import { judgeTemporaryFiles } from '../papers/judge-temporary.db.ts'
import { foundOf, type Contradiction } from '../papers/judgement.ts'
import { IS_OPEN } from './hold-saved.db.ts'
import { textState, type TextState } from './text-state.db.ts'
import { unreadableText, type UnreadBytes } from './unreadable.ts'

/** Papers are compared with all that the office knows. */
const OFFICE: Reader = { id: 0, role: 'administrator' }

/** How many papers are compared at once: their first pages are in memory meanwhile. */
const AT_ONCE = 100

type Read = UnreadBytes & {
  blob_id: number
  submission_id: number | null
  held_by: number | null
  accepted: string[]
  folder_id: number
  user_id: number | null
  state: Exclude<TextState, 'waiting'>
  is_open: boolean
  text_id: number | null
  pages: number
}

/**
 * Compares held papers that have been read since with their places. What agrees is shown as its release says; what does not
 * stays held until somebody in the office has looked at it. Returns how many were compared: more may be there.
 */
export async function compareHeld(db: Database, { canScan }: { canScan: boolean }): Promise<number> {
  await wantHeld(db)
  const read = await listRead(db, canScan)
  if (read.length === 0) return 0
  const found = await findAll(db, read)
  for (const [submission, papers] of Map.groupBy(read, (paper) => paper.submission_id))
    await settle(db, submission, papers, found)
  return read.length
}

/** Asks for texts that nothing else has asked for: those of versions that are not shown, and all after a restore. */
async function wantHeld(db: Database): Promise<void> {
  await sql`
    select want_texts(array_agg(held.blob_id), array_agg(held.name::text))
    from ${HELD_PAPERS} join blobs on blobs.id = held.blob_id
    where held.cause = 'reading' and text_kind(blobs.type, held.name) is not null
      and not exists (select from texts where texts.sha256 = blobs.sha256)
    having count(*) > 0`.execute(db)
}

async function listRead(db: Database, canScan: boolean): Promise<Read[]> {
  const { rows } = await sql<Read>`
    select held.blob_id, held.submission_id, held.held_by, held.accepted, held.folder_id, folders.user_id, held.name,
      blobs.type, text_kind(blobs.type, held.name) as kind, texts.reason, known.state, ${IS_OPEN} as is_open,
      texts.id as text_id, (select count(*)::integer from page_texts where page_texts.text_id = texts.id) as pages
    from ${HELD_PAPERS} join folders on folders.id = held.folder_id join blobs on blobs.id = held.blob_id
    left join texts on texts.sha256 = blobs.sha256
    cross join lateral (select ${textState(sql`held.name`, canScan)} as state) as known
    where held.cause = 'reading' and known.state <> 'waiting'
    order by held.held_at, held.blob_id limit ${AT_ONCE}`.execute(db)
  return rows
}

/** Finds what papers say against their places, by their bytes. */
async function findAll(db: Database, papers: Read[]): Promise<Map<number, Contradiction[]>> {
  const keyOf = ({ blob_id: id }: Read) => String(id)
  const judgements = await judgeTemporaryFiles(
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
  const byKey = new Map(judgements.map((each) => [each.hash_name, each.contradictions]))
  return new Map(
    papers.map((paper) => {
      const found: Contradiction[] =
        paper.state === 'read'
          ? (byKey.get(keyOf(paper)) ?? [])
          : paper.is_open
            ? [{ kind: 'unreadable', reason: unreadableText(paper) }]
            : []
      return [paper.blob_id, found.filter(({ kind }) => !paper.accepted.includes(kind))]
    }),
  )
}

/** Clears or doubts the papers of one submission, unless somebody has changed their places meanwhile. */
async function settle(
  db: Database,
  submission: number | null,
  papers: Read[],
  found: ReadonlyMap<number, Contradiction[]>,
): Promise<void> {
  const before = new Map(papers.map((paper) => [paper.blob_id, paper]))
  await db.transaction().execute(async (trx) => {
    const locked = await lockPapers(trx, submission, [...before.keys()])
    const same = locked.papers.filter((paper) => {
      const old = before.get(paper.blob_id)!
      return paper.cause === 'reading' && paper.folder_id === old.folder_id && paper.name === old.name
    })
    const isClear = ({ blob_id: id }: { blob_id: number }) => found.get(id)!.length === 0
    const actor = { userId: papers[0]!.held_by, address: null }
    await clearPapers(trx, actor, submission, { ...locked, papers: same.filter(isClear) })
    const doubts = same
      .filter((paper) => !isClear(paper))
      .map(({ blob_id: id }): { id: number; found: Found[] } => ({ id, found: foundOf(found.get(id)!) }))
    if (doubts.length === 0) return
    const doubt: HeldCause = 'doubt'
    await sql`
      update held_papers set cause = ${doubt}, found = doubts.found
      from json_to_recordset(${JSON.stringify(doubts)}::json) as doubts (id bigint, found jsonb)
      where held_papers.blob_id = doubts.id and held_papers.cause = 'reading'`.execute(trx)
  })
}
