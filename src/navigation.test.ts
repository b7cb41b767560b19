import { expect, it } from 'vitest'
import { currentOf, navigationFor, tabsFor } from './navigation.ts'
import type { Role } from './rights.ts'
import { urls } from './urls.ts'

const menu = (role: Role) => navigationFor({ id: 7, role })
const texts = (items: { text: string }[]) => items.map(({ text }) => text).join(', ')

it.each<[Role, string]>([
  ['administrator', 'Forside, Projekter, Året, Upload, Indbakke, Personer, Kontoret'],
  ['employee', 'Forside, Projekter, Året, Upload, Indbakke, Personer'],
  ['auditor', 'Forside, Projekter, Året'],
  ['investor', 'Forside, Papirer, Rapport'],
  ['adviser', 'Forside, Papirer'],
])('the menu of %s is: %s', (role, expected) => {
  expect(texts(menu(role))).toBe(expected)
})

it.each<[Role, string]>([
  ['employee', urls.yearList],
  ['auditor', urls.year],
])('Året leads %s to %s', (role, href) => {
  expect(menu(role).find(({ text }) => text === 'Året')?.href).toBe(href)
})

it.each<[path: string, role: Role, entry: string | undefined]>([
  [urls.start, 'administrator', 'Forside'],
  [`${urls.projects}/7/files`, 'administrator', 'Projekter'],
  ['/projectsx', 'administrator', undefined],
  [`${urls.projects}/7/uploads`, 'investor', 'Papirer'],
  [urls.year, 'employee', 'Året'],
  [urls.yearPackages, 'auditor', 'Året'],
  [urls.oldRules, 'administrator', 'Året'],
  [urls.uploadToUsers, 'employee', 'Upload'],
  [urls.user(4), 'employee', 'Personer'],
  [urls.report(7), 'investor', 'Rapport'],
  [urls.inbox('new'), 'employee', 'Indbakke'],
  [urls.release(3), 'employee', 'Indbakke'],
  [urls.log, 'administrator', 'Kontoret'],
  [`${urls.hooks}/3`, 'administrator', 'Kontoret'],
  [urls.search, 'administrator', undefined],
])('at %s the menu of %s marks %s', (path, role, entry) => {
  expect(currentOf(menu(role), path)?.text).toBe(entry)
})

it.each<[path: string, role: Role, tabs: string, here: string]>([
  [urls.log, 'administrator', 'Profil, Mapper, Login, Programmer, Status, Log, Flyt ind', 'Log'],
  [urls.inbox('done'), 'employee', 'Modtaget, Udsendelser', 'Modtaget'],
  // A single page has no tabs, nor has one below a tab.
  [urls.year, 'auditor', '', ''],
  [urls.projects, 'administrator', '', ''],
  [urls.release(3), 'employee', '', ''],
])('the tabs at %s for %s are: %s', (path, role, tabs, here) => {
  const all = tabsFor({ id: 7, role }, path)
  expect(texts(all)).toBe(tabs)
  expect(texts(all.filter(({ isHere }) => isHere))).toBe(here)
})
