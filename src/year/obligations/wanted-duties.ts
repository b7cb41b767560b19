import { daysAfter, monthsAfter } from '../../base/time/days.ts'
import {
  accountingYears,
  heldBetween,
  spansOf,
  type AccountingYears,
} from '../../projects/expected/accounting-year.ts'
import { expectedCells, type Expectation } from '../../projects/expected/expected.ts'
import { folderKey } from '../../projects/folder.ts'
import {
  binds,
  CALENDAR,
  dueDayOf,
  MOST_MONTHS,
  type BoundProject,
  type Obligation,
  type ObligationRule,
} from './obligation.ts'

/** A project as one obligation sees it. */
export type DutyProject = BoundProject & {
  years: AccountingYears
  /** The day on which it came into Ringbind. */
  addedOn: string
  /** The days of what the office has said has happened. */
  events: string[]
}

/** A folder of a project, with what it expects. */
export type ExpectingFolder = Expectation & {
  id: number
  /** The year of its oldest file or duty: papers are expected from there on. */
  first: string | null
}

/** A project as all rules see it. */
export type RuledProject = Pick<BoundProject, 'status' | 'investors'> &
  Pick<DutyProject, 'years' | 'addedOn'> & {
    id: number
    /** What the office has decided, by obligation. */
    choices: Record<string, boolean>
    /** Its folders by the keys of their names. */
    folders: Record<string, number>
    expecting: ExpectingFolder[]
    events: { rule: number; on: string }[]
  }

/** A duty as it is to be kept: of an obligation, or of a folder's own expectation. */
export type RuledDuty = {
  obligation_id: number | null
  project_id: number
  period: string
  starts_on: string
  ends_on: string
  due_on: string
  /** Null, or it stays as it is if its last day is not before this one, and does not begin otherwise. */
  kept_since: string | null
  /** Its paper of the period ends it. */
  folder_id: number | null
  responsible_id: number | null
}

/**
 * Lists all duties of a project: those of obligations, and those of its folders. Where both ask for the same paper it is one
 * duty of the obligation, with the sooner last day.
 */
export function ruledDuties(
  project: RuledProject,
  rules: readonly Obligation[],
  all: ReadonlyMap<number, Obligation>,
  today: string,
): RuledDuty[] {
  const ofFolders = project.expecting.flatMap((folder) => dutiesOfFolder(folder, project, today))
  const dayOf = new Map(ofFolders.map((duty) => [paperOf(duty), duty.due_on]))
  const ofRules = rules
    .flatMap((rule) => dutiesOfRule(rule, project, all, today))
    .map((duty) => {
      const day = dayOf.get(paperOf(duty))
      return day !== undefined && day < duty.due_on ? { ...duty, due_on: day } : duty
    })
  const asked = new Set(ofRules.filter((duty) => duty.kept_since === null).map(paperOf))
  return [...ofRules, ...ofFolders.filter((duty) => !asked.has(paperOf(duty)))]
}

const paperOf = ({ folder_id: folder, period }: RuledDuty) => `${folder} ${period}`

function dutiesOfFolder(
  { id, first, ...expectation }: ExpectingFolder,
  { id: project, status, years }: RuledProject,
  today: string,
): RuledDuty[] {
  // Nobody knows when it was sold: what was expected stays, and nothing new comes.
  const isOver = status === 'sold' && years.soldOn === null
  return expectedCells(years, expectation, today, first).map((cell) => ({
    ...cell,
    obligation_id: null,
    project_id: project,
    kept_since: isOver ? cell.starts_on : null,
    folder_id: id,
    responsible_id: null,
  }))
}

