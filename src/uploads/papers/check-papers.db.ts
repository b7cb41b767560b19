import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import type { Act } from '../../log/words/act.ts'
import { addLogEntries, type Actor } from '../../log/log.db.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Entry, Taken } from '../transport/entry.ts'
import { yearInName } from '../../files/names/file-name.ts'
import { findContradictions, type ComparedFacts } from './contradictions.ts'
import { readDirectory } from './directory.db.ts'
import type { Contradiction } from './judgement.ts'

/** A paper that is being saved, and where it goes. */
export type SavedPaper = ReturnType<typeof papersOf>[number]

type Place = { id: number; owner: FileOwner; isShared: boolean }

export type CheckedPapers = {
  /** Which kinds of contradictions were found and acknowledged, by the form's id of the paper. */
  accepted: Map<string, Contradiction['kind'][]>
  /** How many pages of a paper were compared, by its hash. A paper that is not here was not compared, or not with all that is known. */
  compared: ReadonlyMap<string, number>
}

/** How a form says that somebody saw a contradiction: '3:year'. */
const acknowledgementOf = (id: string, { kind }: Pick<Contradiction, 'kind'>) => `${id}:${kind}`

/**
 * Refuses papers that contradict their name or place, unless somebody has acknowledged that. Only papers already read
 * are compared: saving does not wait for reading.
 */
export async function checkPapers(
  trx: Trx,
  reader: Reader,
  papers: SavedPaper[],
  acknowledged: readonly string[],
): Promise<CheckedPapers> {
  const facts = await findFacts(trx, papers)
  if (facts.size === 0) return { accepted: new Map(), compared: new Map() }
  const directory = await readDirectory(trx, reader, idsIn(papers, facts))
  const seen = new Set(acknowledged)
  const unseen: Record<string, Contradiction[]> = {}
  const accepted = new Map<string, Contradiction['kind'][]>()
  for (const paper of papers) {
    const own = facts.get(paper.sha256)?.facts
    const { id, name, project, person, isShared } = paper
    const found = own
      ? findContradictions(own, { project, person, isShared, year: yearInName(name) }, directory)
      : []
    if (found.length === 0) continue
    const left = found.filter((each) => !seen.has(acknowledgementOf(id, each)))
    if (left.length > 0) unseen[id] = left
    accepted.set(
      id,
      found.map(({ kind }) => kind),
    )
  }
  const count = Object.keys(unseen).length
  if (count === 0) return { accepted, compared: comparedOf(facts) }
  const message =
    count === 1
      ? 'Én fil modsiger sit navn eller sin plads. Se på den, og gem igen.'
      : `${count} filer modsiger deres navn eller plads. Se på dem, og gem igen.`
  throw Object.assign(conflict(message), {
    code: 'contradictions' as const,
    more: { contradictions: unseen },
  })
}

/** Acts after which a paper may name somebody, or something, that nobody knew before. */
const NAMING: Act[] = ['project-added', 'project-changed', 'user-added', 'user-changed', 'report-saved']

type FoundFacts = { sha256: string; facts: ComparedFacts; pages: number; is_current: boolean }

async function findFacts(trx: Trx, papers: SavedPaper[]): Promise<Map<string, FoundFacts>> {
  const { rows } = await sql<FoundFacts>`
    select texts.sha256, paper_facts.facts, paper_facts.pages,
      paper_facts.facts ? 'strangers' and paper_facts.facts ? 'later' and paper_facts.made_after is not null
        and not exists (select from log where log.id > paper_facts.made_after and log.act = any (${NAMING})) as is_current
    from texts join paper_facts on paper_facts.text_id = texts.id
    where texts.sha256 = any (${papers.map(({ sha256 }) => sha256)})`.execute(trx)
  return new Map(rows.map((row) => [row.sha256, row]))
}

const comparedOf = (facts: Map<string, FoundFacts>) =>
  new Map(
    [...facts.values()].flatMap((each) => (each.is_current ? [[each.sha256, each.pages] as const] : [])),
  )

function idsIn(papers: SavedPaper[], facts: Map<string, FoundFacts>) {
  const named = [...facts.values()].map((each) => each.facts)
  return {
    projects: [
      ...papers.flatMap(({ project }) => project ?? []),
      ...named.flatMap(({ projects }) => projects.map(({ id }) => id)),
    ],
    people: [
      ...papers.flatMap(({ person }) => person ?? []),
      ...named.flatMap(({ people }) => people.map(({ id }) => id)),
    ],
  }
}

/** Returns the papers of a form with their places, for comparing. */
export function papersOf(
  entries: Entry[],
  placed: Map<string, number>,
  folders: Place[],
  taken: Taken,
  /** The files that they become a version of: those keep their names. */
  replaced: ReadonlyMap<string, { name: string }>,
) {
  const byId = new Map(folders.map((folder) => [folder.id, folder]))
  return entries.map(({ id, hashName, ...entry }) => {
    const name = replaced.get(id)?.name ?? entry.name
    const { owner, isShared, id: folderId } = byId.get(placed.get(id)!)!
    const place =
      'user' in owner ? { project: null, person: owner.user } : { project: owner.project, person: null }
    return { id, name, hashName, sha256: taken.get(hashName)!.sha256, folderId, isShared, ...place }
  })
}

/** Remembers who saved papers though they say something else, and what. Files that were skipped are not there. */
export async function logAccepted(
  trx: Trx,
  actor: Actor,
  submission: number,
  papers: SavedPaper[],
  taken: Taken,
  accepted: ReadonlyMap<string, Contradiction['kind'][]>,
  versions: { fileId: number; blobId: number }[],
): Promise<void> {
  const { rows } = await sql<{ id: number; blob_id: number }>`
    select id, blob_id from files where submission_id = ${submission}`.execute(trx)
  const files = new Map([
    ...rows.map(({ id, blob_id: blob }) => [blob, id] as const),
    ...versions.map(({ blobId, fileId }) => [blobId, fileId] as const),
  ])
  const entries = papers.flatMap(({ id, hashName, folderId, project, person }) => {
    const [kinds, fileId] = [accepted.get(id), files.get(taken.get(hashName)!.blobId)]
    if (!kinds || fileId === undefined) return []
    return [{ projectId: project, userId: person, folderId, fileId, detail: kinds.join(',') }]
  })
  await addLogEntries(trx, actor, 'contradiction-accepted', entries)
}
