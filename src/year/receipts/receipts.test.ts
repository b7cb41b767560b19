import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { receiptText, type ReceiptShape } from '../../../test/files/receipts.ts'
import { foldersByName, makeFile, makeProject, newCvr } from '../../../test/make.ts'
import { handIn } from '../../../test/office/hand-in.ts'
import { propsIn, textsOf } from '../../../test/page-data.ts'
import type { Intake } from '../../intake/intake.ts'
import { purgeIntakes } from '../../intake/intake.db.ts'
import type { Project } from '../../projects/project/project.ts'
import { addPageTexts } from '../../reading/page-texts.db.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { ObligationsPage } from '../obligations/obligations-page.tsx'
import { findReceipts } from './find-receipts.db.ts'
import type { Receipt } from './receipt.ts'
import type { Teachable } from './teachable.ts'

let test: TestApp
let mette: Entered
let jens: Entered
let project: Project

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
  jens = await enter(test, 'administrator', { name: 'Jens Bech' })
})

beforeEach(async () => {
  await sql`delete from receipts`.execute(test.db)
  await sql`delete from receipt_layouts`.execute(test.db)
  project = await makeProject(test.db, { cvr: newCvr() })
})

/** Gives the project a duty of a rule that comes with Ringbind. */
async function addDuty(code: string, period = '2025', of: Project = project): Promise<number> {
  const event = period.length === 10
  const { rows } = await sql<{ id: number }>`
    with rule as (
      insert into obligations (code, title, due_rule, is_filing) values (${code}, ${code}, 'months', true)
      on conflict (code) do update set title = excluded.title returning id
    )
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on)
    select id, ${of.id}, ${period}, ${event ? period : `${period}-01-01`}::date, ${event ? period : `${period}-12-31`}::date, '2026-06-30'
    from rule returning id`.execute(test.db)
  return rows[0]!.id
}

let counted = 0
const receiptOf = (shape: ReceiptShape, more: Partial<Record<'cvr' | 'number' | 'day', string>> = {}) =>
  receiptText(shape, {
    cvr: project.cvr!,
    number: `2026-${String(++counted).padStart(6, '0')}`,
    day: '12.05.2026',
    ...more,
  })

