import { describe, expect, it } from 'vitest'
import { makeOfficeIndex, type ListedProject } from './office-index.ts'
import { placeFile, readWay } from './place-file.ts'

const NAMES = ['Årsrapport', 'Budget', 'Lejekontrakter', 'Bestyrelsesmøder', 'Diverse', 'Årsrapport KS']
const project = (id: number, number: string, name: string): ListedProject => ({
  id,
  number,
  name,
  folders: NAMES.map((text, index) => ({
    text,
    folder: {
      id: id * 100 + (text === 'Årsrapport KS' ? 0 : index),
      name: text.replace(' KS', ''),
      visible_to_investors: index < 3,
    },
  })),
})

const office = makeOfficeIndex(
  [
    project(1, '1024', 'K/S Nordhavn Kontorhus'),
    project(2, '1042', 'K/S Sydhavn Lager'),
    project(3, '2014', 'K/S Vindmølleparken'),
    project(4, '0102', 'K/S Aarhus Bugt'),
  ],
  [
    { id: 7, name: 'Jens Hansen', numbers: ['7001'] },
    { id: 8, name: 'Bo Holm', numbers: ['2001'] },
    { id: 9, name: 'Bo Holm', numbers: ['7009'] },
  ],
)

function place(path: string) {
  const names = path.split('/')
  const { folderId, personId, name, sureness, projectId } = placeFile(
    names.at(-1)!,
    readWay(names.slice(0, -1), office),
    office,
  )
  const where =
    personId !== null
      ? `p${personId}`
      : folderId !== null
        ? String(folderId)
        : projectId !== null
          ? `${projectId}?`
          : '-'
  return [sureness, where, name]
}

