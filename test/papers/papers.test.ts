import { expect, it } from 'vitest'
import { DEMANDS, shares } from './figures.ts'
import { measureInHalves } from './measure.ts'
import { makePapers } from './papers.ts'
import { readPapers } from './read.ts'

// A hundred of the papers to develop with. All of them, and those that are looked at only at the end, are in test/long.

it('a hundred papers are judged as well as required', async () => {
  const some = makePapers('development').filter(({ isScan }) => !isScan)
  const figures = measureInHalves(await readPapers(some.slice(0, 100)))
  const { sureRight, sure, found, strangers, falseAlarms } = shares(figures)
  expect(figures.faults.filter((fault) => /^(?:WRONG|ALARM)/.test(fault))).toEqual([])
  expect(figures.wrongPerson).toBe(0)
  expect(sureRight).toBeGreaterThanOrEqual(DEMANDS.sureRight)
  // Fifty papers teach little.
  expect(sure).toBeGreaterThanOrEqual(DEMANDS.sure - 0.05)
  expect(found).toBeGreaterThanOrEqual(DEMANDS.found)
  expect(strangers).toBeGreaterThanOrEqual(DEMANDS.strangers)
  expect(falseAlarms).toBeLessThan(DEMANDS.falseAlarms)
})

it('there are many papers, and always the same', () => {
  const all = [...makePapers('development'), ...makePapers('final')]
  expect(all.length).toBeGreaterThanOrEqual(600)
  const [one, again] = [all[5]!.write(), makePapers('development')[5]!.write()]
  expect(one.equals(again)).toBe(true)
})
