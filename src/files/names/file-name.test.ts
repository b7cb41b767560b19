import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../../test/chance.ts'
import { anyFileName, faultsOfName } from '../../../test/formats/file-name-fuzz.ts'
import { folderKey } from '../../projects/folder.ts'
import {
  cleanFileName,
  isTooLong,
  movedName,
  periodInName,
  readFileName,
  renamed,
  simpleName,
  splitExtension,
  withKey,
  yearIn,
  yearInName,
} from './file-name.ts'
import { placeInFolder } from '../../uploads/names/placing.ts'

it.each([
  ['Budget (1024) 2025.pdf', 'Budget (1148) 2025.pdf'],
  ['Budget(1024).pdf', 'Budget (1148).pdf'],
  ['(2001) brev (kopi).pdf', '(1148) brev (kopi).pdf'],
  ['Budget 1024.pdf', null],
])('replaces the number in the name %s', (name, expected) => {
  expect(withKey(name, '1148')).toBe(expected)
})

it.each([
  ['Årsrapport (1024) 2023.pdf', 'Årsrapport (1031) 2023.pdf'],
  ['A\u030Arsrapport (1024) 2023.pdf', 'Årsrapport (1031) 2023.pdf'],
  ['Møde på Ærø #1 100%? (1024) æøå#%?.pdf', 'Møde på Ærø #1 100%? (1031) æøå#%?.pdf'],
  ['Budget (1024) (kopi) (1024).pdf', 'Budget (1031) (kopi) (1024).pdf'],
  ['( 2001 ) brev.pdf', '(1031) brev.pdf'],
  ['Budget(1024)2025', 'Budget (1031) 2025'],
  // Another number than that of the old place, words, a year, none at all, the new one already
  ['Budget (1030) 2025.pdf', null],
  ['Brev (udkast) (1024).pdf', null],
  ['Referat (2023).pdf', null],
  ['Budget ((1024)).pdf', null],
  ['Budget (10240).pdf', null],
  ['Budget 1024.pdf', null],
  ['Budget ().pdf', null],
  ['Budget (1031) 2025.pdf', null],
  ['', null],
])('renames %s when its file moves', (name, expected) => {
  expect(movedName(name, ['1024', '2001'], ['1031', '1032'])).toBe(expected)
  if (expected === null) return
  expect(yearInName(expected)).toBe(yearInName(name))
  expect(periodInName(expected)).toBe(periodInName(name))
  expect(movedName(expected, ['1031'], ['1024'])).toBe(withKey(name, '1024'))
})

it('does not rename without a valid number at both places, or to a name that is too long', () => {
  expect(movedName('Budget (1024).pdf', ['1024'], [])).toBe(null)
  expect(movedName('Budget (1024).pdf', [], ['1031'])).toBe(null)
  expect(movedName('Budget (1024).pdf', ['1024'], ['10/31'])).toBe(null)
  expect(movedName('Budget (1024).pdf', ['1024'], ['10(31'])).toBe(null)
  const long = `Budget (1024) ${'a'.repeat(237)}.pdf`
  expect(movedName(long, ['1024'], ['1031'])?.length).toBe(255)
  expect(movedName(long, ['1024'], ['10310'])).toBe(null)
})

const NFD = (text: string) => text.normalize('NFD')

