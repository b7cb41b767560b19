import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isFileSeen, isProjectSeen } from '../../access/seen.db.ts'
import type { PaperNote } from '../../files/file/paper-note.ts'
import { SOURCE_NAMES, type IntakeSource } from '../../intake/intake.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { ROLE_NAMES, type Role } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { fileUrls, urls } from '../../urls.ts'
import { finishDuty } from '../obligations/duties.db.ts'
import { IS_OPEN } from '../obligations/duty-state.db.ts'
import { FITS, IS_WAITING } from './fits.db.ts'
import { receiptNote, receiptText, whyText, type Receipt, type ReceiptWhy } from './receipt.ts'

/** Part of a query, after `receipts`: how many duties it fits, and the open one. */
const fit = (reader: Reader) => sql`
  cross join lateral (
    select count(*)::integer as many, count(*) filter (where ${IS_OPEN})::integer as open,
      count(*) filter (where duties.done_at is not null)::integer as done,
      min(duties.id) filter (where ${IS_OPEN}) as duty_id
    from projects join duties on duties.project_id = projects.id join obligations on obligations.id = duties.obligation_id
    where ${FITS} and ${isProjectSeen(reader)}
  ) as fit`

/** Why a receipt is not proposed; null if it is, or if it has ended a duty. */
const why = (reader: Reader) => sql<ReceiptWhy | null>`case
    when receipts.duty_id is not null then null
    when receipts.is_refused then 'refused'
    when receipts.layout is null then 'unknown'
    when receipts.fault is not null then receipts.fault
    when receipts.received_on > current_date + 1 then 'future'
    when not exists (select from projects where projects.cvr = receipts.cvr and ${isProjectSeen(reader)}) then 'no-project'
    when fit.open > 1 then 'several'
    when fit.open = 1 then null
    when fit.done > 0 then 'done'
    when receipts.starts_on is null then 'no-period'
    else 'no-duty'
  end`

/** Part of a query: the paper, as a file that the reader sees or, before it is filed, in the inbox. */
const paper = (reader: Reader) => sql`
  left join lateral (
    select 0 as place, files.id as file, files.name, intakes.source, intakes.sender, users.name as uploader, users.role as uploader_role,
      json_build_object('path', files.key || '/' || files.name, 'project', folders.project_id, 'person', folders.user_id) as href, files.id
    from blobs join files on files.blob_id = blobs.id and files.deleted_at is null
    join folders on folders.id = files.folder_id
    left join users on users.id = files.uploaded_by
    left join intake_files on intake_files.file_id = files.id
    left join intakes on intakes.submission_id = intake_files.submission_id
    where blobs.sha256 = receipts.sha256 and ${isFileSeen(reader)}
    union all
    select 1, null, intake_files.name, intakes.source, intakes.sender, null, null,
      json_build_object('item', inbox.submission_id, 'id', intake_files.id), intake_files.id
    from blobs join intake_files on intake_files.blob_id = blobs.id
    join intakes on intakes.submission_id = intake_files.submission_id
    join inbox on inbox.submission_id = intake_files.submission_id
    where blobs.sha256 = receipts.sha256
    order by place, id desc limit 1
  ) as paper on true`

/** A file with the way to it, or one of the inbox. */
type PaperRow = {
  file: number | null
  name: string
  href: { path: string; project: number | null; person: number | null } | { item: number; id: number }
  source: IntakeSource | null
  sender: string | null
  uploader: string | null
  uploader_role: Role | null
}

/** Reads receipts that fulfil a condition, the newest first. `fit` says what they fit. */
async function readReceipts(
  db: Database | Trx,
  reader: Reader,
  condition: RawBuilder<boolean>,
  most: number,
): Promise<(Receipt & { file: number | null })[]> {
  const { rows } = await sql<Omit<Receipt, 'paper'> & { paper: PaperRow | null }>`
    select receipts.id, receipts.authority, receipts.cvr, receipts.starts_on::text as starts_on, receipts.ends_on::text as ends_on,
      receipts.received_on::text as received_on, receipts.number, ${why(reader)} as why,
      case when ${why(reader)} is null then coalesce(receipts.duty_id, fit.duty_id) end as duty,
      case when paper.name is not null then to_json(paper) end as paper
    from receipts ${fit(reader)} ${paper(reader)}
    where ${condition} order by receipts.id desc limit ${most}`.execute(db)
  return rows.map(({ paper: found, ...row }) => ({
    ...row,
    file: found?.file ?? null,
    paper: found && { name: found.name, href: hrefOf(found), from: fromText(found) },
  }))
}

function hrefOf({ href }: PaperRow): string {
  if ('item' in href) return urls.intakeFile(href.item, href.id)
  const { path, project, person } = href
  return fileUrls.open(project === null ? { user: person! } : { project }, path)
}

function fromText({ source, sender, uploader, uploader_role: role }: PaperRow): string {
  if (source === 'mailbox') return `${SOURCE_NAMES.mailbox}, angivet afsender: ${sender || 'ukendt'}`
  if (source) return sender ? `${SOURCE_NAMES[source]} (${sender})` : SOURCE_NAMES[source]
  return uploader && role ? `Sendt af ${uploader} (${ROLE_NAMES[role].toLowerCase()})` : 'Ukendt afsender'
}

const MOST_OF_DUTIES = 200
const MOST_MISFITS = 50

