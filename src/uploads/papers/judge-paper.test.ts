import { describe, expect, it } from 'vitest'
import { makeDirectory, type KnownFolder } from './directory.ts'
import { findContradictions } from './contradictions.ts'
import { judgePaper } from './judge-paper.ts'
import { contradictionText, ownersText, reasonText } from './judgement.ts'
import { readFacts } from './paper-facts.ts'

const CVR = ['38291041', '29189757', '10100009']
const projects = ['K/S Nordhavn Kontorhus', 'K/S Møllevej 12', 'K/S Bryghuset'].map((name, index) => ({
  id: index + 1,
  number: String(1024 + index),
  name,
  cvr: CVR[index]!,
  has_auditor: false,
}))
const people = [
  { id: 11, name: 'Anne Holm', numbers: ['2001'], companies: [], projects: [1] },
  {
    id: 12,
    name: 'Bo Bruun',
    numbers: ['2002'],
    companies: [{ name: 'K/S Bruunparken', cvr: null }],
    projects: [1],
  },
  { id: 13, name: 'Bo Bruun', numbers: ['2003'], companies: [], projects: [2] },
  { id: 14, name: 'Carl Dahl', numbers: ['2025'], companies: [], projects: [2] },
  { id: 15, name: 'Dr. med. Eva Friis', numbers: ['2015'], companies: [], projects: [1] },
  { id: 16, name: 'Bruun Invest A/S', numbers: ['2016'], companies: [], projects: [1] },
]
const directory = makeDirectory(projects, people)
const folders = ['Årsrapport', 'Budget', 'Lejekontrakter', 'Skatteoplysninger', 'Diverse'].map(
  (name, index): KnownFolder => ({
    id: 100 + index,
    name,
    sub_names: [],
    visible_to_investors: name !== 'Diverse',
    project_id: 1,
  }),
)
const known = { directory, foldersOf: () => folders, model: null }
const judge = (lines: string[], name = 'Scan 1.pdf') =>
  judgePaper(name, readFacts([lines.join('\n')], directory), known)
const placeOf = ({ best }: ReturnType<typeof judge>) =>
  best === null ? null : (best.place.user?.name ?? `${best.place.project?.number} ${best.place.folder?.name}`)

const N = 'K/S Nordhavn Kontorhus'
const EVA = 'Dr. med. Eva Friis'
const ADDRESS = ['Skovvej 3', '8000 Aarhus C']

describe('a project’s paper', () => {
  it.each([
    ['all reasons agree', [N, `CVR-nr. ${CVR[0]}`, 'Årsrapport 2025'], 'sure', '1024 Årsrapport'],
    ['the CVR number alone', [`CVR-nr. ${CVR[0]}`, 'Årsrapport 2025'], 'sure', '1024 Årsrapport'],
    ['the number alone', ['Projekt 1024', 'Budget 2025'], 'sure', '1024 Budget'],
    [
      'it names two projects',
      [N, 'Budget 2025', 'Det samme gælder for K/S Møllevej 12.'],
      'maybe',
      '1024 Budget',
    ],
    ['the number of one and the name of another', ['Projekt 1025', N, 'Budget 2025'], 'maybe', '1025 Budget'],
    [
      'only an address that is a project’s name',
      ['Lejekontrakt', 'Møllevej 12'],
      'maybe',
      '1025 Lejekontrakter',
    ],
    ['no kind of paper, and no model', [N, 'Energimærke'], 'unknown', null],
    ['a period that is not told', [N, 'Budget for de første år'], 'maybe', '1024 Budget'],
    ['two titles, and no model', [N, 'Budget 2025', 'Lejekontrakt'], 'maybe', '1024 Budget'],
    [
      'a project in passing',
      ['Budget 2025', 'Det samme gælder for K/S Nordhavn Kontorhus.'],
      'maybe',
      '1024 Budget',
    ],
    ['headed by a K/S of others', ['K/S Fjordhusene', 'Budget 2025', N], 'maybe', '1024 Budget'],
    ['of no project', ['Årsrapport 2025', 'K/S Helt Ukendt'], 'unknown', null],
    [
      'addressed to an investor, but of all',
      ['Anne Holm', ...ADDRESS, N, 'Budget 2025'],
      'maybe',
      '1024 Budget',
    ],
    [
      'an order number that is another’s CVR',
      [N, 'Budget 2025', `Ordrenr. ${CVR[1]}`],
      'sure',
      '1024 Budget',
    ],
  ])('judges a project’s paper: %s', (_why, lines, sureness, place) => {
    const opinion = judge(lines)
    expect([opinion.sureness, placeOf(opinion)]).toEqual([sureness, place])
  })

  it('a paper named for one project that mentions another is not sure', () => {
    expect(judge([N, 'Budget 2025'], 'Budget (1025) 2025.pdf').sureness).toBe('maybe')
  })
})

