import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PickField } from '../form/pick-field.tsx'
import { isPlainClick } from '../basic/plain-click.ts'

type Props<Row> = {
  /** The field's name when the form is sent without JavaScript. */
  name: string
  label: string
  placeholder: string
  route: string
  textOf: (row: Row) => string
  /** The name of the chosen filter, if any. */
  picked: string | null
  /** The address of the list without this filter. */
  clearHref: string
  onPick: (id: number | null) => void
}

/** A filter chosen by typing. Once chosen, it shows its name and a cross that removes it. */
export function FilterPick<Row extends { id: number }>(props: Props<Row>) {
  const { name, label, placeholder, route, textOf, picked, clearHref, onPick } = props
  const box = useRef<HTMLDivElement>(null)
  const hasChosen = useRef(false)

  // The focused element is gone, so the focus moves to the element that replaced it.
  useEffect(() => {
    if (hasChosen.current) box.current?.querySelector<HTMLElement>('a, input')?.focus()
    hasChosen.current = false
  })

  function pick(id: number | null): void {
    hasChosen.current = true
    onPick(id)
  }

  return (
    <div ref={box} className="col-span-full min-w-0 sm:col-span-1">
      {picked === null ? (
        <PickField<Row>
          name={name}
          label={label}
          placeholder={placeholder}
          route={route}
          picked={null}
          onPick={(row) => row && pick(row.id)}
          keyOf={({ id }) => id}
          textOf={textOf}
          floats
        />
      ) : (
        <div className="grid gap-1">
          <span className="font-medium">{label}</span>
          <span className="flex min-h-9 min-w-0 items-center justify-between gap-2 rounded-control bg-accent-soft pl-3 text-accent pointer-coarse:min-h-11">
            <span className="min-w-0 py-1 wrap-anywhere">{picked}</span>
            <a
              href={clearHref}
              aria-label={`Fjern filteret ${label.toLowerCase()}: ${picked}`}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                pick(null)
              }}
              className="grid size-9 shrink-0 place-items-center rounded-control hover:bg-hover pointer-coarse:size-11"
            >
              <X size={16} strokeWidth={1.75} aria-hidden="true" />
            </a>
          </span>
        </div>
      )}
    </div>
  )
}
