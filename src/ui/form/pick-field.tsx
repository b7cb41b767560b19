import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { EVERYTHING, writeListQuery } from '../../base/list-query.ts'
import { Button } from '../basic/button.tsx'
import { fetchJson } from '../overlay/request.ts'
import { PickList } from './pick-list.tsx'

type Props<Row> = {
  /** The name under which the text is sent without JavaScript. */
  name?: string
  label: string
  placeholder: string
  /** The address that is searched. */
  route: string
  picked: Row | null
  onPick: (row: Row | null) => void
  /** The text that stands in it at first. The only row that fits it is picked by itself. */
  first?: string | undefined
  /** Takes the first focus of its modal. */
  focusFirst?: boolean
  keyOf: (row: Row) => number
  textOf: (row: Row) => string
  /** Shows the suggestions over the content below while the field has the focus. */
  floats?: boolean
  /** Returns why a row cannot be picked, or null. */
  whyNot?: (row: Row) => string | null
  /** The element that takes the focus once a row is picked. */
  next?: () => HTMLElement | null
}

/** A field that picks one row of a long list. */
export function PickField<Row>(props: Props<Row>) {
  const { name, label, placeholder, route, picked, onPick, first = '', keyOf, textOf, next } = props
  const [text, setText] = useState(first)
  const box = useRef<HTMLDivElement>(null)

  /** Focuses the next element, because the focused one disappears. */
  function pick(row: Row | null): void {
    flushSync(() => {
      setText('')
      onPick(row)
    })
    const after = row === null ? null : next?.()
    ;(after ?? box.current?.querySelector<HTMLElement>('input, button'))?.focus()
  }

  const pickOnly = useEffectEvent((rows: Row[]) => {
    if (rows.length === 1 && text === first && !picked) pick(rows[0]!)
  })
  useEffect(() => {
    if (first.trim() === '') return undefined
    const over = new AbortController()
    const url = route + writeListQuery({ ...EVERYTHING, q: first.trim() })
    const ask = async () => {
      const found = await fetchJson<{ data: Row[] }>('GET', url, null, over.signal)
      if (!over.signal.aborted) pickOnly(found?.data ?? [])
    }
    void ask()
    return () => over.abort()
  }, [first, route])

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
          focusFirst={props.focusFirst}
        />
      )}
    </div>
  )
}
