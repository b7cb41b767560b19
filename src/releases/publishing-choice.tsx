import { useId } from 'react'
import { Faults } from '../ui/basic/faults.tsx'
import { INPUT_LOOK } from '../ui/basic/input-look.ts'
import { DateField } from '../ui/form/date-field.tsx'
import { reachText } from './release/reach-text.ts'
import { MOST_NAMES, type PublishingWay, type Reach } from './release/release.ts'

export type Choice = { way: PublishingWay; day: string | null; time: string }

const WAYS: Record<PublishingWay, string> = {
  now: 'Udgiv nu',
  draft: 'Gem som kladde',
  later: 'Udgiv den …',
}

type Props = {
  choice: Choice
  onChange: (choice: Choice) => void
  /** The server's messages about the day and the time. */
  faults: Readonly<Record<string, string[]>>
  /** Null until the server has answered. */
  reach: Reach | null
}

/** Chooses when people outside the office can see the files, and says who that is. */
export function PublishingChoice({ choice, onChange, faults, reach }: Props) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="grid w-44 content-start gap-1">
        <label htmlFor={`${id}-way`} className={choice.way === 'later' ? 'font-medium' : 'sr-only'}>
          Udgivelse
        </label>
        <select
          id={`${id}-way`}
          value={choice.way}
          onChange={({ currentTarget }) => onChange({ ...choice, way: currentTarget.value as PublishingWay })}
          className={`${INPUT_LOOK} pl-2`}
        >
          {Object.entries(WAYS).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      {choice.way === 'later' && (
        <div className="flex flex-wrap gap-3">
          <div className="w-44">
            <DateField
              name="publish_day"
              label="Dato"
              choose="Vælg dato"
              value={choice.day}
              fault={faults.publish_day?.[0] ?? null}
              onChange={(day) => onChange({ ...choice, day })}
            />
          </div>
          <div className="grid w-28 content-start gap-1">
            <label htmlFor={`${id}-time`} className="font-medium">
              Klokken
            </label>
            <input
              id={`${id}-time`}
              value={choice.time}
              inputMode="numeric"
              maxLength={5}
              autoComplete="off"
              aria-invalid={faults.publish_time !== undefined || undefined}
              aria-describedby={faults.publish_time && `${id}-fault`}
              onChange={({ currentTarget }) => onChange({ ...choice, time: currentTarget.value })}
              className={`${INPUT_LOOK} tabular-nums`}
            />
            <Faults id={`${id}-fault`} faults={faults.publish_time ?? []} />
          </div>
        </div>
      )}
      <div className="min-h-5 min-w-0 flex-1 basis-60 self-center text-meta text-muted">
        {reach && <ReachText way={choice.way} reach={reach} />}
        {reach?.needs_approval && choice.way !== 'draft' && (
          <p className="mt-1 text-warn">En kollega skal godkende det først.</p>
        )}
      </div>
    </div>
  )
}

function ReachText({ way, reach }: { way: PublishingWay; reach: Reach }) {
  const { people, names } = reach
  if (people === 0) return <p>{reachText(way, reach)}</p>
  return (
    <details>
      <summary className="cursor-pointer">{reachText(way, reach)}</summary>
      <p className="mt-1 wrap-anywhere">
        {names.join(', ')}
        {people > MOST_NAMES && ` og ${people - MOST_NAMES} andre`}
      </p>
    </details>
  )
}
