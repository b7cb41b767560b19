import { expect, it } from 'vitest'
import { decodeName, shownPath, splitPath } from './decode-path.ts'
import { whyNotTaken } from './not-taken.ts'

const LIMIT = 1000

it.each<[path: string, why: RegExp | null]>([
  ['Årsrapport.pdf', null],
  ['.skjult.pdf', null],
  ['mappe/Thumbs.db', /små billeder/],
  ['desktop.ini', /indstillinger/],
  ['.DS_Store', /Mac/],
  ['._Årsrapport.pdf', /Mac/],
  ['~$rsrapport.docx', /låsefil/],
  ['.~lock.Budget.xlsx#', /låsefil/],
  ['Genvej til Budget.lnk', /genvej/],
  ['download.pdf.crdownload', /midlertidig/],
  ['setup.exe', /program/],
  ['$RECYCLE.BIN/S-1-5/Budget.pdf', /\$RECYCLE\.BIN/],
  ['@eaDir/Budget.pdf/x.jpg', /@eaDir/],
  ['Recycled/Budget.pdf', /Recycled/],
])('whether the file %s is left out: %s', (path, why) => {
  const found = whyNotTaken({ kind: 'file', size: 10, names: path.split('/') }, LIMIT)
  if (why) expect(found).toMatch(why)
  else expect(found).toBeNull()
})

it('leaves out links, devices, and empty or too large files', () => {
  const told = (more: object) => whyNotTaken({ kind: 'file', size: 10, names: ['a.pdf'], ...more }, LIMIT)
  expect(told({ kind: 'link' })).toContain('symbolsk link')
  expect(told({ kind: 'device' })).toContain('almindelig fil')
  expect(told({ kind: 'unreadable' })).toContain('adgang')
  expect(told({ size: 0 })).toBe('Filen er tom.')
  expect(told({ size: 1000 })).toBeNull()
  expect(told({ size: 1001 })).toContain('fylder mere end')
})

it('reads names in UTF-8, composed or not, and in Latin-1', () => {
  const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
  expect(decodeName(bytes('Årsrapport'))).toBe('Årsrapport')
  expect(decodeName(bytes([0xc5], 'rsrapport ', [0xe6, 0xf8, 0xe5]))).toBe('Årsrapport æøå')
  expect(shownPath(bytes('A\u030arsrapport/', [0xe5], '.pdf'))).toBe('Årsrapport/å.pdf')
  expect(shownPath(bytes('a\nb\\c.pdf'))).toBe('a b c.pdf')
  expect(shownPath(bytes('a/\u200b/b'))).toBe('a/?/b')
  expect(splitPath(bytes('a/b/c')).map(decodeName)).toEqual(['a', 'b', 'c'])
})
