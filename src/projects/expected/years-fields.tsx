import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MONTH_OPTIONS } from '../../base/time/days.ts'
import { Button } from '../../ui/basic/button.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import type { AccountingYears } from './accounting-year.ts'
import type { ProjectYears } from './accounting-years.db.ts'
import { DayField } from '../../ui/form/day-field.tsx'
import { YEAR_FIELDS } from '../project/project.fields.ts'
import { MOST_CHANGES } from './expects.ts'

const DECEMBER = 12

type Row = { key: number; since: string | null; ends: number }

/** When a project's accounting years end, how long the office has it, and from when it follows it. */
export function YearsFields({ years }: { years: ProjectYears | null }) {
  return (
    <fieldset className="grid gap-4 border-t border-line pt-4">
      <legend className="sr-only">Regnskabsår</legend>
      <SelectField
        name="year_ends"
        label={YEAR_FIELDS.year_ends.label}
        options={MONTH_OPTIONS}
        defaultValue={String(years?.ends ?? YEAR_FIELDS.year_ends.initial)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <DayField name="held_from" label={YEAR_FIELDS.held_from.label} day={years?.heldFrom ?? null} />
        <DayField name="sold_on" label={YEAR_FIELDS.sold_on.label} day={years?.soldOn ?? null} />
      </div>
      <p className="-mt-3 text-meta text-muted">
        Filer forventes kun, mens kontoret har projektet. Tomt: altid.
      </p>
      <DayField
        name="followed_from"
        label={YEAR_FIELDS.followed_from.label}
        day={years?.followedFrom ?? null}
      />
      <p className="-mt-3 text-meta text-muted">{YEAR_FIELDS.followed_from.help}</p>
      <Changes changes={years?.changes ?? []} />
    </fieldset>
  )
}

/** The changes of the accounting year. There is always an empty row, so that one can be added without JavaScript. */
function Changes({ changes }: Pick<AccountingYears, 'changes'>) {
  const { clear, values, errors } = useForm()
  const [rows, setRows] = useState<Row[]>(() => {
    const sent = Object.keys(values).filter((name) => /^year_changes\[\d+\]\[since\]$/.test(name)).length
    const known = changes.map(({ since, ends }, key) => ({ key, since, ends }))
    const empty = Array.from({ length: Math.max(1, sent - known.length) }, (_, index) => ({
      key: known.length + index,
      since: null,
      ends: DECEMBER,
    }))
    return [...known, ...empty]
  })
  const [isOpen, setOpen] = useState(changes.length > 0)
  const hasFaults = errors.has('year_changes.*.since') || errors.has('year_changes')
  return (
    <details
      open={isOpen || hasFaults}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-control border border-line px-4 py-3"
    >
      <summary className="cursor-pointer font-medium">Omlagt regnskabsår</summary>
      <p className="mt-2 text-meta text-muted">
        Den første dag i det første år, der slutter i en anden måned. Perioden før bliver kortere. Tøm datoen
        for at fjerne en ændring.
      </p>
      <ul className="mt-3 grid gap-3">
        {rows.map(({ key, since, ends }, index) => (
          <li
            key={key}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
          >
            <div className="max-sm:col-span-2">
              <DayField name={`year_changes[${index}][since]`} label="Fra og med den" day={since} />
            </div>
            <SelectField
              name={`year_changes[${index}][year_ends]`}
              label="Slutter i"
              options={MONTH_OPTIONS}
              defaultValue={String(ends)}
            />
            <span className="noscript:hidden">
              <IconButton
                type="button"
                label="Fjern ændringen"
                icon={Trash2}
                disabled={rows.length === 1}
                onClick={() => {
                  clear('year_changes.*.since')
                  setRows(rows.filter((row) => row.key !== key))
                }}
              />
            </span>
          </li>
        ))}
      </ul>
      {rows.length < MOST_CHANGES && (
        <Button
          type="button"
          kind="secondary"
          className="mt-3 noscript:hidden"
          onClick={() =>
            setRows([
              ...rows,
              { key: Math.max(...rows.map(({ key }) => key)) + 1, since: null, ends: DECEMBER },
            ])
          }
        >
          Tilføj ændring
        </Button>
      )}
    </details>
  )
}
