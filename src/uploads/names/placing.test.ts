import { expect, it } from 'vitest'
import { faultText, placeAtUser, placeInFolder, placeSimply, type UploadMap } from './placing.ts'

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
])('S5.2 S9.8 %j leads to Årsrapport, with the project %j', (name, wanted) => {
  expect(placeInFolder(name, MAP, wanted)).toMatchObject({ where: { folder: report } })
})

it.each([
  [
    'Årsrapport 2023.pdf',
    '1024',
    'Navnet skal have formen ”Mappe (nummer) resten”, for eksempel ”Årsrapport (1024) 2025.pdf”.',
  ],
  ['Årsrapport (2014) 2023.pdf', '1024', 'Projekt 2014 er ikke 1024.'],
  ['Årsrapport (01024) 2023.pdf', '1024', 'Projekt 01024 er ikke 1024.'],
  ['Årsrapport (9999) 2023.pdf', null, 'Projekt 9999 findes ikke.'],
  ['Årsrapport (constructor) 2023.pdf', null, 'Projekt constructor findes ikke.'],
  ['Ferie (1024) 2023.pdf', null, 'Mappen ”Ferie” findes ikke i projekt 1024.'],
  ['årsrapport (1024) 2023.pdf', null, 'Mappen ”årsrapport” findes ikke i projekt 1024.'],
  ['Årsrapport 2021 (1024).pdf', null, 'Mappen ”Årsrapport 2021” findes ikke i projekt 1024.'],
  ['__proto__ (1024).pdf', null, 'Mappen ”__proto__” findes ikke i projekt 1024.'],
])('S5.3 %j, with the project %j: %s', (name, wanted, text) => {
  const { fault } = placeInFolder(name, MAP, wanted)
  expect(fault && faultText(fault)).toBe(text)
})

it('S5.4 the form by person takes any text before a person’s number', () => {
  expect(placeAtUser('Hvad som helst (2001) 2024.pdf', MAP)).toEqual({ where: MAP.users['2001'] })
  expect(placeAtUser('(2001) uden tekst.pdf', MAP)).toEqual({ where: MAP.users['2001'] })
  expect(placeAtUser('Årsopgørelse (2002).pdf', MAP)).toEqual({ fault: { kind: 'user', key: '2002' } })
  expect(placeAtUser('Årsopgørelse.pdf', MAP)).toEqual({ fault: { kind: 'name', of: 'user' } })
  expect(faultText({ kind: 'user', key: '2002' })).toBe('Der er ingen bruger med nummer 2002.')
})

it.each([
  ['a.pdf', true],
  ['a.PDF', true],
  ['a.pdf.exe', false],
  ['a', false],
  ['pdf', false],
])('the simple form takes %j: %s', (name, isTaken) => {
  expect(placeSimply(name).fault === undefined).toBe(isTaken)
})
