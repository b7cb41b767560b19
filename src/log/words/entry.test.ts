import { expect, it } from 'vitest'
import type { Act } from './act.ts'
import { releaseIn } from './entry.ts'

it.each<[Act, string | null, number | null]>([
  ['release-planned', '12', 12],
  ['release-reminded', '12 287', 12],
  ['mails-asked', 'reminder 12 287', 12],
  ['mails-regretted', 'recall 7 1', 7],
  ['mails-asked', 'invitations 12 30', null],
  ['mails-asked', 'lending 5 1', null],
  ['release-asked', null, null],
  ['file-replaced', '12', null],
])('%s with %s is about release %s', (act, detail, release) => {
  expect(releaseIn({ act, detail })).toBe(release)
})
