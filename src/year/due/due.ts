import { dutyTitle, type Duty } from '../obligations/duty.ts'

/** A paper that is expected and neither there, nor a draft, nor excused. Days are like '2026-11-15'. */
export type DuePaper = {
  /** 'Årsrapport 2024/25'. */
  title: string
  project: { id: number; number: string; name: string }
  folder: { id: number; name: string }
  period: string
  due_on: string
}

/** One line of Frister: a duty, or a paper without an open duty of its own. */
export type Due = { id: string } & ({ duty: Duty } | { paper: DuePaper })

/** Some of many. More than `MOST_COUNTED` are not counted. */
export type Some<Row> = { rows: Row[]; total: number }

/** A page waits for no longer count than this. */
export const MOST_COUNTED = 500

export const dueTitle = (due: Due) => ('duty' in due ? dutyTitle(due.duty) : due.paper.title)
