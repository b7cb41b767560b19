import { X } from 'lucide-react'
import { useEffect, useRef, type MouseEvent, type RefObject } from 'react'
import { Chip, type Tone } from './chip.tsx'

type ChipsProps = {
  chips: readonly { value: string; text: string }[]
  label: string
  tone?: Tone
  /** Makes each chip removable. Without JavaScript, the button submits the form with this name and the chip's value. */
  removeName?: string
  onRemove?: (value: string) => void
  /** Gets the focus when the last chip is removed. */
  fallback?: RefObject<HTMLElement | null>
}

/** A row of chips. When one is removed, the focus moves to the chip that took its place. */
export function Chips({ chips, label, tone = 'neutral', removeName, onRemove, fallback }: ChipsProps) {
  const list = useRef<HTMLUListElement>(null)
  const removed = useRef<{ value: string; index: number } | null>(null)

  useEffect(() => {
    if (!removed.current || chips.some(({ value }) => value === removed.current?.value)) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('li button') ?? []
    const target = buttons[Math.min(removed.current.index, buttons.length - 1)] ?? fallback?.current
    removed.current = null
    if (document.activeElement === document.body) target?.focus() // unless the user has moved on
  }, [chips, fallback])

  function remove(event: MouseEvent, value: string, index: number): void {
    if (!onRemove) return
    event.preventDefault()
    removed.current = { value, index }
    onRemove(value)
  }

  if (chips.length === 0) return null // still in the document, to pass the focus on
  return (
    <>
      {/* Enter in a field presses the form's first submit button, which must not remove a chip. */}
      {removeName && <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />}
      <ul ref={list} aria-label={label} className="flex min-w-0 flex-wrap gap-2">
        {chips.map(({ value, text }, index) => (
          <li key={value} className="max-w-full">
            <Chip text={text} tone={tone}>
              {(removeName || onRemove) && (
                <button
                  type={removeName ? 'submit' : 'button'}
                  name={removeName}
                  value={value}
                  aria-label={`Fjern ${text}`}
                  onClick={(event) => remove(event, value, index)}
                  className="-mr-1.5 grid size-6 shrink-0 cursor-pointer place-items-center rounded-control hover:bg-surface pointer-coarse:size-11"
                >
                  <X size={16} strokeWidth={1.75} aria-hidden="true" />
                </button>
              )}
            </Chip>
          </li>
        ))}
      </ul>
    </>
  )
}
