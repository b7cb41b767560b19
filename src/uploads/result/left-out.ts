import type { Findings } from '../pile/duplicate.ts'
import type { Waiting } from '../pile/waiting.ts'
import type { Pile } from '../pile/pile.ts'
import type { Upload } from '../transport/upload.ts'
import { faultText } from '../names/placing.ts'

/** A file that was not saved with its form, and why. */
type LeftOut = {
  id: string
  name: string
  why: string
  /** Whether it is on the server still and was not left out on purpose, so that one can go on with it. */
  isHeld?: boolean
}

/** The page that goes on with files that were left out. */
type GoingOn = { href: string; files: number }

const KEPT = 'left-out'

type Kept = { submission: string; files: LeftOut[]; goOn: string | null }

const UNSURE = 'Ringbind nåede ikke at finde filens plads.'
const UNDECIDED = 'Nummeret er både et projekt og en person, og intet blev valgt.'

/** `waiting` has what files with a place wait for. */
export function leftOutOf(
  { groups, ignored, unsure, undecided }: Pile,
  findings: Findings,
  waiting: Waiting,
): LeftOut[] {
  const theirs = groups.flatMap(({ uploads }) => uploads)
  return [
    ...unsure.map((upload) => ({ ...ownOf(upload), why: UNSURE })),
    ...undecided.map((upload) => ({ ...ownOf(upload), why: UNDECIDED })),
    ...ignored.map(({ upload, fault }) => ({ ...ownOf(upload), why: faultText(fault) })),
    ...theirs.flatMap((upload) => {
      const { id, name, state, fault } = upload
      const [finding, why] = [findings.get(id), waiting.get(id)]
      if (finding?.isSkipped)
        return [
          { id, name, why: finding.kind === 'same-bytes' ? finding.why : `Sprunget over: ${finding.why}` },
        ]
      if (why !== undefined && state === 'sent') return [{ ...ownOf(upload), why }]
      return state === 'sent' ? [] : [{ id, name, why: fault ?? 'Filen blev ikke sendt.' }]
    }),
  ]
}

const ownOf = ({ id, name, hashName, refusal }: Upload) => ({
  id,
  name,
  isHeld: hashName !== null && refusal === null,
})

/** Lists the files that were dropped too late. */
export function lateOf(files: readonly File[]): LeftOut[] {
  return files.map(({ name }, index) => ({ id: `late${index}`, name, why: 'Kom til, mens der blev gemt.' }))
}

/** Keeps the files for the result page. */
export function keepLeftOut(submission: string, files: LeftOut[], goOn: string | null): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ submission, files, goOn } satisfies Kept))
  } catch {
    // The storage is full or forbidden. The saved files are saved all the same.
  }
}

export function readLeftOut(submission: string): { files: LeftOut[]; goOn: GoingOn | null } {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
    if (kept?.submission !== submission) return NOTHING
    const { files, goOn: href } = kept
    const held = files.filter(({ isHeld }) => isHeld).length
    return { files, goOn: href && held > 0 ? { href, files: held } : null }
  } catch {
    return NOTHING
  }
}

const NOTHING = { files: [], goOn: null }
