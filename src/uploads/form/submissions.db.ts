import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addFiles, type NewFiles } from '../../files/change/change.db.ts'
import type { Visit } from '../../access/reader.ts'
import type { Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { conflict, invalid } from '../../server/http/errors.ts'
import type { Parts } from '../../server/parts.ts'
import { judgeUpload } from '../../releases/approval/approval.db.ts'
import { enterGate } from '../../releases/approval/enter-gate.db.ts'
import { addRelease, addWaitingRelease } from '../../releases/steps/releases.db.ts'
import type { Publishing } from '../../releases/release/release.ts'
import type { Entry, Faults, Placing, Skipped, Taken } from '../transport/entry.ts'
import { findUnchanged, lockReplaced, storeVersions, type Replacing } from './replaced.db.ts'
import { dropSkipped, findSkipped } from './skipped.db.ts'
import { forgetSaved } from '../unsaved/unsaved-pile.db.ts'
import { holdSaved, holdSent } from '../held/hold-saved.db.ts'
import { checkPapers, logAccepted, papersOf } from '../papers/check-papers.db.ts'

type Submission = {
  /** The form's address: the same files in another form are another submission. */
  form: string
  key: string
  entries: Entry[]
  place: Placing
  /** The folders that the page showed as shared with investors; null if it did not say. */
  knownShared?: number[] | null
  /** The entries to store even if their folder has the same bytes; null for all of them. */
  keep?: string[] | null
  fromInvestor?: boolean
  /** Which files its entries may replace. */
  replacing?: Replacing
  /** The contradictions of papers that the uploader has acknowledged. */
  acknowledged?: string[]
  /** How the office publishes the files; absent for files that an investor sends. */
  publishing?: Publishing
  /** The pile that the page has kept: it goes with its files. */
  pile?: string | undefined
  /** Tells two forms apart, if their entries cannot: the server has made the files itself. */
  content?: string
}

type Stored = {
  isNew: boolean
  skipped: number
  isWaiting: boolean
  /** Whether somebody has to say yes before a paper is shown. Others are only read first. */
  isDoubted: boolean
}

/**
 * Stores all files of a form in their folders, or none: S3.4. Does not store a form again that was sent before. Copies no
 * bytes: the temporary file's bytes become the file's.
 */
export async function storeSubmission(
  { db, jobs, config }: Pick<Parts, 'db' | 'jobs' | 'config'>,
  { actor, reader }: Visit,
  {
    form,
    key,
    entries,
    place,
    knownShared = null,
    keep = null,
    fromInvestor = false,
    replacing = 'same-name',
    acknowledged = [],
    publishing,
    pile,
    content = contentOf(form, entries, publishing),
  }: Submission,
): Promise<Stored> {
  return db.transaction().execute(async (trx) => {
    if (publishing !== undefined) await enterGate(trx)
    const rows = await beginSubmission(trx, {
      user: reader.id,
      key,
      content,
      form,
      hash_names: entries.map(({ hashName }) => hashName),
      seconds: LIFETIMES.temporaryFileMs / 1000,
    })
    if (rows.length === 0) {
      const before = await checkRepetition(trx, reader.id, key, content)
      return { isNew: false, isDoubted: false, ...before }
    }
    const submission = { id: rows[0]!.id }
    const faults: Faults = {}
    const taken = takenFrom(rows, entries, faults)
    const placed = await place(trx, entries, faults, taken)
    const folders = await lockFolders(trx, placed, faults)
    const replaced = await lockReplaced(trx, reader, entries, placed, faults, replacing)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    const isPublished = publishing !== undefined && publishing.way !== 'draft'
    const isWaiting = isPublished && (await judgeUpload(trx, [...new Set(placed.values())])) === 'asked'
    const isHeldBack = isWaiting || (publishing !== undefined && publishing.way !== 'now')
    if (knownShared && !isHeldBack) checkSharing(folders, knownShared)
    const papers = papersOf(entries, placed, folders, taken, replaced)
    const checked = fromInvestor ? null : await checkPapers(trx, reader, papers, acknowledged)
    const added = entries.filter(({ id }) => !replaced.has(id))
    const skipped = new Map([
      ...findUnchanged(entries, replaced, taken),
      ...(keep === null ? [] : await findSkipped(trx, reader, isHeldBack, added, placed, taken, keep)),
    ])
    await dropSkipped(trx, submission.id, entries, taken, skipped)
    const stored = papers.filter(({ id }) => !skipped.has(id))
    const { held, accepted } = await holdSaved(trx, reader.id, stored, taken, {
      acknowledged,
      checked, // what an investor sends is theirs already, and only scanned
      isRead: config.readDocuments,
      isScanned: config.clamd !== null,
    })
    const files = Map.groupBy(
      added.filter(({ id }) => !skipped.has(id)),
      ({ id }) => placed.get(id)!,
    )
    await addFiles(
      trx,
      actor,
      folders.map(({ id, owner }) => ({
        owner,
        folderId: id,
        files: (files.get(id) ?? []).map(({ name, hashName }) => ({
          name,
          blobId: taken.get(hashName)!.blobId,
          submissionId: submission.id,
          fromInvestor,
          isHeldBack: isHeldBack || held.has(taken.get(hashName)!.blobId),
        })),
      })),
    )
    if (fromInvestor && config.clamd) await holdSent(trx, reader.id, stored, taken)
    const versions = entries.flatMap(({ id, hashName }) => {
      const file = skipped.has(id) ? undefined : replaced.get(id)
      return file ? [{ file, fileId: file.id, blobId: taken.get(hashName)!.blobId }] : []
    })
    const released = await storeVersions(trx, actor, submission.id, versions, isHeldBack)
    if (accepted.size > 0) await logAccepted(trx, actor, submission.id, papers, taken, accepted, versions)
    if (publishing && files.size + released > 0) {
      const at = publishing.way === 'later' ? publishing.at : null
      if (isWaiting) await addWaitingRelease(trx, jobs, actor, reader.id, submission.id, at)
      else await addRelease(trx, reader.id, submission.id, publishing)
    }
    await forgetSaved(trx, reader.id, [...taken.keys()], pile)
    return { isNew: true, skipped: skipped.size, isWaiting, isDoubted: [...held.values()].includes('doubt') }
  })
}

function contentOf(form: string, entries: Entry[], publishing: Publishing | undefined): string {
  const lines = entries
    .map(({ hashName, folderId, userId, replaces, name }) =>
      [
        hashName,
        folderId && `folder ${folderId}`,
        userId && `user ${userId}`,
        ...(replaces ? [`replaces ${replaces}`] : []),
        name,
      ].join(' '),
    )
    .sort()
  return createHash('sha256')
    .update([form, ...waysOf(publishing), ...lines].join('\n'))
    .digest('hex')
}

/** How it is published, unless that is at once: the same files under the same key, but held back, are another form. */
function waysOf(publishing: Publishing | undefined): string[] {
  if (!publishing || publishing.way === 'now') return []
  return [publishing.way === 'later' ? `later ${publishing.at.toISOString()}` : publishing.way]
}

/** Refuses other files under the same key, or their sender would believe that they are saved. */
async function checkRepetition(
  trx: Trx,
  userId: number,
  key: string,
  content: string,
): Promise<{ skipped: number; isWaiting: boolean }> {
  const before = await trx
    .selectFrom('submissions')
    .leftJoin('releases', 'releases.submission_id', 'submissions.id')
    .select(['content', sql<Skipped[] | null>`skipped`.as('skipped'), 'state'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (before.content !== content)
    throw Object.assign(
      conflict('Formularen er allerede gemt med andre filer. Genindlæs siden, og send de nye filer igen.'),
      { code: 'already_saved' as const, more: { saved: true } },
    )
  return { skipped: before.skipped?.length ?? 0, isWaiting: before.state === 'waiting' }
}

type Beginning = {
  user: number
  key: string
  content: string
  form: string
  hash_names: string[]
  seconds: number
}
type Begun = { id: number } & ({ hash_name: string; blob_id: number; type: string; sha256: string } | Nothing)
type Nothing = { hash_name: null }

/**
 * Adds a submission and takes the sender's own whole files out of the temporary files, unless it was sent before: then
 * it returns nothing. Without such files it returns the submission alone.
 */
const beginSubmission = prepare<Beginning, Begun>(
  ({ user, key, content, form, hash_names: hashNames, seconds }) => sql`
    with submission as (
      insert into submissions (user_id, key, content, form)
      values (${user}::bigint, ${key}::text, ${content}::text, ${form}::text)
      on conflict (user_id, key) do nothing returning id
    ), wanted as materialized (
      select hash_name from temporary_files
      where user_id = ${user}::bigint and hash_name = any (${hashNames}::text[])
        and created_at > now() - make_interval(secs => ${seconds}::double precision)
        and (select count(*) from submission) = 1
      order by hash_name for update
    ), taken as (
      delete from temporary_files using wanted, blobs
      where temporary_files.hash_name = wanted.hash_name
        and blobs.id = temporary_files.blob_id and blobs.state = 'stored'
      returning temporary_files.hash_name, blobs.id as blob_id, blobs.type, blobs.sha256
    )
    select submission.id, taken.* from submission left join taken on true`,
)

function takenFrom(begun: Begun[], entries: Entry[], faults: Faults): Taken {
  const rows = begun.filter((row) => row.hash_name !== null)
  const taken: Taken = new Map(
    rows.map((row) => [row.hash_name, { blobId: row.blob_id, type: row.type, sha256: row.sha256 }]),
  )
  const seen = new Set<string>()
  for (const { id, name, hashName } of entries) {
    if (!taken.has(hashName))
      faults[`files.${id}.data`] = [`${name} er ikke længere på serveren. Send filen igen.`]
    else if (seen.has(hashName)) faults[`files.${id}.data`] = [`${name} er med to gange.`]
    seen.add(hashName)
  }
  return taken
}

type Target = Pick<NewFiles, 'owner'> & { id: number; name: string; isShared: boolean }

type TargetRow = {
  id: number
  name: string
  project_id: number | null
  user_id: number | null
  visible_to_investors: boolean
  /** Counted so that they are locked. */
  owners: number
}

/** Locks folders and then their projects, in the order all code locks them. */
export const lockTargets = prepare<{ ids: number[] }, TargetRow>(
  ({ ids }) => sql`
    with targets as materialized (
      select id, name, project_id, user_id, visible_to_investors from folders
      where id = any (${ids}::bigint[]) order by id for update
    ), owners as materialized (
      select id from projects where id = any (array(select project_id from targets)) order by id for no key update
    )
    select targets.*, (select count(*) from owners) as owners from targets order by id`,
)

/** Locks the folders and then their projects, in the order all code locks them: an added file writes both. */
async function lockFolders(trx: Trx, placed: Map<string, number>, faults: Faults): Promise<Target[]> {
  const rows = await lockTargets(trx, { ids: [...new Set(placed.values())] })
  const found = new Set(rows.map(({ id }) => id))
  for (const [id, folder] of placed)
    if (!found.has(folder)) faults[`files.${id}.name`] = ['Mappen findes ikke længere.']
  return rows.map(({ id, name, project_id: project, user_id: user, visible_to_investors: isShared }) => ({
    id,
    name,
    owner: project === null ? { user: user! } : { project },
    isShared: isShared && project !== null,
  }))
}

/** Refuses the form if the page did not warn that a folder is shared with investors. */
function checkSharing(folders: Target[], known: number[]): void {
  const shared = folders.filter(({ id, isShared }) => isShared && !known.includes(id))
  if (shared.length === 0) return
  const names = shared.map(({ name }) => `”${name}”`).join(', ')
  throw Object.assign(
    conflict(`${names} deles nu med investorer. Gem igen, hvis de må se det, du uploader.`),
    { more: { shared: shared.map(({ id }) => id) } },
  )
}
