import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { folderKey } from '../../projects/folder.ts'
import { readPageTexts } from '../../reading/page-texts.db.ts'
import { breather } from '../../server/process/breather.ts'
import type { Database } from '../../server/database/database.ts'
import { keyInName, readFileName, yearInName } from '../../files/names/file-name.ts'
import { findContradictions, type PaperTarget } from './contradictions.ts'
import type { Directory, KnownFolder } from './directory.ts'
import { readDirectory, readFolders, type Mentions } from './directory.db.ts'
import { findCprPage, findCvrs, findPersonNumbers } from './find-numbers.ts'
import { judgePaper, NOTHING, type Known } from './judge-paper.ts'
import type { Contradiction, Judgement, PaperPlace } from './judgement.ts'
import { readFacts, type PaperFacts } from './paper-facts.ts'
import { fold } from '../../base/folded-words.ts'
import { linesOf, toLine, type PaperLine } from './paper-lines.ts'
import { FIRST_LETTERS, readFirstPages, type TemporaryText } from './temporary-texts.db.ts'
import { WhoseLines, type WhoseLine } from './whose-pages.ts'
import { readModel } from './word-model.db.ts'

/** A temporary file as the page has it: its name there, and its place, if the name does not say. */
export type AskedPaper = {
  hash_name: string
  name: string
  folder_id?: number | undefined
  user_id?: number | undefined
}

type JudgedPaper = {
  judgement: Judgement
  /** It was compared with a place. */
  isCompared: boolean
}

/** Judges papers by what the reader may see, and stores their facts until they are saved. */
export async function judgePapers(
  db: Database,
  reader: Reader,
  asked: AskedPaper[],
  texts: TemporaryText[],
): Promise<JudgedPaper[]> {
  const byName = new Map(texts.map((text) => [text.hash_name, text]))
  const found = asked.flatMap((paper) => {
    const text = byName.get(paper.hash_name)
    return text ? [{ paper, text }] : []
  })
  const read = found.flatMap(({ text }) => (text.state === 'read' ? text : []))
  const known = read.length > 0 ? await readKnown(db, reader, read, asked) : null
  const shared = await findShared(
    db,
    found.flatMap(({ paper, text }) => (text.unreadable === null ? [] : (paper.folder_id ?? []))),
  )
  const breathe = breather()
  const judged: JudgedPaper[] = []
  for (const { paper, text } of found) {
    await breathe()
    const { hash_name, state, text_id: id, unreadable } = text
    const facts = state === 'read' && id !== null ? known?.byText.get(id) : undefined
    if (facts && known) {
      judged.push(judgeRead(paper, facts, known))
      continue
    }
    const contradictions: Contradiction[] =
      unreadable !== null && isForOthers(paper, shared) ? [{ kind: 'unreadable', reason: unreadable }] : []
    judged.push({ judgement: { hash_name, state, ...NOTHING, contradictions }, isCompared: false })
  }
  return judged
}

function judgeRead(paper: AskedPaper, facts: PaperFacts, known: KnownHere): JudgedPaper {
  const opinion = judgePaper(paper.name, facts, known)
  const target = targetOf(paper, opinion.best?.place ?? null, known)
  const contradictions = target ? findContradictions(facts, target, known.directory) : []
  return {
    judgement: { hash_name: paper.hash_name, state: 'read', ...opinion, contradictions },
    isCompared: target !== null,
  }
}

/** Whether a paper that nobody can read goes to others than the office. */
const isForOthers = ({ user_id: person, folder_id: folder }: AskedPaper, shared: ReadonlySet<number>) =>
  person !== undefined || (folder !== undefined && shared.has(folder))

