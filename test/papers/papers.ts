import { chanceOf, type Chance } from '../chance.ts'
import { addCover, KINDS, type Kind } from './kinds.ts'
import { makeOffice, type TestOffice, type TestPerson, type TestProject } from './office.ts'
import { PERSONAL_KINDS } from './personal-kinds.ts'
import { Sheet, type Look } from './sheet.ts'
import { TRAPS, type Writing } from './writing.ts'

export type Part = 'development' | 'final'

/** A paper of the test set, with what a careful colleague would say of it. */
export type TestPaper = {
  id: string
  part: Part
  kind: string
  /** The name that a scanner or a mail program gives it. */
  name: string
  project: TestProject
  folder: string | null
  person: TestPerson | null
  year: number
  /** Years that a truthful name may have as well: a general meeting is also called after the year that it closes. */
  otherYears: number[]
  /** Another project that it mentions. */
  other: TestProject | null
  hasCpr: boolean
  /** It belongs to a company that the office does not know: nobody can be sure of its place. */
  isStrange: boolean
  isScan: boolean
  isEnglish: boolean
  write: () => Buffer
}

const COUNTS: Record<Part, number> = { development: 420, final: 320 }
const SEEDS: Record<Part, number> = { development: 1, final: 99 }

type Choice = { seed?: number; count?: number; office?: TestOffice }

/** Makes the papers of a part, always the same. Another seed makes others of the same kind, to develop with. */
export function makePapers(
  part: Part,
  { seed = SEEDS[part], count = COUNTS[part], office = makeOffice() }: Choice = {},
): TestPaper[] {
  const chance = chanceOf(seed)
  const kinds = [...KINDS, ...PERSONAL_KINDS].flatMap((kind) =>
    Array.from({ length: kind.share }, () => kind),
  )
  return Array.from({ length: count }, (_, index) => makePaper(part, index, chance, office, kinds))
}

const UNNAMED = [
  'Scan ####',
  'Scan_2026####',
  'dokument (#)',
  'IMG_####',
  'Skannet dokument ##',
  '2026####_######',
  'doc####',
  'Udskrift',
  'Vedhæftet fil #',
  'noname',
  'Microsoft Word - Dokument#',
  'untitled-#',
]

function makePaper(part: Part, index: number, chance: Chance, office: TestOffice, kinds: Kind[]): TestPaper {
  const kind = chance.of(kinds)
  const project = chance.of(office.projects)
  const people = new Map(office.people.map((person) => [person.id, person]))
  const person = people.get(chance.of(project.members))!
  const others = office.projects.filter((each) => each !== project)
  const other = chance.number(25) === 0 ? chance.of(others) : null
  const about = 2021 + chance.number(6)
  const date = {
    day: 1 + chance.number(27),
    month: 1 + chance.number(12),
    year: kind.about === 'past' ? about + 1 : kind.about === 'coming' ? about - 1 : about,
  }
  const isEnglish = kind.hasEnglish && chance.number(7) === 0
  const isScan = chance.number(18) === 0
  const isShared = kind.folder !== null && project.folders.find(({ name }) => name === kind.folder)!.isShared
  const cpr = isShared && chance.number(12) === 0 ? makeCpr(chance) : null
  const look = makeLook(chance)
  const isForeign = chance.number(40) === 0
  const trap = chance.number(4) === 0 ? chance.of(TRAPS) : null
  const bystander = chance.of(office.people.filter(({ name: theirs }) => theirs !== person.name))
  const neighbour = chance.of(others)
  const shown = isForeign ? makeStranger(chance) : project
  // Written later, with its own random choices, so that a paper does not depend on when it is written.
  const seed = chance.number(2 ** 31)
  const write = () => {
    const own = chanceOf(seed)
    const of: Writing['of'] = (items) =>
      items[own.number(part === 'development' && items.length >= 3 ? items.length - 1 : items.length)]!
    const sheet = new Sheet(look)
    const owners = project.members.slice(0, 6).map((id) => people.get(id)!.name)
    const writing: Writing = {
      chance: own,
      of,
      sheet,
      isEnglish,
      project: shown,
      other,
      person,
      owners,
      year: about,
      quarter: 1 + own.number(4),
      date,
      trap,
      bystander,
      neighbour,
      cpr,
    }
    if (trap === 'cover' && kind.cover) addCover(writing, kind.cover(writing))
    kind.write(writing)
    return sheet.toPdf()
  }
  const name = chance.of(UNNAMED).replaceAll('#', () => String(chance.number(10)))
  return {
    id: `${part}-${index}`,
    part,
    kind: kind.name,
    name: `${name}.pdf`,
    project,
    folder: kind.folder,
    person: kind.folder === null ? person : null,
    year: about,
    otherYears: kind.folder === 'Generalforsamling' ? [about - 1] : [],
    other,
    hasCpr: cpr !== null,
    // A paper from another company to an investor is the investor's.
    isStrange: isForeign && kind.folder !== null,
    isScan,
    isEnglish,
    write,
  }
}

/** A K/S company of another office. */
function makeStranger(chance: Chance): TestProject {
  const name = `K/S ${chance.of(['Rugmarken', 'Fjordhusene', 'Kajkanten', 'Ringvejens Erhverv', 'Havnetårnet'])} ${chance.of(['Nakskov', 'Thisted', 'Skive', 'Varde'])}`
  return {
    id: 0,
    number: String(6000 + chance.number(900)),
    name,
    cvr: String(51_000_000 + chance.number(8_000_000)),
    folders: [],
    members: [],
  }
}

function makeLook(chance: Chance): Look {
  return {
    font: chance.of(['helvetica', 'helvetica', 'times', 'times', 'courier']),
    size: 9 + chance.number(4),
    margin: 45 + chance.number(40),
    divides: chance.number(4) === 0,
    turn: chance.of(['none', 'none', 'none', 'none', 'none', 'none', 'none', 'by-viewer', 'drawn']),
    titles: chance.of(['plain', 'plain', 'plain', 'capitals', 'spaced']),
    isCentred: chance.number(2) === 0,
  }
}

/** Ten digits that could be a CPR number, whatever their check digit. */
function makeCpr(chance: Chance): string {
  const two = (from: number, count: number) => String(from + chance.number(count)).padStart(2, '0')
  const number = `${two(1, 28)}${two(1, 12)}${two(30, 69)}`
  return `${number}${chance.number(5) === 0 ? '' : '-'}${String(chance.number(10_000)).padStart(4, '0')}`
}