describe('a person’s paper', () => {
  it.each([
    [
      'number, name and project agree',
      ['Anne Holm', 'Investornr. 2001', N, 'Kapitalkonto 2025'],
      'sure',
      'Anne Holm',
    ],
    ['a name with titles in both', ['Fru Eva Friis', ...ADDRESS, N, 'Kapitalkonto 2025'], 'sure', EVA],
    ['a name with titles here', ['Eva Friis', ...ADDRESS, N, 'Kapitalkonto 2025'], 'sure', EVA],
    ['a turned name', ['Holm, Anne', ...ADDRESS, N, 'Kapitalkonto 2025'], 'sure', 'Anne Holm'],
    ['name with an address', ['Anne Holm', ...ADDRESS, N, 'Kapitalkonto 2025'], 'sure', 'Anne Holm'],
    ['name alone, in passing', [N, 'Kapitalkonto 2025', 'Kopi til Anne Holm'], 'unknown', null],
    ['a name that two have', ['Bo Bruun', ...ADDRESS, N, 'Kapitalkonto 2025'], 'maybe', 'Bo Bruun'],
    ['the same with a number', ['Bo Bruun', 'Investornr. 2002', N, 'Kapitalkonto 2025'], 'sure', 'Bo Bruun'],
    [
      'the number of one and the name of another',
      ['Anne Holm', ...ADDRESS, 'Investornr. 2002', N, 'Kapitalkonto 2025'],
      'unknown',
      null,
    ],
    [
      'somebody who is not in the project',
      ['Carl Dahl', ...ADDRESS, N, 'Kapitalkonto 2025'],
      'maybe',
      'Carl Dahl',
    ],
    ['a year that is somebody’s number', [N, 'Skatteoplysninger 2025'], 'sure', '1024 Skatteoplysninger'],
    ['tax for one', ['Anne Holm', ...ADDRESS, N, 'Skatteoplysninger 2025'], 'sure', 'Anne Holm'],
    [
      'a letter with a number',
      ['Anne Holm', 'Investornr. 2001', `Vedr. din investering i ${N}`],
      'sure',
      'Anne Holm',
    ],
    ['a number without its name', ['Investornr. 2001', N, 'Kapitalkonto 2025'], 'maybe', 'Anne Holm'],
    [
      'number and name, of no project',
      ['Investor 2001', 'Til Anne Holm', 'Kapitalkonto 2025'],
      'sure',
      'Anne Holm',
    ],
    ['name and address, of no project', ['Anne Holm', ...ADDRESS, 'Kapitalkonto 2025'], 'maybe', 'Anne Holm'],
    ['a letter without', ['Anne Holm', ...ADDRESS, `Vedr. din investering i ${N}`], 'maybe', 'Anne Holm'],
    ['a company of a report', ['K/S Bruunparken', 'Kapitalkonto 2025'], 'maybe', 'Bo Bruun'],
  ])('judges a person’s paper: %s', (_why, lines, sureness, place) => {
    const opinion = judge(lines)
    expect([opinion.sureness, placeOf(opinion)]).toEqual([sureness, place])
  })
})

