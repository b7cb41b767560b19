import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Parts } from '../src/server/parts.ts'
import type { Role } from '../src/rights.ts'
import type { Status } from '../src/projects/project/project.ts'
import { receiveBlob } from '../src/server/storage/blobs.db.ts'
import {
  foldersByName,
  makeFile,
  makeFiles,
  makeProject,
  makeReport,
  makeUser,
  makeUserFolder,
  passwordHash,
} from '../test/make.ts'
import type { Question } from '../src/search/answer/results.ts'
import { saveSearch } from '../src/search/saved-searches.db.ts'
import { NO_QUESTION, writeSearch } from '../src/search/answer/search-address.ts'
import { DEMO_PASSWORD } from './demo-password.ts'
import { fillHistory } from './history.ts'
import { fillHooks } from './hooks.ts'
import { fillIntake } from './intake.ts'
import { fillInvited } from './invited.ts'
import { fillLending } from './lending.ts'
import { fillNews } from './news.ts'
import { fillObligations } from './obligations.ts'
import { fillReleases } from './releases.ts'
import { fillTokens } from './tokens.ts'
import { fillVersions } from './versions.ts'
import { fillYears } from './years.ts'
import { statementOf } from './papers/statements.ts'
import { papersFor } from './papers/papers.ts'
import { REPORTS } from './reports.ts'

type Person = [name: string, role: Role, email?: string]

/** The people: the same every time. The first of each role signs in with the role's name. */
const PEOPLE: Person[] = [
  ['Kirsten Overgaard', 'administrator', 'administrator'],
  ['Mads Thorup', 'employee', 'medarbejder'],
  ['Lone Bjerregaard', 'auditor', 'revisor'],
  ['Søren Kjærgaard', 'investor', 'investor'],
  ['Hanne Aagesen', 'administrator'],
  ['Jonas Vestergaard', 'employee'],
  ['Pernille Østergaard', 'employee'],
  ['Erik Damgaard', 'auditor'],
  ['Anne Marie Holm', 'investor'],
  ['Åse Nørregaard', 'investor'],
  ['Poul Erik Ærtebjerg', 'investor'],
  ['Birgitte Skov', 'investor'],
  ['Henning Bach Lauritzen', 'investor'],
  ['Ulla Brix', 'investor'],
  ['Torben Falkenberg', 'investor'],
  ['Gitte Rønnow', 'investor'],
  ['Niels Aabye', 'investor'],
  ['Jytte Malling', 'investor'],
  ['Christian Juel Friis', 'investor'],
  ['Lisbeth Quist', 'investor'],
  ['Ole Zacho', 'investor'],
  ['Mette-Marie Løvgreen', 'investor'],
  ['Bjarne Uldall', 'investor'],
  ['Inger Øllgaard', 'investor'],
  ['Flemming Høst', 'investor'],
  ['Susanne Ibsen', 'investor'],
  ['Viggo Rask', 'investor'],
  ['Karen Margrethe Toft', 'investor'],
  ['Palle Engell', 'investor'],
  ['Karen Holst', 'adviser', 'raadgiver'],
]

type Venture = [number: string, name: string, cvr: string | null, status: Status, members: string[]]

/** The projects and their members. */
const PROJECTS: Venture[] = [
  [
    '1024',
    'K/S Nordhavn Kontorhus',
    '38291041',
    'active',
    ['Søren Kjærgaard', 'Anne Marie Holm', 'Lone Bjerregaard'],
  ],
  [
    '1031',
    'K/S Vindpark Nørrekær',
    '40112987',
    'active',
    ['Søren Kjærgaard', 'Åse Nørregaard', 'Lone Bjerregaard'],
  ],
  ['1042', 'K/S Østerbro Ejendomme', '27450911', 'active', ['Poul Erik Ærtebjerg', 'Birgitte Skov']],
  [
    '1058',
    'K/S Logistik Taulov',
    '39904411',
    'active',
    ['Henning Bach Lauritzen', 'Ulla Brix', 'Erik Damgaard'],
  ],
  ['1063', 'K/S Aarhus Å Boliger', '31588707', 'active', ['Søren Kjærgaard', 'Torben Falkenberg']],
  ['1077', 'K/S Tankskib Ærø', '29667705', 'closing', ['Gitte Rønnow', 'Niels Aabye', 'Jytte Malling']],
  ['1085', 'K/S Hotel Skagen Fyr', '33214502', 'active', ['Christian Juel Friis', 'Anne Marie Holm']],
  [
    '1090',
    'K/S Solpark Lolland',
    '41875305',
    'active',
    ['Lisbeth Quist', 'Ole Zacho', 'Mette-Marie Løvgreen'],
  ],
  ['1102', 'K/S Butikscenter Ølby', '26109345', 'sold', ['Bjarne Uldall', 'Inger Øllgaard']],
  [
    '1116',
    'K/S Seniorboliger Hjørring',
    '35470867',
    'active',
    ['Flemming Høst', 'Susanne Ibsen', 'Erik Damgaard'],
  ],
  ['1121', 'K/S Retail Park Herning', '30928814', 'closing', ['Viggo Rask', 'Karen Margrethe Toft']],
  ['1134', 'K/S Åboulevarden 12', null, 'active', ['Palle Engell', 'Lone Bjerregaard']],
  ['987', 'K/S Containerskib Zealand', '24680118', 'sold', ['Ulla Brix']],
  ['2014', 'K/S Vindmøller Samsø 2014', '36702192', 'active', ['Åse Nørregaard', 'Ole Zacho']],
]

