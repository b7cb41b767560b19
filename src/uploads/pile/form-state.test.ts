import { expect, it } from 'vitest'
import type { Judgement } from '../papers/judgement.ts'
import { NEW_FORM, nextForm, silent, type FormEvent } from './form-state.ts'
import { papersOf, seenKey } from './judgements.ts'

const after = (...events: FormEvent[]) => events.reduce(nextForm, NEW_FORM)
const YEAR = { kind: 'year', said: '2022', name: '2023' } as unknown as Judgement['contradictions'][number]
const news = (id: string, judgement: Partial<Judgement>) => ({
  id,
  asked: `${id}?`,
  judgement: { ...silent(`hash-${id}`), ...judgement },
})
const read = (id: string): FormEvent => ({
  type: 'judged',
  news: [news(id, { state: 'read', contradictions: [YEAR] })],
})
const waiting: FormEvent = { type: 'judged', news: [news('1', { state: 'waiting' })] }

it('the page asks less and less often while nothing is read, and soon again after an answer', () => {
  const pauses = [1, 2, 3, 10].map((times) => after(...Array.from({ length: times }, () => waiting)).pauseMs)
  expect(pauses).toEqual([600, 900, 1350, 5000])
  expect(after(waiting, waiting, read('1'))).toMatchObject({ pauseMs: 400, rounds: 3 })
  expect(after({ type: 'judged', news: [] })).toMatchObject({ pauseMs: 600, rounds: 1 })
})

it('a contradiction acknowledged on an earlier page is acknowledged once its paper is judged here', () => {
  const taken: FormEvent = { type: 'seen-before', kinds: new Map([['1', ['year']]]) }
  expect(after(taken, waiting)).toMatchObject({ seen: new Set(), earlier: new Map([['1', ['year']]]) })
  expect(after(taken, read('1'))).toMatchObject({ seen: new Set([seenKey('1', YEAR)]), earlier: new Map() })
  expect(after(taken, read('2')).seen.size).toBe(0)
})

it('acknowledging a contradiction can be taken back', () => {
  const keys = ['1\nÅret', '2\nÅret']
  expect([...after({ type: 'seen', keys, isSeen: true }).seen]).toEqual(keys)
  const back: FormEvent = { type: 'seen', keys: ['1\nÅret'], isSeen: false }
  expect([...after({ type: 'seen', keys, isSeen: true }, back).seen]).toEqual(['2\nÅret'])
})

it('contradictions found at saving replace the page’s judgement of that paper', () => {
  const upload = { id: '1', name: 'a.pdf', state: 'sent', hashName: 'hash-1' } as never
  const papers = papersOf({ groups: [{ key: 'all', target: {}, uploads: [upload], bytes: 1 }], ignored: [] })
  const found = after(waiting, { type: 'contradicted', papers, found: { 1: [YEAR], 2: [YEAR] } }).judged
  expect([...found.keys()]).toEqual(['1'])
  expect(found.get('1')).toMatchObject({ judgement: { state: 'read', contradictions: [YEAR] } })
})

it('emptying the pile forgets the meaning of numbers, but not where names lead', () => {
  const state = after(
    { type: 'placed', answer: { projects: {}, users: {}, proposals: {} }, asked: ['1024'] },
    { type: 'decided', number: '1024', meaning: 'project' },
    { type: 'emptied' },
  )
  expect([state.meanings.size, [...state.known.asked]]).toEqual([0, ['1024']])
  expect(nextForm(state, { type: 'moved' }).known.asked.size).toBe(0)
})

it('a remembered name leads to its folder at once, in a project that is known', () => {
  const folder = { id: 4, name: 'Budget', visible_to_investors: false } as never
  const project = { id: 1, number: '1024', name: 'K/S', has_auditor: false, folders: {}, near: {} } as never
  const known: FormEvent = {
    type: 'placed',
    answer: { projects: { 1024: project }, users: {}, proposals: {} },
    asked: [],
  }
  const named: FormEvent = { type: 'named', number: '1024', text: 'Bilag', folder }
  expect(after(known, named).known.projects['1024']!.folders).toEqual({ Bilag: folder })
  expect(after(named).known).toBe(NEW_FORM.known)
})

it('saving waits for the files of the press, and an open choice stops it and is shown', () => {
  const pressed = after({ type: 'pressed', meant: new Set(['1']) })
  expect(pressed).toMatchObject({ meant: new Set(['1']), save: { step: 'waiting', fault: null } })
  const stopped = nextForm(pressed, { type: 'unchosen' })
  expect(stopped).toMatchObject({ asked: 1, isAsked: true, save: { step: 'filling', fault: null } })
  expect(nextForm(stopped, { type: 'pressed', meant: new Set() })).toMatchObject({ asked: 1, isAsked: false })
})
