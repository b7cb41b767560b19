import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LEADS_ON, PAGE_RIGHTS } from '../test/page-rights.ts'
import type { PageName } from './pages.ts'
import { may, ROLES, type Role } from './rights.ts'

const LETTERS: Record<Role, string> = {
  administrator: 'A',
  employee: 'M',
  auditor: 'R',
  investor: 'I',
  adviser: 'Å',
}

const map = readFileSync(new URL('../docs/design.md', import.meta.url), 'utf8').split(
  '## The map of pages',
)[1]!
const rows = [...map.matchAll(/^\| `([a-z-]+)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(
  ([, page, question, who]) => ({ page: page!, question: question!, who: who! }),
)

/** The gallery is for developers. */
const pages = (Object.keys(PAGE_RIGHTS) as PageName[]).filter((page) => page !== 'gallery')

it('the map of docs/design.md names each page', () => {
  expect(rows.map(({ page }) => page).toSorted()).toEqual(pages.toSorted())
})

it('no two pages of the map answer the same question', () => {
  const questions = rows.map(({ question }) => question.toLowerCase())
  expect(questions.filter((question, index) => questions.indexOf(question) !== index)).toEqual([])
  expect(questions.filter((question) => !question.endsWith('?'))).toEqual([])
})

it.each(rows)('the map says who may see $page', ({ page, who }) => {
  const right = PAGE_RIGHTS[page as PageName]
  const ledOn = LEADS_ON[page as PageName]
  const letters = ROLES.filter((role) => may(role, right) && !(ledOn && may(role, ledOn))).map(
    (role) => LETTERS[role],
  )
  expect(who).toBe(may(null, right) ? '–' : letters.join(''))
})
