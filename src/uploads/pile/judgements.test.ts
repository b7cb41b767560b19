import { describe, expect, it } from 'vitest'
import type { Ignored } from './pile.ts'
import type { Judgement } from '../papers/judgement.ts'
import { newUpload } from '../transport/upload.ts'
import {
  acknowledgedIn,
  findMoves,
  othersLike,
  papersOf,
  seenAgain,
  seenKey,
  seenKindsIn,
  unreadableIn,
  unseenIn,
  withGuesses,
} from './judgements.ts'

const year = { kind: 'year', named: 2025, found: 2024, page: 1 } as const
const cpr = { kind: 'cpr', page: 2 } as const
const judgement = (change: Partial<Judgement> = {}): Judgement => ({
  hash_name: 'a'.repeat(32),
  state: 'read',
  sureness: 'unknown',
  best: null,
  second: null,
  contradictions: [],
  ...change,
})
const guess = (name: string) => ({ place: { user: { id: 1, name: 'Ida' } }, name, reasons: [] })
const upload = (name: string, hashName: string | null = 'h1') => ({
  ...newUpload(new File(['x'], name), name, { bytes: 10, files: 10 }),
  state: hashName === null ? ('sending' as const) : ('sent' as const),
  hashName,
})
const ignored = (change: Partial<Ignored> = {}): Ignored => ({
  upload: upload('Scan 1.pdf'),
  fault: { kind: 'name', of: 'user' },
  proposal: null,
  ...change,
})

describe('contradictions', () => {
  const judgements = new Map([
    ['a', judgement({ contradictions: [year, cpr] })],
    ['b', judgement({ contradictions: [year] })],
    ['c', judgement()],
  ])

  it('each contradiction must be acknowledged', () => {
    expect(unseenIn(judgements, new Set())).toEqual(['a', 'b'])
    expect(unseenIn(judgements, new Set([seenKey('a', year)]))).toEqual(['a', 'b'])
    expect(unseenIn(judgements, new Set([seenKey('a', year), seenKey('a', cpr)]))).toEqual(['b'])
  })

  it('contradictions of unreadable files need no acknowledgement: the files are held', () => {
    const locked = new Map([['a', judgement({ contradictions: [{ kind: 'unreadable', reason: 'Låst.' }] })]])
    expect([unseenIn(locked, new Set()), unreadableIn(locked, new Set())]).toEqual([[], ['a']])
    const seen = new Set([seenKey('a', { kind: 'unreadable', reason: 'Låst.' })])
    expect([unreadableIn(locked, seen), acknowledgedIn(locked, seen)]).toEqual([[], ['a:unreadable']])
  })

  it('acknowledged contradictions are sent to the server until they change', () => {
    const seen = new Set([seenKey('a', year), seenKey('b', { ...year, found: 2023 })])
    expect(acknowledgedIn(judgements, seen)).toEqual(['a:year'])
  })

  it('contradictions acknowledged in an earlier page are so here, and no others', () => {
    const seen = new Set([seenKey('a', cpr), seenKey('b', year)])
    const kinds = seenKindsIn(judgements, seen)
    expect(kinds).toEqual(
      new Map([
        ['a', ['cpr']],
        ['b', ['year']],
      ]),
    )
    expect(new Set(seenAgain(judgements, kinds))).toEqual(seen)
    expect(seenAgain(new Map([['a', judgement({ contradictions: [year] })]]), kinds)).toEqual([])
  })

  it('finds contradictions of the same kind in other files', () => {
    expect(othersLike(judgements, new Set(), { id: 'a', kind: 'year' })).toEqual(['b'])
    expect(othersLike(judgements, new Set(), { id: 'a', kind: 'cpr' })).toEqual([])
    expect(othersLike(judgements, new Set([seenKey('b', year)]), { id: 'a', kind: 'year' })).toEqual([])
  })
})

describe('findMoves', () => {
  const other = {
    kind: 'project',
    named: '1024',
    found: '1148 K/S Andet',
    by: 'name',
    said: 'Andet',
    page: 1,
  } as const
  const certain = { ...other, instead: '1148' }
  const budget = { ...upload('Budget (1024) 2025.pdf'), id: 'b' }
  const groups = [{ key: 'x', target: {}, uploads: [budget], bytes: 1 }]
  const all = { kind: 'folders', project: null } as const

  it.each([
    ['moves a file to the number that is right', {}, 'Budget (1148) 2025.pdf'],
    ['leaves a file whose place is not certain', { contradictions: [other] }, undefined],
    ['leaves a paper of several people', { owners: { names: ['A', 'B'], divides: true } }, undefined],
  ])('%s', (_what, change, name) => {
    const judgements = new Map([['b', judgement({ contradictions: [certain], ...change })]])
    expect(findMoves(all, groups, judgements, new Set())[0]?.name).toBe(name)
    expect(findMoves({ kind: 'users' }, groups, judgements, new Set())[0]?.name).toBe(name)
    expect(
      findMoves({ kind: 'person', user: { id: 1, name: 'Ida', readers: [] } }, groups, judgements, new Set()),
    ).toEqual([])
    expect(findMoves(all, groups, judgements, new Set([seenKey('b', certain)]))).toEqual([])
  })
})

describe('papers', () => {
  it('arrived papers are asked about with their place, unless nothing helps them', () => {
    const target = { user: { id: 7, name: 'Ida' } }
    const placed = upload('Brev (2001).pdf', 'h2')
    const group = { key: 'x', target, uploads: [placed, upload('Andet.pdf', null)], bytes: 2 }
    const lost = ignored({ upload: upload('Tom.pdf', 'h3'), fault: { kind: 'refused', text: 'Nej' } })
    const papers = papersOf({ groups: [group], ignored: [ignored(), lost] })
    expect(papers.map(({ body }) => body)).toEqual([
      { hash_name: 'h2', name: 'Brev (2001).pdf', user_id: 7 },
      { hash_name: 'h1', name: 'Scan 1.pdf' },
    ])
  })

  it.each([
    ['sure', null, 'Brev (2001).pdf'],
    ['maybe', null, null],
    ['unknown', null, null],
    ['sure', 'Fra navnet (2001).pdf', 'Fra navnet (2001).pdf'],
  ] as const)('papers that are %s, with the name %s, are proposed as %s', (sureness, proposal, expected) => {
    const each = ignored({ proposal })
    const own = judgement({ sureness, best: guess('Brev (2001).pdf') })
    expect(withGuesses([each], new Map([[each.upload.id, own]]))[0]).toMatchObject({
      proposal: expected,
      judgement: own,
    })
  })

  it('papers of several people are proposed for nobody, whatever their names say', () => {
    const each = ignored({ proposal: 'Årsopgørelse (2001).pdf' })
    const own = judgement({ owners: { names: ['Ida', 'Bo'], divides: true } })
    expect(withGuesses([each], new Map([[each.upload.id, own]]))[0]).toMatchObject({ proposal: null })
  })
})
