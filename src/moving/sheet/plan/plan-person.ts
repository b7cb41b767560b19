import { ROLE_NAMES } from '../../../accounts/users/user.ts'
import { emailKey } from '../../../base/text.ts'
import { ADVISER_HAS_NO_PROJECTS, INVESTOR_NEEDS_NUMBER, MOST_NUMBERS } from '../../../people/user-rules.ts'
import { hasOwnFiles, isAdministrator, isLentTo, isMemberRole, type Role } from '../../../rights.ts'
import { isFaulty, type CheckedSheet, type PersonRow, type RowFault } from '../read/checked-sheet.ts'
import { headingOf, type Field } from '../read/sheet-columns.ts'
import { changesOf, shownChange, shownFaults, stateOf } from './compare.ts'
import type { Plan, PresentPerson } from './plan.ts'

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
  const faults = [...row.faults]
  const now = people.find(row)
  if (now) checkKnown(row, now, people, faults)
  else checkNew(row, faults)
  const role = now?.role ?? row.role ?? 'investor'
  checkRole(row, role, projects, faults)
  const isSameEmail = now !== undefined && emailKey(row.email ?? '') === emailKey(now.email)
  const said = { name: row.name, email: isSameEmail ? undefined : row.email }
  const { before, after } = changesOf(['name', 'email'], said, now)
  const addedNumbers = row.numbers.filter((number) => !now?.numbers.includes(number))
  const addedProjects = row.projects.filter((number) => !now?.projects.includes(number))
  const changes = [
    ...Object.keys(after).map((field) => shownChange('people', field as Field, before, after)),
    ...(now ? [] : [{ what: headingOf('people', 'role'), before: '', after: ROLE_NAMES[role] }]),
    ...added('numbers', now?.numbers ?? [], addedNumbers),
    ...added('projects', now?.projects ?? [], addedProjects),
  ]
  if (now?.isDeactivated && changes.length > 0)
    faults.push({
      field: 'email',
      text: `${now.name} er deaktiveret. Genaktiver brugeren først, eller fjern rækken.`,
    })
  if (now && now.numbers.length + addedNumbers.length > MOST_NUMBERS)
    faults.push({ field: 'numbers', text: `En person kan højst have ${MOST_NUMBERS} numre.` })
  const state = stateOf(faults, now !== undefined, changes.length)
  const isShownAbove = ({ what }: { what: string }) =>
    what === headingOf('people', 'name') || what === headingOf('people', 'email')
  plan.rows.push({
    kind: 'people',
    row: row.row,
    state,
    key: row.email ?? now?.email ?? row.numbers[0] ?? '',
    label: row.name ?? now?.name ?? '',
    changes: state === 'new' ? changes.filter((change) => !isShownAbove(change)) : changes,
    faults: shownFaults(sheet, 'people', row.row, faults),
    notes: row.title === undefined ? [] : [`Titlen ${row.title} er ikke taget med i navnet.`],
  })
  if (state !== 'new' && state !== 'changed') return
  const { name = now?.name, email = now?.email } = row
  if (name === undefined || email === undefined) return
  if (!now) plan.newPeople.push({ name, email, role, numbers: row.numbers })
  else if (Object.keys(after).length + addedNumbers.length > 0)
    plan.changedPeople.push({ id: now.id, before, after, addedNumbers })
  plan.memberships.push(...addedProjects.map((project) => ({ email: emailKey(email), project })))
}

function checkKnown(row: PersonRow, now: PresentPerson, people: People, faults: RowFault[]): void {
  for (const number of row.numbers) {
    const owner = people.byNumber(number)
    if (owner && owner.id !== now.id)
      faults.push({ field: 'numbers', text: `Nummeret ${number} bruges af ${owner.name}.` })
  }
  if (row.email !== undefined && emailKey(row.email) !== emailKey(now.email) && now.hasWayIn)
    faults.push({
      field: 'email',
      text: `Nummeret tilhører ${now.name}, som logger ind med ${now.email}. Ret nummeret, eller ret e-mailen på brugerens side.`,
    })
  if (row.role !== undefined && row.role !== now.role)
    faults.push({
      field: 'role',
      text: `${now.name} findes allerede som ${ROLE_NAMES[now.role].toLowerCase()}. En rolle ændres på brugerens side.`,
    })
}

function checkNew(row: PersonRow, faults: RowFault[]): void {
  if (row.name === undefined && !isFaulty(row, 'name'))
    faults.push({ field: 'name', text: 'Navnet skal udfyldes, for personen er ny.' })
  if (row.email === undefined && !isFaulty(row, 'email'))
    faults.push({ field: 'email', text: 'E-mail skal udfyldes, for personen er ny.' })
  if (row.role !== undefined && isAdministrator(row.role))
    faults.push({
      field: 'role',
      text: 'En administrator kan ikke komme ind med et ark. Opret vedkommende under Brugere.',
    })
  const isInvestor = !isFaulty(row, 'role') && hasOwnFiles(row.role ?? 'investor')
  if (isInvestor && row.numbers.length === 0 && !isFaulty(row, 'numbers'))
    faults.push({ field: 'numbers', text: INVESTOR_NEEDS_NUMBER })
}

function checkRole(row: PersonRow, role: Role, projects: ReadonlySet<string>, faults: RowFault[]): void {
  if (isLentTo(role) && row.numbers.length > 0)
    faults.push({ field: 'numbers', text: 'En rådgiver har ingen numre.' })
  if (row.projects.length > 0 && !isMemberRole(role))
    faults.push({
      field: 'projects',
      text: isLentTo(role)
        ? ADVISER_HAS_NO_PROJECTS
        : `En ${ROLE_NAMES[role].toLowerCase()} ser alle projekter. Lad cellen stå tom.`,
    })
  else {
    const unknown = row.projects.filter((number) => !projects.has(number))
    if (unknown.length > 0)
      faults.push({
        field: 'projects',
        text: `Der er intet projekt med ${unknown.length === 1 ? 'nummeret' : 'numrene'} ${unknown.slice(0, 10).join(', ')}${unknown.length > 10 ? ' …' : ''}.`,
      })
  }
}

/** Numbers and projects are only added: a sheet removes nothing. */
function added(field: 'numbers' | 'projects', before: readonly string[], more: readonly string[]) {
  if (more.length === 0) return []
  const what = headingOf('people', field)
  return [{ what, before: textOf(before), after: textOf([...before, ...more]) }]
}

const MOST_SHOWN = 30
const textOf = (texts: readonly string[]) =>
  texts.slice(0, MOST_SHOWN).join(', ') + (texts.length > MOST_SHOWN ? ' …' : '')
