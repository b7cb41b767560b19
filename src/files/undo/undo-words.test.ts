import { expect, it } from 'vitest'
import { changedText } from './undo-words.ts'

it.each([
  [1, 1, 'Årsrapport.pdf', 'file-moved', 'Mette Holm', '”Årsrapport.pdf” er siden flyttet af Mette Holm.'],
  [1, 12, 'a.pdf', 'file-deleted', 'Mette Holm', '”a.pdf” er siden slettet af Mette Holm.'],
  [1, 2, 'a.pdf', 'file-sorted', 'Mette Holm', '”a.pdf” er siden sat på en anden plads af Mette Holm.'],
  [1, 2, 'a.pdf', 'file-renamed', null, '”a.pdf” er siden omdøbt.'],
  [1, 2, 'a.pdf', null, null, '”a.pdf” er siden ændret.'],
  [1, 1, null, 'file-removed', null, 'Filen er siden slettet for altid.'],
  [1, 3, null, 'file-removed', 'Mette Holm', 'En af filerne er siden slettet for altid af Mette Holm.'],
  [
    3,
    12,
    'a.pdf',
    'file-moved',
    'Mette Holm',
    '3 af 12 filer er ændret siden: ”a.pdf” er flyttet af Mette Holm.',
  ],
  [2, 2000, null, 'file-removed', null, '2 af 2.000 filer er ændret siden: en af dem er slettet for altid.'],
] as const)('%i of %i changed, %s, %s by %s: %s', (changed, total, name, act, by, text) => {
  expect(changedText(changed, total, { name, act, by, isOwn: false })).toBe(text)
})

it('writes ”af dig” about one’s own changes', () => {
  const later = { name: 'a.pdf', act: 'file-moved', by: 'Mette Holm', isOwn: true } as const
  expect(changedText(1, 1, later)).toBe('”a.pdf” er siden flyttet af dig.')
})
