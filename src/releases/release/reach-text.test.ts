import { expect, test } from 'vitest'
import { reachText, shortReachText } from './reach-text.ts'
import type { PublishingWay, Reach } from './release.ts'

const texts: [PublishingWay, Partial<Reach>, string][] = [
  ['now', { people: 0 }, 'Ingen uden for kontoret kan se filerne.'],
  ['now', { people: 1 }, '1 person uden for kontoret kan se filerne og får mail.'],
  ['draft', { people: 12 }, '12 personer uden for kontoret kan se filerne og får mail, når du udgiver dem.'],
  [
    'now',
    { people: 12, no_mail: 2 },
    '12 personer uden for kontoret kan se filerne, og 10 får mail. 2 har fravalgt mails.',
  ],
  [
    'later',
    { people: 12, no_mail: 1, later: 3, never_in: 2 },
    '12 personer uden for kontoret kan se filerne fra det tidspunkt, og 11 får mail. 1 har fravalgt mails. 3 får den i en daglig eller ugentlig mail. 2 af dem har ikke været logget ind endnu.',
  ],
  [
    'now',
    { people: 1, no_mail: 1, never_in: 1 },
    '1 person uden for kontoret kan se filerne. Personen har fravalgt mails. Personen har ikke været logget ind endnu.',
  ],
  [
    'now',
    { people: 3, no_mail: 3, never_in: 3 },
    '3 personer uden for kontoret kan se filerne. Alle har fravalgt mails. Ingen af dem har været logget ind endnu.',
  ],
  [
    'now',
    { people: 12, never_in: 9, uninvited: 8 },
    '12 personer uden for kontoret kan se filerne, og 4 får mail. 8 er ikke inviteret og får ingen mail. 1 af dem har ikke været logget ind endnu.',
  ],
  [
    'now',
    { people: 288, sends_mail: false },
    '288 personer uden for kontoret kan se filerne. Ingen får mail, for der er ingen mailserver.',
  ],
]

const NOBODY: Reach = {
  people: 0,
  never_in: 0,
  no_mail: 0,
  uninvited: 0,
  sends_mail: true,
  later: 0,
  names: [],
  needs_approval: false,
}

test.each(texts)('%s, %o', (way, reach, text) => {
  expect(reachText(way, { ...NOBODY, ...reach })).toBe(text)
})

test.each<[PublishingWay, Partial<Reach>, string]>([
  ['now', {}, 'Kun kontoret ser dem'],
  ['now', { people: 16 }, '16 personer får mail'],
  ['now', { people: 16, no_mail: 2, uninvited: 4 }, '16 personer ser dem, 10 får mail'],
  ['now', { people: 1, no_mail: 1 }, '1 person ser dem, ingen får mail'],
  ['now', { people: 16, sends_mail: false }, '16 personer ser dem, ingen får mail'],
  ['draft', { people: 16 }, '16 personer får mail, når du udgiver'],
  ['later', { people: 16, no_mail: 2 }, '16 personer ser dem, når de udgives, 14 får mail'],
])('in a few words: %s, %o', (way, reach, text) => {
  expect(shortReachText(way, { ...NOBODY, ...reach })).toBe(text)
})
