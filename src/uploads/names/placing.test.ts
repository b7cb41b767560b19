import { expect, it } from 'vitest'
import {
  faultText,
  placeAnywhere,
  placeAtUser,
  placeInFolder,
  placeSimply,
  type Meaning,
  type UploadMap,
} from './placing.ts'

// S9.8
const report = { id: 7, name: 'Årsrapport', visible_to_investors: true }
const project = {
  id: 1,
  number: '1024',
  name: 'K/S Nordhavn Kontorhus',
  has_auditor: false,
  folders: { Årsrapport: report, 'Årsrapport 2020': report, 'Årsrapport KS': report },
  near: { Arsrapport: 'Årsrapport' },
}
const MAP: UploadMap = {
  projects: { '1024': project, '2014': { ...project, id: 2, number: '2014' } },
  users: { '2001': { id: 9, name: 'Søren Kjærgaard' } },
}

it.each([
  ['Årsrapport (1024) 2023.pdf', '1024'],
  ['Årsrapport 2020 (1024) endelig.pdf', '1024'],
  ['Årsrapport KS (1024).pdf', null],
  ['Årsrapport (1024) 2023.pdf'.normalize('NFD'), '1024'],
  ['Årsrapport  KS (1024).pdf', null],
  ['Årsrapport (2014) 2023.pdf', null],
])('S5.2 S9.8 the name %j leads to Årsrapport, with the project %j', (name, wanted) => {
  expect(placeInFolder(name, MAP, wanted)).toMatchObject({ where: { folder: report } })
})

it.each([
  ['Årsrapport 2023.pdf', '1024', 'Navnet skal være som ”Årsrapport (1024) 2025.pdf”.'],
  ['Årsrapport (2014) 2023.pdf', '1024', 'Projekt 2014 er ikke 1024.'],
  ['Årsrapport (01024) 2023.pdf', '1024', 'Projekt 01024 er ikke 1024.'],
  ['Årsrapport (9999) 2023.pdf', null, 'Projekt 9999 findes ikke.'],
  ['Årsrapport (constructor) 2023.pdf', null, 'Projekt constructor findes ikke.'],
  ['Ferie (1024) 2023.pdf', null, 'Mappen ”Ferie” findes ikke i projekt 1024.'],
  ['årsrapport (1024) 2023.pdf', null, 'Mappen ”årsrapport” findes ikke i projekt 1024.'],
  ['Årsrapport 2021 (1024).pdf', null, 'Mappen ”Årsrapport 2021” findes ikke i projekt 1024.'],
  ['__proto__ (1024).pdf', null, 'Mappen ”__proto__” findes ikke i projekt 1024.'],
])('S5.3 the name %j, with the project %j: %s', (name, wanted, text) => {
  const { fault } = placeInFolder(name, MAP, wanted)
  expect(fault && faultText(fault)).toBe(text)
})

it('S5.4 the form by person accepts any text before a person’s number', () => {
  expect(placeAtUser('Hvad som helst (2001) 2024.pdf', MAP)).toEqual({ where: MAP.users['2001'] })
  expect(placeAtUser('(2001) uden tekst.pdf', MAP)).toEqual({ where: MAP.users['2001'] })
  expect(placeAtUser('Årsopgørelse (2002).pdf', MAP)).toEqual({ fault: { kind: 'user', key: '2002' } })
  expect(placeAtUser('Årsopgørelse.pdf', MAP)).toEqual({ fault: { kind: 'name', of: 'user' } })
  expect(faultText({ kind: 'user', key: '2002' })).toBe('Ingen person har nummer 2002.')
})

const BOTH: UploadMap = { ...MAP, users: { ...MAP.users, '2014': { id: 8, name: 'Anne Marie Holm' } } }

it.each<[name: string, meaning: Meaning | undefined, place: string]>([
  ['Årsrapport (1024) 2025.pdf', undefined, '1024 Årsrapport'],
  ['Årsrapport (1024) 2025.pdf'.normalize('NFD'), undefined, '1024 Årsrapport'],
  ['Kapitalkonto (2001) 2025.pdf', undefined, 'Søren Kjærgaard'],
  ['(2001) uden tekst.pdf', undefined, 'Søren Kjærgaard'],
  ['Årsrapport (2001).pdf', undefined, 'Søren Kjærgaard'],
  // The choice counts only for a number that is both
  ['Kapitalkonto (2001) 2025.pdf', 'project', 'Søren Kjærgaard'],
  ['Årsrapport (1024).pdf', 'person', '1024 Årsrapport'],
  ['Årsrapport (2014).pdf', undefined, '2014 er både et projekt og en person. Vælg, hvad der er ment.'],
  ['Ferie (2014).pdf', undefined, '2014 er både et projekt og en person. Vælg, hvad der er ment.'],
  ['(2014).pdf', undefined, '2014 er både et projekt og en person. Vælg, hvad der er ment.'],
  ['Årsrapport (2014).pdf', 'project', '2014 Årsrapport'],
  ['Årsrapport (2014).pdf', 'person', 'Anne Marie Holm'],
  ['Ferie (2014).pdf', 'project', 'Mappen ”Ferie” findes ikke i projekt 2014.'],
  ['Ferie (2014).pdf', 'person', 'Anne Marie Holm'],
  ['(2014).pdf', 'person', 'Anne Marie Holm'],
  ['Årsrapport (9999).pdf', undefined, 'Nummer 9999 findes ikke.'],
  ['Årsrapport (9999).pdf', 'person', 'Nummer 9999 findes ikke.'],
  ['x (constructor).pdf', 'person', 'Nummer constructor findes ikke.'],
  ['Årsrapport (01024).pdf', undefined, 'Nummer 01024 findes ikke.'],
  [
    'Årsrapport 1024.pdf',
    undefined,
    'Navnet mangler et nummer i parentes, for eksempel ”Årsrapport (1024) 2025.pdf”.',
  ],
])('in the pile for everything %j, said to be a %s: %s', (name, meaning, place) => {
  const { where, fault } = placeAnywhere(name, BOTH, () => meaning)
  const said = fault
    ? faultText(fault)
    : where.user
      ? where.user.name
      : `${where.project.number} ${where.folder.name}`
  expect(said).toBe(place)
})

it.each([
  ['a.pdf', true],
  ['a.PDF', true],
  ['a.pdf.exe', false],
  ['a', false],
  ['pdf', false],
])('the simple form accepts %j: %s', (name, isTaken) => {
  expect(placeSimply(name).fault === undefined).toBe(isTaken)
})
