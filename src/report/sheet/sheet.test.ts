import { describe, expect, it, vi } from 'vitest'
import { COLUMNS, type Company, type CompanyReport } from '../company/company.ts'
import { Sheet } from './sheet.ts'

function company(id: number, more: Partial<Company> = {}): Company {
  return {
    id,
    name: `K/S ${id}`,
    cvr: null,
    share: null,
    year: null,
    contribution: null,
    liability: null,
    equity: null,
    debt: null,
    result: null,
    locked: false,
    editable: COLUMNS.map(({ name }) => name),
    deletable: true,
    ...more,
  }
}

const report = (version: number, ...companies: Company[]): CompanyReport => ({ version, companies })
const keys = (sheet: Sheet) => sheet.rows.map(({ id }) => id).join(' ')

describe('unsaved changes', () => {
  const sheet = () => new Sheet(report(1, company(1, { equity: 1000 }), company(2)))

  it.each<[string, (sheet: Sheet) => void, boolean]>([
    ['nothing', () => undefined, false],
    ['a cell', (one) => one.type('nr-1', 'equity', '2'), true],
    ['a cell with the same meaning', (one) => one.type('nr-1', 'equity', '1000,0'), false],
    ['an added row', (one) => one.add(), true],
    ['a row added and deleted', (one) => one.remove(one.add()[0]!.id), false],
    ['a deleted row', (one) => one.remove('nr-1'), true],
    ['a deleted and restored row', (one) => one.remove('nr-1')(), false],
    ['another order', (one) => one.move(0, 1), true],
    ['a lock', (one) => one.setLocked('nr-1', true), true],
  ])('knows whether there are unsaved changes: %s', (_name, change, isDirty) => {
    const one = sheet()
    change(one)
    expect(one.isDirty).toBe(isDirty)
  })
})

it('typing does not signal rows, so the table is not rendered again', () => {
  const sheet = new Sheet(report(1, company(1)))
  const drawn = vi.fn()
  sheet.subscribe('rows', drawn)
  sheet.type('nr-1', 'equity', '1')
  sheet.type('nr-1', 'equity', '12')
  expect(drawn).not.toHaveBeenCalled()
  expect(sheet.sums.amounts.equity).toBe(12)
})

it('S5.8 faults are shown at the rows that were sent, even if those have moved', () => {
  const sheet = new Sheet(report(1, company(1), company(2), company(3)))
  const sent = sheet.snapshot()
  sheet.move(2, 0)
  sheet.remove('nr-1')
  sheet.refuse(
    { 'companies.2.cvr': ['Ugyldigt.'], 'companies.0.name': ['Nej.'], 'companies.1.id': ['Væk.'] },
    sent,
  )
  expect(sheet.faults.map(({ row, index, column, text }) => [row.id, index, column, text])).toEqual([
    ['nr-3', 0, 'cvr', 'Ugyldigt.'],
    ['nr-2', 1, 'name', 'Væk.'],
  ])
  sheet.type('nr-3', 'cvr', '1')
  expect(sheet.faults.map(({ row }) => row.id)).toEqual(['nr-2'])
})