describe('S5.1 the convention', () => {
  it.each([
    ['Årsrapport (1024) 2023.pdf', 'Årsrapport', '1024', '2023', 2023],
    ['Årsrapport 2020 (1024) endelig.pdf', 'Årsrapport 2020', '1024', 'endelig', 2020],
    ['Årsrapport KS (1024).pdf', 'Årsrapport KS', '1024', '', null],
    ['Å (1).pdf', 'Å', '1', '', null],
    // As a Mac writes it, and with other white space
    [NFD('Årsrapport (1024) 2023.pdf'), 'Årsrapport', '1024', '2023', 2023],
    [NFD('Møder på Ærø (Å-1) é.pdf'), 'Møder på Ærø', 'Å-1', 'é', null],
    ['\u212brsrapport (1024).pdf', 'Årsrapport', '1024', '', null],
    ['  Årsrapport   KS  ( 1024 )   2023  .pdf', 'Årsrapport KS', '1024', '2023', 2023],
    ['Årsrapport\u00a0KS\t(1024)\u00a02023.pdf', 'Årsrapport KS', '1024', '2023', 2023],
    ['Årsrapport\u2009KS\u3000(\u00a01024\t)\r\n2023.pdf', 'Årsrapport KS', '1024', '2023', 2023],
    ['Årsrapport (10 24) x.pdf', 'Årsrapport', '10 24', 'x', null],
    ['Budget(1024)2025.pdf', 'Budget', '1024', '2025', 2025],
    // Further parentheses
    ['Budget (1024) (rev. 2) 2025.pdf', 'Budget', '1024', '(rev. 2) 2025', 2025],
    ['Budget (1024) (2019) 2025.pdf', 'Budget', '1024', '(2019) 2025', 2019],
    ['Budget (1024)(1025).pdf', 'Budget', '1024', '(1025)', null],
    ['Budget (1024) ().pdf', 'Budget', '1024', '()', null],
    ['Budget (1024) ((x.pdf', 'Budget', '1024', '((x', null],
    ['Budget (1024) x).pdf', 'Budget', '1024', 'x)', null],
    ['Budget (1024)).pdf', 'Budget', '1024', ')', null],
    // Years and other numbers
    ['Budget (2014) 2025.pdf', 'Budget', '2014', '2025', 2025],
    ['Budget (2014).pdf', 'Budget', '2014', '', null],
    ['Budget 2013 (2014) 2025.pdf', 'Budget 2013', '2014', '2025', 2025],
    ['Budget 2013 (2014).pdf', 'Budget 2013', '2014', '', 2013],
    ['2014 (2015).pdf', '2014', '2015', '', 2014],
    ['Budget (01024) x.pdf', 'Budget', '01024', 'x', null],
    ['Budget (1024) 20251.pdf', 'Budget', '1024', '20251', null],
    ['Budget (1024) 12345 2025.pdf', 'Budget', '1024', '12345 2025', 2025],
    ['Budget 2020 (1024) 20251.pdf', 'Budget 2020', '1024', '20251', 2020],
    ['Budget (1024) 1799 2200 1800.pdf', 'Budget', '1024', '1799 2200 1800', 1800],
    ['Budget (1024) 2025-2026.pdf', 'Budget', '1024', '2025-2026', 2026],
    ['Budget (1024) ٢٠٢٣.pdf', 'Budget', '1024', '٢٠٢٣', null],
    // Dots
    ['Budget (1024) 2025', 'Budget', '1024', '2025', 2025],
    ['Budget (1024) v1.2025', 'Budget', '1024', 'v1.2025', 2025],
    ['Budget (1024) x.mp2025', 'Budget', '1024', 'x', null],
    ['Budget (1024) 12.3.2025.pdf', 'Budget', '1024', '12.3.2025', 2025],
    ['Budget nr. 2 (10.24) a.b.pdf', 'Budget nr. 2', '10.24', 'a.b', null],
    ['Budget (1024)..pdf', 'Budget', '1024', '.', null],
    ['Budget (1024).', 'Budget', '1024', '.', null],
    ['Budget (a.pdf)', 'Budget', 'a.pdf', '', null],
    // Invisible and rare characters
    ['Bud\u200bget (10\u200d24) 2025.pdf', 'Budget', '1024', '2025', 2025],
    ['Budget (1024) 20\u200b25.pdf', 'Budget', '1024', '2025', 2025],
    ['\u202eBudget\u202c (1024) 2025.pdf', 'Budget', '1024', '2025', 2025],
    ['\u2067Budget\u2069 (\u200f1024\u200e)\ufeff.pdf', 'Budget', '1024', '', null],
    ['תקציב (1024) 2025.pdf', 'תקציב', '1024', '2025', 2025],
    ['Budget (1024) 📊 2025.pdf', 'Budget', '1024', '📊 2025', 2025],
    ['📊 (📈).pdf', '📊', '📈', '', null],
    ['Bud\ud83dget (1024) \udcca.pdf', 'Bud\ufffdget', '1024', '\ufffd', null],
    ['Budget (A-17/b) 2025.pdf', 'Budget', 'A-17/b', '2025', 2025],
    ['BUDGET (1024) 2025.PDF', 'BUDGET', '1024', '2025', 2025],
    ['constructor (__proto__) toString.pdf', 'constructor', '__proto__', 'toString', null],
    ['__proto__ (constructor).pdf', '__proto__', 'constructor', '', null],
  ])('reads %j as the folder %j, the key %j, the rest %j, the year %j', (name, folder, key, rest, year) => {
    expect(readFileName(name)).toEqual({ folder, key, rest, year })
    expect(yearInName(name)).toBe(year)
  })

  it.each([
    'Årsrapport 2023.pdf',
    'Årsrapport 1024) 2023.pdf',
    'Årsrapport (1024 2023.pdf',
    'Årsrapport )1024( 2023.pdf',
    'Årsrapport) (1024) 2023.pdf',
    'Årsrapport ((1024)) 2023.pdf',
    'Årsrapport ((1024) 2023.pdf',
    'Årsrapport (10(24)) 2023.pdf',
    'Årsrapport () 2023.pdf',
    'Årsrapport ( ) 2023.pdf',
    'Årsrapport (\u200b) 2023.pdf',
    'Årsrapport () (1024).pdf',
    'Årsrapport （1024） 2023.pdf',
    'Årsrapport [1024] 2023.pdf',
    '(1024) 2023.pdf',
    ' (1024).pdf',
    '\u200b(1024).pdf',
    'constructor',
    '__proto__.pdf',
    '',
    ' ',
    '.',
    '.pdf',
    '()',
    '(',
    ')',
    '\ud83d',
  ])('the name %j does not follow the convention', (name) => {
    expect(readFileName(name)).toBeNull()
  })

  it('reads names of 255 bytes, of 255 letters, and longer ones', () => {
    for (const letters of [115, 233, 234, 5000]) {
      const name = `Årsrapport (1024) ${'æ'.repeat(letters)}.pdf`
      expect(readFileName(name)?.rest).toBe('æ'.repeat(letters))
      expect(isTooLong(name)).toBe(name.length > 255)
      expect(isTooLong(NFD(`\u200b ${name} `))).toBe(name.length > 255)
    }
  })

  it('reads a name quickly from 100 kB of any text', () => {
    const parts = ['(', ')', '()', '(a', 'a)', ' ', '\t', ' (', 'a', 'a ', '1', '2023', '.', '.a', '.1', 'a.']
    const marks = ['\u0301', '\u0301\u0323', '\u0301\u0323\u200d', '\u0344', '\u0007\u0323\u0301', '\u200b']
    for (const part of [...parts, ...marks])
      for (const name of [`a${part.repeat(100_000 / part.length)}`, `A (1)${part.repeat(20_000)}!`]) {
        expect(readFileName(name)?.key ?? '1').toBe('1')
        expect([null, 2023]).toContain(yearInName(name))
        expect(splitExtension(name).extension.length).toBeLessThan(12)
        expect(readFileName(renamed(name, { folder: 'Budget', key: '1' }))?.folder).toBe('Budget')
        expect(simpleName(name)).toBe(cleanFileName(name))
      }
  })
})

