import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import readXlsxFile from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { freshDirectory } from '../../../test/directory.ts'
import { zip } from '../../report/zip.server.ts'
import { readSheet } from './read-sheet.server.ts'
import { REPORT_COLUMNS } from './table.ts'
import { writeSheet } from './write-sheet.server.ts'

const ROWS = [
  ['1', '0102', '=1+1', 'a & b < c > "d"', '_x0041_', '', 'æøå', 'x', '', '04/03/2019'],
  ['2', '', '', '', '', '', '', '', '', 'sidst'],
]

async function* inPieces(rows: string[][]) {
  for (const row of rows) yield [row]
}

it('writes texts that stay unchanged, for us and for other programs', async () => {
  const path = join(await freshDirectory(), 'a.xlsx')
  await writeSheet(path, { title: 'T', office: 'K', columns: REPORT_COLUMNS, count: 2, rows: inPieces(ROWS) })
  const head = REPORT_COLUMNS.map(({ text }) => text)
  expect(await readSheet(path)).toEqual([head, ...ROWS])
  const others = await readXlsxFile(path)
  const [sheet] = others as unknown as [{ data: unknown[][] }]
  expect(sheet.data[1]!.slice(0, 4)).toEqual(['1', '0102', '=1+1', 'a & b < c > "d"'])
  expect(sheet.data).toHaveLength(3)
})

it('leaves no half-written file when the rows fail', async () => {
  const path = join(await freshDirectory(), 'a.xlsx')
  await writeFile(path, 'before')
  async function* failing() {
    yield [ROWS[0]!]
    throw new Error('The database is away.')
  }
  await expect(
    writeSheet(path, { title: 'T', office: '', columns: REPORT_COLUMNS, count: 2, rows: failing() }),
  ).rejects.toThrow('The database is away.')
  expect(await readFile(path, 'utf8')).toBe('before')
  await expect(readFile(`${path}.part`)).rejects.toThrow('ENOENT')
})

it('reads the file after Excel has saved it: shared texts, numbers, left-out cells and rows', async () => {
  const path = join(await freshDirectory(), 'a.xlsx')
  const part = (name: string, text: string) => ({ name, text })
  await writeFile(
    path,
    await zip([
      part(
        'xl/workbook.xml',
        '<workbook xmlns:r="r"><sheets><sheet name="A" r:id="rId7"/></sheets></workbook>',
      ),
      part(
        'xl/_rels/workbook.xml.rels',
        '<Relationships><Relationship Id="rId7" Target="worksheets/other.xml"/></Relationships>',
      ),
      part(
        'xl/sharedStrings.xml',
        '<sst><si><t>Nr.</t></si><si><r><t>Års</t></r><r><t>rapport</t></r></si></sst>',
      ),
      part(
        'xl/worksheets/other.xml',
        '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row>' +
          '<row r="3"><c r="A3"><v>1024</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="str"><f>A1</f><v>ja</v></c></row>' +
          '</sheetData></worksheet>',
      ),
    ]),
  )
  expect(await readSheet(path)).toEqual([['Nr.'], [], ['1024', '', 'Årsrapport', 'ja']])
})

it.each<[what: string, bytes: Buffer]>([
  ['UTF-8', Buffer.from('Nr.;Sti\r\n1;"å;b"\r\n')],
  ['UTF-8 with a mark', Buffer.from('\ufeffNr.;Sti\n1;å;b\n'.replace('å;b', '"å;b"'))],
  ['Windows-1252', Buffer.from('Nr.;Sti\n1;"å;b"\n', 'latin1')],
  ['UTF-16 with tabs', Buffer.from('\ufeffNr.\tSti\n1\tå;b\n', 'utf16le')],
  ['commas', Buffer.from('Nr.,Sti\n1,å;b\n')],
])('reads CSV in %s', async (_what, bytes) => {
  const path = join(await freshDirectory(), 'a.csv')
  await writeFile(path, bytes)
  expect(await readSheet(path)).toEqual([
    ['Nr.', 'Sti'],
    ['1', 'å;b'],
  ])
})

it('reports a file that is not a table', async () => {
  const path = join(await freshDirectory(), 'a.xlsx')
  await writeFile(path, 'PK not a zip')
  await expect(readSheet(path)).rejects.toThrow('is no Excel or CSV file that can be read')
  await expect(readSheet(`${path}.x`)).rejects.toThrow(`There is no table ${path}.x.`)
})
