import { periodKeyText, type Rhythm } from '../../base/time/period.ts'

/** The expectations of a folder, as stored. Periods are like '2025-Q3'. */
export type Expects = {
  expects: Rhythm | 'none'
  /** The first and the last period that is expected; null without an end. */
  expects_from: string | null
  expects_to: string | null
  /** Months after its period when a paper is late. */
  due_months: number
}

export const NOTHING_EXPECTED: Expects = {
  expects: 'none',
  expects_from: null,
  expects_to: null,
  due_months: 6,
}

export const EXPECTS_NAMES: Record<Expects['expects'], string> = {
  none: 'Ingen forventning',
  year: 'Hvert år',
  half: 'Hvert halvår',
  quarter: 'Hvert kvartal',
}

export const MOST_DUE_MONTHS = 60

/** How many changes of its accounting year a project can have. */
export const MOST_CHANGES = 20

/** 'Forventes hvert år fra 2024 til 2027', or '' for a folder that expects nothing. */
export function expectsText({ expects, expects_from: from, expects_to: to }: Expects): string {
  if (expects === 'none') return ''
  return [
    `Forventes ${EXPECTS_NAMES[expects].toLowerCase()}`,
    ...(from === null ? [] : [`fra ${periodKeyText(from)}`]),
    ...(to === null ? [] : [`til ${periodKeyText(to)}`]),
  ].join(' ')
}

/** Whether two folders expect the same. */
export function expectSame(one: Expects, other: Expects): boolean {
  return (
    one.expects === other.expects &&
    one.expects_from === other.expects_from &&
    one.expects_to === other.expects_to &&
    one.due_months === other.due_months
  )
}