describe('after saving', () => {
  it('changes made during a save stay unsaved, and the rest is as the server has it', () => {
    const sheet = new Sheet(report(1, company(1)))
    const [added] = sheet.add()
    sheet.type(added!.id, 'name', ' K/S Ny ')
    sheet.type('nr-1', 'cvr', '30 24 61 79')
    const sent = sheet.snapshot()
    sheet.type('nr-1', 'equity', '5')
    sheet.saved(report(2, company(1, { cvr: '30246179' }), company(9, { name: 'K/S Ny' })), sent)
    expect(sheet.version).toBe(2)
    expect(sheet.isDirty).toBe(true)
    expect(sheet.textOf('nr-1', 'cvr')).toBe('30246179')
    expect(sheet.textOf('nr-1', 'equity')).toBe('5')
    expect(sheet.textOf(added!.id, 'name')).toBe('K/S Ny')
    expect(sheet.rows[1]).toMatchObject({ id: added!.id, company: 9 })
  })

  it('a row that was deleted, saved and restored is new', () => {
    const sheet = new Sheet(report(1, company(1), company(2)))
    const undo = sheet.remove('nr-1')
    sheet.saved(report(2, company(2)), sheet.snapshot())
    undo()
    expect(sheet.rows[0]).toMatchObject({ id: 'nr-1', company: null })
    expect(sheet.isDirty).toBe(true)
  })

  it('a row that got its id by saving here is the same row in another person’s version', () => {
    const sheet = new Sheet(report(1))
    const [added] = sheet.add()
    sheet.type(added!.id, 'name', 'K/S 9')
    sheet.saved(report(2, company(9)), sheet.snapshot())
    sheet.type(added!.id, 'debt', '7')
    const theirs = report(3, company(9, { equity: 3 }))
    expect(sheet.differencesTo(theirs)).toMatchObject([{ kind: 'changed', key: added!.id }])
    sheet.takeTheirs(theirs, 'mine')
    expect(keys(sheet)).toBe(added!.id)
    expect([sheet.textOf(added!.id, 'equity'), sheet.textOf(added!.id, 'debt')]).toEqual(['3', '7'])
    expect(sheet).toMatchObject({ version: 3, isDirty: true })
  })
})

it('taking their version drops all my changes', () => {
  const sheet = new Sheet(report(1, company(1), company(2)))
  sheet.type('nr-1', 'equity', '5')
  sheet.add()
  sheet.remove('nr-2')
  sheet.takeTheirs(report(2, company(1, { equity: 8 }), company(2)), 'theirs')
  expect(keys(sheet)).toBe('nr-1 nr-2')
  expect(sheet.textOf('nr-1', 'equity')).toBe('8')
  expect(sheet).toMatchObject({ version: 2, isDirty: false })
})

it('recognises a report that equals what was sent', () => {
  const sheet = new Sheet(report(1))
  const [added] = sheet.add()
  sheet.type(added!.id, 'name', 'K/S 9')
  const sent = sheet.snapshot()
  expect(sheet.isWhatWasSent(report(2, company(9)), sent)).toBe(true)
  expect(sheet.isWhatWasSent(report(2, company(9, { debt: 1 })), sent)).toBe(false)
  expect(sheet.isWhatWasSent(report(2), sent)).toBe(false)
})

it('S3.5 deletable may be the text true or false', () => {
  const words = ['true', 'false'].map(
    (deletable, id) => ({ ...company(id), deletable }) as unknown as Company,
  )
  expect(new Sheet(report(1, ...words)).rows.map(({ deletable }) => deletable)).toEqual([true, false])
})

it('there are never more rows than the limit', () => {
  const sheet = new Sheet(report(1, company(1)))
  const { added, rowsLeft } = sheet.paste(
    Array.from({ length: 1200 }, (_, index) => [`K/S ${index}`]),
    'nr-1',
    'name',
  )
  expect({ added, rowsLeft, rows: sheet.rows.length }).toEqual({ added: 999, rowsLeft: 200, rows: 1000 })
  expect(sheet.add()).toEqual([])
})

it('S3.7 an amount below the minimum is raised to it, with a note, after typing only', () => {
  const sheet = new Sheet(report(1, company(1)))
  sheet.type('nr-1', 'debt', '-5')
  const { text, said } = sheet.leave('nr-1', 'debt')
  expect([text, said]).toEqual(['0', { text: 'Beløbet skal være mindst 0.', kind: 'note' }])
  sheet.say('nr-1', 'debt', said!)
  expect(sheet.rows[0]!.faults.debt).toEqual(said)
  expect(sheet.faults).toEqual([])
  sheet.saved(report(2, company(1)), sheet.snapshot()) // the note has not been read yet
  expect(sheet.rows[0]!.faults.debt?.text).toBe('Beløbet skal være mindst 0.')
  sheet.type('nr-1', 'debt', '5')
  expect(sheet.rows[0]!.faults).toEqual({})
})

