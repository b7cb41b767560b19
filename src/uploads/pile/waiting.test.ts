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

it('a file waits for an answer to what its paper says or to its name; a seen, chosen or unreadable one does not', () => {
  const ids = ['sure', 'year', 'seen', 'unreadable', 'named', 'chosen']
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
  expect([...waitingIn(ids, findings, judgements, new Set([seenKey('seen', year)]))]).toEqual([
    ['year', 'Navnet siger 2025, men papiret er fra 2024 (side 1).'],
    ['named', 'Der ligger en anden fil med samme navn i Budget.'],
  ])
})