describe('S5.2 a folder is found by its name or a sub name', () => {
  const folder = { id: 7, name: 'Årsrapport', visible_to_investors: true }
  const names = [NFD('Årsrapport'), 'Årsrapport 2020', ' Årsrapport\u00a0 KS ', '__proto__']
  const folders = Object.fromEntries(names.map((name) => [folderKey(name), folder]))
  const project = {
    id: 1,
    number: '1024',
    name: 'K/S Nordhavn Kontorhus',
    has_auditor: false,
    folders,
    near: {},
  }
  const isFound = (name: string) =>
    placeInFolder(name, { projects: { '1024': project } }, null).fault === undefined

  it.each([
    'Årsrapport (1024) 2023.pdf',
    NFD('Årsrapport (1024) 2023.pdf'),
    'Årsrapport 2020 (1024).pdf',
    NFD('Årsrapport  KS (1024).pdf'),
    'Årsrapport\tKS(1024).pdf',
    'Års\u00adrapport (\u200e1024).pdf',
    '\u212brsrapport (1024).pdf',
    '__proto__ (1024).pdf',
  ])('finds the folder by %j', (name) => {
    expect(isFound(name)).toBe(true)
  })

  it.each([
    'årsrapport (1024).pdf',
    'Arsrapport (1024).pdf',
    'Årsrapport 2021 (1024).pdf',
    'Årsrapport2020 (1024).pdf',
    'Årsrapport KS 2020 (1024).pdf',
    'constructor (1024).pdf',
    'Årsrapport (constructor).pdf',
    'Årsrapport (١٠٢٤).pdf',
  ])('does not find the folder by %j', (name) => {
    expect(isFound(name)).toBe(false)
  })
})

