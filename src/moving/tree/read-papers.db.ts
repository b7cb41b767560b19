import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { findProgram } from '../../server/process/find-program.ts'
import { readPages } from '../../server/reading/read-pages.ts'
import { Unreadable } from '../../server/reading/reading-fault.ts'
import { yearInName } from '../../files/names/file-name.ts'
import { findContradictions, type PaperTarget } from '../../uploads/papers/contradictions.ts'
import { readDirectory, readFolders } from '../../uploads/papers/directory.db.ts'
import type { Directory } from '../../uploads/papers/directory.ts'
import { findCprPage, findCvrs, findPersonNumbers } from '../../uploads/papers/find-numbers.ts'
import { judgePaper, type Known } from '../../uploads/papers/judge-paper.ts'
import { contradictionText, reasonText, type PaperPlace } from '../../uploads/papers/judgement.ts'
import { readFacts, type PaperFacts } from '../../uploads/papers/paper-facts.ts'
import { fold } from '../../base/folded-words.ts'
import { linesOf } from '../../uploads/papers/paper-lines.ts'
import { readModel } from '../../uploads/papers/word-model.db.ts'
import { OPERATOR, type Import } from './tree-imports.db.ts'
import { keepPlacements, wayTo } from './judge.db.ts'
import { uncopied, type Uncopied } from '../../uploads/names/copy-name.ts'
import { nameAtPerson, nameInFolder, NO_EXTRAS } from './place/new-name.ts'
import type { OfficeIndex } from './place/office-index.ts'
import type { Placement, Way } from './place/place-file.ts'
import { kindOf } from './readable.ts'
import { ChangedWhileRead, NoFile, Source } from './read-source.server.ts'
import { checkRoot, isOfFile, joinPath } from './walk.server.ts'

const AT_A_TIME = 40
const SECONDS = 15
const FIRST_PAGES = 4
const FIRST_LETTERS = 8000

type Row = Placement & { id: number; path: Buffer; shown: string; size: number }
type Paper = { row: Row; pages: string[] | null; why: string }

/** Reads the papers whose names and directories do not decide their place, as the pile does. */
export async function readPapers(
  db: Database,
  { id: importId, root }: Import,
  office: OfficeIndex,
  { signal, heard }: { signal: AbortSignal; heard: (read: number) => void },
): Promise<void> {
  const pdfReader = await findProgram('pdftotext')
  const ways = new Map<string, Way>()
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await sql<Row>`
      select id, path, shown, size, project_id as "projectId", folder_id as "folderId", person_id as "personId", name, year,
        sureness, why
      from import_files where import_id = ${importId} and state = 'unread' order by id limit ${AT_A_TIME}`.execute(
      db,
    )
    if (rows.length === 0) return
    const papers: Paper[] = []
    const waiting = [...rows]
    const readSome = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        papers.push({ row, ...(await readOne(root, row, pdfReader, signal)) })
        heard(1)
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, readSome))
    const known = await knownFor(db, papers)
    await keepPlacements(
      db,
      papers.map((paper) => {
        const place = judgeOne(paper, known, office, wayTo(paper.row.shown, office, ways))
        return {
          ...place,
          id: paper.row.id,
          state: place.sureness === 'sure' ? 'ready' : 'waiting',
          isRead: true,
        }
      }),
    )
  }
}

async function readOne(
  root: Buffer,
  { path, shown, size }: Row,
  pdfReader: string | null,
  signal: AbortSignal,
): Promise<Omit<Paper, 'row'>> {
  const kind = kindOf(shown, size)
  if (kind === null) return { pages: null, why: '' }
  try {
    await using source = await Source.open(joinPath(root, path))
    const { pages } = await readPages(source.stream(), kind, {
      pdfReader,
      signal,
      seconds: SECONDS,
      isUrgent: true,
    })
    const first = pages.slice(0, FIRST_PAGES).map((page) => page.slice(0, FIRST_LETTERS))
    if (first.every((page) => page.trim() === ''))
      return { pages: null, why: 'Papiret har ingen tekst. Det er nok scannet.' }
    return { pages: first, why: '' }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Unreadable) return { pages: null, why: 'Papiret kan ikke læses.' }
    if (!isOfFile(error) && !(error instanceof NoFile) && !(error instanceof ChangedWhileRead)) throw error
    await checkRoot(root)
    return { pages: null, why: 'Filen kunne ikke læses.' }
  }
}

