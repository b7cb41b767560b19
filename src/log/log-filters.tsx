import { useRef, useState, type ComponentProps } from 'react'
import { BACKWARDS, isBackwards, readDay } from '../base/time/days.ts'
import { Button } from '../ui/basic/button.tsx'
import { LatePart } from '../ui/overlay/late-part.tsx'
import { DateField } from '../ui/form/date-field.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { FilterChoice } from '../ui/list/filter-choice.tsx'
import { FilterPick } from '../ui/list/filter-pick.tsx'
import { urls } from '../urls.ts'
import { ACT_GROUPS, ACT_NAMES } from './words/act-names.ts'
import type { Act } from './words/act.ts'
import type { Named, Picked } from './words/entry.ts'
import {
  OWN_DAYS,
  WHOLE_LOG,
  writeLogQuery,
  type LogFilter,
  type LogQuery,
  type SentDays,
} from './words/filter.ts'
import { daysOf, PERIODS, type Period } from './words/named-period.ts'

const PERIOD_NAMES: Record<Period, string> = {
  today: 'I dag',
  week: 'Denne uge',
  month: 'Denne måned',
  '30-days': 'De seneste 30 dage',
  year: 'I år',
}

type Props = {
  /** The address of the page with these filters. */
  page: string
  query: LogQuery
  picked: Picked
  /** The texts that were sent as dates, if they are not dates. */
  sent: SentDays
  onFilter: (change: Partial<LogFilter>) => void
}

/** The log's filters. Each choice applies at once; without JavaScript the form is sent. */
export function LogFilters({ page, query, picked, sent, onFilter }: Props) {
  const hrefWithout = (change: Partial<LogFilter>) =>
    page + writeLogQuery({ ...query, ...change, page: WHOLE_LOG.page })
  // Keeps the file: the page is about it.
  const clearHref = page + writeLogQuery({ ...WHOLE_LOG, file: query.file })
  return (
    <form
      action={page}
      aria-label="Filtre"
      onSubmit={(event) => event.preventDefault()}
      className="grid grid-cols-1 items-start gap-4 rounded-card border border-line bg-surface p-4 min-[480px]:grid-cols-2 @list:grid-cols-3"
    >
      <Days query={query} sent={sent} onFilter={onFilter} />
      <Choice
        name="act"
        label="Handling"
        value={query.act}
        onChange={(act) => onFilter({ act: (act || null) as Act | null })}
      >
        <option value="">Alle handlinger</option>
        {ACT_GROUPS.map(([group, acts]) => (
          <optgroup key={group} label={group}>
            {acts.map((act) => (
              <option key={act} value={act}>
                {ACT_NAMES[act].text}
              </option>
            ))}
          </optgroup>
        ))}
      </Choice>
      <FilterPick<{ id: number; name: string; numbers: string[] }>
        name="find_person"
        label="Person"
        placeholder="Navn, nummer eller e-mail"
        route={urls.listUsers}
        textOf={({ name, numbers }) => (numbers.length > 0 ? `${name} (${numbers.join(', ')})` : name)}
        picked={nameOf(query.person, picked.person)}
        clearHref={hrefWithout({ person: null })}
        onPick={(person) => onFilter({ person })}
      />
      {/* A file's history has only one project. */}
      {query.file === null && (
        <FilterPick<{ id: number; name: string; number: string }>
          name="find_project"
          label="Projekt"
          placeholder="Nummer, navn eller CVR"
          route={urls.listProjects}
          textOf={({ name, number }) => `${number} ${name}`}
          picked={nameOf(query.project, picked.project)}
          clearHref={hrefWithout({ project: null })}
          onPick={(project) => onFilter({ project })}
        />
      )}
      {(['person', 'project', 'file'] as const).map(
        (name) => query[name] !== null && <input key={name} type="hidden" name={name} value={query[name]} />,
      )}
      {clearHref !== hrefWithout({}) && (
        <a
          href={clearHref}
          className="col-span-full justify-self-start py-1 text-accent underline-offset-2 hover:underline pointer-coarse:py-2.5"
        >
          Ryd filtre
        </a>
      )}
      <noscript>
        <Button type="submit">Vis</Button>
      </noscript>
    </form>
  )
}

/** The name of the chosen person or project, or a text while it loads. */
const nameOf = (id: number | null, picked: Named | null) =>
  id === null ? null : picked?.id === id ? picked.name : 'Henter...'

type Draft = { of: string; from: string | null; to: string | null; isOwn: boolean }

/** The choice of a named period or of two dates. */
function Days({ query, sent, onFilter }: Omit<Props, 'page' | 'picked'>) {
  const { timeZone } = useFrame()
  const fromInput = useRef<HTMLInputElement>(null)
  const { period, from, to } = query
  const [resets, setResets] = useState(0)
  const left = resets === 0 ? sent : {}
  const asked = {
    of: `${period} ${from} ${to}`,
    from: from ?? dayIn(left.from),
    to: to ?? dayIn(left.to),
    isOwn: period === null && [from, to, left.from, left.to].some(Boolean),
  }
  const [written, setWritten] = useState<Draft>(asked)
  const draft = written.of === asked.of ? written : asked

  function choose(value: string): void {
    setWritten({ ...draft, isOwn: value === OWN_DAYS })
    if (value !== OWN_DAYS) setResets(resets + 1) // also clears text that is no date
    if (value !== OWN_DAYS)
      return onFilter({ period: (value || null) as Period | null, from: null, to: null })
    // Starts from the dates of the period chosen before.
    if (period !== null) onFilter({ ...daysOf(period, new Date(), timeZone), period: null })
    fromInput.current?.focus()
  }

  function write(name: 'from' | 'to', day: string | null): void {
    const days = { from: draft.from, to: draft.to, [name]: day }
    setWritten({ ...draft, ...days, isOwn: true })
    if (!isBackwards(days)) onFilter({ ...days, period: null })
  }

  return (
    <>
      <Choice name="period" label="Periode" value={draft.isOwn ? OWN_DAYS : period} onChange={choose}>
        <option value="">Alle datoer</option>
        {PERIODS.map((each) => (
          <option key={each} value={each}>
            {PERIOD_NAMES[each]}
          </option>
        ))}
        <option value={OWN_DAYS}>Egne datoer</option>
      </Choice>
      <LatePart>
        <DateField
          key={`from ${resets}`}
          ref={fromInput}
          name="from"
          label="Fra"
          choose="Vælg startdato"
          value={draft.from}
          sent={left.from}
          onChange={(day) => write('from', day)}
        />
      </LatePart>
      <LatePart>
        <DateField
          key={`to ${resets}`}
          name="to"
          label="Til og med"
          choose="Vælg slutdato"
          value={draft.to}
          sent={left.to}
          fault={isBackwards(draft) ? BACKWARDS : null}
          onChange={(day) => write('to', day)}
        />
      </LatePart>
    </>
  )
}

function dayIn(text = ''): string | null {
  const read = readDay(text)
  return 'day' in read ? read.day : null
}

/** A choice as wide as the other filters of the log. */
const Choice = (props: ComponentProps<typeof FilterChoice>) => (
  <FilterChoice {...props} className="col-span-full grid min-w-0 gap-1 @list:col-span-1" />
)
