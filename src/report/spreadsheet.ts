import { cleanLine } from '../base/text.ts'
import { COLUMNS, type CompanyValues } from './company.ts'
import { partOf, PARTS, sumsOf } from './sums.ts'

/** The cell styles, by their index in STYLES. */
const LOOK = { head: 1, figureHead: 2, text: 3, share: 4, year: 5, kroner: 6, sumText: 7, sum: 8 } as const

type Look = keyof typeof LOOK
type Value = string | number | null

/** A column of the sheet, with the sum below it. */
type SheetColumn = {
  text: string
  look: Look
  width: number
  valueOf: (company: CompanyValues) => Value
  sum?: number
}

/** Returns the parts of an Excel file: the report as on its page, with the investor's parts and the sums. */
export function spreadsheetOf(
  person: string,
  companies: readonly CompanyValues[],
  office = '',
): { name: string; text: string }[] {
  const sheet = sheetOf({ person, office }, columnsOf(companies), companies)
  return [
    ['[Content_Types].xml', CONTENT_TYPES] as const,
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])] as const,
    ['xl/workbook.xml', WORKBOOK] as const,
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
      ]),
    ] as const,
    ['xl/styles.xml', STYLES] as const,
    ['xl/worksheets/sheet1.xml', sheet] as const,
  ].map(([name, text]) => ({ name, text: DECLARATION + text }))
}

