import type { Findings } from '../pile/duplicate.ts'
import type { Pile } from '../pile/pile.ts'
import { faultText } from '../names/placing.ts'

/** A file that was not saved with its form, and why. */
type LeftOut = { id: string; name: string; why: string }

const KEPT = 'left-out'

const UNSURE = 'Ringbind nåede ikke at finde ud af, hvor filen hører til.'
const UNDECIDED = 'Nummeret er både et projekt og en person, og det blev ikke valgt, hvad der er ment.'

export function leftOutOf({ groups, ignored, unsure, undecided }: Pile, findings: Findings): LeftOut[] {
  const theirs = groups.flatMap(({ uploads }) => uploads)
  return [
    ...unsure.map(({ id, name }) => ({ id, name, why: UNSURE })),
    ...undecided.map(({ id, name }) => ({ id, name, why: UNDECIDED })),
    ...ignored.map(({ upload: { id, name }, fault }) => ({ id, name, why: faultText(fault) })),
    ...theirs.flatMap(({ id, name, state, fault }) => {
      const finding = findings.get(id)
      if (finding?.isSkipped)
        return [
          { id, name, why: finding.kind === 'same-bytes' ? finding.why : `Sprunget over: ${finding.why}` },
        ]
      return state === 'sent' ? [] : [{ id, name, why: fault ?? 'Filen blev ikke sendt.' }]
    }),
  ]
}

/** Lists the files that were dropped too late. */
export function lateOf(files: readonly File[]): LeftOut[] {
  return files.map(({ name }, index) => ({ id: `late${index}`, name, why: 'Kom til, mens der blev gemt.' }))
}

/** Keeps the files for the result page. */
export function keepLeftOut(submission: string, files: LeftOut[]): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ submission, files }))
  } catch {
    // The storage is full or forbidden. The saved files are saved all the same.
  }
}

export function readLeftOut(submission: string): LeftOut[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as {
      submission: string
      files: LeftOut[]
    } | null
    return kept?.submission === submission ? kept.files : []
  } catch {
    return []
  }
}
