import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { danishDate, dayOf } from '../../base/time/dates.ts'
import { dayForKey, monthsAfter, weeksOf, withinDays } from '../../base/time/days.ts'
import { returnFocus, tabStops } from '../basic/focus.ts'
import { useFrame } from '../basic/frame.ts'
import { IconButton } from '../icon/icon-button.tsx'
import { showAt } from '../overlay/popovers.ts'

type Props = {
  label: string
  value: string | null
  /** The button that it opens at, which gets the focus back. */
  opener: RefObject<HTMLElement | null>
  onChoose: (day: string) => void
  onClose: () => void
}

/** Shows a month to choose a day from, by ARIA's date picker pattern. Opens as soon as it is loaded. */
export function Calendar({ label, value, opener, onChoose, onClose }: Props) {
  const { timeZone } = useFrame()
  const popover = useRef<HTMLDialogElement>(null)
  const [today] = useState(() => dayOf(new Date(), timeZone))
  const [day, setDay] = useState(value ?? today)
  const [isWalking, setWalking] = useState(true)
  const month = day.slice(0, 7)

  useLayoutEffect(() => showAt(popover.current!, opener.current!), [opener])
  const press = useEffectEvent(({ target }: PointerEvent) => {
    const isInside = [popover, opener].some(({ current }) => current?.contains(target as Node))
    if (!isInside) onClose()
  })
  useEffect(() => {
    const listen = (event: PointerEvent) => press(event)
    addEventListener('pointerdown', listen, true)
    return () => removeEventListener('pointerdown', listen, true)
  }, [])
  // A day gets the focus when the arrow keys reach it, not when the month changes.
  useLayoutEffect(() => {
    if (isWalking) popover.current!.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus()
  }, [day, isWalking])

  /** Gives the focus back to the button that opened it. */
  function end(tell: () => void): void {
    tell()
    returnFocus(opener.current?.querySelector('button') ?? null)
  }

  function turn(months: number): void {
    setWalking(false)
    setDay(withinDays(monthsAfter(day, months)))
  }

  function act(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, altKey, metaKey } = event
    if (ctrlKey || altKey || metaKey) return
    if (key === 'Escape') {
      event.preventDefault()
      event.stopPropagation() // a modal around it stays open
      return end(onClose)
    }
    if (key === 'Tab') return stayInside(event)
    const isOnDay = event.target instanceof HTMLElement && event.target.dataset.day !== undefined
    const next = isOnDay ? dayForKey(day, key, shiftKey) : null
    if (next === null) return undefined
    event.preventDefault()
    setWalking(true)
    return setDay(next)
  }

  /** Keeps Tab inside the dialog. */
  function stayInside(event: KeyboardEvent): void {
    const stops = tabStops(popover.current!)
    const at = stops.indexOf(event.target as HTMLElement) + (event.shiftKey ? -1 : 1)
    event.preventDefault()
    stops.at(at % stops.length)?.focus()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of everything inside it
    <dialog
      ref={popover}
      popover="manual" // a second press on its button closes it and must not open it again
      aria-label={label}
      onKeyDown={act}
      className="under-its-button to-the-left rounded-card border border-line bg-surface p-3 text-ink shadow-lg"
    >
      <div className="mb-2 flex items-center justify-between gap-2">
        <IconButton label="Forrige måned" icon={ChevronLeft} onClick={() => turn(-1)} />
        <p id={MONTH_ID} aria-live="polite" className="font-medium first-letter:uppercase">
          {danishDate(`${month}-15T12:00:00Z`, 'UTC').split(' ').slice(2).join(' ')}
        </p>
        <IconButton label="Næste måned" icon={ChevronRight} onClick={() => turn(1)} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its days are walked by arrows */}
      <table role="grid" aria-labelledby={MONTH_ID} className="calendar">
        <thead>
          <tr>
            {WEEKDAYS.map((weekday) => (
              <th key={weekday} scope="col">
                <span aria-hidden="true">{weekday.slice(0, 2)}</span>
                <span className="sr-only">{weekday}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(day).map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td key={each} aria-selected={each === value}>
                  <button
                    type="button"
                    data-day={each}
                    tabIndex={each === day ? 0 : -1}
                    aria-label={danishDate(`${each}T12:00:00Z`, 'UTC')}
                    aria-current={each === today ? 'date' : undefined}
                    data-beside={each.slice(0, 7) === month ? undefined : ''}
                    onClick={() => end(() => onChoose(each))}
                  >
                    {Number(each.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </dialog>
  )
}

// Only one is open at a time.
const MONTH_ID = 'calendar-month'

const WEEKDAYS = ['mandag', 'tirsdag', 'onsdag', 'torsdag', 'fredag', 'lørdag', 'søndag']
