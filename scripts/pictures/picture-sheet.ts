import type { CheckedSheet } from '../../src/moving/sheet/read/checked-sheet.ts'

/** A sheet that an office moves in with, for its picture: new, changed and unchanged rows, and one that is wrong. */
export const SHEET: CheckedSheet = {
  tables: {
    projects: { name: 'Projekter', letters: { number: 'A', name: 'B', cvr: 'C', status: 'D' } },
    people: { name: 'Personer', letters: { name: 'A', email: 'B', role: 'C', numbers: 'D', projects: 'E' } },
  },
  projects: [
    { row: 2, number: '1140', name: 'K/S Vestermarken', cvr: '25313763', status: 'active', faults: [] },
    { row: 3, number: '1147', name: 'K/S Lagerhotel Køge', status: 'active', faults: [] },
    { row: 4, number: '1134', name: 'K/S Åboulevarden 12 og 14', faults: [] },
    { row: 5, number: '1042', name: 'K/S Østerbro Ejendomme', faults: [] },
  ],
  people: [
    person(2, 'Agnete Winther', '2101', ['1140', '1147']),
    person(3, 'Jørgen Ladefoged', '2102', ['1140']),
    {
      ...person(4, 'Kaj Munkholm', '2103', ['1140']),
      faults: [{ field: 'email', text: 'E-mailen er ikke gyldig.' }],
    },
  ],
  faults: [],
  notes: ['Personer: Ringbind bruger ikke kolonnen Telefon.'],
}

function person(row: number, name: string, number: string, projects: string[]) {
  const email = `${name.toLowerCase().replaceAll('ø', 'oe').replaceAll(' ', '.')}@ringbind.example`
  return { row, name, email, role: 'investor' as const, numbers: [number], projects, faults: [] }
}
