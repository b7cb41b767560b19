import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState, type Ref } from 'react'
import { readDay, writeDay } from '../../base/time/days.ts'
import { Faults } from '../basic/faults.tsx'
import { IconButton } from '../icon/icon-button.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'

const Calendar = lazy(() => import('./calendar.tsx').then((file) => ({ default: file.Calendar })))

type Props = {
  ref?: Ref<HTMLInputElement>
  name: string
  label: string
  /** The name of the button that opens the calendar. */
  choose: string
  /** As '2026-11-15', or null. */
  value: string | null
  /** A text that was sent without JavaScript and is not a day. */
  sent?: string | undefined
  /** The server's messages about the day. */
  fault?: string | null
  /** Called after each key that leaves a valid day, or an empty field. */
  onChange: (day: string | null) => void
}

/** A field for a day, typed as dd/MM/yyyy or chosen from a calendar. Without JavaScript it is a plain text field. */
export function DateField({ ref, name, label, choose, value, sent, fault = null, onChange }: Props) {
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const [text, setText] = useState(() => tidied(sent ?? textOf(value)))
  const [last, setLast] = useState(value)
  const [isLeft, setLeft] = useState(sent !== undefined)
  const [isOpen, setOpen] = useState(false)
  const read = readDay(text)
  if (value !== last) {
    setLast(value)
    if (!('day' in read) || read.day !== value) setText(textOf(value))
  }
  // A text that is still being typed is not wrong yet.
  const wrong = 'fault' in read && (isLeft || text.trim().length >= FULL_LENGTH) ? read.fault : fault

  function write(next: string): void {
    setText(next)
    setLeft(false)
    const found = readDay(next)
    if ('day' in found && found.day !== value) onChange(found.day)
  }

  function leave(): void {
    setLeft(true)
    setText(tidied(text))
  }

  function take(day: string): void {
    setText(writeDay(day))
    setOpen(false)
    onChange(day)
  }

  return (
    <div className="grid min-w-0 content-start gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="relative grid">
        <input
          ref={ref}
          id={id}
          name={name}
          value={text}
          inputMode="numeric"
          autoComplete="off"
          placeholder="dd/mm/åååå"
          maxLength={40}
          onChange={(event) => write(event.currentTarget.value)}
          onBlur={leave}
          aria-invalid={wrong !== null || undefined}
          aria-describedby={wrong === null ? undefined : `${id}-fault`}
          className={`${INPUT_LOOK} pr-10 tabular-nums`}
        />
        <span
          ref={button}
          className="absolute inset-y-px right-px grid place-items-center overflow-hidden rounded-r-control noscript:hidden"
        >
          <IconButton
            label={choose}
            icon={CalendarDays}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </span>
        {isOpen && (
          <Suspense fallback={null}>
            <Calendar
              label={choose}
              value={'day' in read ? read.day : null}
              opener={button}
              onChoose={take}
              onClose={() => setOpen(false)}
            />
          </Suspense>
        )}
      </div>
      <Faults id={`${id}-fault`} faults={wrong === null ? [] : [wrong]} />
    </div>
  )
}

const FULL_LENGTH = 'dd/mm/åååå'.length

/** Formats a day for the field; leaves any other text unchanged. */
function tidied(text: string): string {
  const read = readDay(text)
  return 'day' in read ? textOf(read.day) : text
}

const textOf = (day: string | null) => (day === null ? '' : writeDay(day))
