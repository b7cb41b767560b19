import { expect, it } from 'vitest'
import { effectText, type Effect } from './effect-text.ts'

const NOBODY = { reached: 0, no_mail: 0, later: 0, uninvited: 0 }
const EFFECT: Effect = {
  presser: 'approver',
  papers: 184,
  held: 0,
  at: null,
  counts: { ...NOBODY, reached: 288 },
  leaving: { minutes: 10, sendsMail: true },
}

it.each<[Partial<Effect>, string]>([
  [
    {},
    'Når du godkender, bliver 184 papirer udgivet med det samme. 288 personer kan se dem og får mail 10 minutter efter.',
  ],
  [
    { at: '2026-12-01T07:00:00.000Z', counts: { ...NOBODY, reached: 288, uninvited: 8 } },
    'Når du godkender, bliver 184 papirer udgivet 01/12/2026 kl. 08.00. 288 personer kan se dem, og 280 får mail 10 minutter efter. 8 er ikke inviteret og får ingen mail.',
  ],
  [
    { presser: 'publisher', papers: 1, counts: { ...NOBODY, reached: 1, no_mail: 1 } },
    'Når du udgiver, bliver 1 papir udgivet med det samme. 1 person kan se det. Personen har fravalgt mails.',
  ],
  [
    { presser: 'colleague', held: 3, leaving: { minutes: 0, sendsMail: true } },
    'Når en kollega har godkendt, bliver 181 papirer udgivet med det samme. 3 papirer er holdt tilbage og bliver ikke udgivet endnu. 288 personer kan se dem og får mail straks efter.',
  ],
  [
    { papers: 2, counts: NOBODY },
    'Når du godkender, bliver 2 papirer udgivet med det samme. Ingen uden for kontoret kan se dem.',
  ],
  [
    { leaving: { minutes: 10, sendsMail: false } },
    'Når du godkender, bliver 184 papirer udgivet med det samme. 288 personer kan se dem. Ingen får mail, for der er ingen mailserver.',
  ],
])('says what %j does', (change, text) => {
  expect(effectText({ ...EFFECT, ...change }, 'Europe/Copenhagen')).toBe(text)
})
