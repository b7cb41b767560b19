import { expect, it } from 'vitest'
import { releaseName, type Naming } from './release-name.ts'

type Content = [kind: string | null, period: string | null, papers?: number]

const inProjects = (...contents: Content[]) =>
  contents.map(([kind, period, papers = 1]) => ({ kind, is_own: false, period, papers }))
const ofPeople = (...contents: Content[]) =>
  contents.map(([kind, period, papers = 1]) => ({ kind, is_own: true, period, papers }))

const NONE = { given: null, contents: [], projects: 0, people: 0, owner: null, crosses_new_year: false }
const nordhavn = { projects: 1, owner: 'K/S Nordhavn Kontorhus' }

it.each<[string, string, Partial<Naming>]>([
  [
    'one folder and period',
    'Årsrapport 2025 · 46 projekter',
    { contents: inProjects(['Årsrapport', '2025', 46]), projects: 46 },
  ],
  [
    'one project',
    'Årsrapport 2025 · K/S Nordhavn Kontorhus',
    { contents: inProjects(['Årsrapport', '2025']), ...nordhavn },
  ],
  [
    'a year that crosses New Year',
    'Budget 2024/25 · K/S Nordhavn Kontorhus',
    { contents: inProjects(['Budget', '2025']), ...nordhavn, crosses_new_year: true },
  ],
  [
    'a quarter',
    'Kvartalsrapport 3. kvartal 2026 · 46 projekter',
    { contents: inProjects(['Kvartalsrapport', '2026-Q3', 46]), projects: 46 },
  ],
  [
    'quarters of one year',
    'Kvartalsrapport 2026 · 2 projekter',
    { contents: inProjects(['Kvartalsrapport', '2026-Q3'], ['Kvartalsrapport', '2026-Q2']), projects: 2 },
  ],
  [
    'two folders, the most common first',
    'Årsrapport og Budget 2025 · 12 projekter',
    { contents: inProjects(['Budget', '2025', 3], ['Årsrapport', '2025', 9]), projects: 12 },
  ],
  [
    'many folders',
    'Årsrapport, Budget m.m. 2025 · 12 projekter',
    {
      contents: inProjects(['Årsrapport', '2025', 9], ['Budget', '2025', 5], ['Diverse', '2025', 1]),
      projects: 12,
    },
  ],
  [
    'years that differ',
    'Årsrapport 2023–2025 · 3 projekter',
    {
      contents: inProjects(['Årsrapport', '2025'], ['Årsrapport', '2023'], ['Årsrapport', '2024']),
      projects: 3,
    },
  ],
  [
    'a paper of another year among many',
    'Årsrapport 2025 · 46 projekter',
    { contents: inProjects(['Årsrapport', '2025', 45], ['Årsrapport', '2024', 1]), projects: 46 },
  ],
  [
    'papers without a period',
    'Diverse · 2 projekter',
    { contents: inProjects(['Diverse', null, 3], ['Diverse', '2025', 1]), projects: 2 },
  ],
  [
    'a folder that says the year',
    'Årsrapport 2020 · 2 projekter',
    { contents: inProjects(['Årsrapport 2020', '2020', 2]), projects: 2 },
  ],
  [
    'papers of people',
    'Årsopgørelse 2025 · 184 personer',
    { contents: ofPeople(['Årsopgørelse', '2025', 184]), people: 184 },
  ],
  [
    'a paper of one person',
    'Årsopgørelse 2025 · Bo Holm',
    { contents: ofPeople(['Årsopgørelse', '2025']), people: 1, owner: 'Bo Holm' },
  ],
  [
    'names of people that have nothing in common',
    'Egne filer 2025 · 3 personer',
    { contents: ofPeople(['Bo', '2025'], ['Ida', '2025'], ['Jens', '2025']), people: 3 },
  ],
  [
    'names of people that begin with nothing',
    'Egne filer 2025 · 3 personer',
    { contents: ofPeople([null, '2025', 3]), people: 3 },
  ],
  [
    'projects and people',
    'Årsrapport og Årsopgørelse 2025 · 9 projekter og 1 person',
    {
      contents: [...ofPeople(['Årsopgørelse', '2025']), ...inProjects(['Årsrapport', '2025', 9])],
      projects: 9,
      people: 1,
    },
  ],
  [
    'many of them',
    'Budget · 1.200 projekter',
    { contents: inProjects(['Budget', null, 1200]), projects: 1200 },
  ],
  ['nothing that is left', 'Slettede filer', {}],
  [
    'a name that the office has given',
    'Årets rapporter',
    { contents: inProjects(['Årsrapport', '2025']), ...nordhavn, given: 'Årets rapporter' },
  ],
])('names a release after %s: %s', (_what, name, naming) => {
  expect(releaseName({ ...NONE, ...naming })).toBe(name)
})
