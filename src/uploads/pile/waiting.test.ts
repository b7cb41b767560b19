import { expect, it } from 'vitest'
import type { Contradiction } from '../papers/judgement.ts'
import type { Finding } from './duplicate.ts'
import { silent } from './form-state.ts'
import { seenKey } from './judgements.ts'
import { waitingIn } from './waiting.ts'

const year: Contradiction = { kind: 'year', named: 2025, found: 2024, page: 1 }
const unreadable: Contradiction = { kind: 'unreadable', reason: 'den er låst.' }
const saying = (...contradictions: Contradiction[]) => ({ ...silent('x'), contradictions })
const named = (choice: Finding['choice']): Finding => ({
  kind: 'same-name',
  text: '',
  why: 'Der ligger en anden fil med samme navn i Budget.',
  isSkipped: false,
  replaces: 7,
  choice,
})

const uploads = (ids: string[], choice: Finding['choice'] = null) => ids.map((id) => ({ id, choice }))

it('a file whose name is only pointed out waits while another is asked about, unless its sender chose', () => {
  const pointed = new Map([['pointed', { ...named('keep'), replaces: null }]])
  const quiet = { judgements: new Map(), seen: new Set<string>(), isAsked: false }
  const waits = (choice: Finding['choice'], asked: Partial<typeof quiet> = {}, more: string[] = []) => [
    ...waitingIn(uploads(['pointed', ...more], choice), pointed, { ...quiet, ...asked }).keys(),
  ]
  expect(waits(null)).toEqual([])
  expect(waits(null, { isAsked: true })).toEqual(['pointed'])
  const judgements = new Map([['year', saying(year)]])
  expect(waits(null, { judgements }, ['year'])).toEqual(['year', 'pointed'])
  expect(waits('keep', { judgements }, ['year'])).toEqual(['year'])
})

it('a file waits for an answer to what its paper says or to its name; a seen, chosen or unreadable one does not', () => {
  const asked = [...uploads(['sure', 'year', 'seen', 'unreadable', 'named']), ...uploads(['chosen'], 'keep')]
  const judgements = new Map([
    ['year', saying(unreadable, year)],
    ['seen', saying(year)],
    ['unreadable', saying(unreadable)],
    ['elsewhere', saying(year)], // not to be saved anyway
  ])
  const findings = new Map([
    ['named', named(null)],
    ['chosen', named('keep')],
  ])
  const seen = new Set([seenKey('seen', year)])
  expect([...waitingIn(asked, findings, { judgements, seen, isAsked: false })]).toEqual([
    ['year', 'Navnet siger 2025, men papiret er fra 2024 (side 1).'],
    ['named', 'Der ligger en anden fil med samme navn i Budget.'],
  ])
})