const SAVED_SEARCHES: [string, Partial<Question>][] = [
  ['Årsrapporter for 2025', { q: 'årsrapport', year: 2025 }],
  ['Referater af generalforsamlinger', { q: 'referat', folder: 'Generalforsamling' }],
]

/**
 * Fills a new database with a believable office. Returns the ids of its projects by number, and of its people by the
 * part of their e-mail before the @.
 */
export async function fillOffice(parts: Parts): Promise<{
  projects: Record<string, number>
  people: Record<string, number>
}> {
  const { db } = parts
  await fillSign(db)
  const hash = await passwordHash(DEMO_PASSWORD)
  const people = new Map<string, number>()
  let number = 2001
  for (const [name, role, login] of PEOPLE) {
    const { id } = await makeUser(db, {
      name,
      role,
      email: `${login ?? plain(name)}@ringbind.example`,
      passwordHash: hash,
      numbers: role === 'investor' ? [String(number++)] : [],
    })
    people.set(name, id)
    if (role === 'investor') await fillOwnFiles(parts, id, { name, number: String(number - 1) })
  }
  for (const [name, companies] of Object.entries(REPORTS)) await makeReport(db, people.get(name)!, companies)
  const projects: Record<string, number> = {}
  for (const [projectNumber, name, cvr, status, members] of PROJECTS) {
    const ofMembers = members.map((member) => people.get(member)!)
    const { id } = await makeProject(db, { number: projectNumber, name, cvr, status, members: ofMembers })
    projects[projectNumber] = id
    await fillProject(parts, id, { number: projectNumber, name }, people.get('Mads Thorup')!)
  }
  await fillReleases(parts, people.get('Mads Thorup')!)
  await fillVersions(parts, people.get('Mads Thorup')!)
  await fillNews(parts, people)
  await fillIntake(parts)
  await fillHistory(db, people.get('Kirsten Overgaard')!, people.get('Mads Thorup')!)
  await fillYears(parts, projects, people.get('Kirsten Overgaard')!)
  await fillLending(
    db,
    { some: people.get('Søren Kjærgaard')!, all: people.get('Poul Erik Ærtebjerg')! },
    people.get('Karen Holst')!,
  )
  await fillHooks(parts, people.get('Kirsten Overgaard')!)
  await fillObligations(parts, {
    administrator: people.get('Kirsten Overgaard')!,
    employee: people.get('Mads Thorup')!,
    other: people.get('Pernille Østergaard')!,
  })
  await fillTokens(db, {
    administrator: people.get('Kirsten Overgaard')!,
    employee: people.get('Mads Thorup')!,
  })
  await fillInvited(db, people.get('Kirsten Overgaard')!)
  for (const person of ['Kirsten Overgaard', 'Mads Thorup'])
    for (const [name, question] of SAVED_SEARCHES)
      await saveSearch(db, people.get(person)!, { name, query: writeSearch({ ...NO_QUESTION, ...question }) })
  const logins = PEOPLE.map(([name, , login]) => [login ?? plain(name), people.get(name)!] as const)
  return { projects, people: Object.fromEntries(logins) }
}

/** Says who the office is: its name, logo and contact. */
async function fillSign(db: Parts['db']): Promise<void> {
  const logo = await readFile(new URL('logo.png', import.meta.url))
  await db
    .insertInto('office')
    .values({
      name: 'Fjordhus Administration',
      contact_person: PEOPLE[0]![0],
      phone: '12 34 56 78',
      email: 'kontoret@ringbind.example',
      logo,
      logo_key: createHash('sha256').update(logo).digest('hex').slice(0, 32),
      logo_width: 408,
      logo_height: 112,
      first_steps: ['hidden'],
    })
    .execute()
}

/** Adds an investor's own papers, newest first. */
async function fillOwnFiles({ db, storage }: Parts, id: number, person: { name: string; number: string }) {
  const folder = await makeUserFolder(db, id)
  for (const year of [2025, 2024]) await makeFile({ db, storage }, folder, statementOf(person, year))
}

/** Puts a project's papers into its folders. */
async function fillProject(
  { db, storage }: Parts,
  id: number,
  project: { number: string; name: string },
  uploadedBy: number,
): Promise<void> {
  const folders = await foldersByName(db, id)
  const papers = Map.groupBy(papersFor({ ...project, folders: Object.keys(folders) }), ({ folder }) => folder)
  for (const [folder, inIt] of papers) {
    const blobs = await Promise.all(
      inIt.map(({ bytes }) => receiveBlob(db, storage, Readable.from([bytes]), Infinity)),
    )
    const files = inIt.map(({ name, createdAt }, index) => ({
      name,
      createdAt,
      uploadedBy,
      blobId: blobs[index]!.id,
    }))
    await makeFiles(db, folders[folder]!, files) // in the order that one upload after the other would give
  }
}

/** Returns the lines that say how to sign in to the demo. */
export function loginLines(): string {
  const logins = ['administrator', 'medarbejder', 'revisor', 'investor', 'raadgiver'].map(
    (name) => `  ${name}@ringbind.example`,
  )
  return [`Log in with the password ${DEMO_PASSWORD} as`, ...logins].join('\n')
}

function plain(name: string): string {
  const letters: Record<string, string> = { æ: 'ae', ø: 'oe', å: 'aa', ' ': '.' }
  return name.toLowerCase().replaceAll(/[æøå ]/g, (letter) => letters[letter]!)
}
