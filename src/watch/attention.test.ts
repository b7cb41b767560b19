import { describe, expect, it } from 'vitest'
import { GOOD_COPIES, goodFacts as GOOD, hoursBefore } from '../../test/office/good-facts.ts'
import { findTroubles, unknownKinds } from './attention.ts'
import type { CopyFacts, Facts } from './facts.ts'
import { wordsOf } from './trouble-words.ts'

const NOW = GOOD.now
const ago = (hours: number) => hoursBefore(NOW, hours)

const job = (name: string, isFailing: boolean) => ({ name, waiting: 0, failed: 1, isFailing })
const certificate = (hours: number) => ({ host: 'ringbind.example', endsAt: ago(-hours) })
const copies = (more: Partial<CopyFacts>) => ({ copies: { ...GOOD_COPIES, ...more } })

it.each<[string, Partial<Facts>, string[]]>([
  ['all is well', {}, []],
  ['a copy failed', copies({ failed: { at: ago(9), reason: 'no-room' } }), ['copy-failed']],
  ['the newest copy is two days old', copies({ newest: ago(48) }), []],
  ['the newest copy is older', copies({ newest: ago(48.1) }), ['copy-old']],
  ['no other copy was due since, as over a weekend', copies({ newest: ago(80), wasDue: ago(80.1) }), []],
  ['there is no copy yet, since a day', copies({ newest: null, since: ago(24) }), []],
  ['there is no copy yet, since three days', copies({ newest: null, since: ago(72) }), ['copy-old']],
  ['no copy was ever due', copies({ newest: null, since: ago(72), wasDue: null }), []],
  ['a copy is ahead of the clock', copies({ ahead: ['ringbind-20271117T020000Z.tar'] }), ['copies-ahead']],
  ['copies cannot be listed', { copies: 'unknown' }, ['copies-away']],
  ['no copies are made', { copies: null }, ['no-copies']],
  ['no copies are made in the demo', { copies: null, hasMailServer: false, isDemo: true }, []],
  ['a tenth of the disk is free', { disk: { free: 10, total: 100, isBelowReserve: false } }, []],
  ['less than a tenth is free', { disk: { free: 9, total: 100, isBelowReserve: false } }, ['disk-low']],
  ['the reserve is in use', { disk: { free: 90, total: 100, isBelowReserve: true } }, ['disk-low']],
  ['the disk is unknown', { disk: 'unknown' }, []],
  ['the disk takes no files', { store: { code: 'EIO' } }, ['store-closed']],
  ['it is unknown whether it does', { store: 'unknown' }, []],
  ['mails failed a moment ago', { mails: { failed: 2, failingSince: ago(0.9) } }, []],
  ['mails have failed for an hour', { mails: { failed: 2, failingSince: ago(1) } }, ['mails-failing']],
  ['one mail failed, and others were sent since', { mails: { failed: 1, failingSince: null } }, []],
  ['there is no mail server', { hasMailServer: false }, ['no-mail']],
  ['the certificate lasts 14 days', { certificate: certificate(14 * 24) }, []],
  ['the certificate lasts 13 days', { certificate: certificate(13 * 24) }, ['certificate-ending']],
  ['the certificate has ended', { certificate: certificate(-1) }, ['certificate-ending']],
  ['the certificate is unknown', { certificate: 'unknown' }, []],
  ['the bucket answers', { bucket: { name: 'papers', answers: true } }, []],
  ['ClamAV does not answer', { scanner: { found: 'unknown', waiting: 3 } }, ['scanner-away']],
  [
    'the signatures of ClamAV are 8 days old',
    { scanner: { found: { version: 'ClamAV 1.4.3', signaturesAt: ago(8 * 24) }, waiting: 0 } },
    ['signatures-old'],
  ],
  [
    'the signatures of ClamAV are of yesterday',
    { scanner: { found: { version: 'ClamAV 1.4.3', signaturesAt: ago(24) }, waiting: 0 } },
    [],
  ],
  ['the bucket does not answer', { bucket: { name: 'papers', answers: false } }, ['bucket-away']],
  ['a job fails', { jobs: [job('house-keeping', true)] }, ['jobs-failing']],
  ['a job failed, and has succeeded since', { jobs: [job('house-keeping', false)] }, []],
  ['mails and copies have their own trouble', { jobs: [job('send-mail', true), job('backup', true)] }, []],
])('finds the troubles when %s', (_what, more, kinds) => {
  const troubles = findTroubles({ ...GOOD, ...more })
  expect(troubles.map(({ kind }) => kind)).toEqual(kinds)
  for (const trouble of troubles) {
    const { title, says, todo } = wordsOf(trouble, { now: NOW, timeZone: 'Europe/Copenhagen' })
    for (const text of [`${title}.`, says, todo]) expect(text).toMatch(/^[A-ZÆØÅ].*[.?]$/)
    expect(`${title} ${says} ${todo}`).not.toMatch(/undefined|NaN|Invalid/)
  }
})

it('an unknown state neither begins nor ends a trouble', () => {
  const unknown = {
    copies: 'unknown',
    disk: 'unknown',
    store: 'unknown',
    mails: 'unknown',
    certificate: 'unknown',
  } as const
  expect(unknownKinds(GOOD)).toEqual([])
  expect(unknownKinds({ ...GOOD, ...unknown })).toEqual([
    'copy-failed',
    'copy-old',
    'disk-low',
    'store-closed',
    'mails-failing',
    'certificate-ending',
  ])
})

describe('the words', () => {
  const say = (more: Partial<Facts>) =>
    findTroubles({ ...GOOD, ...more }).map((trouble) =>
      wordsOf(trouble, { now: NOW, timeZone: 'Europe/Copenhagen' }),
    )

  it('times are in the time zone of the office', () => {
    expect(say(copies({ failed: { at: ago(9), reason: 'no-directory' } }))[0]!.says).toBe(
      'Den seneste planlagte sikkerhedskopi mislykkedes 17/11/2026 kl. 04.00. Mappen til kopierne findes ikke.',
    )
  })

  it.each([
    [-1, 'Certifikatet til ringbind.example er udløbet', 'Det udløb 17/11/2026 kl. 12.00.'],
    [
      3 * 24,
      'Certifikatet til ringbind.example udløber snart',
      'Det udløber 20/11/2026 kl. 13.00, om 3 dage.',
    ],
  ])('says how long a certificate lasts: %d hours', (hours, title, says) => {
    const [words] = say({ certificate: certificate(hours) })
    expect(words).toMatchObject({ title, says: expect.stringContaining(says) })
  })

  it('says that uploads are refused only if they are', () => {
    const disk = { free: 9, total: 100, isBelowReserve: false }
    expect(say({ disk })[0]!.says).not.toContain('uploades')
    expect(say({ disk: { ...disk, isBelowReserve: true } })[0]!.says).toContain('kan ikke uploades')
  })

  it('jobs have the names that the office knows', () => {
    const jobs = [job('house-keeping', true), job('read-by-night', true)]
    expect(say({ jobs })[0]!.says).toBe('Det gælder ”Oprydning” og ”Kontrol af filer om natten”.')
  })
})
