import { describe, expect, it } from 'vitest'
import type { SplitPerson } from './named-people.ts'
import { pageNumberOf } from './page-number.ts'
import { proposePages, reasonText, type PageProposal } from './propose-pages.ts'

const person = (id: number, name: string, more: Partial<SplitPerson> = {}): SplitPerson => ({
  id,
  name,
  numbers: [String(2000 + id)],
  companies: [],
  is_active: true,
  ...more,
})

const PEOPLE = [
  person(1, 'Karen Holm'),
  person(2, 'Karen Holm Jensen'),
  person(3, 'Åse Ægidius-Krøyer', { companies: ['Krøyer Invest ApS'] }),
  person(4, 'Jens Bach'),
  person(5, 'Jens Bach'),
  person(6, 'Viggo Rask', { numbers: ['2006', 'R-17'] }),
  person(7, 'Dorte Dam', { is_active: false }),
  person(8, 'Mads', { companies: ['Fælleseje I/S'] }),
  person(9, 'Inger Lund', { companies: ['Fælleseje I/S'] }),
  person(10, 'Bo Falk'),
]

function propose(...pages: string[]): PageProposal[] {
  const work = proposePages(pages, PEOPLE)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

const said = ({ person: id, sureness, reason }: PageProposal) => [id, sureness, reason.kind]

describe('whose a page is', () => {
  it.each<[what: string, page: string, person: number | null, sureness: string, why: string]>([
    [
      'a number that is called an investor’s',
      'Årsopgørelse 2025\nInvestornr.: 2003\nBeløb i kr.',
      3,
      'sure',
      'number',
    ],
    ['the word and the number apart', 'Investor 2003', 3, 'sure', 'number'],
    ['a number of a kommanditist', 'Kommanditist nr. 2006', 6, 'sure', 'number'],
    ['a number below its label', 'Investornummer\n2006', 6, 'sure', 'number'],
    ['a number with a letter', 'Investornr. R-17', 6, 'sure', 'number'],
    ['a year that is also a number', 'Årsopgørelse for 2003', null, 'unsure', 'nobody'],
    [
      'another number that is also a person’s',
      'Faktura nr. 2003, projekt nr. 2006',
      null,
      'unsure',
      'nobody',
    ],
    ['the number of investors', 'Investorer 2003', null, 'unsure', 'nobody'],
    ['a name', 'Til\nViggo Rask\nStrandvejen 1', 6, 'sure', 'name'],
    ['a name in capitals', 'VIGGO RASK', 6, 'sure', 'name'],
    ['a name with signs', 'Kære Åse Ægidius-Krøyer,', 3, 'sure', 'name'],
    ['a name that begins with the last one', 'Rask, Viggo', 6, 'sure', 'name'],
    ['a name before its number', 'Navn Viggo Rask Nummer 2006', 6, 'sure', 'name'],
    ['a part of a name', 'Rask udvikling hos Viggo', null, 'unsure', 'nobody'],
    ['a first name alone', 'Mads', null, 'unsure', 'nobody'],
    ['the longer of two names', 'Karen Holm Jensen', 2, 'sure', 'name'],
    ['the shorter of two names', 'Karen Holm\nJensens Allé 4', 1, 'sure', 'name'],
    ['a longer name that nobody has', 'Karen Holm Madsen', null, 'unsure', 'partly'],
    ['a name after another first name', 'Anne Viggo Rask', null, 'unsure', 'partly'],
    ['a company called after somebody', 'Viggo Rask Holding ApS', null, 'unsure', 'partly'],
    ['a longer name with the number', 'Viggo Rask Holding, investornr. 2006', 6, 'sure', 'number'],
    ['two people', 'Viggo Rask\nKaren Holm', null, 'unsure', 'several'],
    ['one’s number and another’s name', 'Investornr. 2006\nBo Falk', null, 'unsure', 'several'],
    ['namesakes', 'Til Jens Bach', null, 'unsure', 'namesakes'],
    ['a namesake with their number somewhere', 'Til Jens Bach\n(2005)', 5, 'sure', 'name'],
    ['a namesake with both numbers', 'Til Jens Bach\n2004 2005', null, 'unsure', 'namesakes'],
    ['somebody who is deactivated', 'Til Dorte Dam', null, 'unsure', 'inactive'],
    ['a company that one person has', 'Vedr. Krøyer Invest ApS', 3, 'maybe', 'company'],
    ['a company that two have', 'Vedr. Fælleseje I/S', null, 'unsure', 'several'],
    ['nothing', '', null, 'unsure', 'no-text'],
    ['nobody', 'Almindelige bemærkninger', null, 'unsure', 'nobody'],
  ])('finds the person of a page: %s', (_what, page, ...expected) => {
    expect(said(propose(page)[0]!)).toEqual(expected)
  })

  it('a page offers the people who may be meant', () => {
    expect(propose('Til Jens Bach', 'Viggo Rask\nKaren Holm').map(({ candidates }) => candidates)).toEqual([
      [4, 5],
      [6, 1],
    ])
  })

  it('a page says why in Danish', () => {
    expect(
      propose('Investor 2003', 'Til Jens Bach', 'Viggo Rask\nBo Falk', '').map(({ reason }) =>
        reasonText(reason),
      ),
    ).toEqual([
      'Nummer 2003 står på siden.',
      'Flere investorer hedder Jens Bach.',
      'Flere står på siden: Viggo Rask, Bo Falk.',
      'Siden har ingen tekst.',
    ])
  })
})

describe('pages that name nobody', () => {
  const own = (...pages: string[]) => propose(...pages).map(({ person: id }) => id)

  it('a page that names nobody belongs to the page before if its number continues', () => {
    expect(
      own(
        'Viggo Rask\nSide 1 af 3',
        'Noter\nSide 2 af 3',
        'Noter\nSide 3 af 3',
        'Bo Falk\nSide 1 af 2',
        'Noter\nSide 2 af 2',
      ),
    ).toEqual([6, 6, 6, 10, 10])
  })

  it('a page without a total of pages needs attention', () => {
    const sure = (...pages: string[]) => propose(...pages).map(({ sureness }) => sureness)
    expect(sure('Viggo Rask\nSide 1 af 2', 'Noter\nSide 2 af 2')).toEqual(['sure', 'sure'])
    expect(sure('Viggo Rask\nSide 1', 'Noter\nSide 2')).toEqual(['sure', 'maybe'])
    expect(sure('Viggo Rask\nSide 2 af 3', 'Noter\nSide 3 af 3')).toEqual(['sure', 'maybe'])
  })

  it.each<[what: string, pages: string[], whose: (number | null)[]]>([
    ['without numbers', ['Viggo Rask', 'Noter'], [6, null]],
    ['that begin again', ['Viggo Rask\nSide 1 af 2', 'Noter\nSide 1 af 2'], [6, null]],
    ['that skip one', ['Viggo Rask\nSide 1 af 3', 'Noter\nSide 3 af 3'], [6, null]],
    ['of another length', ['Viggo Rask\nSide 1 af 2', 'Noter\nSide 2 af 9'], [6, null]],
    ['after an unsure page', ['Jens Bach\nSide 1 af 2', 'Noter\nSide 2 af 2'], [null, null]],
    ['before the first name', ['Noter\nSide 1', 'Viggo Rask\nSide 2'], [null, 6]],
    ['without text', ['Viggo Rask\nSide 1', ''], [6, null]],
  ])('a page that names nobody does not belong to the page before if it comes %s', (_what, pages, whose) => {
    expect(own(...pages)).toEqual(whose)
  })

  it('pages that name nobody belong to nobody if the numbers run through the whole PDF', () => {
    expect(
      own('Viggo Rask\nSide 1', 'Noter\nSide 2', 'Bo Falk\nSide 3', 'Karen Holm\nSide 4', 'Noter\nSide 5'),
    ).toEqual([6, null, 10, 1, null])
  })
})

it('a person who signs the pages of others is not their owner', () => {
  const signed = (words: string) => `${words}\nUnderskrevet af Bo Falk`
  const pages = ['Viggo Rask', 'Karen Holm', 'Åse Ægidius-Krøyer', 'Bilag', 'Investornr. 2010'].map(signed)
  expect(propose(...pages).map(said)).toEqual([
    [6, 'sure', 'name'],
    [1, 'sure', 'name'],
    [3, 'sure', 'name'],
    [null, 'unsure', 'everywhere'],
    [10, 'sure', 'number'],
  ])
})

it('a page that lists many people does not make their names common', () => {
  const list = 'Karen Holm\nViggo Rask\nBo Falk\nInger Lund\nÅse Ægidius-Krøyer'
  expect(propose(list, list, 'Til Bo Falk').map(said)).toEqual([
    [null, 'unsure', 'several'],
    [null, 'unsure', 'several'],
    [10, 'sure', 'name'],
  ])
})

it('reads 400 pages for 5,000 people fast', () => {
  const many = Array.from({ length: 5000 }, (_, index) =>
    person(index + 1, `Navn${index % 70} Efter${index}`),
  )
  const pages = Array.from(
    { length: 2000 },
    (_, index) => `Til Navn${index % 70} Efter${index}\n${'ord '.repeat(400)}`,
  )
  const work = proposePages(pages, many)
  const began = performance.now()
  let step = work.next()
  while (!step.done) step = work.next()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(step.value.every(({ person: id }, index) => id === index + 1)).toBe(true)
})

describe('a page’s own number', () => {
  it.each([
    ['Side 2 af 3', { number: 2, of: 3 }],
    ['Kapitalkonto Side 2 af 3', { number: 2, of: 3 }],
    ['side 2/3', { number: 2, of: 3 }],
    ['Page 2 of 3', { number: 2, of: 3 }],
    ['2/3', { number: 2, of: 3 }],
    ['- 2 -', { number: 2, of: null }],
    ['2', { number: 2, of: null }],
    ['Tekst\nmere\nSide 12', { number: 12, of: null }],
    ['2025', null],
    ['Side 3 af 2', null],
    ['Bagside 2 af 3', null],
    ['Se side 1.250 kr.', null],
    ['1\n\n\n\n\ntekst\nlang\ntekst', { number: 1, of: null }],
    ['a\nb\nc\nSide 2 af 3\nd\ne\nf', null],
    ['', null],
  ])('the number of the page %j', (text, expected) => {
    expect(pageNumberOf(text)).toEqual(expected)
  })
})