describe('S9.6 the year', () => {
  it.each([
    ['1800', 1800],
    ['2199', 2199],
    ['1799', null],
    ['2200', null],
    ['12023', null],
    ['20235', null],
    ['20230415', null],
    ['202', null],
    ['20 23', null],
    ['2023-24', 2023],
    ['31122023 2022', 2022],
    ['fra 2019 til 2023', 2019],
    ['x2023y', 2023],
    ['²2023', 2023],
  ])('finds the year in %j: %j', (text, year) => {
    expect(yearIn(text)).toBe(year)
  })

  it.each([
    ['Brev 2023.pdf', 2023],
    ['Brev.2023', 2023],
    ['Brev (2014) x.pdf', null],
    ['Brev.mp2023', null],
    ['Kvartalsrapport (1024) a.2020', 2020],
    ['Kvartalsrapport (1024) a.2020.pdf', 2020],
    ['Kvartalsrapport (1024) a.b2020', null],
    ['Uden år.pdf', null],
    ['.2023', 2023],
    // Never inside the first parenthesis, even without a folder, or with another parenthesis in it
    ['(2014).pdf', null],
    ['(2014) 2023.pdf', 2023],
    ['Brev ((2014)) x.pdf', null],
    ['Brev ((2014) 2023.pdf', 2023],
    ['Brev 2019 (a (2014) b) 2023.pdf', 2023],
    ['Brev 2019 () x.pdf', 2019],
    // An unclosed parenthesis does not count
    ['Brev (fra 2014.pdf', 2014],
    ['Brev 2014) x.pdf', 2014],
  ])('the year of any name, such as %j, is %j', (name, year) => {
    expect(yearInName(name)).toBe(year)
  })
})

it.each([
  ['Bilag.v2.pdf', 'Bilag.v2', '.pdf'],
  ['Referat 12.3.2020', 'Referat 12.3.2020', ''],
  ['Kvartalsrapport (1024) a.2020', 'Kvartalsrapport (1024) a.2020', ''],
  ['Kvartalsrapport (1024) a.2020.pdf', 'Kvartalsrapport (1024) a.2020', '.pdf'],
  ['Kvartalsrapport (1024) a.b2020', 'Kvartalsrapport (1024) a', '.b2020'],
  ['.pdf', '.pdf', ''],
  ['..pdf', '.', '.pdf'],
  ['Bilag', 'Bilag', ''],
  ['Bilag.', 'Bilag.', ''],
  ['a.tar.gz', 'a.tar', '.gz'],
  ['x.7z', 'x', '.7z'],
  ['x.PDF', 'x', '.PDF'],
  ['x.pdf ', 'x.pdf ', ''],
  ['x.p-f', 'x.p-f', ''],
  ['x.elevenchars', 'x.elevenchars', ''],
  ['📊.pdf', '📊', '.pdf'],
  ['', '', ''],
])('splits %j into %j and the extension %j', (name, stem, extension) => {
  expect(splitExtension(name)).toEqual({ stem, extension })
})

