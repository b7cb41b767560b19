import { findContradictions, type PaperTarget } from '../../src/uploads/papers/contradictions.ts'
import { makeDirectory, type KnownFolder } from '../../src/uploads/papers/directory.ts'
import { judgePaper, type Known, type Opinion } from '../../src/uploads/papers/judge-paper.ts'
import { readFacts, type PaperFacts } from '../../src/uploads/papers/paper-facts.ts'
import { fold } from '../../src/base/folded-words.ts'
import { PERSON, trainModel, type WordModel } from '../../src/uploads/papers/word-model.ts'
import { chanceOf } from '../chance.ts'
import { makeOffice, type TestOffice } from './office.ts'
import type { TestPaper } from './papers.ts'

export type ReadPaper = { paper: TestPaper; pages: string[] | null }

/** How well papers are judged. Shares are of 1. */
export type Figures = {
  papers: number
  readable: number
  sure: number
  sureRight: number
  /** Sure, but given to the wrong person, or to a project though it is a person's. */
  wrongPerson: number
  contradictions: number
  found: number
  /** Papers of people whom the office does not know, given to somebody else; and how many were found. */
  strangers: number
  strangersFound: number
  truthful: number
  falseAlarms: number
  /** The mistakes, for developers. */
  faults: string[]
}

const office = makeOffice()
const known = knownOf(office)

/** The product's knowledge of the test's office. */
function knownOf({ projects, people }: TestOffice): Omit<Known, 'model'> {
  const folders = new Map(
    projects.map(({ id, folders: own }) => [
      id,
      own.map((folder): KnownFolder => ({
        id: folder.id,
        name: folder.name,
        sub_names: folder.subNames,
        visible_to_investors: folder.isShared,
        project_id: id,
      })),
    ]),
  )
  const directory = makeDirectory(
    projects.map(({ id, number, name, cvr }) => ({ id, number, name, cvr, has_auditor: false })),
    people.map(({ id, name, numbers, companies }) => ({
      id,
      name,
      numbers,
      companies,
      projects: projects.filter(({ members }) => members.includes(id)).map((project) => project.id),
    })),
  )
  return { directory, foldersOf: (project) => folders.get(project) ?? [] }
}

/** Learns from papers as if the office had filed them. */
export function trainOn(papers: ReadPaper[]): WordModel {
  return trainModel(
    papers.flatMap(({ paper, pages }) =>
      pages && !paper.isStrange
        ? [
            {
              key: paper.folder === null ? PERSON : fold(paper.folder),
              words: readFacts(pages, known.directory).words,
            },
          ]
        : [],
    ),
  )
}

export function measure(papers: ReadPaper[], model: WordModel | null): Figures {
  const figures: Figures = {
    papers: papers.length,
    readable: 0,
    sure: 0,
    sureRight: 0,
    wrongPerson: 0,
    contradictions: 0,
    found: 0,
    strangers: 0,
    strangersFound: 0,
    truthful: 0,
    falseAlarms: 0,
    faults: [],
  }
  for (const { paper, pages } of papers) {
    if (!pages || pages.every((page) => page === '')) continue
    figures.readable++
    const facts = readFacts(pages, known.directory)
    weighOpinion(figures, paper, judgePaper(paper.name, facts, { ...known, model }))
    weighContradictions(figures, paper, facts)
    if (paper.person) {
      weighContradictions(figures, paper, readFacts(nameOtherwise(paper, pages), known.directory))
      weighStranger(figures, paper, pages)
    }
  }
  return figures
}

/** Adds the figures of two halves, each judged by a model that has only seen the other. */
export function measureInHalves(papers: ReadPaper[]): Figures {
  const halves = [0, 1].map((half) => papers.filter((_, index) => index % 2 === half))
  const [first, second] = [measure(halves[0]!, trainOn(halves[1]!)), measure(halves[1]!, trainOn(halves[0]!))]
  const sum = (field: keyof Omit<Figures, 'faults'>) => first[field] + second[field]
  return {
    papers: sum('papers'),
    readable: sum('readable'),
    sure: sum('sure'),
    sureRight: sum('sureRight'),
    wrongPerson: sum('wrongPerson'),
    contradictions: sum('contradictions'),
    found: sum('found'),
    strangers: sum('strangers'),
    strangersFound: sum('strangersFound'),
    truthful: sum('truthful'),
    falseAlarms: sum('falseAlarms'),
    faults: [...first.faults, ...second.faults],
  }
}

