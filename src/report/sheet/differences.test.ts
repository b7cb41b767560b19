import { describe, expect, it } from 'vitest'
import { COLUMN_NAMES, NO_TEXTS, type Texts } from './cell-text.ts'
import { differencesOf, keepMine, type VersionRow } from './differences.ts'

function row(key: string, texts: Partial<Texts> = {}, more: Partial<VersionRow> = {}): VersionRow {
  return {
    key,
    texts: { ...NO_TEXTS, name: `K/S ${key}`, ...texts },
    locked: false,
    editable: COLUMN_NAMES,
    deletable: true,
    ...more,
  }
}

const [A, B, C] = [row('A', { equity: '100' }), row('B'), row('C')]

describe('the differences from a version that somebody else saved', () => {
  it('there is no difference if only the notation differs', () => {
    const mine = [row('A', { equity: '100,0' }), row('B')]
    expect(differencesOf({ before: [A, B], mine, theirs: [A, B] })).toEqual([])
  })

  it.each<[string, string, string, string, string]>([
    ['I alone', '100', '200', '100', 'me'],
    ['they alone', '100', '100', '300', 'them'],
    ['both', '100', '200', '300', 'both'],
  ])('lists a cell that %s changed', (_who, was, mine, theirs, by) => {
    expect(
      differencesOf({
        before: [row('A', { equity: was })],
        mine: [row('A', { equity: mine })],
        theirs: [row('A', { equity: theirs })],
      }),
    ).toEqual([{ kind: 'changed', key: 'A', name: 'K/S A', cells: [{ column: 'equity', mine, theirs, by }] }])
  })

  it('there is no difference if both changed a cell to the same', () => {
    const changed = [row('A', { equity: '5' })]
    expect(differencesOf({ before: [A], mine: changed, theirs: changed })).toEqual([])
  })

  it('lists a changed lock', () => {
    const theirs = [row('A', { equity: '100' }, { locked: true })]
    expect(differencesOf({ before: [A], mine: [A], theirs })).toMatchObject([
      { cells: [{ column: 'locked', mine: 'Ikke låst', theirs: 'Låst', by: 'them' }] },
    ])
  })

  it('lists added and removed rows, and by whom', () => {
    const found = differencesOf({ before: [A, B], mine: [A, row('new')], theirs: [B, C] })
    expect(found.map(({ key, kind, ...more }) => [key, kind, 'by' in more && more.by])).toEqual([
      ['B', 'removed', 'me'],
      ['C', 'added', 'them'],
      ['A', 'removed', 'them'],
      ['new', 'added', 'me'],
    ])
  })
})

describe('my changes on top of a version that somebody else saved', () => {
  const keysOf = (rows: VersionRow[]) => rows.map(({ key }) => key).join('')

  it('keeps my cells if I changed them, otherwise theirs', () => {
    const [merged] = keepMine({
      before: [row('A', { equity: '1', debt: '1', result: '1' })],
      mine: [row('A', { equity: '2', debt: '1', result: '2' })],
      theirs: [row('A', { equity: '3', debt: '3', result: '1' })],
    })
    expect(merged!.texts).toMatchObject({ equity: '2', debt: '3', result: '2' })
  })

  it('keeps their value of a cell that was locked meanwhile', () => {
    const theirs = row('A', { cvr: 'theirs' }, { locked: true, editable: ['equity'], deletable: false })
    const [merged] = keepMine({
      before: [A],
      mine: [row('A', { cvr: 'mine', equity: '7' })],
      theirs: [theirs],
    })
    expect(merged).toMatchObject({ locked: true, deletable: false })
    expect(merged!.texts).toMatchObject({ cvr: 'theirs', equity: '7' })
  })

  it.each<[string, VersionRow[], VersionRow[], VersionRow[], string]>([
    ['I deleted one', [A, B], [B], [A, B], 'B'],
    ['I deleted one that is locked now', [A, B], [B], [row('A', {}, { deletable: false }), B], 'AB'],
    ['they deleted one that I left alone', [A, B], [A, B], [B], 'B'],
    ['they deleted one that I changed', [A, B], [row('A', { debt: '9' }), B], [B], 'AB'],
    ['they added one', [A, B], [A, B], [A, C, B], 'ACB'],
    ['I added one', [A, B], [A, B, row('n')], [A, B], 'ABn'],
    ['both added one', [A], [A, row('n')], [A, C], 'AnC'],
    ['they moved one', [A, B, C], [A, B, C], [C, A, B], 'CAB'],
    ['I moved one', [A, B, C], [C, A, B], [A, B, C], 'CAB'],
    ['both moved', [A, B, C], [C, A, B], [B, A, C], 'CAB'],
    ['the table was empty', [], [row('n')], [A], 'nA'],
    ['the same', [A, B], [A, B], [A, B], 'AB'],
  ])('joins the rows: %s', (_name, before, mine, theirs, expected) => {
    expect(keysOf(keepMine({ before, mine, theirs }))).toBe(expected)
  })

  it('a row that they deleted is new again', () => {
    const rows = keepMine({ before: [A], mine: [row('A', { debt: '9' })], theirs: [] })
    expect(rows).toMatchObject([{ isNew: true, texts: { debt: '9', equity: '' } }])
  })

  it('keeps my lock, and theirs if I changed nothing', () => {
    const locked = row('A', { equity: '100' }, { locked: true })
    expect(keepMine({ before: [A], mine: [locked], theirs: [A] })).toMatchObject([{ locked: true }])
    expect(keepMine({ before: [A], mine: [A], theirs: [locked] })).toMatchObject([{ locked: true }])
  })
})
