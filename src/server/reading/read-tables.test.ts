import { describe, expect, it } from 'vitest'
import { readTables } from './read-tables.ts'
import { zip } from '../../report/zip.server.ts'

const csv = (text: string, encoding: 'utf8' | 'utf16le' | 'latin1' = 'utf8') => Buffer.from(text, encoding)
const zipOf = (parts: Record<string, string>) =>
  zip(Object.entries(parts).map(([name, text]) => ({ name, text })))
const cellsOf = async (bytes: Buffer) =>
  (await readTables(bytes, 100)).flatMap(({ rows }) => rows.map(({ cells }) => cells))

describe('a text with separated values', () => {
  const said = [
    ['Navn', 'By'],
    ['Åse', 'Ærø; lille'],
  ]
  it.each([
    ['semicolons', csv('Navn;By\r\nÅse;"Ærø; lille"\r\n')],
    ['semicolons with a mark', csv('\ufeffNavn;By\nÅse;"Ærø; lille"\n')],
    ['commas', csv('Navn,By\nÅse,Ærø; lille')],
    ['tabs', csv('Navn\tBy\rÅse\tÆrø; lille\r')],
    ["Windows' letters", csv('Navn;By\r\nÅse;"Ærø; lille"', 'latin1')],
    ['UTF-16', csv('\ufeffNavn\tBy\r\nÅse\tÆrø; lille\r\n', 'utf16le')],
    ['a line that says the sign', csv('sep=;\r\nNavn;By\r\nÅse;"Ærø; lille"')],
  ])('reads separated values with %s', async (_, bytes) => expect(await cellsOf(bytes)).toEqual(said))

  it('separated values keep row numbers, lines in a cell, and empty cells', async () => {
    const [table] = await readTables(csv('Nr;Navn\n\n1;"Bo\nHolm"\n;\n 2 ;'), 100)
    expect(table).toMatchObject({
      name: '',
      rowsCount: 3,
      rows: [
        { row: 1, cells: ['Nr', 'Navn'] },
        { row: 3, cells: ['1', 'Bo\nHolm'] },
        { row: 5, cells: [' 2 '] },
      ],
    })
  })

  it('refuses separated values if a quote is never closed, or if it is no text', async () => {
    await expect(readTables(csv('Navn;"Bo\n'), 10)).rejects.toMatchObject({ fault: 'damaged' })
    const noise = Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7) % 31))
    await expect(readTables(noise, 10)).rejects.toMatchObject({ fault: 'notText' })
  })

  it('keeps at most the number of rows asked for, and counts all', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `${at};Bo`).join('\n')
    const [table] = await readTables(csv(`Nr;Navn\n${rows}`), 50)
    expect(table!.rows).toHaveLength(50)
    expect(table!.rowsCount).toBe(100_001)
  })

  it('reports a cell that is too long', async () => {
    const [table] = await readTables(csv(`Nr;Navn\n1;${'x'.repeat(6000)}`), 50)
    expect(table!.troubles).toEqual([{ trouble: 'length', row: 2, at: 1 }])
  })
})

const workbook = (cells: string, more = '') =>
  zipOf({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="Ark" r:id="a"/><sheet name="Skjult" state="hidden" r:id="b"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/sharedStrings.xml': '<sst><si><t>Navn</t></si><si><r><t>Bo </t></r><r><t>Holm</t></r></si></sst>',
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells}</sheetData>${more}</worksheet>`,
    'xl/worksheets/sheet2.xml': '<worksheet><sheetData/></worksheet>',
  })

describe('a workbook', () => {
  it('a workbook has texts, numbers, days and the values of formulas', async () => {
    const [sheet, hidden] = await readTables(
      await workbook(
        `<row r="1"><c r="A1" t="s"><v>0</v></c></row>
        <row r="4"><c r="A4" t="s"><v>1</v></c><c r="C4"><v>1024.0</v></c><c r="D4" s="1"><v>45291</v></c>
          <c r="E4" s="2"><v>102</v></c><c r="F4"><f>1+1</f><v>2</v></c><c r="G4" t="str"><f>""</f><v></v></c>
          <c r="H4" t="inlineStr"><is><t>a_x000D_b</t></is></c><c r="I4" t="b"><v>1</v></c><c r="J4"><v>0.1</v></c></row>`,
        '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>',
      ),
      100,
    )
    expect(sheet).toMatchObject({
      name: 'Ark',
      isHidden: false,
      rows: [
        { row: 1, cells: ['Navn'] },
        {
          row: 4,
          cells: ['Bo Holm', null, '1024', '2023-12-31', '0102', '2', null, 'a\rb', 'Ja', '0,1'],
        },
      ],
      merged: ['A1:B2'],
      troubles: [],
    })
    expect(hidden).toMatchObject({ name: 'Skjult', isHidden: true, rows: [] })
  })

  it('reports formulas without a value, Excel’s errors, and numbers with lost digits', async () => {
    const [sheet] = await readTables(
      await workbook(
        '<row r="2"><c r="A2"><f>A1</f></c><c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="C2"><v>1.2345678901234E+17</v></c></row>',
      ),
      100,
    )
    expect(sheet!.troubles).toEqual([
      { trouble: 'formula', row: 2, at: 0 },
      { trouble: 'error', row: 2, at: 1 },
      { trouble: 'digits', row: 2, at: 2 },
    ])
  })

  it.each([
    ['a zip of something else', () => zipOf({ 'readme.txt': 'hej' }), 'damaged'],
    ['an old or a locked workbook', () => Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'locked'],
    ['a broken zip', () => Buffer.from('PK\x03\x04 and no more'), 'damaged'],
    ['cells beyond Excel’s columns', () => workbook('<row r="1"><c r="ZZZ1"><v>1</v></c></row>'), 'damaged'],
    ['rows beyond Excel’s rows', () => workbook('<row r="99999999"><c r="A1"><v>1</v></c></row>'), 'damaged'],
    [
      'a bomb',
      () =>
        zipOf({ 'xl/workbook.xml': '<workbook/>', 'xl/sharedStrings.xml': ' '.repeat(200 * 1024 * 1024) }),
      'bomb',
    ],
  ])('refuses a workbook that is %s', async (_, make, fault) =>
    expect(readTables(await make(), 10)).rejects.toMatchObject({ fault }),
  )
})
