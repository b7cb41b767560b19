import { SlidersHorizontal } from 'lucide-react'
import { useId } from 'react'
import { useFrame } from '../../ui/basic/frame.ts'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { FilterChoice } from '../../ui/list/filter-choice.tsx'
import { FilterForm } from '../../ui/list/filter-form.tsx'
import { urls } from '../../urls.ts'
import { ALL_DUTIES, WITH_RECEIPT, type DutyQuery } from '../obligations/duty.ts'

type Props = {
  query: DutyQuery
  people: { id: number; name: string }[]
  rules: string[]
}

/** The filters of the duties. They fold on a phone. */
export function DutyFilters({ query, people, rules }: Props) {
  const { user } = useFrame()
  const others = people.filter(({ id }) => id !== user?.id)
  const chosen = [query.person, query.rule, query.q || null].filter((each) => each !== null).length
  return (
    <details className="folding-filters rounded-card border border-line bg-surface print:hidden">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 font-medium">
        <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" className="text-muted" />
        Filtre{chosen > 0 && ` (${chosen})`}
      </summary>
      <FilterForm
        action={urls.obligations}
        className="grid items-end gap-4 p-4 sm:grid-cols-2 lg:grid-cols-3"
      >
        {query.state !== ALL_DUTIES.state && <input type="hidden" name="state" value={query.state} />}
        <FilterChoice name="person" label="Ansvarlig" value={query.person}>
          <option value="">Alle</option>
          <option value={user?.id}>Mig ({user?.name})</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value="none">Ingen ansvarlig</option>
        </FilterChoice>
        <FilterChoice name="rule" label="Pligt eller papir" value={query.rule}>
          <option value="">Alle</option>
          <option value={WITH_RECEIPT}>Kvittering fundet</option>
          {(query.rule === null || query.rule === WITH_RECEIPT || rules.includes(query.rule)
            ? rules
            : [query.rule, ...rules]
          ).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </FilterChoice>
        <ProjectField q={query.q} />
      </FilterForm>
    </details>
  )
}

function ProjectField({ q }: { q: string }) {
  const id = useId()
  return (
    <div className="grid min-w-0 gap-1">
      <label htmlFor={id} className="font-medium">
        Projekt
      </label>
      <input
        id={id}
        name="q"
        type="search"
        defaultValue={q}
        maxLength={100}
        autoComplete="off"
        placeholder="Nummer eller navn"
        className={INPUT_LOOK}
      />
    </div>
  )
}
