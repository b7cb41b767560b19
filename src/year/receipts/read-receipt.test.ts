import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../server/process/find-program.ts'
import { readPages } from '../../server/reading/read-pages.ts'
import { receiptPdf, receiptText, type ReceiptShape } from '../../../test/files/receipts.ts'
import { SHIPPED_LAYOUTS, type Layout } from './layout.ts'
import { isLikeReceipt, readReceipt } from './read-receipt.ts'

const CVR = '38291041'
const receipt = { cvr: CVR, number: '2026-00012345', day: '12.05.2026' }

function read(text: string, layouts: readonly Layout[] = SHIPPED_LAYOUTS) {
  const found = readReceipt([text], layouts)
  if (!found) return null
  const { layout, ...fields } = found
  return { layout: layout.code, ...fields }
}

const year = { starts_on: '2025-01-01', ends_on: '2025-12-31' }
const FOUND = { cvr: CVR, received_on: '2026-05-12', number: '2026-00012345', fault: null }
const SHAPES: [ReceiptShape, object][] = [
  ['lines', { ...FOUND, ...year, layout: 'virk-annual-report' }],
  ['columns', { ...FOUND, starts_on: '2026-07-01', ends_on: '2026-09-30', layout: 'skat-vat' }],
  ['table', { ...FOUND, ...year, layout: 'skat-tax-statement' }],
  ['letter', { ...FOUND, ...year, layout: 'virk-letter' }],
  ['english', { ...FOUND, starts_on: '2026-01-01', ends_on: '2026-12-31', layout: 'skat-crs-english' }],
]

describe('readReceipt', () => {
  it.each(SHAPES)('reads a receipt of %s from its text', (shape, expected) => {
    expect(read(receiptText(shape, receipt))).toEqual(expected)
  })

  it.each(SHAPES)('reads a receipt of %s from its PDF', async (shape, expected) => {
    const pdf = Readable.from([await receiptPdf(shape, receipt)])
    const { pages } = await readPages(pdf, 'pdf', { pdfReader: await findProgram('pdftotext') })
    expect(read(pages.join('\n'))).toEqual(expected)
  })

  const lines = receiptText('lines', receipt)
  it.each([
    ['a grouped number with DK', lines.replace(CVR, 'DK 38 29 10 41'), FOUND],
    [
      'an accounting year over New Year',
      lines.replace(/01\.01\.2025.*2025/, '2024/25'),
      { starts_on: '2024-01-01', ends_on: '2025-12-31' },
    ],
    [
      'days in words',
      lines.replace(/01\.01\.2025.*2025/, '1. juli 2024 til 30. juni 2025'),
      { starts_on: '2024-07-01', ends_on: '2025-06-30' },
    ],
    ['the second page', `Følgeseddel\f${lines}`, FOUND],
    ['no period', lines.replace(/Regnskabsperiode.*/, ''), { starts_on: null, ends_on: null, fault: null }],
    ['two periods', `${lines}\nPeriode: 2024`, { starts_on: null, fault: 'periods' }],
    ['a period that ends before it begins', lines.replace('31.12.2025', '31.12.2023'), { starts_on: null }],
    ['a wrong check digit', lines.replace(CVR, '38291042'), { cvr: null, fault: 'wrong-cvr' }],
    ['two CVR numbers', `${lines}\nCVR-nr.: 27450911`, { cvr: null, fault: 'cvrs' }],
    ['no CVR number', lines.replace(/CVR-nr\.: \d+/, ''), { cvr: null, fault: 'no-cvr' }],
    ['a report that was rejected', `${lines}\nIndberetningen er afvist.`, { fault: 'rejected' }],
    [
      'a day that does not exist',
      lines.replace('12.05.2026', '31.02.2026'),
      { received_on: null, number: FOUND.number },
    ],
  ])('reads %s', (_, text, expected) => {
    const [first = '', ...more] = text.split('\f')
    const found = readReceipt([first, ...more], SHIPPED_LAYOUTS)
    expect(found).toMatchObject(expected)
  })

  it.each([
    ['a letter that quotes a receipt', `Holm Revision\nKære Mette\nVi har fået denne kvittering:\n${lines}`],
    ['a forwarded mail', `Fra: Bo Lund\nEmne: VS: kvittering\n${lines}`],
    [
      'a receipt that is mentioned in a sentence',
      lines.replace('Kvittering for', 'Vi sender jer en kvittering for'),
    ],
    ['a receipt of nobody', lines.replaceAll('Erhvervsstyrelsen', 'Revisor Holm')],
    ['a title on the third page', `\f\f${lines}`],
    ['a title below much text', `${'Tekst\n'.repeat(20)}${lines}`],
    ['a long paper', `${lines}\n${'Note 4 om anlægsaktiver\n'.repeat(100)}`],
    [
      'fields that stand in sentences',
      'Erhvervsstyrelsen\nKvittering for årsrapport\nDet gælder selskabet med CVR-nr. 38291041, modtaget 12.05.2026.',
    ],
    ['an empty page', ''],
  ])('is null for %s', (_, text) => {
    expect(readReceipt(text.split('\f'), SHIPPED_LAYOUTS)).toBeNull()
  })

  it('takes no longer for a page made of labels and numbers', () => {
    const page =
      `Kvittering for årsrapport Erhvervsstyrelsen\n${'CVR-nr. CVR-nr. 1 2 3 4 5 6 7 8 9 '.repeat(12)}\n`.repeat(
        80,
      )
    const began = performance.now()
    readReceipt([page, page], SHIPPED_LAYOUTS)
    expect(performance.now() - began).toBeLessThan(60_000)
  })
})

describe('isLikeReceipt', () => {
  it('asks about a receipt of an unknown layout, and about no other paper', () => {
    expect(isLikeReceipt([receiptText('unknown', receipt)])).toBe(true)
    expect(isLikeReceipt(['Årsrapport 2025\nCVR-nr. 38291041\nGodkendt 12.05.2026'])).toBe(false)
    expect(isLikeReceipt([`Kære Mette\n${receiptText('unknown', receipt)}`])).toBe(false)
  })
})
