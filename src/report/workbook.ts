import { cleanLine, escapeMarkup } from '../base/text.ts'

// The parts of an Excel file. `zip.server.ts` makes the file of them.

/** The type of the file. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The cell styles, by their index in STYLES. */
export const LOOK = {
  head: 1,
  figureHead: 2,
  text: 3,
  share: 4,
  year: 5,
  kroner: 6,
  sumText: 7,
  sum: 8,
  note: 9,
  fault: 10,
} as const

export type Look = keyof typeof LOOK
export type CellValue = string | number | null

type Sheet = {
  rows: string[]
  /** The columns' widths, in letters. */
  widths: number[]
  /** At the top of each printed page. */
  title: string
  /** At the foot of each printed page. */
  office: string
  /** The cells whose texts may look like numbers: 'B1:B20'. */
  numbersAsText?: string
  /** Text typed into an empty cell stays text, whatever it looks like: '0102' stays. */
  isText?: boolean
  /** The allowed values of cells. */
  hints?: readonly Hint[]
}

/** Shown at cells when they are chosen. With `choices`, they can be picked from a list. */
type Hint = { cells: string; title: string; text: string; choices?: readonly string[] }

/** Returns the parts of an Excel file with sheets, whose names have no signs that Excel minds. */
export function workbookOf(
  sheets: readonly { name: string; sheet: string }[],
): { name: string; text: string }[] {
  const paths = sheets.map((_, at) => `worksheets/sheet${at + 1}.xml`)
  return [
    ['[Content_Types].xml', contentTypes(paths)] as const,
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])] as const,
    ['xl/workbook.xml', workbook(sheets.map(({ name }) => name))] as const,
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...paths.map((path): [string, string] => ['worksheet', path]),
        ['styles', 'styles.xml'],
      ]),
    ] as const,
    ['xl/styles.xml', STYLES] as const,
    ...sheets.map(({ sheet }, at) => [`xl/${paths[at]}`, sheet] as const),
  ].map(([part, text]) => ({ name: part, text: DECLARATION + text }))
}

/** Returns a sheet whose first row stays at the top, and which prints across a page. */
export function worksheetOf(sheet: Sheet, isShown = true): string {
  const { rows, widths, title, office, numbersAsText, isText = false, hints = [] } = sheet
  const columns = widths.map(
    (width, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${width}"${isText ? ` style="${LOOK.text}"` : ''} customWidth="1"/>`,
  )
  const ignored = numbersAsText
    ? `<ignoredErrors><ignoredError sqref="${numbersAsText}" numberStoredAsText="1"/></ignoredErrors>`
    : ''
  return `<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>\
<dimension ref="A1:${letterOf(widths.length - 1)}${rows.length}"/>\
<sheetViews><sheetView${isShown ? ' tabSelected="1"' : ''} workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>\
</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns.join('')}</cols>\
<sheetData>${rows.join('')}</sheetData>${hintsOf(hints)}\
<pageMargins left="0.4" right="0.4" top="0.75" bottom="0.6" header="0.3" footer="0.3"/>\
<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>\
<headerFooter><oddHeader>${escapeMarkup(`&L${printed(title)}&R&D`)}</oddHeader>\
<oddFooter>${escapeMarkup(`${office && `&L${printed(office)}`}&RSide &P af &N`)}</oddFooter></headerFooter>\
${ignored}</worksheet>`
}

function hintsOf(hints: readonly Hint[]): string {
  if (hints.length === 0) return ''
  const each = hints.map(({ cells, title, text, choices }) => {
    // A warning, not a refusal: the server reports all faults at once.
    const list = choices ? ' type="list" errorStyle="warning" showErrorMessage="1"' : ''
    const formula = choices ? `<formula1>"${escapeMarkup(choices.join())}"</formula1>` : ''
    return `<dataValidation${list} allowBlank="1" showInputMessage="1" promptTitle="${escapeMarkup(title)}" \
prompt="${escapeMarkup(text)}" sqref="${cells}">${formula}</dataValidation>`
  })
  return `<dataValidations count="${each.length}">${each.join('')}</dataValidations>`
}

export const rowOf = (number: number, cells: string[], more = '') =>
  `<row r="${number}"${more}>${cells.join('')}</row>`

/** Writes text as text, whatever it looks like: '=1+1' is no formula. */
export function cellOf(at: number, row: number, look: Look, value: CellValue): string {
  const head = `<c r="${letterOf(at)}${row}" s="${LOOK[look]}"`
  if (value === null) return `${head}/>`
  if (typeof value === 'number') return `${head}><v>${value}</v></c>`
  return `${head} t="inlineStr"><is><t xml:space="preserve">${escapeMarkup(literal(value))}</t></is></c>`
}

/** 0 is A, 25 is Z, 26 is AA. */
export function letterOf(at: number): string {
  return `${at < 26 ? '' : letterOf(Math.floor(at / 26) - 1)}${String.fromCharCode(65 + (at % 26))}`
}

/** Excel reads '_x0041_' as an A, so the underscore itself is written that way. */
const literal = (text: string) => clean(text).replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')

/** In a printed page's header an & starts a command. */
const printed = (text: string) => clean(text).slice(0, 120).replaceAll('&', '&&')

/** Removes characters that XML cannot have. */
const clean = (text: string) => cleanLine(text).replaceAll(/[\ufffe\uffff]/g, '')

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

const contentTypes = (sheets: readonly string[]) => `<Types xmlns="${FORMATS}/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${SHEETML}.sheet.main+xml"/>\
${sheets.map((path) => `<Override PartName="/xl/${path}" ContentType="${SHEETML}.worksheet+xml"/>`).join('')}\
<Override PartName="/xl/styles.xml" ContentType="${SHEETML}.styles+xml"/></Types>`

// Prints the heading row on every page.
const workbook = (names: readonly string[]) => `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">\
<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets>\
<definedNames>${names
  .map(
    (name, at) => `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${name}!$1:$1</definedName>`,
  )
  .join('')}</definedNames></workbook>`

const wrapped = (side: string) => `<alignment horizontal="${side}" vertical="center" wrapText="1"/>`

/**
 * Uses formats that follow the reader's locale: 3 is #,##0, which shows 1.234 in Danish; 49 is text; 1 is a number
 * without grouping.
 */
const STYLES = `<styleSheet xmlns="${MAIN}">\
<numFmts count="1"><numFmt numFmtId="164" formatCode="0.00##%"/></numFmts>\
<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font>\
<font><i/><sz val="11"/><color rgb="FF53616D"/><name val="Calibri"/></font></fonts>\
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>\
<fill><patternFill patternType="solid"><fgColor rgb="FFFFE3DC"/></patternFill></fill></fills>\
<borders count="3"><border/><border><left/><right/><top/><bottom style="thin"/></border>\
<border><left/><right/><top style="thin"/><bottom/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="11"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
${style(49, { font: 1, border: 1, inside: wrapped('left') })}\
${style(49, { font: 1, border: 1, inside: wrapped('right') })}\
${style(49)}${style(164)}${style(1)}${style(3)}\
${style(49, { font: 1, border: 2 })}${style(3, { font: 1, border: 2 })}${style(49, { font: 2 })}${style(49, { fill: 2 })}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function style(format: number, { font = 0, fill = 0, border = 0, inside = '' } = {}): string {
  return `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" \
applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">${inside}</xf>`
}