/** Returns 'Rapport Søren Kjærgaard 2026-11-15.xlsx', without characters that a file name cannot have. */
export function spreadsheetName(person: string, date: string): string {
  const name = cleanLine(person).replaceAll(/[/\\:*?"<>|]/g, '-')
  return `Rapport ${name.slice(0, 100).trim()} ${date}.xlsx`
}

function columnsOf(companies: readonly CompanyValues[]): SheetColumn[] {
  const { amounts, parts } = sumsOf(companies)
  const longest = Math.max(0, ...companies.map(({ name }) => name.length))
  const own = COLUMNS.map((column): SheetColumn => {
    const { name, text } = column
    const valueOf = (company: CompanyValues) => company[name]
    if (column.type === 'currency')
      return { text, look: 'kroner', width: 16, valueOf, sum: amounts[column.name] }
    if (name === 'name')
      return { text, look: 'text', width: Math.min(Math.max(longest + 2, 20), 50), valueOf }
    if (name === 'share') return { text, look: 'share', width: 12, valueOf: ({ share }) => fractionOf(share) }
    return { text, look: name === 'year' ? 'year' : 'text', width: 14, valueOf }
  })
  const ofParts = PARTS.map(({ name, text }): SheetColumn => ({
    text,
    look: 'kroner',
    width: 16,
    valueOf: (company) => partOf(company.share, company[name]),
    sum: parts[name],
  }))
  return [...own, ...ofParts]
}

/** 33.3333 % is 0.333333. Dividing by 100 would give slightly less. */
const fractionOf = (share: number | null) => (share === null ? null : Math.round(share * 10_000) / 1_000_000)

function sheetOf(
  { person, office }: { person: string; office: string },
  columns: SheetColumn[],
  companies: readonly CompanyValues[],
): string {
  const last = companies.length + 1
  const sums = companies.length > 0 ? [sumRow(columns, last)] : []
  const rows = [
    headRow(columns),
    ...companies.map((company, index) =>
      rowOf(
        index + 2,
        columns.map(({ look, valueOf }, at) => cell(at, index + 2, look, valueOf(company))),
      ),
    ),
    ...sums,
  ]
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const cvr = letterOf(COLUMNS.findIndex(({ name }) => name === 'cvr'))
  return `<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>\
<dimension ref="A1:${letterOf(columns.length - 1)}${rows.length}"/>\
<sheetViews><sheetView tabSelected="1" workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>\
</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols>\
<sheetData>${rows.join('')}</sheetData>\
<pageMargins left="0.4" right="0.4" top="0.75" bottom="0.6" header="0.3" footer="0.3"/>\
<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>\
<headerFooter><oddHeader>${escaped(`&L${printed(`Eksterne K/S-selskaber: ${person}`)}&R&D`)}</oddHeader>\
<oddFooter>${escaped(`${office && `&L${printed(office)}`}&RSide &P af &N`)}</oddFooter></headerFooter>\
<ignoredErrors><ignoredError sqref="${cvr}1:${cvr}${last}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

const headRow = (columns: SheetColumn[]) =>
  rowOf(
    1,
    columns.map(({ text, look }, at) => cell(at, 1, look === 'text' ? 'head' : 'figureHead', text)),
    ' ht="32" customHeight="1"', // two lines
  )

/** Writes both the formula, for editing the sheet, and its result, for programs that only show it. */
function sumRow(columns: SheetColumn[], last: number): string {
  const cells = columns.map(({ sum }, at) => {
    if (sum === undefined) return cell(at, last + 1, 'sumText', at === 0 ? 'Sum' : null)
    const column = letterOf(at)
    const formula = `<f>SUM(${column}2:${column}${last})</f>`
    return `<c r="${column}${last + 1}" s="${LOOK.sum}">${formula}<v>${sum}</v></c>`
  })
  return rowOf(last + 1, cells)
}

const rowOf = (number: number, cells: string[], more = '') =>
  `<row r="${number}"${more}>${cells.join('')}</row>`

/** Writes text as text, whatever it looks like: '=1+1' is no formula. */
function cell(at: number, row: number, look: Look, value: Value): string {
  const head = `<c r="${letterOf(at)}${row}" s="${LOOK[look]}"`
  if (value === null) return `${head}/>`
  if (typeof value === 'number') return `${head}><v>${value}</v></c>`
  return `${head} t="inlineStr"><is><t xml:space="preserve">${escaped(literal(value))}</t></is></c>`
}

/** Goes up to Z, which is enough here. */
const letterOf = (at: number) => String.fromCharCode(65 + at)

/** Excel reads '_x0041_' as an A, so the underscore itself is written that way. */
const literal = (text: string) => clean(text).replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')

/** In a printed page's header an & starts a command. */
const printed = (text: string) => clean(text).slice(0, 120).replaceAll('&', '&&')

/** Removes characters that XML cannot have. */
const clean = (text: string) => cleanLine(text).replaceAll(/[\ufffe\uffff]/g, '')

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]!)

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const FORMATS = 'http://schemas.openxmlformats.org'
const MAIN = `${FORMATS}/spreadsheetml/2006/main`
const OFFICE = `${FORMATS}/officeDocument/2006/relationships`
const SHEETML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function relationships(targets: [kind: string, target: string][]): string {
  const each = targets.map(
    ([kind, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${FORMATS}/package/2006/relationships">${each.join('')}</Relationships>`
}

const CONTENT_TYPES = `<Types xmlns="${FORMATS}/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${SHEETML}.sheet.main+xml"/>\
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEETML}.worksheet+xml"/>\
<Override PartName="/xl/styles.xml" ContentType="${SHEETML}.styles+xml"/></Types>`

// Prints the heading row on every page.
const WORKBOOK = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">\
<sheets><sheet name="Rapport" sheetId="1" r:id="rId1"/></sheets>\
<definedNames><definedName name="_xlnm.Print_Titles" localSheetId="0">Rapport!$1:$1</definedName></definedNames>\
</workbook>`

const wrapped = (side: string) => `<alignment horizontal="${side}" vertical="center" wrapText="1"/>`

/**
 * Uses formats that follow the reader's locale: 3 is #,##0, which shows 1.234 in Danish; 49 is text; 1 is a number
 * without grouping.
 */
const STYLES = `<styleSheet xmlns="${MAIN}">\
<numFmts count="1"><numFmt numFmtId="164" formatCode="0.00##%"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="3"><border/><border><left/><right/><top/><bottom style="thin"/></border>\
<border><left/><right/><top style="thin"/><bottom/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="9"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
${style(49, { font: 1, border: 1, inside: wrapped('left') })}\
${style(49, { font: 1, border: 1, inside: wrapped('right') })}\
${style(49)}${style(164)}${style(1)}${style(3)}\
${style(49, { font: 1, border: 2 })}${style(3, { font: 1, border: 2 })}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function style(format: number, { font = 0, border = 0, inside = '' } = {}): string {
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="${border}" xfId="0" \
applyNumberFormat="1" applyFont="1" applyBorder="1" applyAlignment="1">${inside}</xf>`
}
