import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../basic/button.tsx'
import { PickList } from './pick-list.tsx'

type Props<Row> = {
  /** Without JavaScript the text is sent under this name. */
  name?: string
  label: string
  placeholder: string
  /** Where it is searched. */
  route: string
  picked: Row | null
  onPick: (row: Row | null) => void
  keyOf: (row: Row) => number
  textOf: (row: Row) => string
  /** The suggestions lie over what follows while the field has the focus. */
  floats?: boolean
  /** Why a row cannot be picked; null: it can. */
  whyNot?: (row: Row) => string | null
  /** The element that takes the focus once a row is picked. */
  next?: () => HTMLElement | null
}

/** One out of a long list, found by typing. */
export function PickField<Row>(props: Props<Row>) {
  const { name, label, placeholder, route, picked, onPick, keyOf, textOf, next } = props
  const [text, setText] = useState('')
  const box = useRef<HTMLDivElement>(null)

  /** The element that had the focus goes away, so its successor takes the focus. */
  function pick(row: Row | null): void {
    flushSync(() => {
      setText('')
      onPick(row)
    })
    const after = row === null ? null : next?.()
    ;(after ?? box.current?.querySelector<HTMLElement>('input, button'))?.focus()
  }

  return (
    <div ref={box} className="grid gap-1">
      {picked ? (
        <>
          <span className="font-medium">{label}</span>
          <div className="flex flex-wrap items-center gap-3">
            <span className="min-w-0 flex-1 wrap-anywhere">{textOf(picked)}</span>
            <Button type="button" kind="secondary" onClick={() => pick(null)}>
              Vælg igen
            </Button>
          </div>
        </>
      ) : (
        <PickList<Row>
          name={name}
          label={label}
          placeholder={placeholder}
          route={route}
          text={text}
          onText={setText}
          onPick={pick}
          keyOf={keyOf}
          titleOf={textOf}
          whyNot={props.whyNot ?? (() => null)}
          floats={props.floats ?? false}
        />
      )}
    </div>
  )
}