describe('a repaired name', () => {
  const REPORT = { folder: 'Årsrapport', key: '1024' }

  it.each([
    // Where the convention is followed, folder and key are replaced, and every other word stays
    ['Ferieplan (1024) 2027.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) Ferieplan 2027.pdf'],
    ['Ferieplan (9999) 2027.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) Ferieplan 2027.pdf'],
    [
      'Ferieplan (udkast) 2027.pdf',
      { folder: 'Diverse', key: '1024' },
      'Diverse (1024) Ferieplan (udkast) 2027.pdf',
    ],
    [
      'Ferie (1024) (rev. 2) (b).pdf',
      { folder: 'Diverse', key: '1024' },
      'Diverse (1024) Ferie (rev. 2) (b).pdf',
    ],
    [
      'Referat af møde (1024).docx',
      { folder: 'Diverse', key: '1024' },
      'Diverse (1024) Referat af møde.docx',
    ],
    // …but the folder's name is not repeated, even if it was misspelt
    ['Diverse ferieplan (1024).pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) ferieplan.pdf'],
    ['Ferieplan Diverse (1024).pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) Ferieplan.pdf'],
    ['DIVERSE (1024) x.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) x.pdf'],
    ['Årsrapport KS (1024) x.pdf', REPORT, 'Årsrapport (1024) KS x.pdf'],
    [
      'Årsrapport udkast (1024) x.pdf',
      { folder: 'Årsrapport KS', key: '1024' },
      'Årsrapport KS (1024) udkast x.pdf',
    ],
    ['Aarsraport KS (1024).pdf', { folder: 'Årsrapport KS', key: '1024' }, 'Årsrapport KS (1024).pdf'],
    ['Års rapport endelig (1024).pdf', REPORT, 'Årsrapport (1024) endelig.pdf'],
    ['Arsrapport (1024) 2023.pdf', REPORT, 'Årsrapport (1024) 2023.pdf'],
    ['Budget (9999).pdf', { folder: 'Budget', key: '1024' }, 'Budget (1024).pdf'],
    ['Budget (1024) (rev. 2) a.b.PDF', REPORT, 'Årsrapport (1024) Budget (rev. 2) a.b.PDF'],
    ['Budget(1024)x', REPORT, 'Årsrapport (1024) Budget x'],
    // The year stays, wherever it was
    ['Arsrapport 2020 (1024) endelig.pdf', REPORT, 'Årsrapport (1024) 2020 endelig.pdf'],
    ['Arsrapport 2020 (1024) 2019.pdf', REPORT, 'Årsrapport (1024) 2019 2020.pdf'],
    ['Arsrapport 2020 (1024).pdf', { folder: 'Årsrapport 2020', key: '1024' }, 'Årsrapport 2020 (1024).pdf'],
    [
      'Budget 2019 (1024).pdf',
      { folder: 'Årsrapport 2020', key: '1024' },
      'Årsrapport 2020 (1024) Budget 2019.pdf',
    ],
    // Otherwise the whole name becomes the rest
    ['Ferie.pdf', REPORT, 'Årsrapport (1024) Ferie.pdf'],
    ['scan0001.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) scan0001.pdf'],
    ['Ferie () x.pdf', REPORT, 'Årsrapport (1024) Ferie () x.pdf'],
    ['(udkast) x.pdf', REPORT, 'Årsrapport (1024) (udkast) x.pdf'],
    ['Årsrapport (udkast x.pdf', REPORT, 'Årsrapport (1024) (udkast x.pdf'],
    ['Årsrapporter 2023.pdf', REPORT, 'Årsrapport (1024) Årsrapporter 2023.pdf'],
    ['Årsrapport 10245 x.pdf', REPORT, 'Årsrapport (1024) 10245 x.pdf'],
    ['Årsrapport 1024-2 x.pdf', REPORT, 'Årsrapport (1024) 1024-2 x.pdf'],
    ['1024 breve.pdf', REPORT, 'Årsrapport (1024) 1024 breve.pdf'],
    // …but a folder and key at the start are not repeated
    ['Årsrapport.pdf', REPORT, 'Årsrapport (1024).pdf'],
    ['Årsrapport 2023.pdf', REPORT, 'Årsrapport (1024) 2023.pdf'],
    ['Årsrapport KS 2023.pdf', REPORT, 'Årsrapport (1024) KS 2023.pdf'],
    ['Årsrapport 1024 x.pdf', REPORT, 'Årsrapport (1024) x.pdf'],
    ['Årsrapport 1024) x.pdf', REPORT, 'Årsrapport (1024) x.pdf'],
    ['Årsrapport (1024 x.pdf', REPORT, 'Årsrapport (1024) x.pdf'],
    ['Årsrapport () x.pdf', REPORT, 'Årsrapport (1024) x.pdf'],
    ['Årsrapport ((1024)).pdf', REPORT, 'Årsrapport (1024).pdf'],
    ['Årsrapport ((1024) x) y.pdf', REPORT, 'Årsrapport (1024) x) y.pdf'],
    [NFD('Årsrapport( 1024 x.pdf'), REPORT, 'Årsrapport (1024) x.pdf'],
    ['(1024) x.pdf', REPORT, 'Årsrapport (1024) x.pdf'],
    ['(9999) x.pdf', REPORT, 'Årsrapport (1024) (9999) x.pdf'],
    ['1024) x.pdf', REPORT, 'Årsrapport (1024) x.pdf'],
    ['Budget 2014.pdf', { folder: 'Budget', key: '2014' }, 'Budget (2014) 2014.pdf'],
    ['(2014) x 2023.pdf', REPORT, 'Årsrapport (1024) 2023 (2014) x 2023.pdf'],
    // Hardly a name
    ['', REPORT, 'Årsrapport (1024)'],
    ['.pdf', REPORT, 'Årsrapport (1024).pdf'],
    ['().pdf', REPORT, 'Årsrapport (1024).pdf'],
    // A word that comes to the end and looks like an extension becomes it, and the year stays
    ['.mp2023 (1024)', REPORT, 'Årsrapport (1024) 2023.mp2023'],
    ['Noter .docx (1024)', REPORT, 'Årsrapport (1024) Noter.docx'],
    ['__proto__', { folder: 'constructor', key: '__proto__' }, 'constructor (__proto__) __proto__'],
  ])('the repaired name of %j, moved to %j, is %j', (name, to, next) => {
    expect(renamed(name, to)).toBe(next)
    expect(readFileName(next)).toMatchObject(to)
    expect(renamed(next, to)).toBe(next)
    expect(yearInName(next)).toBe(yearInName(name))
  })

  it('a repaired name may be too long', () => {
    const name = `${'a'.repeat(240)}.pdf`
    expect([name, renamed(name, REPORT)].map(isTooLong)).toEqual([false, true])
  })
})

it('S5.1 1,000 random names are read by the same rules', () => {
  const chance = chanceOf(1024)
  const faults = Array.from({ length: 1000 }, () => faultsOfName(anyFileName(chance), chance)).flat()
  expect(faults.slice(0, 5)).toEqual([])
})

it.each([
  ['../../etc/passwd.pdf', '....etcpasswd.pdf'],
  ['C:\\Brev: svar.pdf', 'CBrev svar.pdf'],
  [NFD('Å/b.pdf'), 'Åb.pdf'],
  ['A/\u030a.pdf', 'Å.pdf'],
  ['a / \\ : b.pdf', 'a b.pdf'],
  ['/\\:', ''],
  ['Årsrapport (K/S) 2023.pdf', 'Årsrapport (KS) 2023.pdf'],
  ['a∕b：c.pdf', 'a∕b：c.pdf'],
])('S5.5 the simple form turns %j into %j', (name, clean) => {
  expect(simpleName(name)).toBe(clean)
})