/** Lists the receipts that some duties have been ended with, or may be. */
export function listOfDuties(db: Database, reader: Reader, duties: number[]): Promise<Receipt[]> {
  if (duties.length === 0) return Promise.resolve([])
  return readReceipts(
    db,
    reader,
    sql<boolean>`(receipts.duty_id = any (${duties}) or ${IS_WAITING} and receipts.cvr in (
        select projects.cvr from duties join projects on projects.id = duties.project_id where duties.id = any (${duties}))
      and ${isProposed(reader)} and fit.duty_id = any (${duties}))`,
    MOST_OF_DUTIES,
  )
}

const isProposed = (reader: Reader) => sql<boolean>`(${why(reader)} is null and paper.name is not null)`

/** Lists receipts that fit no open duty, or whose layout nobody knows. The office has to look at them. */
export const listMisfits = (db: Database, reader: Reader): Promise<Receipt[]> =>
  readReceipts(
    db,
    reader,
    sql<boolean>`(${IS_WAITING} and ${why(reader)} is not null and paper.name is not null)`,
    MOST_MISFITS,
  )

/** Finds what is told of receipts that wait for somebody's word in files, or in what the inbox has. */
export async function findReceiptNotes(
  db: Database,
  reader: Reader,
  of: 'files' | 'items',
  ids: number[],
): Promise<Record<number, PaperNote[]>> {
  if (ids.length === 0) return {}
  const papers =
    of === 'files' ? sql`select id, blob_id from files` : sql`select submission_id, blob_id from intake_files`
  const { rows } = await sql<{ place: number; receipt: number }>`
    select distinct papers.place, receipts.id as receipt from (${papers}) as papers (place, blob_id)
    join blobs on blobs.id = papers.blob_id join receipts on receipts.sha256 = blobs.sha256
    where papers.place = any (${ids}) and ${IS_WAITING} order by papers.place, receipts.id`.execute(db)
  if (rows.length === 0) return {}
  const those = rows.map(({ receipt }) => receipt)
  const receipts = await readReceipts(db, reader, sql<boolean>`receipts.id = any (${those})`, those.length)
  const notes = new Map(receipts.map((receipt) => [receipt.id, receiptNote(receipt)]))
  const byPlace = Map.groupBy(rows, ({ place }) => place)
  return Object.fromEntries(
    [...byPlace].map(([place, found]) => [place, found.flatMap(({ receipt }) => notes.get(receipt) ?? [])]),
  )
}

export async function getReceipt(db: Database | Trx, reader: Reader, id: number) {
  const [receipt] = await readReceipts(db, reader, sql<boolean>`receipts.id = ${id}`, 1)
  if (!receipt?.paper) throw notFound('Kvitteringen findes ikke mere.')
  return { ...receipt, paper: receipt.paper }
}

/** The start page counts so many of the newest. */
const MOST_COUNTED = 200

/** Counts the receipts that wait for somebody's word, and those to look at. */
export async function countReceipts(
  db: Database,
  reader: Reader,
): Promise<{ proposed: number; misfits: number }> {
  const { rows } = await sql<{ proposed: number; misfits: number }>`
    select count(*) filter (where reason is null)::integer as proposed,
      count(*) filter (where reason is not null)::integer as misfits
    from (
      select ${why(reader)} as reason
      from (select * from receipts where ${IS_WAITING} order by id desc limit ${MOST_COUNTED}) as receipts
      ${fit(reader)} ${paper(reader)} where paper.name is not null
    ) as waiting`.execute(db)
  return rows[0]!
}

/** Ends a duty with a receipt, by somebody's word. */
export const acceptReceipt = transactional(
  async (trx: Trx, visit: Visit, id: number, duty: number): Promise<void> => {
    const { rows } = await sql<{ duty_id: number | null }>`
      select duty_id from receipts where id = ${id} for update`.execute(trx)
    if (rows[0] && rows[0].duty_id !== null) throw conflict('Fristen er allerede lukket med kvitteringen.')
    const receipt = await getReceipt(trx, visit.reader, id)
    if (receipt.why !== null) throw conflict(whyText(receipt.why, receipt))
    if (receipt.duty !== duty) throw conflict('Kvitteringen passer til en anden frist nu. Genindlæs siden.')
    await finishDuty(trx, visit, duty, '')
    const { rows: of } = await sql<{ project: number }>`
      update receipts set duty_id = ${duty} where id = ${id} returning (select project_id from duties where id = ${duty}) as project`.execute(
      trx,
    )
    await addLogEntry(trx, visit.actor, 'receipt-used', {
      projectId: of[0]!.project,
      ...(receipt.file !== null && { fileId: receipt.file }),
      detail: receiptText(receipt),
    })
  },
)

/** Says that a receipt fits nothing, or is none; or takes that back. */
export const refuseReceipt = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number, isRefused: boolean): Promise<void> => {
    await sql`select from receipts where id = ${id} for update`.execute(trx)
    const receipt = await getReceipt(trx, reader, id)
    const { numAffectedRows } = await sql`
      update receipts set is_refused = ${isRefused} where id = ${id} and duty_id is null and is_refused <> ${isRefused}`.execute(
      trx,
    )
    if (numAffectedRows !== 1n) throw conflict('Det er allerede gjort. Genindlæs siden.')
    if (!isRefused) return
    await addLogEntry(trx, actor, 'receipt-refused', {
      ...(receipt.file !== null && { fileId: receipt.file }),
      detail: receiptText(receipt),
    })
  },
)
