import { CalendarX2 } from 'lucide-react'
import { dayText } from '../../base/time/holidays.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { distanceText, monthEnd } from '../obligations/duty.ts'

/** The columns of a row: what, by when, by whom, and its button. */
export const DUE_ROW = 'grid gap-x-6 gap-y-1 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,2fr)_6.5rem]'

type Props = { dueOn: string; today: string }

/** The last day of something open, and how far away it is. */
export function LastDay({ dueOn, today }: Props) {
  return (
    <>
      <p className="tabular-nums">{dayText(dueOn)}</p>
      <Distance dueOn={dueOn} today={today} />
    </>
  )
}

function Distance({ dueOn, today }: Props) {
  const text = distanceText(dueOn, today)
  if (dueOn < today)
    return (
      <p className="flex items-center gap-1 text-meta font-medium text-danger">
        <CalendarX2 size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        {text}
      </p>
    )
  return dueOn <= monthEnd(today) ? (
    <Chip tone="warn" text={text} />
  ) : (
    <p className="text-meta text-muted">{text}</p>
  )
}
