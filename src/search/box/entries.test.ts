import { describe, expect, it } from 'vitest'
import { navigationFor } from '../../navigation.ts'
import type { Role } from '../../rights.ts'
import { urls } from '../../urls.ts'
import type { FileHit } from '../answer/results.ts'
import type { BoxAnswer } from '../answer/search-answer.ts'
import { ACTS, findActs, PAGE_WORDS, readAsked, type ProjectAct } from './acts.ts'
import { groupsOf } from './entries.ts'

const as = (role: Role) => ({ id: 7, role })

const NOTHING: BoxAnswer = {
  projects: [],
  folders: [],
  people: [],
  files: [],
  saved: [],
  isMore: false,
  isCut: false,
  unread: 0,
  corrected: null,
}
const NORDHAVN = { id: 3, number: '1024', name: 'K/S Nordhavn', cvr: '38291041', status: 'active' }
const SKAGEN = { id: 4, number: '1085', name: 'K/S Skagen', cvr: null, status: 'active' }
const FILE: FileHit = {
  id: 9,
  name: 'Budget 2025.pdf',
  namePieces: [{ text: 'Budget 2025.pdf', isHit: false }],
  path: 'abc/Budget 2025.pdf',
  mime: 'application/pdf',
  year: 2025,
  size: 10,
  created_at: '2026-01-01T00:00:00.000Z',
  owner: { project: 3 },
  project: { id: 3, number: '1024', name: 'K/S Nordhavn' },
  user: null,
  folder: { id: 5, name: 'Budget' },
  lent_by: [],
  held: null,
  pages: [
    {
      page: 4,
      pieces: [
        { text: 'for ', isHit: false },
        { text: 'året', isHit: true },
      ],
    },
  ],
}

const titles = (role: Role, text: string, answer: Partial<BoxAnswer>, act: ProjectAct | null = null) =>
  groupsOf(as(role), { text, act, answer: { ...NOTHING, ...answer } }).map(
    ({ name, entries }) =>
      `${name}: ${entries.map(({ title }) => title.map((piece) => piece.text).join('')).join(', ')}`,
  )

describe('acts', () => {
  it.each<[Role, string, string[]]>([
    ['administrator', 'ny', ['Ny person', 'Nyt projekt', 'Ny pligt', 'Ny webhook', 'Forside']],
    ['administrator', 'NY b', ['Ny person']],
    ['administrator', 'ny bruger', ['Ny person']],
    ['administrator', 'opret pro', ['Nyt projekt', 'Ny webhook']],
    ['administrator', 'log', ['Log', 'Login', 'Min profil', 'Ret en person', 'Profil']],
    ['administrator', 'status', ['Status', 'Året']],
    ['administrator', 'papirkurv', ['Papirkurv']],
    ['administrator', 'flyt ind', ['Flyt ind']],
    ['administrator', 'backup', ['Status']],
    ['administrator', 'indb', ['Modtaget', 'Udsendelser']],
    ['administrator', 'godkend', ['Udsendelser', 'Profil']],
    ['administrator', 'upload', ['Upload']],
    ['employee', 'ny', ['Forside']],
    ['employee', 'flyt ind', []],
    ['auditor', 'upload', []],
    ['investor', 'upload', ['Send filer til kontoret']],
    ['investor', 'mine', ['Send filer til kontoret', 'Papirer']],
    ['investor', 'profil', ['Min profil']],
    ['adviser', 'indbakke', []],
    ['administrator', '', []],
    ['administrator', 'xyz', []],
  ])('offers %s for "%s" the acts %j', (role, q, expected) => {
    expect(findActs(as(role), q).map(({ text }) => text)).toEqual(expected)
  })

  it.each<Role>(['administrator', 'employee', 'auditor', 'investor', 'adviser'])(
    'finds each page of the menu of %s by another word',
    (role) => {
      for (const { text, href, pages } of navigationFor(as(role)))
        for (const page of pages) {
          if (page.href === urls.report(7)) continue // nobody calls it anything else
          const word = PAGE_WORDS[page.href]?.split(' ')[0]
          expect(word, `${text} ${href}`).toBeDefined()
          expect(findActs(as(role), word!).map((found) => found.href)).toContain(page.href)
        }
    },
  )

  it('offers nothing that the menu leads to', () => {
    const inMenu = new Set(
      navigationFor(as('administrator')).flatMap(({ pages }) => pages.map(({ text }) => text)),
    )
    expect(ACTS.filter(({ text }) => inMenu.has(text))).toEqual([])
  })

  it.each<[Role, string, string, ProjectAct | null]>([
    ['employee', 'upload 1024', '1024', 'upload'],
    ['employee', 'Upload til nord', 'nord', 'upload'],
    ['employee', 'papirkurv nord', 'nord', 'trash'],
    ['employee', 'hvem kan se nord', 'nord', 'readers'],
    ['administrator', 'mapper i nord', 'nord', 'folders'],
    ['employee', 'mapper i nord', 'mapper i nord', null],
    ['administrator', 'rediger 1024', '1024', 'edit'],
    ['employee', 'upload', 'upload', null],
    ['employee', 'upload ', 'upload ', null],
    ['employee', 'uploadede', 'uploadede', null],
    ['investor', 'upload 1024', 'upload 1024', null],
  ])('%s searches with "%s" for "%s" to %s', (role, text, q, act) => {
    expect(readAsked(text, as(role))).toEqual({ q, act })
  })
})

