import { sql } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { listPageTexts } from '../../reading/page-texts.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, invalid, notFound } from '../../server/http/errors.ts'
import { judgeTexts } from './find-receipts.db.ts'
import { RECEIPT_PAGES } from './read-receipt.ts'
import { getReceipt } from './receipts.db.ts'
import { layoutFrom, misread, teachableOf, type Pointed } from './teachable.ts'

/** Hardly any office meets so many. Each is compared with each paper. */
const MOST_LAYOUTS = 100

/** A layout that the office has taught. */
export type TaughtLayout = { id: number; title: string; obligation: string }

export async function listLayouts(db: Database): Promise<TaughtLayout[]> {
  const { rows } = await sql<TaughtLayout>`
    select receipt_layouts.id, receipt_layouts.title, obligations.title as obligation
    from receipt_layouts join obligations on obligations.id = obligation_id order by receipt_layouts.title, receipt_layouts.id`.execute(
    db,
  )
  return rows
}

/** Lists the duties that a receipt may end: those that no paper in a folder ends. */
export async function listKinds(db: Database): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from obligations where is_active and folder_name = '' order by title, id`.execute(db)
  return rows
}

/** Finds the text of a receipt; null if it is not read any more. */
async function findText(
  db: Database | Trx,
  receipt: number,
): Promise<{ id: number; sha256: string; pages: string[] } | null> {
  const { rows } = await sql<{ id: number; sha256: string }>`
    select texts.id, texts.sha256 from receipts join texts on texts.sha256 = receipts.sha256 where receipts.id = ${receipt}`.execute(
    db,
  )
  const [text] = rows
  if (!text) return null
  const pages = (await listPageTexts(db, [text.id], RECEIPT_PAGES)).get(text.id) ?? []
  return { ...text, pages: pages.map(({ text: page }) => page) }
}

/** Returns what can be pointed at in a receipt; null if its text is gone. */
export async function findTeachable(db: Database, receipt: number) {
  const text = await findText(db, receipt)
  return text && teachableOf(text.pages)
}

const FAULTS: Record<keyof Pointed, string> = {
  title: 'Ringbind kan ikke kende kvitteringen på den linje. Vælg en anden.',
  cvr: 'Ringbind finder ikke det CVR-nummer ved den ledetekst. Vælg et andet.',
  period: 'Ringbind finder ikke den periode ved den ledetekst. Vælg en anden, eller ingen.',
  day: 'Ringbind finder ikke den dag ved den ledetekst. Vælg en anden, eller ingen.',
  number: 'Ringbind finder ikke det nummer ved den ledetekst. Vælg et andet, eller intet.',
}

/** Keeps a layout that somebody has pointed out in a receipt, and reads those with it again. */
export const teachLayout = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    { obligation, ...pointed }: Pointed & { obligation: number },
  ): Promise<void> => {
    const receipt = await getReceipt(trx, reader, id)
    if (receipt.why !== 'unknown') throw conflict('Kvitteringen er allerede genkendt.')
    const text = await findText(trx, id)
    const teachable = text && teachableOf(text.pages)
    if (!teachable) throw notFound('Papirets ord er ikke læst mere.')
    const { rows: kinds } = await sql`select from obligations where id = ${obligation}`.execute(trx)
    if (kinds.length === 0) throw invalid({ obligation: ['Vælg en pligt.'] })
    if (pointed.day === '' && pointed.number === '')
      throw invalid({ number: ['Peg på dagen eller nummeret, så kvitteringen kan kendes fra andre.'] })
    const made = layoutFrom(teachable, pointed, obligation)
    const wrong = 'missing' in made ? made.missing : misread(text.pages, teachable, pointed, made.layout)
    if ('missing' in made || wrong !== null) throw invalid({ [wrong!]: [FAULTS[wrong!]] })
    const { titles, labels } = made.layout
    const { numAffectedRows } = await sql`
      insert into receipt_layouts (obligation_id, title, labels, taught_by)
      select ${obligation}, ${titles[0]}, ${JSON.stringify(labels)}::jsonb, ${reader.id}
      where (select count(*) from receipt_layouts) < ${MOST_LAYOUTS}`.execute(trx)
    if (numAffectedRows !== 1n)
      throw conflict(`Der er allerede ${MOST_LAYOUTS} layouts. Slet et af dem under Regler i Året.`)
    await addLogEntry(trx, actor, 'receipt-taught', { detail: titles[0]! })
    await judgeTexts(trx, [text])
    await judgeAgain(trx, sql`layout is null and not is_refused`)
  },
)

/** Removes a layout. Receipts that it has read, and that nobody has used, are read again without it. */
export const removeLayout = transactional(async (trx: Trx, { actor }: Visit, id: number): Promise<void> => {
  const { rows } = await sql<{ title: string }>`
    delete from receipt_layouts where id = ${id} returning title`.execute(trx)
  if (!rows[0]) throw notFound('Layoutet findes ikke mere.')
  const isIts = sql`layout = ${`own-${id}`} and duty_id is null`
  await judgeAgain(trx, isIts)
  await sql`delete from receipts where ${isIts}`.execute(trx)
  await addLogEntry(trx, actor, 'receipt-forgotten', { detail: rows[0].title })
})

const judgeAgain = (trx: Trx, which: ReturnType<typeof sql>) =>
  sql`
  insert into unjudged_texts
  select texts.id from receipts join texts on texts.sha256 = receipts.sha256 where ${which}
  on conflict do nothing`.execute(trx)
