import { fold, wordsOf } from '../../base/folded-words.ts'
import { isCompany, nameParts } from '../../base/person-name.ts'
import type { UploadFolder } from '../names/placing.ts'

/** A project that a paper may belong to, as far as the reader sees it. */
export type KnownProject = {
  id: number
  number: string
  name: string
  cvr: string | null
  has_auditor: boolean
}
/** A folder of a project, with the other names that lead to it. */
export type KnownFolder = UploadFolder & { project_id: number; sub_names: string[] }
/** An investor, with the companies of their report. */
export type KnownPerson = {
  id: number
  name: string
  numbers: string[]
  companies: { name: string; cvr: string | null }[]
  /** The projects that they belong to. */
  projects: number[]
}

/** The names and numbers that papers are compared with, prepared once for many of them. */
export type Directory = {
  projects: ReadonlyMap<number, KnownProject>
  people: ReadonlyMap<number, KnownPerson>
  byCvr: ReadonlyMap<string, Owner[]>
  projectNumbers: ReadonlyMap<string, number>
  personNumbers: ReadonlyMap<string, number>
  /** By their first word, the longest first. */
  names: ReadonlyMap<string, KnownName[]>
  /** People by the parts of their name in order of the alphabet: 'Holm, Anne' is Anne Holm. */
  byParts: ReadonlyMap<string, KnownName[]>
}
export type Owner = { of: 'project' | 'person' | 'company'; id: number }
export type KnownName = Owner & { words: string[] }

const FORMS = new Set(['k', 's', 'ks', 'kommanditselskabet', 'kommanditselskab', 'komplementarselskabet'])

/** 'K/S Nordhavn Kontorhus' becomes ['nordhavn', 'kontorhus']. */
export function bareName(name: string): string[] {
  const words = wordsOf(name).map(({ folded }) => folded)
  const isForm = (at: number) => words[at] !== undefined && FORMS.has(words[at])
  let [from, to] = [0, words.length]
  while (from < to - 1 && isForm(from)) from++
  while (to > from + 1 && isForm(to - 1)) to--
  return words.slice(from, to)
}

export function makeDirectory(projects: KnownProject[], people: KnownPerson[]): Directory {
  const known = [
    ...projects.map(({ id, name, cvr }) => ({ of: 'project' as const, id, words: bareName(name), cvr })),
    ...people.flatMap(({ id, name, companies }) => [
      { of: 'person' as const, id, words: nameParts(name), cvr: null },
      ...companies.map((company) => ({
        of: 'company' as const,
        id,
        words: bareName(company.name),
        cvr: company.cvr,
      })),
    ]),
  ]
  // A single short word is in every paper.
  const telling = known.filter(({ words }) => words.length > 1 || (words[0]?.length ?? 0) >= 4)
  const longestFirst = telling.toSorted((a, b) => b.words.length - a.words.length)
  const turned = known.filter(({ of, words }) => of === 'person' && words.length > 1 && !isCompany(words))
  const registered = known.flatMap(({ cvr, ...owner }) => (cvr === null ? [] : { cvr, ...owner }))
  return {
    projects: new Map(projects.map((project) => [project.id, project])),
    people: new Map(people.map((person) => [person.id, person])),
    byCvr: Map.groupBy(registered, ({ cvr }) => cvr),
    projectNumbers: new Map(projects.map(({ number, id }) => [fold(number), id])),
    personNumbers: new Map(people.flatMap(({ numbers, id }) => numbers.map((number) => [fold(number), id]))),
    names: Map.groupBy(longestFirst, ({ words }) => words[0]!),
    byParts: Map.groupBy(turned, ({ words }) => words.toSorted().join(' ')),
  }
}
