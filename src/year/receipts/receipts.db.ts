import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isFileSeen, isProjectSeen } from '../../access/seen.db.ts'
import { SOURCE_NAMES, type IntakeSource } from '../../intake/intake.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { ROLE_NAMES, type Role } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { fileUrls, urls } from '../../urls.ts'
import { finishDuty } from '../obligations/duties.db.ts'
import { IS_OPEN } from '../obligations/duty-state.db.ts'
import { FITS, IS_WAITING } from './fits.db.ts'
import { receiptText, whyText, type Receipt, type ReceiptPaper, type ReceiptWhy } from './receipt.ts'

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
    select papers.* from (
      select 0 as place, files.id, files.id as file, null::bigint as item, files.name, files.key || '/' || files.name as path,
        folders.project_id as project, folders.user_id as person, intakes.source, intakes.sender, users.name as uploader,
        users.role as uploader_role
      from blobs join files on files.blob_id = blobs.id and files.deleted_at is null
      join folders on folders.id = files.folder_id
      left join users on users.id = files.uploaded_by
      left join intake_files on intake_files.file_id = files.id
      left join intakes on intakes.submission_id = intake_files.submission_id
      where blobs.sha256 = receipts.sha256 and ${isFileSeen(reader)}
      union all
      select 1, intake_files.id, null, intake_files.submission_id, intake_files.name, null, null, null, intakes.source, intakes.sender,
        null, null
      from blobs join intake_files on intake_files.blob_id = blobs.id
      join intakes on intakes.submission_id = intake_files.submission_id
      join inbox on inbox.submission_id = intake_files.submission_id
      where blobs.sha256 = receipts.sha256
    ) as papers order by papers.place, papers.id desc limit 1
  ) as paper on true`

type PaperRow = {
  paper_id: number | null
  file: number | null
  item: number | null
  name: string | null
  path: string | null
  project: number | null
  person: number | null
  source: IntakeSource | null
  sender: string | null
  uploader: string | null
  uploader_role: Role | null
}

type Row = Omit<Receipt, 'paper'> & PaperRow

/** Reads receipts that fulfil a condition, the newest first. `fit` says what they fit. */
async function readReceipts(
  db: Database | Trx,
  reader: Reader,
  condition: RawBuilder<boolean>,
  most: number,
): Promise<(Receipt & { file: number | null })[]> {
  const { rows } = await sql<Row>`
    select receipts.id, receipts.authority, receipts.cvr, receipts.starts_on::text as starts_on, receipts.ends_on::text as ends_on,
      receipts.received_on::text as received_on, receipts.number, ${why(reader)} as why,
      case when ${why(reader)} is null then coalesce(receipts.duty_id, fit.duty_id) end as duty,
      paper.id as paper_id, paper.file, paper.item, paper.name, paper.path, paper.project, paper.person, paper.source, paper.sender,
      paper.uploader, paper.uploader_role
    from receipts ${fit(reader)} ${paper(reader)}
    where ${condition} order by receipts.id desc limit ${most}`.execute(db)
  return rows.map(
    ({
      paper_id,
      file,
      item,
      name,
      path,
      project,
      person,
      source,
      sender,
      uploader,
      uploader_role,
      ...row
    }) => ({
      ...row,
      file,
      paper: toPaper({
        paper_id,
        file,
        item,
        name,
        path,
        project,
        person,
        source,
        sender,
        uploader,
        uploader_role,
      }),
    }),
  )
}

function toPaper(row: PaperRow): ReceiptPaper | null {
  const { paper_id: id, item, name, path, project, person } = row
  if (id === null || name === null) return null
  const owner = project === null ? { user: person ?? 0 } : { project }
  const href = item === null ? fileUrls.open(owner, path ?? '') : urls.intakeFile(item, id)
  return { name, href, from: fromText(row) }
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

const isProposed = (reader: Reader) => sql<boolean>`(${why(reader)} is null and paper.id is not null)`

/** Lists receipts that fit no open duty, or whose layout nobody knows. The office has to look at them. */
export const listMisfits = (db: Database, reader: Reader): Promise<Receipt[]> =>
  readReceipts(
    db,
    reader,
    sql<boolean>`(${IS_WAITING} and ${why(reader)} is not null and paper.id is not null)`,
    MOST_MISFITS,
  )

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
      ${fit(reader)} ${paper(reader)} where paper.id is not null
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
    await sql`update receipts set duty_id = ${duty} where id = ${id}`.execute(trx)
    const { rows: of } = await sql<{ project: number }>`
      select project_id as project from duties where id = ${duty}`.execute(trx)
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
