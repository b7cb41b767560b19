import { expect, it } from 'vitest'
import { dimmedPart } from './dimmed-part.ts'

it.each([
  ['Årsrapport (1024) 2024.pdf', 'Årsrapport', '1024', 'Årsrapport (1024)'],
  ['Årsrapport (1024)2024.pdf', 'Årsrapport', '1024', 'Årsrapport (1024)'],
  ['Årsrapport (1024) (udkast).pdf', 'Årsrapport', '1024', 'Årsrapport (1024)'],
  ['Møder på Ærø (Å-1) v1.2.pdf', 'Møder på Ærø', 'Å-1', 'Møder på Ærø (Å-1)'],
  // In another folder, or of another project: that is what to read
  ['Årsrapport (1024) 2024.pdf', 'Budget', '1024', ''],
  ['Årsrapport (1025) 2024.pdf', 'Årsrapport', '1024', ''],
  ['Årsrapport KS (1024) 2024.pdf', 'Årsrapport', '1024', ''],
  ['årsrapport (1024) 2024.pdf', 'Årsrapport', '1024', ''],
  ['Årsrapport 2024.pdf', 'Årsrapport', '1024', ''],
  // Nothing more is said
  ['Årsrapport (1024).pdf', 'Årsrapport', '1024', ''],
  ['Årsrapport (1024)', 'Årsrapport', '1024', ''],
  ['Årsrapport (1024) –.pdf', 'Årsrapport', '1024', ''],
  // A person's files
  ['Egne filer () 2024.pdf', 'Egne filer', '', ''],
])('dims a part of the name %j, in the folder %j of the project %j: %j', (name, folder, number, wanted) => {
  expect(dimmedPart(name, folder, number)).toBe(wanted)
})
