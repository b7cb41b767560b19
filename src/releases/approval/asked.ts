import { countPeople } from '../release.ts'

/** An act that waits for a colleague, as the list of them shows it. */
export type WaitingAct = {
  id: string
  says: string
  reached: number
  asked_at: string
  asked_by: string
  is_own: boolean
}

const LIST = new Intl.ListFormat('da', { type: 'disjunction' })
const MOST_NAMED = 3

/** Says that an act waits, why, and who can approve it. */
export function askedText(reached: number, approvers: readonly string[]): string {
  const why = reached > 0 ? `, fordi ${countPeople(reached)} uden for kontoret får mere at se` : ''
  return `Venter på godkendelse${why}. ${whoText(approvers)}`
}

/** 'Mette Holm eller Karl Lund kan godkende det.' */
export function whoText(approvers: readonly string[]): string {
  if (approvers.length === 0) return 'Lige nu er der ingen kollega, som kan godkende det.'
  const left = approvers.length - MOST_NAMED
  const names = left > 0 ? [...approvers.slice(0, MOST_NAMED), `${left} til`] : approvers
  return `${LIST.format(names)} kan godkende det.`
}

/** Says how many people outside the office an act lets see more. */
export const reachedText = (reached: number) =>
  reached === 0 ? '' : `${countPeople(reached)} uden for kontoret får mere at se.`
