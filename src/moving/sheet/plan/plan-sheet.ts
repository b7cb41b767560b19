import type { CheckedSheet } from '../read/checked-sheet.ts'
import type { SheetKind } from '../read/sheet-columns.ts'
import { joinPeople, joinProjects } from './join-rows.ts'
import { People, planPerson } from './plan-person.ts'
import { planProject } from './plan-project.ts'
import type { Plan, PlanRow, Present } from './plan.ts'

/** A row that was joined to one above it has the same outcome. */
function planJoined(kind: SheetKind, row: number, first: PlanRow, plan: Plan): void {
  const isWrong = first.state === 'wrong'
  const text = `Hører sammen med række ${first.row}.`
  plan.rows.push({
    kind,
    row,
    state: isWrong ? 'wrong' : 'unchanged',
    key: first.key,
    label: first.label,
    changes: [],
    faults: isWrong ? [{ place: `Række ${row}`, field: null, text }] : [],
    notes: isWrong ? [] : [text],
  })
}

/** Compares a sheet with the present data. Yields between two rows, so that others get their turn. */
export function* planSheet(sheet: CheckedSheet, present: Present): Generator<undefined, Plan> {
  const plan: Plan = {
    rows: [],
    newProjects: [],
    changedProjects: [],
    newPeople: [],
    changedPeople: [],
    memberships: [],
  }
  const projects = new Map(present.projects.map((project) => [project.number, project]))
  const planned = new Map<string, PlanRow>()
  for (const { row, joinedTo } of joinProjects(sheet.projects)) {
    yield undefined
    const first = joinedTo === null ? undefined : planned.get(`projects ${joinedTo}`)
    if (first) planJoined('projects', row.row, first, plan)
    else planProject(row, sheet, projects.get(row.number ?? ''), plan)
    planned.set(`projects ${row.row}`, plan.rows.at(-1)!)
  }
  const people = new People(present.people)
  // A project whose own row is wrong does not exist for other rows either.
  const known = new Set([...projects.keys(), ...plan.newProjects.map(({ number }) => number)])
  for (const { row, joinedTo } of joinPeople(sheet.people, (each) => people.find(each)?.id)) {
    yield undefined
    const first = joinedTo === null ? undefined : planned.get(`people ${joinedTo}`)
    if (first) planJoined('people', row.row, first, plan)
    else planPerson(row, sheet, people, known, plan)
    planned.set(`people ${row.row}`, plan.rows.at(-1)!)
  }
  return plan
}
