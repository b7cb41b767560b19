import type { Client } from '../../access/lent.ts'
import { hasOwnFiles } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { FilterChoice } from '../../ui/list/filter-choice.tsx'
import { FilterForm } from '../../ui/list/filter-form.tsx'
import { urls } from '../../urls.ts'
import type { PapersQuery } from './papers-query.ts'
import type { PaperProject } from './papers.ts'

type Props = {
  query: PapersQuery
  years: (number | null)[]
  projects: PaperProject[]
  clients: Client[]
}

/** A search field, the year, the project, and for an adviser the client. */
export function PapersFilters({ query, years, projects, clients }: Props) {
  const { role } = useFrame().user!
  const chosen = query.year === 'none' ? null : query.year
  const choosable = query.year === null || years.includes(chosen) ? years : [chosen, ...years]
  return (
    <FilterForm
      action={urls.papersPage}
      search={{ label: 'Søg i papirer', q: query.q }}
      className="flex flex-wrap items-end gap-3 print:hidden"
    >
      <Choice
        name="year"
        all="Alle år"
        value={query.year}
        options={choosable.map((year) => ({
          id: year ?? 'none',
          name: year === null ? 'Uden år' : String(year),
        }))}
      />
      <Choice
        name="project"
        all="Alle projekter"
        value={query.project}
        options={[...projects, { id: 'own', name: hasOwnFiles(role) ? 'Mine filer' : 'Egne filer' }]}
      />
      {clients.length > 1 && (
        <Choice name="client" all="Alle klienter" value={query.client} options={clients} />
      )}
    </FilterForm>
  )
}

const LABELS = { year: 'År', project: 'Projekt', client: 'Klient' }

type ChoiceProps = {
  name: keyof typeof LABELS
  all: string
  value: number | string | null
  options: readonly { id: number | string; name: string }[]
}

function Choice({ name, all, value, options }: ChoiceProps) {
  return (
    <div className="min-w-28 max-sm:flex-1 sm:max-w-56">
      <FilterChoice name={name} label={LABELS[name]} value={value}>
        <option value="">{all}</option>
        {options.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </FilterChoice>
    </div>
  )
}
