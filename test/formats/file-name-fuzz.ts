import type { Chance } from '../chance.ts'
import { fitsInFileName, folderKey } from '../../src/projects/folder.ts'
import {
  cleanFileName,
  keyInName,
  readFileName,
  renamed,
  simpleName,
  splitExtension,
  yearInName,
} from '../../src/files/names/file-name.ts'
import { nearMissAmong } from '../../src/files/names/near-miss.ts'
import { faultText, placeAtUser, placeInFolder, type UploadMap } from '../../src/uploads/names/placing.ts'

const FOLDERS = ['Årsrapport', 'Årsrapport 2020', 'Årsrapport KS', 'Bilag 1', 'Bilag 2', 'Møder', '2014']
const KEYS = ['1024', '01024', '2014', '1', 'A-17', '__proto__', 'constructor', 'toString']
const PARTS = [
  FOLDERS,
  KEYS,
  ['(', ')', '()', '( )', '((', '))', '(1024)', '(2014)', ' (1024) ', ' (1024', '1024) '],
  ['2023', '1799', '1800', '2199', '2200', '20231', '12023', '0', '٢٠٢٣', '²'],
  ['.pdf', '.PDF', '.', '..', '.tar.gz', '.mp2023', '.2023', '.æøå', '/', '\\', ':', '-', '_', ','],
  [' ', '  ', '\t', '\n', '\r\n', '\u00a0', '\u2028', '\u3000', '\u0085', '\0', '\u0007', '\u009f'],
  ['\u200b', '\u200d', '\u00ad', '\ufeff', '\u202e', '\u2066', '\u2069', '\u3164', '\ufe0f', '\u034f'],
  ['A\u030a', '\u030a', '\u0301\u0323', '\u0344', '\ufb2c', '\u212b', 'e\u0301', '각', '\u1100\u1161'],
  ['📊', '👩‍👧', '\ud83d', '\udcca', '𝟚𝟘𝟚𝟛', 'ﬁ', 'İ', 'ẞ', 'עברית', 'Ж', 'a', 'Ferie', 'aa', 'oe', 'æ'],
].flat()

/** Makes a correct name with a few faults, a random row of parts, or a very long name. */
export function anyFileName(chance: Chance): string {
  const kind = chance.number(2000)
  if (kind === 0) return chance.of(PARTS).repeat(chance.number(5000)) + anyHeap(chance, 10)
  if (kind < 800) return anyHeap(chance, 12)
  let name = `${chance.of(FOLDERS)} (${chance.of(KEYS)}) ${chance.of(PARTS)}${chance.of(['.pdf', '.docx', ''])}`
  if (chance.number(4) === 0) name = name.normalize('NFD')
  for (let changes = chance.number(5); changes > 0; changes--) {
    const [at, gone] = [chance.number(name.length + 1), chance.number(3)]
    name = name.slice(0, at) + (chance.number(3) > 0 ? chance.of(PARTS) : '') + name.slice(at + gone)
  }
  return name
}

function anyHeap(chance: Chance, most: number): string {
  return Array.from({ length: chance.number(most) }, () => chance.of(PARTS)).join('')
}

const place = { id: 1, name: 'Årsrapport', visible_to_investors: true }
const folders = Object.fromEntries(FOLDERS.map((name) => [name, place]))
const project = { id: 1, number: '1024', name: 'K/S', has_auditor: false, folders, near: {} }
const MAP: UploadMap = { projects: { '1024': project }, users: { '2014': { id: 2, name: 'Søren' } } }

/** Returns the promises about names that this name breaks. */
export function faultsOfName(name: string, chance: Chance): string[] {
  const faults: string[] = []
  const promise = (what: string, isKept: boolean) => {
    if (!isKept) faults.push(`${what}: ${JSON.stringify(name)}`)
  }

  const clean = cleanFileName(name)
  const said = readFileName(name)
  const year = yearInName(name)
  promise('cleaned once is cleaned', cleanFileName(clean) === clean)
  promise('clean is composed and whole', clean.normalize('NFC') === clean && clean.isWellFormed())
  promise('clean has no outer or double space', !/^\s|\s$|\s\s|[^\S ]/.test(clean))
  promise('clean shows all that it has', !/[\p{Default_Ignorable_Code_Point}\p{Cc}]/v.test(clean))
  promise('cleaning changes nothing that is read', same(readFileName(clean), said))
  promise('a year is from 1800 to 2199', year === null || (year >= 1800 && year <= 2199))
  promise(
    'a year is written in the name, or the one before it',
    year === null || clean.includes(String(year)) || clean.includes(String(year - 1)),
  )
  const { stem, extension } = splitExtension(name)
  promise('stem and extension are the name', stem + extension === name && (name === '' || stem !== ''))
  if (said) {
    promise('no parenthesis in folder or key', !/[()]/.test(said.folder + said.key))
    promise('folder and key are there', said.folder !== '' && said.key !== '')
    promise(
      'what is read is clean',
      folderKey(said.folder) === said.folder && folderKey(said.key) === said.key,
    )
    promise('one year', said.year === year)
  }
  const simple = simpleName(name)
  promise('simple has no separators', !/[/\\:]/.test(simple) && simpleName(simple) === simple)

  const to = { folder: anyValidName(chance), key: anyValidName(chance) }
  const next = renamed(name, to)
  const nextSaid = readFileName(next)
  promise(`led to ${JSON.stringify(to)}`, nextSaid?.folder === to.folder && nextSaid.key === to.key)
  promise('renaming twice is renaming once', renamed(next, to) === next && cleanFileName(next) === next)
  promise('renaming keeps the year', year === null || yearInName(next) === year)
  promise('renaming keeps the extension', next.endsWith(splitExtension(clean).extension))
  promise('renaming keeps the rest', !said || nextSaid?.rest.includes(said.rest) === true)
  promise('renaming loses no word', said !== null || wordsOf(clean).isSubsetOf(wordsOf(next)))
  const elsewhere = renamed(name, { folder: 'Et ganske andet sted', key: '77' })
  promise('renaming keeps the folder’s words', !said || wordsOf(said.folder).isSubsetOf(wordsOf(elsewhere)))

  const text = said?.folder ?? clean
  const near = nearFolder(text)
  promise('near is a known name', near === null || FOLDERS.includes(near))
  promise('near has the same digits', near === null || digitsOf(near) === digitsOf(text))
  promise('near is near both ways', near === null || isNearTo(near, folderKey(text)))

  const placed = placeInFolder(name, MAP, chance.of([null, '1024']))
  promise(
    'a place is one of ours',
    placed.fault ? faultText(placed.fault) !== '' : placed.where.folder === place,
  )
  const atUser = placeAtUser(name, MAP)
  promise('a person is one of ours', atUser.fault !== undefined || keyInName(name) === '2014')
  return faults
}

/** Makes a valid name for a folder or a project. */
function anyValidName(chance: Chance): string {
  const text = folderKey(chance.number(3) > 0 ? chance.of([...FOLDERS, ...KEYS]) : anyHeap(chance, 4))
  return text !== '' && fitsInFileName(text) ? text : 'Møder'
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const wordsOf = (text: string) => new Set(text.match(/[^ ().]+/g))
const nearFolder = nearMissAmong(FOLDERS)
const isNearTo = (name: string, text: string) => nearMissAmong([text])(name) === text