describe('suggestions', () => {
  const found = { projects: [NORDHAVN, SKAGEN], files: [FILE] }

  it('suggestions come in groups, and empty ones are left out', () => {
    expect(
      titles('administrator', 'bud', {
        ...found,
        folders: [{ id: 5, name: 'Budget', project: NORDHAVN }],
        people: [{ id: 8, name: 'Bo Budtz', numbers: ['2001'], role: 'investor', email: null }],
        saved: [
          { id: 1, name: 'Budgetter 2025', query: '?q=budget&year=2025' },
          { id: 2, name: 'Referater', query: '?q=referat' },
        ],
      }),
    ).toEqual([
      'Handlinger: Upload til 1024 K/S Nordhavn',
      'Gemte søgninger: Budgetter 2025',
      'Projekter: 1024 K/S Nordhavn, 1085 K/S Skagen',
      'Mapper: Budget',
      'Personer: Bo Budtz',
      'Filer: Budget 2025.pdf',
    ])
    expect(titles('administrator', 'xyz', {})).toEqual([])
  })

  it('suggestions offer uploads to those who may, and to every project that was asked for', () => {
    expect(titles('investor', '10', found)[0]).toBe('Projekter: 1024 K/S Nordhavn, 1085 K/S Skagen')
    expect(titles('employee', 'upload 10', found, 'upload')[0]).toBe(
      'Handlinger: Upload til 1024 K/S Nordhavn, Upload til 1085 K/S Skagen',
    )
  })

  it('suggestions open a PDF at the page that was found, in a new tab', () => {
    const [entry] = groupsOf(as('investor'), {
      text: 'året',
      act: null,
      answer: { ...NOTHING, files: [FILE] },
    }).at(-1)!.entries
    expect(entry).toMatchObject({
      href: '/projects/3/uploads/abc/Budget%202025.pdf#page=4&search=%C3%A5ret',
      isNewTab: true,
      hint: '1024 K/S Nordhavn · Budget',
      context: { page: 4 },
    })
  })

  it('suggestions do not open other files at a page, nor one that only its name found', () => {
    const hrefs = [
      { ...FILE, mime: 'text/plain' },
      { ...FILE, pages: [] },
    ].map(
      (file) =>
        groupsOf(as('investor'), { text: 'x', act: null, answer: { ...NOTHING, files: [file] } })[0]!
          .entries[0]!.href,
    )
    expect(hrefs).toEqual(Array(2).fill('/projects/3/uploads/abc/Budget%202025.pdf'))
  })

  it('suggestions name a page only for a PDF, since other texts have no pages', () => {
    const contextOf = (file: FileHit) =>
      groupsOf(as('investor'), { text: 'x', act: null, answer: { ...NOTHING, files: [file] } })[0]!
        .entries[0]!.context
    expect(contextOf(FILE)!.page).toBe(4)
    expect(contextOf({ ...FILE, mime: 'text/plain' })).toEqual({ page: null, pieces: FILE.pages[0]!.pieces })
    expect(contextOf({ ...FILE, pages: [] })).toBeNull()
  })

  it('suggestions lead people who see nobody else to their own profile', () => {
    const person = { id: 7, name: 'Rita', numbers: [], role: 'auditor' as const, email: null }
    const hrefOf = (role: Role) =>
      groupsOf(as(role), { text: 'rita', act: null, answer: { ...NOTHING, people: [person] } })[0]!
        .entries[0]!.href
    expect(hrefOf('auditor')).toBe('/profile')
    expect(hrefOf('administrator')).toBe('/users/7')
  })
})
