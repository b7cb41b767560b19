import { describe, expect, it, test } from 'vitest'
import { isPossible, readPublishing, readTime, RELEASE_ACTS, RELEASE_STATES } from './release.ts'

const NOW = new Date('2026-11-16T12:00:00Z')
const ZONE = 'Europe/Copenhagen'

describe('how a form is published', () => {
  it.each([
    [{}, { way: 'now' }],
    [{ publish: 'now' as const, publish_day: 'vrøvl' }, { way: 'now' }],
    [{ publish: 'draft' as const }, { way: 'draft' }],
    [
      { publish: 'later' as const, publish_day: '2026-12-01', publish_time: '9' },
      { way: 'later', at: new Date('2026-12-01T08:00:00Z') },
    ],
    [
      { publish: 'later' as const, publish_day: '01/06/2027', publish_time: '09.30' },
      { way: 'later', at: new Date('2027-06-01T07:30:00Z') },
    ],
    [
      { publish: 'later' as const, publish_day: '16/11/2026', publish_time: '13.01' },
      { way: 'later', at: new Date('2026-11-16T12:01:00Z') },
    ],
  ])('publishes the form %o as %o', (fields, publishing) => {
    expect(readPublishing(fields, NOW, ZONE)).toEqual({ publishing })
  })

  it.each([
    ['', '09:00', 'publish_day', 'Vælg en dato.'],
    ['31/02/2027', '09:00', 'publish_day', '31/02/2027 findes ikke.'],
    ['01/12/2026', '', 'publish_time', 'Skriv klokkeslættet som 09.00.'],
    ['01/12/2026', '24:00', 'publish_time', 'Skriv klokkeslættet som 09.00.'],
    ['16/11/2026', '13:00', 'publish_day', 'Tidspunktet er allerede passeret. Vælg et senere.'],
    ['17/11/2027', '13:00', 'publish_day', 'Vælg et tidspunkt inden for et år.'],
    [
      '28/03/2027',
      '02:30',
      'publish_time',
      'Klokken bliver aldrig 02.30 den 28/03/2027, fordi uret stilles frem.',
    ],
  ])('refuses %s at %s, at the field %s', (day, time, field, fault) => {
    const fields = { publish: 'later' as const, publish_day: day, publish_time: time }
    expect(readPublishing(fields, NOW, ZONE)).toEqual({ faults: { [field]: [fault] } })
  })
})

test.each([
  ['9', '09:00'],
  ['09.00', '09:00'],
  ['0930', '09:30'],
  ['23:59', '23:59'],
  ['9.5', null],
  ['24', null],
  ['kl. 9', null],
])('reads the time %s as %s', (text, time) => {
  expect(readTime(text)).toBe(time)
})

test('each state allows its acts', () => {
  const allowed = Object.fromEntries(
    RELEASE_STATES.map((state) => [state, RELEASE_ACTS.filter((act) => isPossible(act, state))]),
  )
  expect(allowed).toEqual({
    draft: ['publish', 'plan', 'discard', 'write', 'name'],
    planned: ['publish', 'plan', 'hold', 'discard', 'write', 'name'],
    waiting: ['publish', 'plan', 'hold', 'discard', 'approve', 'reject', 'write', 'name'],
    published: ['regret', 'remind', 'write', 'recall', 'regret-mails', 'name'],
    recalled: ['undo-recall', 'tell-openers', 'regret-mails', 'name'],
  })
})