async function findShared(db: Database, folderIds: number[]): Promise<Set<number>> {
  if (folderIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from folders where id = any (${folderIds}) and visible_to_investors`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

type FoundFacts = PaperFacts & { later: WhoseLine[] }
type AllFacts = { directory: Directory; byText: Map<number, FoundFacts> }
type KnownHere = Known & AllFacts & { folders: ReadonlyMap<number, KnownFolder> }

/** Reads the facts of papers, and what they are judged by. */
async function readKnown(
  db: Database,
  reader: Reader,
  texts: TemporaryText[],
  asked: AskedPaper[],
): Promise<KnownHere> {
  const { directory, byText } = await readAllFacts(db, reader, texts, asked)
  const named = [...byText.values()].flatMap(({ projects }) => projects.map(({ id }) => id))
  const keyed = asked.flatMap(({ name }) => {
    const key = keyInName(name)
    return (key !== null && directory.projectNumbers.get(fold(key))) || []
  })
  const put = asked.flatMap(({ folder_id: id }) => id ?? [])
  const folders = await readFolders(db, reader, [
    ...new Set([...named, ...keyed, ...(await projectsOf(db, put))]),
  ])
  return {
    directory,
    byText,
    foldersOf: (project) => folders.get(project) ?? [],
    folders: new Map([...folders.values()].flat().map((folder) => [folder.id, folder])),
    model: await readModel(db),
  }
}

type ReadPages = { pages: string[]; lines: PaperLine[] } & AllPages

async function readAllFacts(
  db: Database,
  reader: Reader,
  texts: TemporaryText[],
  asked: AskedPaper[],
): Promise<AllFacts> {
  const ids = [...new Set(texts.flatMap(({ text_id: id }) => id ?? []))]
  // Read first, so that later entries are not counted as among the facts.
  const madeAfter = await findLastEntry(db)
  const breathe = breather()
  const byId = new Map(texts.map((text) => [text.text_id, text]))
  const read = new Map<number, ReadPages>()
  for (const [id, pages] of await readFirstPages(db, ids)) {
    await breathe()
    const all = await readAllPages(db, byId.get(id)!, pages)
    read.set(id, { pages, lines: linesOf(pages), ...all })
  }
  const lines = [...read.values()].flatMap((paper) => [...paper.lines, ...paper.later.map(toLine)])
  const directory = await readDirectory(db, reader, { mentions: mentionsIn(lines, asked) })
  const byText = new Map<number, FoundFacts>()
  for (const text of texts) {
    const own = text.text_id === null ? undefined : read.get(text.text_id)
    if (!own || text.text_id === null || byText.has(text.text_id)) continue
    await breathe()
    const { later, cprPage } = own
    byText.set(text.text_id, { ...readFacts(own.pages, directory, own.lines, later), cprPage, later })
  }
  await keepFacts(db, texts, byText, madeAfter)
  return { directory, byText }
}

/** Finds who may be named: by words of the papers, by numbers in their names, or by the page. */
function mentionsIn(lines: PaperLine[], asked: AskedPaper[]): Mentions {
  const words = new Set(lines.flatMap((line) => line.words.map(({ folded }) => folded)))
  for (const { name } of asked) {
    const key = keyInName(name)
    if (key !== null) words.add(fold(key))
  }
  // A number may have other signs than letters and digits in it.
  for (const { number } of findPersonNumbers(lines)) words.add(fold(number))
  return {
    words: [...words],
    cvrs: findCvrs(lines).map(({ number }) => number),
    people: asked.flatMap(({ user_id: id }) => id ?? []),
  }
}

type AllPages = { cprPage: number | null; later: WhoseLine[] }

/** Reads facts that may be on any page. Most papers are short and already read completely. */
async function readAllPages(
  db: Database,
  { text_id: id, pages: count, known }: TemporaryText,
  first: readonly string[],
): Promise<AllPages> {
  if (known) return { cprPage: known.cpr_page, later: known.later }
  let cprPage = findCprPage(first)
  const there = first.filter((page) => page !== '')
  const isAll = there.length === count && there.every((page) => page.length < FIRST_LETTERS)
  if (isAll || id === null) return { cprPage, later: [] }
  const whose = new WhoseLines()
  const breathe = breather()
  for await (const pages of readPageTexts(db, id))
    for (const { page, text } of pages) {
      await breathe()
      if (cprPage === null && findCprPage([text]) !== null) cprPage = page
      if (page > first.length) whose.add(page, text.slice(0, FIRST_LETTERS).toWellFormed())
    }
  return { cprPage, later: whose.lines }
}

/** PostgreSQL takes no half of a pair of surrogates: a line may have been cut there. */
const storable = (_key: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

async function findLastEntry(db: Database): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::bigint as id from log`.execute(db)
  return rows[0]!.id
}

/**
 * Stores the facts of a paper until it is saved, so that all its pages are read once. A text may be deleted by now;
 * existing ones stay until this is written.
 */
async function keepFacts(
  db: Database,
  texts: TemporaryText[],
  byText: Map<number, FoundFacts>,
  madeAfter: number,
): Promise<void> {
  const rows = [...byText].map(([id, { projects, people, strangers, year, cprPage, later }]) => ({
    text_id: id,
    pages: texts.find(({ text_id: textId }) => textId === id)!.pages,
    cpr_page: cprPage,
    facts: { projects, people, strangers, year, cprPage, later },
  }))
  await sql`
    insert into paper_facts (text_id, pages, cpr_page, facts, made_after)
    select text_id, kept.pages, cpr_page, facts, ${madeAfter}::bigint
    from json_to_recordset(${JSON.stringify(rows, storable)}::json)
      as kept (text_id bigint, pages integer, cpr_page integer, facts jsonb)
    join texts on texts.id = kept.text_id
    order by text_id for key share of texts
    on conflict (text_id) do update
    set pages = excluded.pages, cpr_page = excluded.cpr_page, facts = excluded.facts,
      made_after = excluded.made_after`.execute(db)
}

async function projectsOf(db: Database, folderIds: number[]): Promise<number[]> {
  if (folderIds.length === 0) return []
  const { rows } = await sql<{ project_id: number }>`
    select distinct project_id from folders where id = any (${folderIds}) and project_id is not null`.execute(
    db,
  )
  return rows.map(({ project_id: id }) => id)
}

/** Returns the place of a paper: where the page has put it, where its name leads, or where it seems to belong. */
function targetOf(paper: AskedPaper, guessed: PaperPlace | null, known: KnownHere): PaperTarget | null {
  const { directory } = known
  const year = yearInName(paper.name)
  const atPerson = (person: number) => ({ project: null, person, isShared: false, year })
  const inFolder = ({ project_id: project, visible_to_investors: isShared }: KnownFolder) => ({
    project,
    person: null,
    isShared,
    year,
  })
  if (paper.user_id !== undefined) return directory.people.has(paper.user_id) ? atPerson(paper.user_id) : null
  const put = paper.folder_id === undefined ? undefined : known.folders.get(paper.folder_id)
  if (put) return inFolder(put)
  const key = keyInName(paper.name)
  const said = readFileName(paper.name)
  const project = key === null ? undefined : directory.projectNumbers.get(fold(key))
  const folder =
    project === undefined || !said
      ? undefined
      : known
          .foldersOf(project)
          .find(({ name, sub_names: subNames }) =>
            [name, ...subNames].some((each) => fold(folderKey(each)) === fold(folderKey(said.folder))),
          )
  if (folder) return inFolder(folder)
  const person = key === null ? undefined : directory.personNumbers.get(fold(key))
  if (person !== undefined && project === undefined) return atPerson(person)
  if (project !== undefined) return { project, person: null, isShared: false, year }
  if (!guessed) return null
  return guessed.user
    ? atPerson(guessed.user.id)
    : { project: guessed.project.id, person: null, isShared: guessed.folder.visible_to_investors, year }
}
