import { eitherOf, listed, withRest } from '../../base/danish/listed.ts'
import { countPeople } from '../release/release.ts'

/** An act that waits for a colleague, as the list of them shows it. */
export type WaitingAct = {
  id: string
  says: string
  reached: number
  asked_at: string
  /** The request lapses then, if nobody has answered. */
  lapses_at: string
  asked_by: string
  is_own: boolean
  /** Who would see what they do not see now. */
  shows: ShownToPeople[]
}

/** Some people and the files that they would see, with the first of both. */
export type ShownToPeople = {
  people: string[]
  people_total: number
  files: { id: number; name: string; place: string }[]
  /** Null: they join the office, which sees everything. */
  files_total: number | null
}

const MOST_NAMED = 3

/** Says that an act waits, why, and who can approve it. */
export function askedText(reached: number, approvers: readonly string[]): string {
  const why = reached > 0 ? `, ${becauseText(reached)}` : ''
  return `Venter på godkendelse${why}. ${whoText(approvers)}`
}

/** Says the same of an act that nobody has asked for yet. */
export function foreseenText(reached: number, approvers: readonly string[]): string {
  const why = reached > 0 ? `, ${becauseText(reached)}` : ''
  return `En kollega skal godkende det først${why}. ${whoText(approvers)}`
}

const becauseText = (reached: number) => `fordi ${countPeople(reached)} uden for kontoret får mere at se`

/** 'Mette Holm eller Karl Lund kan godkende det.' */
export function whoText(approvers: readonly string[]): string {
  if (approvers.length === 0) return 'Ingen kollega kan godkende det lige nu.'
  return `${eitherOf(withRest(approvers, MOST_NAMED))} kan godkende det.`
}

/** Says how many people outside the office an act lets see more. */
export const reachedText = (reached: number) =>
  reached === 0 ? '' : `${countPeople(reached)} uden for kontoret får mere at se.`

/** 'Bo Holm, Ida Lund og 4 til'. */
export function peopleText({
  people,
  people_total: total,
}: Pick<ShownToPeople, 'people' | 'people_total'>): string {
  return listed(withRest(people, MOST_NAMED, { total }))
}
