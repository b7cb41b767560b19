import { DETAIL_FIELDS, USER_FIELDS } from '../../../accounts/users/user.fields.ts'
import { newValues } from '../../../base/fields/field.ts'
import { emailKey } from '../../../base/text.ts'
import { ADVISER_HAS_NO_PROJECTS, INVESTOR_NEEDS_NUMBER } from '../../../people/user-rules.ts'
import {
  hasOwnFiles,
  isAdministrator,
  isLentTo,
  isMemberRole,
  ROLE_NAMES,
  type Role,
} from '../../../rights.ts'
import { isFaulty, type CheckedSheet, type PersonRow, type RowFault } from '../read/checked-sheet.ts'
import { headingOf } from '../read/sheet-columns.ts'
import { changesOf, shownChanges, shownRow } from './compare.ts'
import type { ChangedPerson, Plan, PlanRow, PresentPerson } from './plan.ts'

/** The present people, by everything that a row can identify them by. */
export class People {
  #byEmail = new Map<string, PresentPerson>()
  #byNumber = new Map<string, PresentPerson>()

  constructor(present: readonly PresentPerson[]) {
    for (const person of present) {
      this.#byEmail.set(emailKey(person.email), person)
      for (const number of person.numbers) this.#byNumber.set(number, person)
    }
  }

  byEmail(email: string | undefined): PresentPerson | undefined {
    return email === undefined ? undefined : this.#byEmail.get(emailKey(email))
  }

  byNumber(number: string): PresentPerson | undefined {
    return this.#byNumber.get(number)
  }

  /** Finds the person of a row: by the e-mail, otherwise by a number. */
  find({ email, numbers }: PersonRow): PresentPerson | undefined {
    return this.byEmail(email) ?? numbers.map((number) => this.byNumber(number)).find(Boolean)
  }
}

/** Compares a row with its person. */
export function planPerson(
  row: PersonRow,
  sheet: CheckedSheet,
  people: People,
  projects: ReadonlySet<string>,
  plan: Plan,
): void {
  const now = people.find(row)
  const role = now?.role ?? row.role ?? 'investor'
  const difference = differenceOf(row, now)
  const changes = shownDifference(difference, now, role)
  const faults = [
    ...row.faults,
    ...(now ? faultsOfKnown(row, now, people) : faultsOfNew(row)),
    ...faultsOfRole(row, role, projects),
    ...(now ? faultsOfChange(now, changes.length, difference) : []),
  ]
  const key = row.email ?? now?.email ?? row.numbers[0] ?? ''
  const notes = row.title === undefined ? [] : [`Titlen ${row.title} er ikke taget med i navnet.`]
  const shown = shownRow(sheet, 'people', { row, now, key, changes, faults, notes })
  plan.rows.push(shown)
  if (shown.state === 'new' || shown.state === 'changed') takeIn(row, now, role, difference, plan)
}

type Difference = Omit<ChangedPerson, 'id'> & { addedProjects: string[] }

/** Returns what the row says of a person that is not so yet. Numbers and projects are only added: a sheet removes nothing. */
function differenceOf(row: PersonRow, now: PresentPerson | undefined): Difference {
  const isSameEmail = now !== undefined && emailKey(row.email ?? '') === emailKey(now.email)
  return {
    ...changesOf(DETAIL_FIELDS, { ...row, email: isSameEmail ? undefined : row.email }, now),
    addedNumbers: row.numbers.filter((number) => !now?.numbers.includes(number)),
    addedProjects: row.projects.filter((number) => !now?.projects.includes(number)),
  }
}

/** Plans what a row without faults does. */
function takeIn(
  row: PersonRow,
  now: PresentPerson | undefined,
  role: Role,
  { addedProjects, ...difference }: Difference,
  plan: Plan,
): void {
  const { name = now?.name, email = now?.email, numbers } = row
  if (name === undefined || email === undefined) return
  if (!now) plan.newPeople.push(newValues(USER_FIELDS, { ...difference.after, name, email, role, numbers }))
  else if (Object.keys(difference.after).length + difference.addedNumbers.length > 0)
    plan.changedPeople.push({ id: now.id, ...difference })
  plan.memberships.push(...addedProjects.map((project) => ({ email: emailKey(email), project })))
}