/** Writes the person's name with titles, or in another order. */
function nameOtherwise({ person, id }: TestPaper, pages: string[]): string[] {
  const { name } = person!
  const turned = `${name.split(' ').at(-1)}, ${name.split(' ').slice(0, -1).join(' ')}`
  const isCompany = /ApS|A\/S/.test(name)
  const ways = isCompany
    ? [name]
    : [`Fru ${name}`, `Hr. ${name}`, `Dr. med. ${name}`, `Dir. ${name}`, `${name}, cand.jur.`, turned]
  const way = ways[Number(id.split('-')[1]) % ways.length]!
  return pages.map((page) => page.replaceAll(name, way))
}

/** Reads a paper as an office would that does not know its person. */
function weighStranger(figures: Figures, paper: TestPaper, pages: string[]): void {
  const { name } = paper.person!
  const others = [...known.directory.people.values()].filter((person) => person.name !== name)
  const directory = makeDirectory([...known.directory.projects.values()], others)
  const facts = readFacts(pages, directory)
  const target = chanceOf(Number(paper.id.split('-')[1])).of(others)
  const place = { project: null, person: target.id, isShared: false, year: paper.year }
  figures.strangers++
  if (findContradictions(facts, place, directory).some(({ kind }) => kind === 'person'))
    figures.strangersFound++
  else
    figures.faults.push(
      `MISSED stranger ${paper.id} ${paper.kind}${paper.isScan ? ' scan' : ''} ${name}: ${JSON.stringify([facts.strangers, pages[0]!.split('\n').slice(0, 12)])}`,
    )
}

function weighOpinion(figures: Figures, paper: TestPaper, { sureness, best }: Opinion): void {
  const told = `${paper.id} ${paper.kind}${paper.isScan ? ' scan' : ''}${paper.isEnglish ? ' english' : ''}${paper.other ? ' two' : ''}${paper.isStrange ? ' strange' : ''}`
  if (sureness !== 'sure' || !best) {
    figures.faults.push(`${sureness.toUpperCase()} ${told}: ${JSON.stringify(best?.reasons ?? null)}`)
    return
  }
  figures.sure++
  const { user, project, folder } = best.place
  const isRight = paper.isStrange
    ? false
    : user
      ? user.id === paper.person?.id
      : paper.person === null && project.id === paper.project.id && folder.name === paper.folder
  if (isRight) figures.sureRight++
  else figures.faults.push(`WRONG ${told}: ${JSON.stringify(best)}`)
  if (user ? user.id !== paper.person?.id : paper.person !== null) figures.wrongPerson++
}

function weighContradictions(figures: Figures, paper: TestPaper, facts: PaperFacts): void {
  if (paper.isStrange) return
  const chance = chanceOf(Number(paper.id.split('-')[1]) + 7)
  const right: PaperTarget = {
    project: paper.person ? null : paper.project.id,
    person: paper.person?.id ?? null,
    isShared: paper.project.folders.find(({ name }) => name === paper.folder)?.isShared ?? false,
    year: paper.year,
  }
  const told = (target: PaperTarget) =>
    findContradictions(facts, target, known.directory).map(({ kind }) => kind)
  for (const year of [paper.year, ...paper.otherYears, null]) {
    const alarms = told({ ...right, year }).filter((kind) => !(kind === 'cpr' && paper.hasCpr))
    figures.truthful++
    if (alarms.length === 0) continue
    figures.falseAlarms++
    figures.faults.push(
      `ALARM ${paper.id} ${paper.kind} named ${year}: ${alarms.join()} ${JSON.stringify([facts.year, facts.projects, facts.people])}`,
    )
  }
  const expect = (kind: 'cpr' | 'year' | 'project' | 'person', target: PaperTarget) => {
    figures.contradictions++
    if (told(target).includes(kind)) figures.found++
    else
      figures.faults.push(
        `MISSED ${kind} ${paper.id} ${paper.kind}${paper.isScan ? ' scan' : ''} ${paper.year} ${JSON.stringify([facts.year, facts.projects, facts.titles[0]?.said])}`,
      )
  }
  if (paper.hasCpr) expect('cpr', right)
  const years = [-1, 1, -2].map((by) => paper.year + by).filter((year) => !paper.otherYears.includes(year))
  expect('year', { ...right, year: chance.of(years) })
  if (paper.person) {
    const others = office.people.filter(({ name }) => name !== paper.person!.name)
    expect('person', { ...right, person: chance.of(others).id })
  } else {
    const at = office.projects.findIndex(({ id }) => id === paper.project.id)
    const near = [at - 1, at + 1].flatMap((index) => office.projects[index] ?? [])
    const wrong = [...near, chance.of(office.projects)].filter(
      ({ id }) => id !== paper.project.id && id !== paper.other?.id,
    )
    expect('project', { ...right, project: chance.of(wrong).id })
  }
}