it('S5.9 an amount above the maximum is lowered to it, and then counts in the sum', () => {
  const sheet = new Sheet(report(1, company(1), company(2, { debt: 1 })))
  sheet.type('nr-1', 'debt', '9'.repeat(20))
  expect(sheet.leave('nr-1', 'debt')).toEqual({
    text: '999.999.999.999',
    said: { text: 'Beløbet må højst være 999.999.999.999.', kind: 'note' },
  })
  expect(sheet.sums.amounts.debt).toBe(1_000_000_000_000)
})

it('pasted text that is no number gets a fault at once, and undoing removes both', () => {
  const sheet = new Sheet(report(1, company(1)))
  const { undo } = sheet.paste([['måske', '9'.repeat(20), '5']], 'nr-1', 'contribution')
  expect(sheet.rows[0]!.faults).toEqual({
    contribution: { text: 'Beløbet skal være et tal.', kind: 'early' },
    liability: { text: 'Beløbet må højst være 999.999.999.999 kr.', kind: 'early' },
  })
  expect(sheet.textOf('nr-1', 'liability')).toBe('9'.repeat(20))
  expect(sheet.faults).toEqual([])
  undo()
  expect(sheet.rows[0]!.faults).toEqual({})
})

it('undoing removes the pasted text, but nothing typed since', () => {
  const sheet = new Sheet(report(1, company(1)))
  const { undo } = sheet.paste(
    [
      ['K/S Et', ''],
      ['K/S To', ''],
      ['K/S Tre', ''],
    ],
    'nr-1',
    'name',
  )
  sheet.type(sheet.rows[1]!.id, 'debt', '500')
  undo()
  expect(sheet.rows.map(({ id }) => [sheet.textOf(id, 'name'), sheet.textOf(id, 'debt')])).toEqual([
    ['K/S 1', ''],
    ['', '500'],
  ])
})

it('undoing two deletions in their order restores the order of rows', () => {
  const sheet = new Sheet(report(1, company(1), company(2), company(3), company(4)))
  const [second, third] = [sheet.remove('nr-2'), sheet.remove('nr-3')]
  second()
  third()
  expect(sheet.rows.map(({ id }) => id)).toEqual(['nr-1', 'nr-2', 'nr-3', 'nr-4'])
  expect(sheet.isDirty).toBe(false)
})

it('pasting a name renames the row', () => {
  const sheet = new Sheet(report(1, company(1), company(2)))
  const [first, second] = sheet.rows
  sheet.paste([['K/S Ny']], 'nr-1', 'name')
  expect([sheet.rows[0] === first, sheet.rows[1] === second]).toEqual([false, true])
})

it('counts my changes that a lock has prevented', () => {
  const sheet = new Sheet(report(1, company(1), company(2)))
  sheet.type('nr-1', 'name', 'K/S Mit')
  sheet.type('nr-1', 'debt', '7')
  sheet.remove('nr-2')
  const lock = {
    locked: true,
    deletable: false,
    editable: ['liability', 'equity', 'debt', 'result'] as const,
  }
  const theirs = report(
    2,
    { ...company(1), ...lock, editable: [...lock.editable] },
    { ...company(2), ...lock, editable: [...lock.editable] },
  )
  expect(sheet.takeTheirs(theirs, 'mine')).toEqual({ dropped: 2 })
  expect([sheet.textOf('nr-1', 'name'), sheet.textOf('nr-1', 'debt')]).toEqual(['K/S 1', '7'])
})

it('remembers the longest amount, so that columns do not jump while typing', () => {
  const sheet = new Sheet(report(1, company(1, { debt: 5 })))
  sheet.type('nr-1', 'debt', '123456789')
  expect([sheet.sums.amounts.debt, sheet.longestAmount]).toEqual([123456789, '123.456.789'.length])
  sheet.type('nr-1', 'debt', '1234567891234567')
  expect([sheet.sums.amounts.debt, sheet.longestAmount]).toEqual([0, '123.456.789'.length])
})

it('columns are as wide as the longest amount, even if the sum is short', () => {
  const sheet = new Sheet(
    report(1, company(1, { equity: 5_000_000_000 }), company(2, { equity: -5_000_000_000 })),
  )
  expect([sheet.sums.amounts.equity, sheet.longestAmount]).toEqual([0, '-5.000.000.000'.length])
})
