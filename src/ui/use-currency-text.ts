import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import {
  filterMoney,
  formatMoney,
  parseMoney,
  pastedMoney,
  readMoney,
  type MoneyRules,
} from '../base/money.ts'

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
  const [value, setValue] = useState(sent === undefined ? given : readMoney(sent, rules))
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
  const refuse = () => setNote(`Det er ikke et beløb. Skriv for eksempel ${example(decimals)}.`)

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
    if (isNoAmount(text)) {
      refuse()
      setText(plain)
      return false
    }
    const next = amountOf(text, rules)
    setNote(noteOnBounds(text, rules))
    if (next === value) return true
    setValue(next)
    onChange?.(next)
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

  const isValue = text === null || text === plain || isNoAmount(text)
  return {
    input,
    shown: text ?? show(grouping),
    amount: isValue ? value : amountOf(text, rules),
    note,
    change,
    begin,
    end,
    act,
  }
}

const isNoAmount = (text: string) => text !== '' && parseMoney(text) === null

const amountOf = (text: string, rules: MoneyRules) => (text === '' ? null : parseMoney(text, rules))

const example = (decimals: number) => formatMoney(decimals > 0 ? 1234.5 : 1234, { decimals })

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

/** A bound does not change an amount without a word. */
function noteOnBounds(text: string, { decimals, min, max }: Required<MoneyRules>): string {
  const wanted = parseMoney(text, { decimals })
  if (wanted === null) return ''
  if (wanted < min) return `Beløbet skal være mindst ${formatMoney(min, { decimals })}.`
  return wanted > max ? `Beløbet må højst være ${formatMoney(max, { decimals })}.` : ''
}