describe('a paper of several people', () => {
  const page = (name: string, number: string) => [name, `Investornr. ${number}`, N, 'Kapitalkonto 2025']
  const [first, second] = [page('Anne Holm', '2001'), page('Bo Bruun', '2002')]
  const read = (pages: string[][], later: { page: number; at: number; text: string }[] = []) =>
    judgePaper(
      'Scan 1.pdf',
      readFacts(
        pages.map((lines) => lines.join('\n')),
        directory,
        undefined,
        later,
      ),
      known,
    )
  const five = Array.from({ length: 5 }, () => first)
  const whose = (...texts: string[]) => texts.map((text, at) => ({ page: 9, at, text }))

  it.each([
    ['a page each', read([first, second]), ['Anne Holm', 'Bo Bruun'], true],
    [
      'by address',
      read([
        ['Anne Holm', ...ADDRESS, N],
        ['Carl Dahl', ...ADDRESS],
      ]),
      ['Anne Holm', 'Carl Dahl'],
      true,
    ],
    ['one whom nobody knows', read([first, page('Kurt Bang', '9901')]), ['Anne Holm', 'nummer 9901'], true],
    ['on a page that is far behind', read(five, whose('Investornr. 2002')), ['Anne Holm', 'Bo Bruun'], true],
    ['by address, far behind', read(five, whose('Carl Dahl', ...ADDRESS)), ['Anne Holm', 'Carl Dahl'], true],
    ['all on one page', read([[...first, ...second]]), ['Anne Holm', 'Bo Bruun'], false],
  ])('a paper of several people is proposed for none of them: %s', (_what, opinion, names, divides) => {
    expect(opinion).toMatchObject({
      sureness: 'unknown',
      best: null,
      second: null,
      owners: { names, divides },
    })
  })

  it.each([
    ['two pages of one', read([first, first])],
    ['namesakes', read([['Bo Bruun', ...ADDRESS, N, 'Kapitalkonto 2025']])],
    ['a contact person', read([['Bruun Invest A/S', 'Att. Carl Dahl', ...ADDRESS, N, 'Kapitalkonto 2025']])],
  ])('does not count as a paper of several people: %s', (_what, opinion) => {
    expect([opinion.owners ?? null, opinion.best?.place.user !== undefined]).toEqual([null, true])
  })

  it('a paper that names several people may be a project’s list', () => {
    const opinion = read([[N, 'Budget 2025', 'Investornr. 2001', 'Investornr. 2002']])
    expect([opinion.sureness, placeOf(opinion), opinion.second?.place.user]).toEqual([
      'maybe',
      '1024 Budget',
      undefined,
    ])
  })

  it('says that a paper is of several people', () => {
    const names = ['Anne Holm', 'Bo Bruun', 'Carl Dahl']
    expect(ownersText({ names, divides: true })).toBe(
      'Papiret har sider til flere: Anne Holm, Bo Bruun og 1 til.',
    )
    expect(ownersText({ names: names.slice(0, 2), divides: false })).toBe(
      'Papiret nævner flere investorer: Anne Holm og Bo Bruun.',
    )
  })
})

it('proposes names by the convention, and keeps meaningful words', () => {
  expect(judge([N, 'Budget 2025']).best?.name).toBe('Budget (1024) 2025.pdf')
  expect(judge([N, 'Budget 2025'], 'Revideret udkast.pdf').best?.name).toBe(
    'Budget (1024) Revideret udkast 2025.pdf',
  )
  expect(judge(['Anne Holm', 'Investornr. 2001', N, 'Kapitalkonto 2025']).best?.name).toBe(
    'Kapitalkonto (2001) 2025.pdf',
  )
})