function faultsOfKnown(row: PersonRow, now: PresentPerson, people: People): RowFault[] {
  const faults: RowFault[] = []
  for (const number of row.numbers) {
    const owner = people.byNumber(number)
    if (owner && owner.id !== now.id)
      faults.push({ field: 'numbers', text: `Nummeret ${number} bruges af ${owner.name}.` })
  }
  if (row.email !== undefined && emailKey(row.email) !== emailKey(now.email) && now.hasWayIn)
    faults.push({
      field: 'email',
      text: `Nummeret tilhører ${now.name}, som logger ind med ${now.email}. Ret nummeret, eller ret e-mailen på personens side.`,
    })
  if (row.role !== undefined && row.role !== now.role)
    faults.push({
      field: 'role',
      text: `${now.name} findes allerede som ${ROLE_NAMES[now.role].toLowerCase()}. En rolle ændres på personens side.`,
    })
  return faults
}

function faultsOfNew(row: PersonRow): RowFault[] {
  const faults: RowFault[] = []
  if (row.name === undefined && !isFaulty(row, 'name'))
    faults.push({ field: 'name', text: 'Navnet skal udfyldes, for personen er ny.' })
  if (row.email === undefined && !isFaulty(row, 'email'))
    faults.push({ field: 'email', text: 'E-mail skal udfyldes, for personen er ny.' })
  if (row.role !== undefined && isAdministrator(row.role))
    faults.push({
      field: 'role',
      text: 'En administrator kan ikke komme ind med et ark. Opret vedkommende under Personer.',
    })
  const isInvestor = !isFaulty(row, 'role') && hasOwnFiles(row.role ?? 'investor')
  if (isInvestor && row.numbers.length === 0 && !isFaulty(row, 'numbers'))
    faults.push({ field: 'numbers', text: INVESTOR_NEEDS_NUMBER })
  return faults
}

function faultsOfRole(row: PersonRow, role: Role, projects: ReadonlySet<string>): RowFault[] {
  const faults: RowFault[] = []
  if (isLentTo(role) && row.numbers.length > 0)
    faults.push({ field: 'numbers', text: 'En rådgiver har ingen numre.' })
  const unknown = row.projects.filter((number) => !projects.has(number))
  if (row.projects.length > 0 && !isMemberRole(role))
    faults.push({
      field: 'projects',
      text: isLentTo(role)
        ? ADVISER_HAS_NO_PROJECTS
        : `En ${ROLE_NAMES[role].toLowerCase()} ser alle projekter. Lad cellen stå tom.`,
    })
  else if (unknown.length > 0)
    faults.push({
      field: 'projects',
      text: `Der er intet projekt med ${unknown.length === 1 ? 'nummeret' : 'numrene'} ${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ' …' : ''}.`,
    })
  return faults
}

function faultsOfChange(now: PresentPerson, changes: number, { addedNumbers }: Difference): RowFault[] {
  const faults: RowFault[] = []
  if (now.isDeactivated && changes > 0)
    faults.push({
      field: 'email',
      text: `${now.name} er deaktiveret. Genaktiver personen først, eller fjern rækken.`,
    })
  const { mostTexts } = USER_FIELDS.numbers
  if (now.numbers.length + addedNumbers.length > mostTexts)
    faults.push({ field: 'numbers', text: `En person kan højst have ${mostTexts} numre.` })
  return faults
}

function shownDifference(
  { before, after, addedNumbers, addedProjects }: Difference,
  now: PresentPerson | undefined,
  role: Role,
): PlanRow['changes'] {
  return [
    ...shownChanges('people', before, now ? after : { ...after, role }),
    ...shownAdded('numbers', now?.numbers, addedNumbers),
    ...shownAdded('projects', now?.projects, addedProjects),
  ]
}

function shownAdded(
  field: 'numbers' | 'projects',
  before: readonly string[] = [],
  more: readonly string[],
): PlanRow['changes'] {
  if (more.length === 0) return []
  const what = headingOf('people', field)
  return [{ what, before: textOf(before), after: textOf([...before, ...more]) }]
}

const MOST_SHOWN = 30
const textOf = (texts: readonly string[]) =>
  texts.slice(0, MOST_SHOWN).join(', ') + (texts.length > MOST_SHOWN ? ' …' : '')
