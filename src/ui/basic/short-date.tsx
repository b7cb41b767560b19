import { shortDate, shortDateTime } from '../../base/time/dates.ts'
import { useFrame } from './frame.ts'

type Props = { at: string; withTime?: boolean; className?: string }

/** '15/11/2026', with the full date as a tooltip, also while its row has the focus (written by `tooltip.tsx`). */
export function ShortDate({ at, withTime = false, className }: Props) {
  const { timeZone } = useFrame()
  return (
    <time dateTime={at} data-tooltip="" className={className}>
      {withTime ? shortDateTime(at, timeZone) : shortDate(at, timeZone)}
    </time>
  )
}