describe('findContradictions', () => {
  const facts = (lines: string[]) => readFacts([lines.join('\n')], directory)
  const report = [N, `CVR-nr. ${CVR[0]}`, 'Årsrapport 2025', 'Sammenligningstal 2024']
  const statement = ['Anne Holm', 'Investornr. 2001', N, 'Kapitalkonto 2025']
  const inProject = (project: number, year: number | null = null, isShared = false) => ({
    project,
    person: null,
    isShared,
    year,
  })
  const at = (person: number) => ({ project: null, person, isShared: false, year: null })

  it.each([
    ['its own project', report, inProject(1), []],
    ['another project', report, inProject(2), ['project']],
    ['another, but it names both', [...report, 'og K/S Møllevej 12'], inProject(2), []],
    ['its own year', report, inProject(1, 2025), []],
    ['the comparison year', report, inProject(1, 2024), ['year']],
    ['its own person', statement, at(11), []],
    ['another person', statement, at(12), ['person']],
    [
      'a namesake with another number',
      ['Bo Bruun', 'Investornr. 2002', 'Kapitalkonto 2025'],
      at(13),
      ['person'],
    ],
    ['a namesake, and no number', ['Bo Bruun', ...ADDRESS, 'Kapitalkonto 2025'], at(13), []],
    [
      'a CPR number in a shared folder',
      [...report, 'CPR-nr. 010170-1239'],
      inProject(1, null, true),
      ['cpr'],
    ],
    ['a CPR number in a hidden folder', [...report, 'CPR-nr. 010170-1239'], inProject(1), []],
    ['a paper that says nothing', ['Hej'], inProject(1, 2025, true), []],
    ['a number that nobody has', ['Investornr. 9901', N, 'Kapitalkonto 2025'], at(11), ['person']],
    [
      'a number that nobody has beside the receiver’s name',
      ['Anne Holm', 'Investornr. 9901', N, 'Kapitalkonto 2025'],
      at(11),
      ['person'],
    ],
    ['both numbers', [...statement, 'Investornr. 9901'], at(11), ['person']],
    ['a year after the word investor', [...statement, 'Investor 2024 i tal'], at(11), []],
    ['somebody unknown, by address', ['Kurt Bang', ...ADDRESS, 'Kapitalkonto 2025'], at(11), ['person']],
    ['somebody unknown, with a title', ['Dir. Kurt Bang', 'Investornr. 9901'], at(11), ['person']],
    ['somebody unknown, greeted', ['Kapitalkonto 2025', 'Kære Kurt Bang'], at(11), ['person']],
    ['a lady, greeted', ['Kapitalkonto 2025', 'Kære fru Bang'], at(11), ['person']],
    ['somebody unknown beside the receiver', [...statement, 'Investor: Kurt Bang'], at(11), ['person']],
    ['an unknown company', ['Investor: Bang Invest A/S', N, 'Kapitalkonto 2025'], at(11), ['person']],
    ['another investor beside the receiver', ['Anne Holm', 'Carl Dahl', ...ADDRESS, N], at(11), ['person']],
    ['another investor in the same line', ['Til Carl Dahl og Anne Holm', ...ADDRESS, N], at(11), ['person']],
    ['the receiver with a title', ['Fru Anne Holm', ...ADDRESS, 'Kære fru Holm'], at(11), []],
    ['the receiver with titles', ['Dr. med. Anne Holm', ...ADDRESS, N], at(11), []],
    ['titles after the name', ['Anne Holm, cand.jur.', ...ADDRESS, N], at(11), []],
    ['the receiver’s name turned', ['Holm, Anne', ...ADDRESS, 'Investornr. 2001', N], at(11), []],
    ['a middle name of the receiver', ['Anne K. Holm', ...ADDRESS, N], at(11), []],
    ['a contact person', ['Bruun Invest A/S', 'Att. Carl Dahl', ...ADDRESS, N], at(16), []],
    ['a company’s contact, greeted', ['Bruun Invest A/S', ...ADDRESS, 'Kære Kurt Bang'], at(16), []],
    ['a sender', ['Adv. Kurt Bang', 'Torvet 1', '6000 Kolding', 'Anne Holm', ...ADDRESS], at(11), []],
    ['a signer', [...statement, 'Med venlig hilsen', 'Kurt Bang', 'Torvet 1', '6000 Kolding'], at(11), []],
    ['an auditor', [...statement, 'Revisor: Carl Dahl', 'Administrator: Kurt Bang'], at(11), []],
    ['everybody', [...statement, 'Kære investor', 'Til rette vedkommende'], at(11), []],
    ['the owner of a property', [...statement, `Ejer: ${N}`, 'Ejer: K/S Fjordhusene'], at(11), []],
  ])('finds contradictions: %s', (_what, lines, target, kinds) => {
    expect(findContradictions(facts(lines), target, directory).map(({ kind }) => kind)).toEqual(kinds)
  })

  it('describes each contradiction in one sentence with its page', () => {
    const told = findContradictions(
      facts([...report, 'CPR-nr. 010170-1239']),
      inProject(2, 2023, true),
      directory,
    )
    expect(told.map(contradictionText)).toEqual([
      'Filen skal til projekt 1025, men papiret har CVR-nr. 38291041, som hører til 1024 K/S Nordhavn Kontorhus (side 1).',
      'Navnet siger 2023, men papiret er fra 2025 (side 1).',
      'Side 1 har noget, der ligner et CPR-nummer, og mappen deles med investorer.',
    ])
    expect(JSON.stringify(told)).not.toContain('1239')
    const [person] = findContradictions(facts(statement), at(12), directory)
    expect(contradictionText(person!)).toBe(
      'Filen skal til Bo Bruun, men på side 1 er papiret stilet til Anne Holm (2001).',
    )
  })

  it.each([
    ['number', '1024', 'nævner projekt 1024 K/S Nordhavn'],
    ['name', 'Nordhavn', 'nævner ”Nordhavn”, som hører til 1024 K/S Nordhavn'],
  ] as const)('says in plain Danish how a paper tells another project by its %s', (by, said, text) => {
    const other = { kind: 'project', named: '1025', found: '1024 K/S Nordhavn', by, said, page: 2 } as const
    expect(contradictionText(other)).toBe(`Filen skal til projekt 1025, men papiret ${text} (side 2).`)
  })

  it.each([
    ['one other project', report, inProject(2), '1024'],
    ['two other projects', ['K/S Nordhavn Kontorhus', 'K/S Bryghuset'], inProject(2), undefined],
    ['another person', statement, at(12), '2001'],
    ['one of two namesakes', ['Bo Bruun', ...ADDRESS, 'Kapitalkonto 2025'], at(11), undefined],
    ['a namesake with a number', ['Bo Bruun', 'Investornr. 2003', 'Kapitalkonto 2025'], at(12), '2003'],
    ['beside the receiver', ['Anne Holm', ...ADDRESS, 'Investornr. 2015', N], at(11), undefined],
    ['a number that nobody has', ['Investornr. 9901', N], at(11), undefined],
    ['another and a number that nobody has', [...statement, 'Investornr. 9901'], at(14), undefined],
  ])('proposes the right place only if it is certain: %s', (_what, lines, target, number) => {
    const [first] = findContradictions(facts(lines), target, directory)
    expect(first).toBeDefined()
    expect(first && 'instead' in first ? first.instead : undefined).toBe(number)
  })

  it('a contradiction has its reasons', () => {
    expect(judge(statement).best?.reasons.map(reasonText)).toEqual([
      'Investorens nummer 2001 står i papiret (side 1).',
      'Papiret er til ”Anne Holm” (side 1).',
      'Overskriften er ”Kapitalkonto 2025” (side 1).',
    ])
    expect(reasonText({ kind: 'alike', words: ['police', 'præmie'] })).toBe(
      'Ligner det, I har lagt i mappen før: ”police”, ”præmie”.',
    )
  })
})
