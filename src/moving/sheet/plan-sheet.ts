import type { CheckedSheet } from './checked-sheet.ts'
import { People, planPerson } from './plan-person.ts'
import { planProject } from './plan-project.ts'
import type { Plan, Present } from './plan.ts'

/** Compares a sheet with what is there. Yields between two rows, so that others get their turn. */
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
  const rowOfNumber = new Map<string, number>()
  for (const row of sheet.projects) {
    yield undefined
    planProject(row, sheet, projects.get(row.number ?? ''), rowOfNumber, plan)
  }
  const people = new People(present.people)
  const known = new Set([...projects.keys(), ...rowOfNumber.keys()])
  for (const row of sheet.people) {
    yield undefined
    planPerson(row, sheet, people, known, plan)
  }
  return plan
}