type KnownHere = Known & { facts: ReadonlyMap<number, PaperFacts>; directory: Directory }

async function knownFor(db: Database, papers: Paper[]): Promise<KnownHere> {
  const read = papers.flatMap(({ row, pages }) =>
    pages ? [{ id: row.id, pages, lines: linesOf(pages) }] : [],
  )
  const lines = read.flatMap((paper) => paper.lines)
  const words = new Set(lines.flatMap((line) => line.words.map(({ folded }) => folded)))
  for (const { number } of findPersonNumbers(lines)) words.add(fold(number))
  const directory = await readDirectory(db, OPERATOR, {
    mentions: { words: [...words], cvrs: findCvrs(lines).map(({ number }) => number), people: [] },
  })
  const facts = new Map(
    read.map(({ id, pages, lines: own }) => [
      id,
      { ...readFacts(pages, directory, own), cprPage: findCprPage(pages) },
    ]),
  )
  const named = [...facts.values()].flatMap(({ projects }) => projects.map(({ id }) => id))
  const given = papers.flatMap(({ row }) => row.projectId ?? [])
  const folders = await readFolders(db, OPERATOR, [...new Set([...named, ...given])])
  return { directory, facts, foldersOf: (project) => folders.get(project) ?? [], model: await readModel(db) }
}

/** Judges a paper by its content, and by the project that its directory names. */
function judgeOne({ row, why, pages }: Paper, known: KnownHere, office: OfficeIndex, way: Way): Placement {
  const open: Placement = { ...row, why: [row.why, why].filter(Boolean).join(' ') }
  const facts = pages ? known.facts.get(row.id) : undefined
  if (!facts) return open
  const copy = uncopied(row.shown.slice(row.shown.lastIndexOf('/') + 1))
  const given = row.projectId === null ? undefined : known.directory.projects.get(row.projectId)
  // The directory counts like the number in a name.
  const asked = given ? nameInFolder(copy.name, { folder: 'Papir', key: given.number }, NO_EXTRAS) : copy.name
  const { best, sureness } = judgePaper(asked, facts, known)
  if (!best) return { ...open, why: `${open.why} Papiret siger det heller ikke.` }
  const { place, reasons } = best
  const name = nameAt(place, copy, facts, way, office)
  const target = targetOf(place, name)
  const against = findContradictions(facts, target, known.directory).map(contradictionText)
  if (given && target.project !== given.id)
    against.push(`Mappen hører til projekt ${given.number}, men det gør papiret ikke.`)
  if (place.user && numberOf(place.user, office) === undefined) against.push('Investoren har intet nummer.')
  return {
    projectId: target.project,
    folderId: place.folder?.id ?? null,
    personId: target.person,
    name,
    year: target.year,
    sureness: sureness === 'sure' && against.length > 0 ? 'maybe' : sureness,
    why: [...reasons.map(reasonText), ...against].join(' '),
  }
}

const numberOf = (user: { id: number }, office: OfficeIndex) =>
  office.peopleByNumber.values().find(({ id }) => id === user.id)?.number

/** Returns the name that leads to the place of a paper. */
function nameAt(
  { user, folder, project }: PaperPlace,
  { name, mark }: Uncopied,
  facts: PaperFacts,
  way: Way,
  office: OfficeIndex,
): string {
  const more = { words: way.words, year: way.year ?? facts.year?.year ?? null, mark }
  return user
    ? nameAtPerson(name, numberOf(user, office) ?? '', more)
    : nameInFolder(name, { folder: folder.name, key: project.number }, more)
}

const targetOf = ({ project, user, folder }: PaperPlace, name: string): PaperTarget => ({
  project: project?.id ?? null,
  person: user?.id ?? null,
  isShared: folder?.visible_to_investors ?? false,
  year: yearInName(name),
})
