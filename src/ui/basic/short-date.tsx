import { danishDate, shortDate, shortDateTime } from '../../base/dates.ts'
import { useFrame } from './frame.ts'

type Props = { at: string; withTime?: boolean; className?: string }

/** '15/11/2026', and in full under the pointer, or while the row that it stands in has the focus (`tooltip.tsx`). */
export function ShortDate({ at, withTime = false, className }: Props) {
  const { timeZone } = useFrame()
  return (
    <time dateTime={at} data-tooltip={danishDate(at, timeZone)} className={className}>
      {withTime ? shortDateTime(at, timeZone) : shortDate(at, timeZone)}
    </time>
  )
}
