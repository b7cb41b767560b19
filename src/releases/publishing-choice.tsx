import { useId } from 'react'
import { Faults } from '../ui/basic/faults.tsx'
import { INPUT_LOOK } from '../ui/basic/input-look.ts'
import { DateField } from '../ui/form/date-field.tsx'
import { reachText, shortReachText } from './release/reach-text.ts'
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
}

/** Chooses when people outside the office can see the files. */
export function PublishingChoice({ choice, onChange, faults }: Props) {
  const id = useId()
  return (
    <>
      <div className="grid w-36 content-start gap-1 sm:w-44">
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
    </>
  )
}

type ReachProps = {
  way: PublishingWay
  /** Null until the server has answered. */
  reach: Reach | null
}

/** Says in a few words whom the files reach, and opens to all of it. */
export function ReachNote({ way, reach }: ReachProps) {
  if (!reach) return null
  const { people, names, needs_approval: needsApproval } = reach
  const asked = needsApproval && way !== 'draft' && (
    <span className="text-warn"> · En kollega skal godkende det først.</span>
  )
  if (people === 0)
    return (
      <p>
        {shortReachText(way, reach)}
        {asked}
      </p>
    )
  return (
    <details>
      <summary className="cursor-pointer">
        {shortReachText(way, reach)}
        {asked}
      </summary>
      <p className="mt-1">{reachText(way, reach)}</p>
      <p className="mt-1 wrap-anywhere">
        {names.join(', ')}
        {people > MOST_NAMES && ` og ${people - MOST_NAMES} andre`}
      </p>
    </details>
  )
}
