import { addFiles } from '../../files/change/change.db.ts'
import type { Visit } from '../../access/reader.ts'
import type { Trx } from '../../server/database/database.ts'
import { invalid } from '../../server/http/errors.ts'
import type { Parts } from '../../server/parts.ts'
import { judgeUpload } from '../../releases/approval/approval.db.ts'
import { enterGate } from '../../releases/approval/enter-gate.db.ts'
import { addRelease, addWaitingRelease } from '../../releases/steps/releases.db.ts'
import type { Publishing } from '../../releases/release/release.ts'
import type { Entry, Faults, Placing } from '../transport/entry.ts'
import { beginSubmission, contentOf } from './begin-submission.db.ts'
import { checkSharing, lockFolders } from './lock-folders.db.ts'
import { findUnchanged, lockReplaced, storeVersions, type Replacing } from './replaced.db.ts'
import { dropSkipped, findSkipped } from './skipped.db.ts'
import { forgetSaved, type SavedPile } from '../unsaved/unsaved-pile.db.ts'
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
  /** The pile that the page has kept: it goes with its files, except those that are left out. */
  pile?: SavedPile | null
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
    pile = null,
    content = contentOf(form, entries, publishing),
  }: Submission,
): Promise<Stored> {
  return db.transaction().execute(async (trx) => {
    if (publishing !== undefined) await enterGate(trx)
    const faults: Faults = {}
    const begun = await beginSubmission(trx, reader.id, { form, key, content }, entries, faults)
    if ('before' in begun) return { isNew: false, isDoubted: false, ...begun.before }
    const { submission, taken } = begun
    const placed = await place(trx, entries, faults, taken)
    const folders = await lockFolders(trx, placed, faults)
    const replaced = await lockReplaced(trx, reader, entries, placed, faults, replacing)
    if (Object.keys(faults).length > 0) throw invalid(faults)
    const { isWaiting, isHeldBack } = await judgeSight(trx, publishing, placed.values())
    if (knownShared && !isHeldBack) checkSharing(folders, knownShared)
    const papers = papersOf(entries, placed, folders, taken, replaced)
    const checked = fromInvestor ? null : await checkPapers(trx, reader, papers, acknowledged)
    const added = entries.filter(({ id }) => !replaced.has(id))
    const skipped = new Map([
      ...findUnchanged(entries, replaced, taken),
      ...(await findSkipped(trx, reader, isHeldBack, added, placed, taken, keep)),
    ])
    await dropSkipped(trx, submission, entries, taken, skipped)
    const stored = papers.filter(({ id }) => !skipped.has(id))
    const { held, accepted } = await holdSaved(trx, reader.id, stored, taken, {
      acknowledged,
      checked, // what an investor sends is theirs already, and only scanned
      isRead: config.readDocuments,
      isScanned: config.clamd !== null,
    })
    const kept = added.filter(({ id }) => !skipped.has(id))
    const files = Map.groupBy(kept, ({ id }) => placed.get(id)!)
    await addFiles(
      trx,
      actor,
      folders.map(({ id, owner }) => ({
        owner,
        folderId: id,
        files: (files.get(id) ?? []).map(({ name, hashName }) => ({
          name,
          blobId: taken.get(hashName)!.blobId,
          submissionId: submission,
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
    const released = await storeVersions(trx, actor, submission, versions, isHeldBack)
    if (accepted.size > 0) await logAccepted(trx, actor, submission, papers, taken, accepted, versions)
    if (publishing && files.size + released > 0) {
      const at = publishing.way === 'later' ? publishing.at : null
      if (isWaiting) await addWaitingRelease(trx, jobs, actor, reader.id, submission, at)
      else await addRelease(trx, reader.id, submission, publishing)
    }
    await forgetSaved(trx, reader.id, [...taken.keys()], pile)
    return { isNew: true, skipped: skipped.size, isWaiting, isDoubted: [...held.values()].includes('doubt') }
  })
}

/** Says whether a colleague has to approve the files first, and whether others do not see them yet. */
async function judgeSight(trx: Trx, publishing: Publishing | undefined, folders: Iterable<number>) {
  if (!publishing) return { isWaiting: false, isHeldBack: false }
  const mayAsk = publishing.way !== 'draft'
  const isWaiting = mayAsk && (await judgeUpload(trx, [...new Set(folders)])) === 'asked'
  return { isWaiting, isHeldBack: isWaiting || publishing.way !== 'now' }
}
