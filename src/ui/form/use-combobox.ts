import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { useSuggestions } from './use-suggestions.ts'

export type Choice<Row> = {
  text: string
  onText: (text: string) => void
  onPick: (row: Row) => void
  /** The address that is searched. */
  route: string
  keyOf: (row: Row) => number
  /** Returns why a row cannot be picked, or null. */
  whyNot: (row: Row) => string | null
  /** Whether a text can mean only this row. */
  isExactly?: (row: Row, text: string) => boolean
  /** Shows the suggestions over the content below while the field has the focus. */
  floats?: boolean
}

/** Holds a combobox's suggestions and the active one, and handles its keys. */
export function useCombobox<Row>(
  id: string,
  { text, onText, onPick, route, keyOf, whyNot, isExactly, floats = false }: Choice<Row>,
) {
  const [active, setActive] = useState<number | null>(null)
  const [hasFocus, setFocus] = useState(false)
  /** Enter was pressed before the answer had come. */
  const hasEntered = useRef(false)
  const { found, state } = useSuggestions<Row>(route, text)
  const canPick = (row: Row) => whyNot(row) === null
  const rows = found.toSorted((a, b) => Number(canPick(b)) - Number(canPick(a)))
  const at = rows.findIndex((row) => keyOf(row) === active)
  const isShown = state !== 'still' && (hasFocus || !floats)
  const isOpen = isShown && rows.length > 0
  const optionId = (row: Row) => `${id}-${keyOf(row)}`

  function change(next: string): void {
    setActive(null)
    hasEntered.current = false
    onText(next)
  }

  /** Past either end comes the field itself, with no active suggestion. */
  function walkTo(index: number): void {
    const row = rows[index]
    setActive(row === undefined ? null : keyOf(row))
    if (row !== undefined) document.getElementById(optionId(row))!.scrollIntoView({ block: 'nearest' })
  }

  const pickEntered = useEffectEvent(() => {
    const row = hasEntered.current && hasFocus ? rowMeant() : undefined
    hasEntered.current = false
    if (row !== undefined && canPick(row)) onPick(row) // never one of several that nobody has seen
  })
  useEffect(() => {
    if (state === 'found') pickEntered()
  }, [state])

  /** Returns the row that Enter picks: the active one, or the only one that the text can mean. */
  function rowMeant(): Row | undefined {
    if (at >= 0) return rows[at]
    if (state !== 'found') return undefined
    const open = rows.filter(canPick)
    return open.find((row) => isExactly?.(row, text.trim())) ?? (open.length === 1 ? open[0] : undefined)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    if (event.nativeEvent.isComposing || text.trim() === '') return
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? rows.length - 1 : at - 1 }[key]
    const edge = at < 0 ? undefined : { Home: 0, End: rows.length - 1 }[key] // otherwise these keys move the caret
    if (key === 'Enter') {
      const row = rowMeant()
      if (row !== undefined && canPick(row)) onPick(row)
      hasEntered.current = row === undefined && state === 'busy'
    } else if (key === 'Escape') change('')
    else if (to !== undefined) walkTo(to)
    else if (edge !== undefined) walkTo(edge)
    else return
    event.preventDefault() // the form is not sent and the modal stays open
  }

  return {
    state,
    /** The found rows, those that can be picked first. */
    rows,
    /** The key and index of the active row; the index is -1 if no row is active. */
    active,
    at,
    isShown,
    isOpen,
    optionId,
    canPick,
    change,
    onKeyDown,
    onFocus: () => setFocus(true),
    onBlur: () => {
      setFocus(false)
      setActive(null)
    },
  }
}
