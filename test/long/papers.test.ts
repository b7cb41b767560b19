import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { fillOffice } from '../../demo/office.ts'
import { findContradictions } from '../../src/uploads/papers/contradictions.ts'
import { readDirectory, readFolders } from '../../src/uploads/papers/directory.db.ts'
import { judgePaper } from '../../src/uploads/papers/judge-paper.ts'
import { readFacts } from '../../src/uploads/papers/paper-facts.ts'
import { fold } from '../../src/base/folded-words.ts'
import { PERSON, trainModel } from '../../src/uploads/papers/word-model.ts'
import { yearInName } from '../../src/files/names/file-name.ts'
import { freshApp } from '../app.ts'
import { connectAsOwner } from '../database.ts'
import { OFFICE } from '../make.ts'
import { listPapers } from '../search/search-papers.ts'
import { DEMANDS, shares } from '../papers/figures.ts'
import { measure, trainOn } from '../papers/measure.ts'
import { makePapers } from '../papers/papers.ts'
import { readPapers } from '../papers/read.ts'

it('unseen papers are judged as well as required', async () => {
  const model = trainOn(await readPapers(makePapers('development')))
  const figures = measure(await readPapers(makePapers('final')), model)
  const { sureRight, sure, found, strangers, falseAlarms } = shares(figures)
  expect(figures.wrongPerson).toBe(0)
  expect(sureRight).toBeGreaterThanOrEqual(DEMANDS.sureRight)
  expect(sure).toBeGreaterThanOrEqual(DEMANDS.sure)
  expect(found).toBeGreaterThanOrEqual(DEMANDS.found)
  expect(strangers).toBeGreaterThanOrEqual(DEMANDS.strangers)
  expect(falseAlarms).toBeLessThan(DEMANDS.falseAlarms)
}, 1_800_000)

type Filed = { id: number; user_id: number | null; project_id: number | null; is_shared: boolean }

it('the demo’s papers, which were not written for this, are judged without a fault', async () => {
  const test = await freshApp({ hasJobs: false })
  const { db, storage } = test
  // The demo is filled before its log is protected.
  await using owner = await connectAsOwner(db)
  await fillOffice({ ...test, db: owner })
  const directory = await readDirectory(db, OFFICE)
  const folders = await readFolders(db, OFFICE, [...directory.projects.keys()])
  const { rows } = await sql<Filed>`
    select files.id, folders.user_id, project_id, visible_to_investors and project_id is not null as is_shared
    from files join folders on folders.id = folder_id`.execute(db)
  const filed = new Map(rows.map((row) => [row.id, row]))
  const papers = (await listPapers({ db, storage }))
    .filter(({ pages }) => pages.length > 0)
    .map((paper) => ({ ...paper, facts: readFacts(paper.pages, directory), at: filed.get(paper.id)! }))
  // Each half is judged by a model that has only seen the other.
  const models = [0, 1].map((half) =>
    trainModel(
      papers
        .filter((_, index) => index % 2 !== half)
        .map(({ person, folder, facts }) => ({ key: person ? PERSON : fold(folder), words: facts.words })),
    ),
  )
  const wrong: string[] = []
  const alarms: string[] = []
  let sure = 0
  for (const [index, { name, facts, folder, at }] of papers.entries()) {
    const foldersOf = (id: number) => folders.get(id) ?? []
    const { sureness, best } = judgePaper('Scan 1.pdf', facts, {
      directory,
      foldersOf,
      model: models[index % 2]!,
    })
    const isRight = best?.place.user
      ? best.place.user.id === at.user_id
      : best?.place.project?.id === at.project_id && best.place.folder?.name === folder
    if (sureness === 'sure') sure++
    if (sureness === 'sure' && !isRight) wrong.push(name)
    const target = {
      project: at.project_id,
      person: at.user_id,
      isShared: at.is_shared,
      year: yearInName(name),
    }
    if (findContradictions(facts, target, directory).length > 0) alarms.push(name)
  }
  expect([wrong, alarms]).toEqual([[], []])
  expect(sure / papers.length).toBeGreaterThanOrEqual(DEMANDS.sure)
})
