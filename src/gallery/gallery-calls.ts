import { urls } from '../urls.ts'

export const MENUS = ['folders', 'slow', 'empty', 'failing'] as const
export type MenuKind = (typeof MENUS)[number]

/** The addresses that only the gallery calls. */
export const galleryCalls = {
  menu: (kind: MenuKind | ':kind') => `${urls.api}gallery/menus/${kind}`,
}

const SUBJECTS = [
  'Årsrapport',
  'Budget',
  'Generalforsamling',
  'Lejekontrakt',
  'Låneaftale',
  'Revision',
  'Skat',
  'Tinglysning',
]
const YEARS = ['2020', '2021', '2022', '2023', '2024']

export const FOLDERS = SUBJECTS.flatMap((subject, index) =>
  YEARS.map((year, at) => ({ id: index * YEARS.length + at + 1, name: `${subject} ${year}` })),
)