describe('placeFile', () => {
  it.each<[path: string, ...Array<string | null>]>([
    // The convention.
    ['Årsrapport (1024) 2023.pdf', 'sure', '100', 'Årsrapport (1024) 2023.pdf'],
    ['Post/Årsrapport KS (1024) 2023.pdf', 'sure', '100', 'Årsrapport KS (1024) 2023.pdf'],
    ['Kopi af Årsrapport (1024) 2023.pdf', 'sure', '100', 'Årsrapport (1024) 2023 - Kopi.pdf'],
    ['Årsrapport (1024) 2023 (2).pdf', 'sure', '100', 'Årsrapport (1024) 2023 - (2).pdf'],
    ['Budget (0102) 2023.pdf', 'sure', '401', 'Budget (0102) 2023.pdf'],
    // What the directory says against it.
    ['1042 Sydhavn Lager/Årsrapport (1024) 2023.pdf', 'maybe', '100', 'Årsrapport (1024) 2023.pdf'],
    // A year in the parenthesis is not a project, although one has the number.
    ['Årsrapport (2014).pdf', 'maybe', '300', 'Årsrapport (2014).pdf'],
    ['2014 Vindmølleparken/Årsrapport (2014).pdf', 'sure', '300', 'Årsrapport (2014).pdf'],
    ['1024 Nordhavn/Brev (2001).pdf', 'maybe', 'p8', 'Brev (2001).pdf'],
    ['Brev (7001) juni.pdf', 'sure', 'p7', 'Brev (7001) juni.pdf'],
    ['1024 Nordhavn/Brev (7001).pdf', 'maybe', 'p7', 'Brev (7001).pdf'],
    // Directories.
    ['1024 Nordhavn Kontorhus/Årsrapport/scan0001.pdf', 'sure', '100', 'Årsrapport (1024) scan0001.pdf'],
    ['1024/Årsrapport/2023/scan0001.pdf', 'sure', '100', 'Årsrapport (1024) scan0001 2023.pdf'],
    [
      '1024 Nordhavn/1024 Nordhavn/Årsrapport/Årsrapport/endelig.pdf',
      'sure',
      '100',
      'Årsrapport (1024) endelig.pdf',
    ],
    [
      'K-S Nordhavn Kontorhus/01 Årsrapporter/2022/Årsrapport 2021.pdf',
      'sure',
      '100',
      'Årsrapport (1024) 2021.pdf',
    ],
    ['1024 Nordhavn/BUDGETTER/udkast.xlsx', 'sure', '101', 'Budget (1024) udkast.xlsx'],
    ['1024 Nordhavn/Budget 2020/udkast.xlsx', 'sure', '101', 'Budget (1024) udkast 2020.xlsx'],
    ['1024 Nordhavn/Årsrapport/Bilag A/side 1.pdf', 'sure', '100', 'Årsrapport (1024) side 1 Bilag A.pdf'],
    [
      'Aktive/2023/1024 Nordhavn/Lejekontrakter/Føtex.pdf',
      'sure',
      '102',
      'Lejekontrakter (1024) Føtex 2023.pdf',
    ],
    [
      'Årsrapporter/2023/1024 Nordhavn Kontorhus.pdf',
      'sure',
      '100',
      'Årsrapport (1024) 1024 Nordhavn Kontorhus 2023.pdf',
    ],
    // A name that says the folder, in the project's directory.
    ['1024 Nordhavn/Budget 2024.xlsx', 'sure', '101', 'Budget (1024) 2024.xlsx'],
    ['1024 Nordhavn/budget_2024.xlsx', 'sure', '101', 'Budget (1024) 2024.xlsx'],
    ['1024 Nordhavn/Oplæg til Budget 2024.xlsx', 'maybe', '101', 'Budget (1024) Oplæg til 2024.xlsx'],
    ['1024 Nordhavn/Budjet 2024.xlsx', 'maybe', '101', 'Budget (1024) 2024.xlsx'],
    ['1024 Nordhavn/Årsrapport/Budget 2024.xlsx', 'maybe', '100', 'Årsrapport (1024) Budget 2024.xlsx'],
    ['1024 Nordhavn/Årsrapport/Budget/x.xlsx', 'maybe', '101', 'Budget (1024) x.xlsx'],
    // Doubt about the project.
    ['K-S Nordhavn/Årsrapport/x.pdf', 'maybe', '100', 'Årsrapport (1024) x.pdf'],
    ['1024 Sydhavn Lager/Årsrapport/x.pdf', 'maybe', '100', 'Årsrapport (1024) x.pdf'],
    ['1024 Nordhavn/1042 Sydhavn/Årsrapport/x.pdf', 'maybe', '200', 'Årsrapport (1042) x.pdf'],
    ['1024 Nordhavn/Årsrapport/Note (9999).pdf', 'maybe', '100', 'Årsrapport (1024) Note.pdf'],
    ['1024 Nordhavn/Årsrapport/Note (1042).pdf', 'maybe', '100', 'Årsrapport (1024) Note.pdf'],
    ['2014/Årsrapport/x.pdf', 'maybe', '300', 'Årsrapport (2014) x.pdf'],
    ['1024 Nordhavn/Årsraport/x.pdf', 'maybe', '100', 'Årsrapport (1024) x.pdf'],
    // Open.
    ['1024 Nordhavn/scan0001.pdf', 'unknown', '1?', null],
    ['Blandet/scan0001.pdf', 'unknown', '-', null],
    ['1024_årsrapport_2025.pdf', 'maybe', '100', 'Årsrapport (1024) 2025.pdf'],
    // People.
    ['Investorer/7001 Jens Hansen/Kontrakt.pdf', 'sure', 'p7', 'Kontrakt (7001).pdf'],
    [
      '1024 Nordhavn/Investorer/7001 Jens Hansen/Brev (kopi).pdf',
      'sure',
      'p7',
      'Brev (7001) (kopi) Investorer.pdf',
    ],
    ['Investorer/Jens Hansen/Kontrakt.pdf', 'maybe', 'p7', 'Kontrakt (7001).pdf'],
    ['Investorer/Bo Holm/Kontrakt.pdf', 'unknown', '-', null],
    ['Investorer/7001/Kontrakt.pdf', 'maybe', 'p7', 'Kontrakt (7001).pdf'],
    ['Investorer/2001/Kontrakt.pdf', 'unknown', '-', null],
  ])('places the file %s', (path, ...expected) => {
    expect(place(path)).toEqual(expected)
  })

  it('shortens a long name, and leaves out directories first', () => {
    const long = 'Bilag '.repeat(20)
    const [sureness, , name] = place(`1024 Nordhavn/Årsrapport/${long}x/${long}y/${'navn '.repeat(30)}.pdf`)
    expect(sureness).toBe('sure')
    expect(name!.length).toBeLessThanOrEqual(255)
    expect(name).toMatch(/^Årsrapport \(1024\) navn .*\.pdf$/)
  })
})
