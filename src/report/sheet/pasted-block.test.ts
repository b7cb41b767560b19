import { describe, expect, it } from 'vitest'
import { COLUMNS, type CompanyColumn } from '../company/company.ts'
import { pastedText, placeBlock, readBlock, pasteText } from './pasted-block.ts'

describe('S2.8 a block copied from a spreadsheet', () => {
  it.each<[string, string, string[][]]>([
    ['one cell', 'K/S A', [['K/S A']]],
    ['nothing', '', [['']]],
    ['a row', 'K/S A\t38291044', [['K/S A', '38291044']]],
    [
      'rows, the last with a line end',
      'a\tb\r\nc\td\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['rows of an old Mac', 'a\rb', [['a'], ['b']]],
    ['empty cells', '\tb\t\n', [['', 'b', '']]],
    ['an empty row inside', 'a\n\nb\n', [['a'], [''], ['b']]],
    ['a line inside a cell', '"K/S A\nB"\tx\ny', [['K/S A\nB', 'x'], ['y']]],
    ['a tab inside a cell', '"a\tb"\tc', [['a\tb', 'c']]],
    ['quotes inside a cell', '"K/S ""Nord"""\tx', [['K/S "Nord"', 'x']]],
    ['quotes that are part of the name', '"Nord" K/S\tx', [['"Nord" K/S', 'x']]],
    ['a quote that is never closed', '"a\tb', [['"a', 'b']]],
    ['an empty cell in quotes', '""\tb', [['', 'b']]],
  ])('%s', (_name, text, block) => {
    expect(readBlock(text)).toEqual(block)
  })
})

describe('S5.9 the text of a pasted cell', () => {
  it.each<[CompanyColumn, string, string]>([
    ['equity', '1.234.567,50', '1.234.568'],
    ['equity', '1234567', '1.234.567'],
    ['equity', '-1.000', '-1.000'],
    ['equity', '\u22121.000', '-1.000'],
    ['equity', '(1.000)', '-1.000'],
    ['equity', '(kr. 1.000)', '-1.000'],
    ['equity', 'kr. (1.000)', '-1.000'],
    ['equity', '1.000-', '-1.000'],
    ['equity', 'kr. 500', '500'],
    ['equity', 'kr. -500', '-500'],
    ['equity', '-kr. 500', '-500'],
    ['equity', '500 kr.', '500'],
    ['equity', '500 DKK', '500'],
    ['equity', '500,-', '500'],
    ['equity', '1\u00a0234\u00a0567', '1.234.567'],
    ['equity', '\u00a0kr.\u00a01.234,00\u00a0', '1.234'],
    ['equity', '', ''],
    ['equity', '  ', ''],
    ['equity', 'kr.', 'kr.'],
    ['equity', '#REFERENCE!', '#REFERENCE!'],
    ['equity', '1,234.56', '1,234.56'],
    ['equity', '1,2E+06', '1,2E+06'],
    ['share', '12,5 %', '12,5'],
    ['share', '12,5\u00a0%', '12,5'],
    ['share', '12.5%', '12,5'],
    ['share', '12,5 pct.', '12,5'],
    ['share', '1/3', '1/3'],
    ['year', '2025', '2025'],
    ['year', '31-12-2025', '31-12-2025'],
    ['name', ' K/S\nNord ', 'K/S Nord'],
    ['cvr', '38 29 10 44', '38 29 10 44'],
  ])('%s %j', (column, text, expected) => {
    expect(pastedText(column, text)).toBe(expected)
  })
})

const ALL = COLUMNS.map(({ name }) => name)
const OPEN = { editable: ALL }
const LOCKED = { editable: ['equity'] }

describe('S2.8 placing a block', () => {
  it('a pasted block fills the cells from the focused one on', () => {
    const block = [
      ['1', '2'],
      ['3', '4'],
    ]
    expect(placeBlock(block, { row: 1, column: 'equity' }, [OPEN, OPEN, OPEN], 1000)).toEqual({
      cells: [
        { row: 1, column: 'equity', text: '1' },
        { row: 1, column: 'debt', text: '2' },
        { row: 2, column: 'equity', text: '3' },
        { row: 2, column: 'debt', text: '4' },
      ],
      added: 0,
      locked: 0,
      rowsLeft: 0,
      columnsLeft: 0,
    })
  })

  it('a pasted block adds the rows it needs, up to the limit', () => {
    const block = Array.from({ length: 5 }, (_, index) => [`K/S ${index}`])
    const placed = placeBlock(block, { row: 1, column: 'name' }, [OPEN, OPEN], 4)
    expect(placed).toMatchObject({ added: 2, rowsLeft: 2 })
    expect(placed.cells.map(({ row, text }) => [row, text])).toEqual([
      [1, 'K/S 0'],
      [2, 'K/S 1'],
      [3, 'K/S 2'],
    ])
  })

  it('a pasted block skips locked cells, and counts them', () => {
    const placed = placeBlock([['1', '2', '3']], { row: 0, column: 'liability' }, [LOCKED], 1000)
    expect(placed).toMatchObject({ locked: 2, cells: [{ row: 0, column: 'equity', text: '2' }] })
  })

  it('a pasted block counts the columns beyond the last, unless they are empty', () => {
    const at = { row: 0, column: 'debt' } as const
    expect(placeBlock([['1', '2', '3', '4']], at, [OPEN], 1000).columnsLeft).toBe(2)
    expect(placeBlock([['1', '2', '', ' ']], at, [OPEN], 1000).columnsLeft).toBe(0)
  })

  it('a pasted block skips a row of headings', () => {
    const block = [
      ['selskab', 'CVR-nr.'],
      ['K/S A', ''],
    ]
    expect(placeBlock(block, { row: 0, column: 'name' }, [OPEN], 1000).cells).toEqual([
      { row: 0, column: 'name', text: 'K/S A' },
      { row: 0, column: 'cvr', text: '' },
    ])
  })
})

it('the message about a pasted block mentions everything left out', () => {
  const cells = [
    { row: 0, column: 'name' as const, text: 'a' },
    { row: 1, column: 'name' as const, text: 'b' },
  ]
  expect(pasteText({ cells, added: 1, locked: 1, rowsLeft: 12, columnsLeft: 1 }, '1.000')).toBe(
    '2 celler i 2 rækker er sat ind, heraf 1 ny række. 1 låst celle er sprunget over. 12 rækker kom ikke med, for der kan højst være 1.000 selskaber. 1 kolonne var der ikke plads til.',
  )
})
