import { describe, expect, it } from 'vitest'
import { unzip } from '../../test/formats/unzip.ts'
import { zip } from './zip.server.ts'
import type { CompanyValues } from './company/company.ts'
import { spreadsheetName, spreadsheetOf } from './spreadsheet.ts'

const company = (values: Partial<CompanyValues>): CompanyValues => ({
  name: 'K/S A',
  cvr: null,
  share: null,
  year: null,
  contribution: null,
  liability: null,
  equity: null,
  debt: null,
  result: null,
  ...values,
})

async function sheetOf(
  companies: CompanyValues[],
  person = 'Søren Kjærgaard',
  office?: string,
): Promise<string> {
  return unzip(await zip(spreadsheetOf(person, companies, office)))['xl/worksheets/sheet1.xml']!
}

/** Returns a cell's type and content. */
function cellIn(sheet: string, place: string): [type: string, inside: string] | null {
  const [, attributes = '', inside = ''] =
    new RegExp(`<c r="${place}"((?: [a-z]+="[^"]*")*)(?:/>|>(.*?)</c>)`).exec(sheet) ?? []
  return attributes === '' ? null : [/ t="(.*?)"/.exec(attributes)?.[1] ?? 'number', inside]
}

const text = (value: string) => ['inlineStr', `<is><t xml:space="preserve">${value}</t></is>`]

describe('the spreadsheet', () => {
  it('the spreadsheet has every value with its own type', async () => {
    const sheet = await sheetOf([
      company({
        name: 'K/S Ærø & Søn',
        cvr: '01234560',
        share: 33.3333,
        year: 2025,
        contribution: 0,
        equity: -1_845_000,
        debt: 999_999_999_999,
        result: 3,
      }),
      company({ equity: 5 }),
    ])
    const row = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'].map((at) =>
      cellIn(sheet, `${at}2`),
    )
    expect(row).toEqual([
      text('K/S Ærø &amp; Søn'),
      text('01234560'),
      ['number', '<v>0.333333</v>'],
      ['number', '<v>2025</v>'],
      ['number', '<v>0</v>'],
      ['number', ''],
      ['number', '<v>-1845000</v>'],
      ['number', '<v>999999999999</v>'],
      ['number', '<v>3</v>'],
      ['number', '<v>-614999</v>'],
      ['number', '<v>333333000000</v>'],
      ['number', '<v>1</v>'],
    ])
    expect(cellIn(sheet, 'A1')).toEqual(text('Selskab'))
    expect(cellIn(sheet, 'L1')).toEqual(text('Andel af årets resultat'))
    expect(cellIn(sheet, 'J3')).toEqual(['number', ''])
  })

  it('the spreadsheet has sums as formulas with their results', async () => {
    const sheet = await sheetOf([
      company({ share: 50, equity: 3 }),
      company({ share: 50, equity: -8, debt: 1 }),
    ])
    expect(cellIn(sheet, 'A4')).toEqual(text('Sum'))
    expect(cellIn(sheet, 'C4')).toEqual(['number', ''])
    expect(cellIn(sheet, 'G4')).toEqual(['number', '<f>SUM(G2:G3)</f><v>-5</v>'])
    expect(cellIn(sheet, 'I4')).toEqual(['number', '<f>SUM(I2:I3)</f><v>0</v>'])
    expect(cellIn(sheet, 'J4')).toEqual(['number', '<f>SUM(J2:J3)</f><v>-2</v>'])
    expect(cellIn(sheet, 'K4')).toEqual(['number', '<f>SUM(K2:K3)</f><v>1</v>'])
  })

  it('the spreadsheet has only headings if there are no companies', async () => {
    const sheet = await sheetOf([])
    expect([sheet.match(/<row/g)?.length, sheet.includes('<f>')]).toEqual([1, false])
  })

  it.each([
    ['=HYPERLINK("x")', '=HYPERLINK(&quot;x&quot;)'],
    ['+1', '+1'],
    ['-1+1', '-1+1'],
    ['@SUM(A1)', '@SUM(A1)'],
    ['</t></is><f>1</f>', '&lt;/t&gt;&lt;/is&gt;&lt;f&gt;1&lt;/f&gt;'],
    ['a\u0000b\u0001c\u000bd\uffffe\ufffe', 'abc de'],
    ['\ud800x', '\ufffdx'],
    ['_x0041_', '_x005F_x0041_'],
    ['𝟜 🏗️', '𝟜 🏗'],
    [']]>', ']]&gt;'],
  ])('the spreadsheet has the name %j as text', async (name, written) => {
    const sheet = await sheetOf([company({ name })], name)
    expect(cellIn(sheet, 'A2')).toEqual(text(written))
    expect(sheet.match(/<f>/g)).toHaveLength(8) // the sums
  })

  it('the spreadsheet keeps its headings in view, and prints on A4, one page wide, with the name', async () => {
    const sheet = await sheetOf([company({})], 'Bo & Co')
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toContain(
      '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>',
    )
    expect(sheet).toContain(
      '<oddHeader>&amp;LEksterne K/S-selskaber: Bo &amp;&amp; Co&amp;R&amp;D</oddHeader>',
    )
    expect(sheet).toContain('<oddFooter>&amp;RSide &amp;P af &amp;N</oddFooter>')
    const signed = await sheetOf([company({})], 'Bo', 'Havn & Søn')
    expect(signed).toContain('<oddFooter>&amp;LHavn &amp;&amp; Søn&amp;RSide &amp;P af &amp;N</oddFooter>')
  })
})

it.each([
  ['Søren Kjærgaard', 'Rapport Søren Kjærgaard 2026-11-15.xlsx'],
  ['A/S "Øst" <1>: *?|\\', 'Rapport A-S -Øst- -1-- ---- 2026-11-15.xlsx'],
  ['å'.repeat(300), `Rapport ${'å'.repeat(100)} 2026-11-15.xlsx`],
])('the spreadsheet of %j is called %j', (person, name) => {
  expect(spreadsheetName(person, '2026-11-15')).toBe(name)
})
