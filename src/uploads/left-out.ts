import type { Pile } from './pile.ts'
import { faultText } from './placing.ts'

/** A file of a form that was not saved with it, and why. */
export type LeftOut = { id: string; name: string; why: string }

const KEPT = 'left-out'

export function leftOutOf({ groups, ignored }: Pile): LeftOut[] {
  const theirs = groups.flatMap(({ uploads }) => uploads)
  return [
    ...ignored.map(({ upload: { id, name }, fault }) => ({ id, name, why: faultText(fault) })),
    ...theirs.flatMap(({ id, name, state, fault, isSkipped }) => {
      if (isSkipped) return [{ id, name, why: 'Sprunget over, fordi den er der i forvejen.' }]
      return state === 'sent' ? [] : [{ id, name, why: fault ?? 'Filen blev ikke sendt.' }]
    }),
  ]
}

/** For the page that says what was saved. */
export function keepLeftOut(submission: string, files: LeftOut[]): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ submission, files }))
}

export function readLeftOut(submission: string): LeftOut[] {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as {
    submission: string
    files: LeftOut[]
  } | null
  return kept?.submission === submission ? kept.files : []
}
