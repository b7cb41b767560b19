import { SlidersHorizontal } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { BACKWARDS, isBackwards } from '../base/time/days.ts'
import { may } from '../rights.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { DateField } from '../ui/form/date-field.tsx'
import { FilterChoice } from '../ui/list/filter-choice.tsx'
import { FilterPick } from '../ui/list/filter-pick.tsx'
import { LatePart } from '../ui/overlay/late-part.tsx'
import { urls } from '../urls.ts'
import { projectText } from './answer/places.ts'
import { FILE_KINDS, type FileKind, type Question } from './answer/results.ts'
import { isFiltered, NO_QUESTION, writeSearch } from './answer/search-address.ts'
import type { SearchList } from './answer/search-answer.ts'

type Props = {
  question: Question
  list: Pick<SearchList, 'about' | 'picked'>
  onChange: (change: Partial<Question>) => void
}

/** The filters of a search. Each choice applies at once; without JavaScript the form is sent. */
export function SearchFilters({ question, list: { about, picked }, onChange }: Props) {
  const { role } = useFrame().user!
  const { facets } = about
  const hrefWith = (change: Partial<Question>) =>
    urls.search + writeSearch({ ...question, page: NO_QUESTION.page, ...change })
  const chosen = FILTERS.filter((name) => question[name] !== null).length
  const clear = { ...NO_QUESTION, q: question.q }
  return (
    <details className="folding-filters rounded-card border border-line bg-surface">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 px-4 font-medium">
        <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" className="text-muted" />
        Filtre{chosen > 0 && ` (${chosen})`}
      </summary>
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3 p-4 @list:grid-cols-4">
        <Choice
          name="project"
          label="Projekt"
          all="Alle projekter"
          value={question.project}
          options={withOwn(
            facets.projects.map(({ id, count, ...project }) => option(id, projectText(project), count)),
            picked.project && option(picked.project.id, projectText(picked.project)),
          )}
          onChange={(value) => onChange({ project: value === '' ? null : Number(value) })}
        />
        <Choice
          name="folder"
          label="Mappe"
          all="Alle mapper"
          value={question.folder}
          options={withOwn(
            facets.folders.map(({ name, count }) => option(name, name, count)),
            question.folder === null ? null : option(question.folder, question.folder),
          )}
          onChange={(value) => onChange({ folder: value || null })}
        />
        <Choice
          name="year"
          label="År"
          all="Alle år"
          value={question.year}
          options={withOwn(
            facets.years.map(({ year, count }) => option(year, String(year), count)),
            question.year === null ? null : option(question.year, String(question.year)),
          )}
          onChange={(value) => onChange({ year: value === '' ? null : Number(value) })}
        />
        <Choice
          name="type"
          label="Type"
          all="Alle typer"
          value={question.type}
          options={Object.entries(FILE_KINDS).map(([kind, name]) => option(kind, name))}
          onChange={(value) => onChange({ type: (value || null) as FileKind | null })}
        />
        {may(role, 'seeUsers') && (
          <div className="col-span-2 min-w-0">
            <FilterPick<{ id: number; name: string; numbers: string[] }>
              name="find_by"
              label="Uploadet af"
              placeholder="Navn, nummer eller e-mail"
              route={urls.listUsers}
              textOf={({ name, numbers }) => (numbers.length > 0 ? `${name} (${numbers.join(', ')})` : name)}
              picked={
                question.by === null ? null : picked.by?.id === question.by ? picked.by.name : 'Henter...'
              }
              clearHref={hrefWith({ by: null })}
              onPick={(by) => onChange({ by })}
            />
            {question.by !== null && <input type="hidden" name="by" value={question.by} />}
          </div>
        )}
        <Days question={question} onChange={onChange} />
        {isFiltered(question) && (
          <a
            href={urls.search + writeSearch(clear)}
            className="col-span-full justify-self-start py-1 text-accent underline-offset-2 hover:underline pointer-coarse:py-2.5"
          >
            Ryd filtre
          </a>
        )}
      </div>
    </details>
  )
}

const FILTERS = ['project', 'folder', 'year', 'type', 'by', 'from', 'to'] as const

type OptionText = { value: string; text: string }

const option = (value: string | number, name: string, count?: number): OptionText => ({
  value: String(value),
  text: count === undefined ? name : `${name} (${count})`,
})

/** The chosen one stays among the options, also when nothing is found with it. */
function withOwn(options: OptionText[], own: OptionText | null): OptionText[] {
  return own === null || options.some(({ value }) => value === own.value) ? options : [own, ...options]
}

type ChoiceProps = Omit<ComponentProps<typeof FilterChoice>, 'children'> & {
  all: string
  options: OptionText[]
}

const Choice = ({ all, options, ...choice }: ChoiceProps) => (
  <FilterChoice {...choice}>
    <option value="">{all}</option>
    {options.map(({ value, text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </FilterChoice>
)

/** The period. Days that stand the wrong way round are not searched for until they are put right. */
function Days({ question: { from, to }, onChange }: Pick<Props, 'question' | 'onChange'>) {
  const asked = `${from} ${to}`
  const [written, setWritten] = useState({ of: asked, from, to })
  const days = written.of === asked ? written : { of: asked, from, to }

  function write(change: { from?: string | null; to?: string | null }): void {
    const next = { ...days, ...change }
    setWritten(next)
    if (!isBackwards(next)) onChange({ from: next.from, to: next.to })
  }

  return (
    <>
      <LatePart>
        <div className="min-w-0 max-[480px]:col-span-full">
          <DateField
            name="from"
            label="Fra"
            choose="Vælg startdato"
            value={days.from}
            onChange={(day) => write({ from: day })}
          />
        </div>
      </LatePart>
      <LatePart>
        <div className="min-w-0 max-[480px]:col-span-full">
          <DateField
            name="to"
            label="Til og med"
            choose="Vælg slutdato"
            value={days.to}
            fault={isBackwards(days) ? BACKWARDS : null}
            onChange={(day) => write({ to: day })}
          />
        </div>
      </LatePart>
    </>
  )
}
