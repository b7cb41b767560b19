import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import {
  exampleMoney,
  filterMoney,
  formatMoney,
  parseMoney,
  pastedMoney,
  settleMoney,
  type MoneyRules,
} from '../../base/money.ts'

type Options = {
  rules: Required<MoneyRules>
  grouping: boolean
  given: number | null
  /** What the form had when the server refused it. */
  sent: string | undefined
  onEdit: () => void
  onChange: ((value: number | null) => void) | undefined
}

/** How an amount is edited: the text as it is typed, the amount that counts, and what is said about it. */
export function useCurrencyText({ rules, grouping, given, sent, onEdit, onChange }: Options) {
  const input = useRef<HTMLInputElement>(null)
  const [last, setLast] = useState(given)
  const [value, setValue] = useState(sent === undefined ? given : parseMoney(sent, rules))
  // While it is edited; otherwise the value is shown.
  const [text, setText] = useState(sent !== undefined && value === null ? sent : null)
  const [note, setNote] = useState('')
  if (given !== last) {
    setLast(given)
    setValue(given)
  }

  const { decimals } = rules
  const show = (isGrouped: boolean) =>
    value === null ? '' : formatMoney(value, { decimals, grouping: isGrouped })
  const plain = show(false) // without points, so that a digit can be added to 1.234
  const refuse = () => setNote(`Det er ikke et beløb. Skriv for eksempel ${exampleMoney(decimals)}.`)

  // What cannot stand never gets in, so that neither the text nor the caret moves.
  const check = useEffectEvent((event: InputEvent) => {
    const { data } = event
    if (data === null) return
    const next = inserted(input.current!, data)
    if (Array.from(data).length === 1 ? filterMoney(next) === next : pastedMoney(next) !== null) return
    event.preventDefault()
    if (data.trim() !== '') refuse()
  })
  useEffect(() => {
    const element = input.current!
    const listener = (event: InputEvent) => check(event)
    element.addEventListener('beforeinput', listener)
    return () => element.removeEventListener('beforeinput', listener)
  }, [])

  function change(next: string): void {
    const kept = filterMoney(next) === next ? next : pastedMoney(next)
    if (kept === null) return refuse()
    onEdit()
    setNote('')
    return setText(kept)
  }

  /** Takes what is written, if it is an amount. */
  function take(): boolean {
    if (text === null || text === plain) return true
    const settled = settleMoney(text, rules)
    if (!settled) {
      refuse()
      setText(plain)
      return false
    }
    setNote(settled.note)
    if (settled.value === value) return true
    setValue(settled.value)
    onChange?.(settled.value)
    return true
  }

  /** In a moment, since whatever gave the focus may mark the text first. */
  function begin({ currentTarget }: FocusEvent<HTMLInputElement>): void {
    const before = currentTarget.value
    const isPressed = currentTarget.matches(':active') // then the caret goes where the pointer is
    queueMicrotask(() => {
      if (text !== null || currentTarget.value !== before) return
      if (plain !== before) replaceText(currentTarget, plain, isPressed)
      setText(plain)
    })
  }

  function end(): void {
    take()
    setText(null)
  }

  function act(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !take()) event.preventDefault() // no form is sent with the amount before
    if (event.key !== 'Escape' || text === null || text === plain) return
    event.preventDefault() // a modal around it stays
    setText(plain)
    setNote('')
  }

  const settled = text === null || text === plain ? null : settleMoney(text, rules)
  return {
    input,
    shown: text ?? show(grouping),
    amount: settled ? settled.value : value,
    note,
    change,
    begin,
    end,
    act,
  }
}

function inserted({ value, selectionStart, selectionEnd }: HTMLInputElement, data: string): string {
  return value.slice(0, selectionStart ?? value.length) + data + value.slice(selectionEnd ?? value.length)
}

/** The same digits without their points, and with the same of them marked. */
function replaceText(input: HTMLInputElement, text: string, isPressed: boolean): void {
  const [start, end] = [input.selectionStart, input.selectionEnd].map(
    (at) => input.value.slice(0, at ?? 0).replaceAll('.', '').length,
  )
  input.value = text
  if (!isPressed) input.setSelectionRange(start!, end!)
}
