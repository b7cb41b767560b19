import { shortDate, shortDateTime, spokenTime } from '../../base/time/dates.ts'
import { useFrame } from './frame.ts'

type Props = {
  at: string
  /** '15/11/2026 08.15', or '15/11/2026 kl. 08.15' inside a sentence. */
  withTime?: boolean | 'spoken'
  className?: string
}

/** '15/11/2026', with the full date as a tooltip, also while its row has the focus (written by `tooltip.tsx`). */
export function ShortDate({ at, withTime = false, className }: Props) {
  const { timeZone } = useFrame()
  return (
    <time dateTime={at} data-tooltip="" className={className}>
      {(withTime === 'spoken' ? spokenTime : withTime ? shortDateTime : shortDate)(at, timeZone)}
    </time>
  )
}