/** Reads a paper, and looks for receipts in what it says. */
async function read(sha256: string, text: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update texts set state = 'read', pages = 1 where sha256 = ${sha256} returning id`.execute(test.db)
  await addPageTexts(test.db, rows[0]!.id, [{ page: 1, text }])
  await findReceipts(test.db, new AbortController().signal)
}

async function mail(text: string, more: Partial<Intake> = {}): Promise<number> {
  const item = await handIn(
    test,
    { 'Kvittering.pdf': `%PDF-1.7 ${Math.random()}` },
    { source: 'mailbox', sender: 'noreply@virk.example', ...more },
  )
  const { rows } = await sql<{ sha256: string }>`
    select sha256 from blobs join intake_files on blob_id = blobs.id where submission_id = ${item}`.execute(
    test.db,
  )
  await read(rows[0]!.sha256, text)
  return item
}

type Shown = { receipts: Receipt[]; misfits: Receipt[] }

async function frister(state = 'open', who = mette): Promise<Shown> {
  const { body } = await who.visitor.get(`${urls.yearList}?state=${state}&q=${project.number}`)
  return propsIn<Shown>(body)
}

const accept = (who: Entered, { id, duty }: Receipt, more: object = {}) =>
  who.visitor.post(urls.receiptAct(id, 'accept'), { duty: String(duty), ...more }, { script: true })

async function stateOf(id: number) {
  const { rows } = await sql<{ done: boolean; by: string | null }>`
    select done_at is not null as done, users.name as by from duties left join users on users.id = done_by where duties.id = ${id}`.execute(
    test.db,
  )
  return rows[0]
}

describe('a receipt that fits', () => {
  it('is proposed at its duty, closes it by a word with its paper, and opens with it again', async () => {
    const id = await addDuty('annual-report')
    await addDuty('partner-report') // of another company
    await mail(receiptOf('lines', { number: '2026-4711' }))
    const { receipts, misfits } = await frister()
    expect(misfits).toEqual([])
    expect(receipts).toMatchObject([
      {
        duty: id,
        number: '2026-4711',
        received_on: '2026-05-12',
        why: null,
        paper: { name: 'Kvittering.pdf', from: 'Fra postkasse, angivet afsender: noreply@virk.example' },
      },
    ])
    expect(await stateOf(id)).toEqual({ done: false, by: null })
    expect(await textsOf(mette.visitor, urls.yearList)).toContain('Kvittering fundet')

    expect((await accept(mette, receipts[0]!)).statusCode).toBe(200)
    expect(await stateOf(id)).toEqual({ done: true, by: 'Mette Holm' })
    const done = await frister('done')
    expect(done.receipts).toMatchObject([
      { duty: id, number: '2026-4711', paper: { name: 'Kvittering.pdf' } },
    ])
    const again = await accept(jens, receipts[0]!)
    expect([again.statusCode, again.json<{ message: string }>().message]).toEqual([
      409,
      'Fristen er allerede lukket med kvitteringen.',
    ])
    const { rows } = await sql<{ act: string; detail: string }>`
      select act, detail from log where project_id = ${project.id} and act in ('duty-done', 'receipt-used') order by id`.execute(
      test.db,
    )
    expect(rows).toEqual([
      { act: 'duty-done', detail: 'annual-report 2025' },
      { act: 'receipt-used', detail: '2026-4711 · 12/05/2026' },
    ])

    await mette.visitor.post(urls.dutyAct(id, 'reopen'), {}, { script: true })
    expect((await frister()).receipts).toMatchObject([{ duty: id }])
  })

  it('is proposed until somebody says that it does not fit, and again when they take that back', async () => {
    const id = await addDuty('annual-report')
    await mail(receiptOf('lines'))
    const [receipt] = (await frister()).receipts
    const refuse = (act: 'refuse' | 'take-back') =>
      mette.visitor.post(urls.receiptAct(receipt!.id, act), {}, { script: true })
    expect((await refuse('refuse')).statusCode).toBe(200)
    expect(await frister()).toMatchObject({ receipts: [], misfits: [] })
    expect((await refuse('refuse')).statusCode).toBe(409)
    expect((await accept(mette, receipt!)).statusCode).toBe(409)
    expect(await stateOf(id)).toEqual({ done: false, by: null })
    expect((await refuse('take-back')).statusCode).toBe(200)
    expect((await frister()).receipts).toMatchObject([{ duty: id }])
  })

  it('says that an investor has sent it, and is shown to nobody outside the office', async () => {
    await addDuty('annual-report')
    const investor = await enter(test, 'investor', { name: 'Anne Holm' })
    const folders = await foldersByName(test.db, project.id)
    const file = await makeFile(test, folders['Årsrapport']!, {
      uploadedBy: investor.id,
      fromInvestor: true,
      bytes: `%PDF ${Math.random()}`,
    })
    const { rows } = await sql<{ sha256: string }>`
      select sha256 from blobs join files on blob_id = blobs.id where files.id = ${file.id}`.execute(test.db)
    await read(rows[0]!.sha256, receiptOf('lines'))
    const [receipt] = (await frister()).receipts
    expect(receipt!.paper).toMatchObject({ name: file.name, from: 'Sendt af Anne Holm (investor)' })
    expect((await investor.visitor.get(urls.receipt(receipt!.id))).statusCode).toBe(403)
  })

  it('is told of at its item in the inbox, at its file and where it is saved, until it is used', async () => {
    const text = receiptOf('lines')
    const item = await mail(text)
    const folders = await foldersByName(test.db, project.id)
    const { rows } = await sql<{ id: number; key: string }>`
      insert into submissions (user_id, key, content) values (${mette.id}, ${randomUUID()}, '') returning id, key`.execute(
      test.db,
    )
    const file = await makeFile(test, folders.Diverse!, {
      submissionId: rows[0]!.id,
      bytes: `%PDF ${Math.random()}`,
    })
    const { rows: blobs } = await sql<{ sha256: string }>`
      select sha256 from blobs join files on blob_id = blobs.id where files.id = ${file.id}`.execute(test.db)
    await read(blobs[0]!.sha256, text)
    const told = async () => {
      const pages = [urls.inbox('all'), urls.uploadResult(rows[0]!.key)]
      const [inbox, result] = await Promise.all(
        pages.map(async (page) =>
          propsIn<{ notes: Record<number, object[]> }>((await mette.visitor.get(page)).body),
        ),
      )
      const look = await mette.visitor.get(fileUrls.look({ project: project.id }, file.id))
      return [
        inbox!.notes[item],
        result!.notes[file.id],
        look.json<{ office: { notes: object[] } }>().office.notes,
      ]
    }
    const { misfits } = await frister()
    expect(await told()).toEqual(
      misfits
        .map(({ id }) => [
          {
            text: 'Projektet har ingen frist af den slags for 01/01/2025–31/12/2025.',
            href: urls.receipt(id),
          },
        ])
        .toReversed()
        .flatMap((notes, index) => (index === 0 ? [notes] : [notes, notes])),
    )
    await addDuty('annual-report')
    const href = `${urls.yearList}?rule=%2Freceipt&q=${project.cvr}`
    const fits = [{ text: 'Kvitteringen passer til en frist.', href }]
    expect(await told()).toEqual([fits, fits, fits])
    for (const { id } of misfits)
      await mette.visitor.post(urls.receiptAct(id, 'refuse'), {}, { script: true })
    expect(await told()).toEqual([undefined, undefined, []])
  })

  it('keeps its paper when its intake is finished without saving it', async () => {
    await addDuty('annual-report')
    const item = await mail(receiptOf('lines'))
    const other = await mail(receiptOf('lines'))
    const receipt = (await frister()).receipts.find(({ paper }) => paper!.href.includes(`/${item}/`))
    await accept(mette, receipt!)
    await sql`update inbox set state = 'done', changed_by = ${mette.id}, changed_at = now() - interval '40 days' where submission_id in (${item}, ${other})`.execute(
      test.db,
    )
    await purgeIntakes(test.db)
    const { receipts } = await frister('done')
    expect((await mette.visitor.get(receipts[0]!.paper!.href)).statusCode).toBe(200)
    const { rows } =
      await sql`select from intake_files where submission_id = ${other} and removed_at is not null`.execute(
        test.db,
      )
    expect(rows).toHaveLength(1)
  })
})

describe('a receipt', () => {
  it.each<[string, ReceiptShape, string, string]>([
    ['an annual report', 'lines', 'annual-report', '2025'],
    ['a letter', 'letter', 'annual-report', '2025'],
    ['the common tax accounts', 'table', 'tax-statement', '2025'],
    ['CRS', 'english', 'crs-2026', '2026'],
  ])('fits the duty of %s', async (_, shape, code, period) => {
    const id = await addDuty(code, period)
    await mail(receiptOf(shape))
    expect((await frister()).receipts).toMatchObject([{ duty: id }])
  })

  it('fits an accounting year over New Year, a longer first one, and an event before its day', async () => {
    const id = await addDuty('annual-report')
    const spanned = async (from: string, to: string, text: string) => {
      await sql`update duties set starts_on = ${from}, ends_on = ${to} where id = ${id}`.execute(test.db)
      await sql`delete from receipts`.execute(test.db)
      await mail(receiptOf('lines').replace(/Regnskabsperiode.*/, text))
      return (await frister()).receipts.length
    }
    expect(await spanned('2024-07-01', '2025-06-30', 'Regnskabsår: 2024/25')).toBe(1)
    expect(await spanned('2024-07-01', '2025-06-30', 'Regnskabsår: 2025')).toBe(0)
    expect(await spanned('2025-01-01', '2025-12-31', 'Regnskabsperiode: 01.10.2024 - 31.12.2025')).toBe(1)
    expect(await spanned('2025-01-01', '2025-12-31', 'Regnskabsperiode: 01.10.2025 - 31.12.2025')).toBe(0)

    const event = await addDuty('legal-owners', '2026-05-01')
    await mail(receiptOf('lines').replace('indberetning af årsrapport', 'registrering af legale ejere'))
    expect((await frister()).receipts).toMatchObject([{ duty: event }])
  })

  it.each<[string, (text: string) => string, string]>([
    ['an unknown company', (text) => text.replaceAll(project.cvr!, newCvr()), 'no-project'],
    ['another period', (text) => text.replaceAll('2025', '2019'), 'no-duty'],
    ['no period', (text) => text.replace(/Regnskabsperiode.*/, ''), 'no-period'],
    ['two CVR numbers', (text) => `${text}\nCVR-nr.: 10150817`, 'cvrs'],
    ['a day that is not there yet', (text) => text.replace('12.05.2026', '12.05.2199'), 'future'],
    ['a rejection', (text) => `${text}\nIndberetningen er afvist`, 'rejected'],
  ])('with %s is told, and ends nothing', async (_, change, why) => {
    const id = await addDuty('annual-report')
    await mail(change(receiptOf('lines')))
    const { receipts, misfits } = await frister()
    expect([receipts, misfits.map((misfit) => misfit.why)]).toEqual([[], [why]])
    expect((await accept(mette, { ...misfits[0]!, duty: id })).statusCode).toBe(409)
    expect(await stateOf(id)).toEqual({ done: false, by: null })
    expect(await textsOf(mette.visitor, urls.yearList)).toContain('En kvittering passer ikke til en frist')
  })

  it('fits no duty that is done, and of two projects with its number neither', async () => {
    const id = await addDuty('annual-report')
    await mail(receiptOf('lines'))
    await mail(receiptOf('lines'))
    const [one, two] = (await frister()).receipts
    await accept(mette, one!)
    expect((await frister()).misfits.map(({ why }) => why)).toEqual(['done'])
    expect((await accept(mette, two!)).statusCode).toBe(409)
    await mette.visitor.post(urls.dutyAct(id, 'reopen'), {}, { script: true })
    await addDuty('annual-report', '2025', await makeProject(test.db, { cvr: project.cvr }))
    expect(new Set((await frister()).misfits.map(({ why }) => why))).toEqual(new Set(['several']))
  })

  it('counts on the start page, and goes with its paper', async () => {
    await addDuty('annual-report')
    const item = await mail(receiptOf('lines'))
    expect(await textsOf(mette.visitor, urls.start)).toContain('1 kvittering kan lukke en frist')
    await sql`update intake_files set blob_id = null, removed_at = now() where submission_id = ${item}`.execute(
      test.db,
    )
    expect(await textsOf(mette.visitor, urls.start)).not.toContain('kvittering')
    expect(await frister()).toMatchObject({ receipts: [], misfits: [] })
  })
})

describe('teaching', () => {
  type Page = { teachable: Teachable; kinds: { id: number; title: string }[] | null }
  const pageOf = async (who: Entered, id: number) =>
    propsIn<Page>((await who.visitor.get(urls.receipt(id))).body)

  async function teach(who: Entered, id: number, more: object = {}) {
    const { teachable, kinds } = await pageOf(jens, id)
    const { titles, fields } = teachable
    const pointed = {
      obligation: String(kinds?.find(({ title }) => title === 'tax-statement')?.id ?? 1),
      title: titles.find(({ text }) => text === 'Oplysningerne er modtaget')!.key,
      cvr: fields.cvr[0]!.key,
      period: fields.period[0]!.key,
      day: fields.day[0]!.key,
      number: fields.number.find(({ label }) => label === 'Vores løbenummer')!.key,
      ...more,
    }
    return who.visitor.post(urls.receiptAct(id, 'teach'), pointed, { script: true })
  }

  it('an administrator points at a receipt, and papers like it are recognised until the layout is removed', async () => {
    const id = await addDuty('tax-statement')
    await mail(receiptOf('unknown'))
    await mail(receiptOf('unknown'))
    const { misfits } = await frister()
    expect(misfits.map(({ why }) => why)).toEqual(['unknown', 'unknown'])

    expect((await pageOf(mette, misfits[0]!.id)).kinds).toBeNull()
    expect((await teach(mette, misfits[0]!.id)).statusCode).toBe(403)
    const wrong = await teach(jens, misfits[0]!.id, { title: '0' })
    expect(wrong.statusCode).toBe(200) // 'Indberetningscentralen' begins it too
    expect((await frister()).receipts).toMatchObject([{ duty: id }])
    await findReceipts(test.db, new AbortController().signal)
    expect((await frister()).receipts).toHaveLength(2)
    expect((await teach(jens, misfits[0]!.id)).statusCode).toBe(409)

    const { layouts } = propsIn<Parameters<typeof ObligationsPage>[0]>(
      (await jens.visitor.get(urls.yearRules)).body,
    )
    expect(layouts).toMatchObject([{ title: 'Indberetningscentralen', obligation: 'tax-statement' }])
    await jens.visitor.post(urls.removeReceiptLayout(layouts[0]!.id), {}, { script: true })
    await findReceipts(test.db, new AbortController().signal)
    expect((await frister()).misfits.map(({ why }) => why)).toEqual(['unknown', 'unknown'])
  })

  it('a layout needs the number of the company, and something that tells one receipt from another', async () => {
    await addDuty('tax-statement')
    await mail(receiptOf('unknown'))
    const [receipt] = (await frister()).misfits
    const faults = async (more: object) =>
      Object.keys((await teach(jens, receipt!.id, more)).json<{ errors: object }>().errors)
    expect(await faults({ cvr: '' })).toEqual(['cvr'])
    expect(await faults({ cvr: '99:0' })).toEqual(['cvr'])
    expect(await faults({ day: '', number: '' })).toEqual(['number'])
    expect(await faults({ obligation: '999999' })).toEqual(['obligation'])
    expect((await frister()).misfits).toMatchObject([{ why: 'unknown' }])
  })
})