function dutiesOfRule(
  rule: Obligation,
  project: RuledProject,
  all: ReadonlyMap<number, Obligation>,
  today: string,
): RuledDuty[] {
  const { id, status, investors, years, addedOn, choices, folders, events } = project
  const facts = { status, investors, isElsewhere: false }
  const isBound = (other: Obligation | undefined) =>
    other?.is_active === true && binds(other, { ...facts, choice: choices[other.id] ?? null })
  const seen: DutyProject = {
    ...facts,
    years,
    addedOn,
    choice: choices[rule.id] ?? null,
    isElsewhere: rule.unless_id !== null && isBound(all.get(rule.unless_id)),
    events: events.filter((event) => event.rule === rule.id).map(({ on }) => on),
  }
  return wantedDuties(rule, seen, today).map((duty) => ({
    ...duty,
    obligation_id: rule.id,
    project_id: id,
    folder_id: rule.is_filing ? null : (folders[folderKey(rule.folder_name)] ?? null),
    responsible_id: rule.responsible_id,
  }))
}

/** The fields that a duty takes from its obligation. */
type WantedDuty = Pick<RuledDuty, 'period' | 'starts_on' | 'ends_on' | 'due_on' | 'kept_since'>

/** However far back an obligation is watched, no duty is older. */
const YEARS_BACK = 10

/** A new rule may put the last day of a duty so many months before the day from which duties are watched. */
const MONTHS_KEPT = 12

/**
 * Lists the duties that an obligation gives a project, up to the end of the current accounting year. Last days from
 * before `since` are no duties: those from before Ringbind knew the obligation, or before it knew the project, unless the
 * project says since when the office has it. A sold project owes the periods that began before the sale; if nobody knows
 * when that was, it owes what it owed.
 */
export function wantedDuties(
  obligation: ObligationRule & { is_active: boolean },
  project: DutyProject,
  today: string,
): WantedDuty[] {
  if (!obligation.is_active || !binds(obligation, project)) return []
  const { years, status, choice } = project
  const since = watchedSince(obligation, project, today)
  const isOver =
    status === 'sold' && years.soldOn === null && choice !== true && !obligation.statuses.includes('sold')
  return spansFor(obligation, project, since, today).flatMap((span) => {
    const dueOn = dueDayOf(obligation, span)
    const asOf = obligation.due_rule === 'date' ? dueOn : span.to
    if (dueOn === null || asOf === null) return []
    const isOld = obligation.due_rule !== 'event' && dueOn < since
    if (isOld && dueOn < monthsAfter(since, -MONTHS_KEPT)) return []
    const { holds_since: holdsSince, holds_until: holdsUntil } = obligation
    if ((holdsSince !== null && asOf < holdsSince) || (holdsUntil !== null && asOf > holdsUntil)) return []
    const kept = isOver || isOld ? since : null
    return [{ period: span.key, starts_on: span.from, ends_on: span.to, due_on: dueOn, kept_since: kept }]
  })
}

/** Returns the day from which an obligation's last days are watched for a project. */
function watchedSince(
  { watched_from: watched }: Pick<ObligationRule, 'watched_from'>,
  { years, addedOn }: Pick<DutyProject, 'years' | 'addedOn'>,
  today: string,
): string {
  const oldest = monthsAfter(today, -12 * YEARS_BACK)
  const first = years.heldFrom === null && addedOn > watched ? addedOn : watched
  return first > oldest ? first : oldest
}

type DutySpan = Parameters<typeof dueDayOf>[1] & { key: string; from: string }

/** Returns the periods whose last day may be after a day. A single day belongs to its accounting year. */
function spansFor(
  obligation: ObligationRule,
  { years, events }: DutyProject,
  since: string,
  today: string,
): DutySpan[] {
  if (obligation.due_rule === 'event')
    return events.map((day) => ({
      key: day,
      from: day,
      to: day,
      period: { year: Number(day.slice(0, 4)), part: null },
    }))
  if (obligation.due_rule === 'date') {
    const { due_on: day } = obligation
    const held = day === null ? null : heldBetween(years, { from: day, to: day })
    return held ? accountingYears(years, held).slice(0, 1) : []
  }
  const those = obligation.due_rule === 'days' ? CALENDAR : years
  const now = accountingYears(those, { from: today, to: today })[0]
  if (!now) return []
  const from = daysAfter(monthsAfter(since, -MOST_MONTHS), -1)
  const held = heldBetween(years, { from, to: now.to })
  return held ? spansOf(those, obligation.due_rule === 'day' ? 'year' : obligation.rhythm, held) : []
}
