import { useEffect, useEffectEvent } from 'react'
import { filterMoney, formatMoney } from '../../base/money.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { editableText, isNumeric, tidyText } from './cell-text.ts'
import { MOST_COMPANIES, type CompanyColumn } from '../company/company.ts'
import { pastedText, readBlock, pasteText } from './pasted-block.ts'
import { CELLS, nextOf, nextOfButton } from './next-cell.ts'
import { ADD_ID, cellId, SAVE_ID, SHEET_ID } from './use-sheet.ts'
import type { Sheet } from './sheet.ts'

type Options = {
  sheet: Sheet
  onMoveRow: (row: string, by: -1 | 1) => void
  onSave: () => void
  /** Called with a note about a cell after editing. */
  onNote: (note: string) => void
}

/**
 * Handles editing and moving between the cells. Uses one listener of each kind for all cells: a table may have nine
 * thousand, and typing in one renders nothing again.
 */
export function useSheetWalk({ sheet, onMoveRow, onSave, onNote }: Options): void {
  const on = useEffectEvent((event: Event) => {
    const cell = cellOf(event.target)
    if (event instanceof KeyboardEvent) {
      if (cell) walk(cell, event, onMoveRow)
      else walkButtons(event)
    } else if (!cell) return
    else if (event.type === 'input') sheet.type(cell.row, cell.column, cell.input.value)
    else if (event.type === 'focusin') enter(cell)
    else if (event.type === 'focusout') leave(sheet, cell, onNote)
    else if (event.type === 'beforeinput') refuse(cell, event as InputEvent)
    else if (event.type === 'paste') paste(sheet, cell, event as ClipboardEvent)
  })
  // The name is part of the labels of the row's buttons.
  const rename = useEffectEvent((event: Event) => {
    const cell = cellOf(event.target)
    if (cell?.column === 'name') sheet.rename(cell.row)
  })
  const save = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    onSave()
  })

  useEffect(() => {
    const table = document.getElementById(SHEET_ID)!
    const ended = new AbortController()
    const options = { signal: ended.signal }
    for (const type of ['input', 'keydown', 'focusin', 'focusout', 'beforeinput', 'paste'])
      table.addEventListener(type, (event) => on(event), options)
    table.addEventListener('change', (event) => rename(event), options)
    keepMarked(table, options)
    watchPressing(options)
    addEventListener('keydown', (event) => save(event), options)
    addEventListener('beforeprint', () => table.querySelectorAll('input').forEach(showWhole), options)
    sheet.writeBy((row, column, text) => {
      const input = document.getElementById(cellId(row, column))
      if (!(input instanceof HTMLInputElement)) return
      const isInside = input === document.activeElement
      input.value = isInside ? editableText(column, text) : text
      if (isInside) before.set(input, input.value)
      showWhole(input)
    })
    return () => ended.abort()
  }, [sheet])
}

type Cell = { input: HTMLInputElement; row: string; column: CompanyColumn }

function cellOf(target: EventTarget | null): Cell | null {
  if (!(target instanceof HTMLInputElement) || target.dataset.column === undefined) return null
  const row = target.closest('tr')?.dataset.row
  return row === undefined ? null : { input: target, row, column: target.dataset.column as CompanyColumn }
}

/** Focuses a cell, or the first editable one of its row. */
export function focusCell(row: string, column?: CompanyColumn): void {
  const field =
    column === undefined
      ? rowElement(row)?.querySelector<HTMLElement>(CELLS)
      : document.getElementById(cellId(row, column))
  field?.focus()
}

export const rowElement = (row: string) =>
  document.querySelector<HTMLElement>(`#${SHEET_ID} tr[data-row="${CSS.escape(row)}"]`)

/** Moves the focus out of the table, past all its cells. */
export function focusAfterTable(): void {
  const after = document.getElementById(ADD_ID) ?? document.getElementById(SAVE_ID)
  after?.focus()
}

/** Focuses a button of a row. */
export function focusAct(row: string, act: string): void {
  rowElement(row)?.querySelector<HTMLElement>(`[data-act="${act}"]`)?.focus()
}

const before = new WeakMap<HTMLInputElement, string>()

/** The text of a cell that was pasted and not changed since. */
const pasted = new WeakMap<HTMLInputElement, string>()

function enter({ input, column }: Cell): void {
  const text = editableText(column, input.value)
  if (text !== input.value) input.value = text
  before.set(input, text)
  input.select()
}

function leave(sheet: Sheet, { input, row, column }: Cell, onNote: (note: string) => void): void {
  // Passing through a cell changes nothing, not even a value out of bounds: it was entered elsewhere.
  const isUntouched = input.value === before.get(input)
  const { text, said } = isUntouched
    ? { text: tidyText(column, sheet.textOf(row, column)) }
    : sheet.leave(row, column, input.value === pasted.get(input))
  if (input.value !== text) input.value = text
  showWhole(input)
  if (!said) return
  const say = () => {
    sheet.say(row, column, said)
    onNote(said.text)
  }
  // A note takes room. It waits until the pointer is up, so that the pressed element does not move away.
  if (isPressing) addEventListener('pointerup', () => setTimeout(say), { once: true })
  else say()
}

/** Shows the whole name behind its field, which would cut it off. */
function showWhole({ parentElement, value }: HTMLInputElement): void {
  if (parentElement?.dataset.whole !== undefined) parentElement.dataset.whole = value
}

/** Whether a mouse button or a finger is down. */
let isPressing = false
function watchPressing(options: { signal: AbortSignal }): void {
  const set = (pressing: boolean) => () => (isPressing = pressing)
  addEventListener('pointerdown', set(true), { ...options, capture: true })
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, set(false), { ...options, capture: true })
}

/** The click that focuses a cell also selects its text; the next click places the cursor. */
function keepMarked(table: HTMLElement, options: { signal: AbortSignal }): void {
  let pressed: EventTarget | null = null
  table.addEventListener(
    'pointerdown',
    ({ target }) => (pressed = target === document.activeElement ? null : target),
    options,
  )
  table.addEventListener(
    'mouseup',
    (event) => {
      if (event.target === pressed && cellOf(pressed)) event.preventDefault()
      pressed = null
    },
    options,
  )
}

/** S5.9: blocks input that cannot become a number, so that neither the text nor the cursor moves. */
function refuse({ input, column }: Cell, event: InputEvent): void {
  const { data } = event
  if (data === null || !isNumeric(column) || event.inputType === 'insertFromPaste') return
  const { value, selectionStart, selectionEnd } = input
  const next = value.slice(0, selectionStart ?? 0) + data + value.slice(selectionEnd ?? 0)
  // Pasted text may be anything, and must stay editable.
  const isOdd = filterMoney(value) !== value
  if (!isOdd && filterMoney(next) !== next) event.preventDefault()
}

function walk(cell: Cell, event: KeyboardEvent, onMoveRow: Options['onMoveRow']): void {
  const { input } = cell
  const { key, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event
  if (isComposing || ctrlKey || metaKey) return
  if (altKey) {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return
    event.preventDefault()
    return onMoveRow(cell.row, key === 'ArrowUp' ? -1 : 1)
  }
  if (key === 'Escape' && before.get(input) !== input.value) {
    event.preventDefault()
    input.value = before.get(input) ?? ''
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    return input.select()
  }
  if (key === 'Escape') return focusAfterTable()
  if (key === 'F2') return input.setSelectionRange(input.value.length, input.value.length)
  const next = nextOf(input, key, shiftKey)
  if (key === 'Enter') event.preventDefault()
  if (!next) return undefined
  event.preventDefault()
  return next.focus()
}

/** Moves between a row's buttons, which follow its last cell, with the same keys. */
function walkButtons(event: KeyboardEvent): void {
  const { key, target } = event
  if (key === 'Escape') return focusAfterTable()
  const button = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-act]') : null
  const row = button?.closest('tr')
  if (!button || !row || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
  const next = nextOfButton(button, row, key)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function paste(sheet: Sheet, { input, row, column }: Cell, event: ClipboardEvent): void {
  if (input.readOnly) return
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const block = readBlock(text)
  const isBlock = block.length > 1 || block[0]!.length > 1
  if (!isBlock) {
    const isWhole = input.selectionStart === 0 && input.selectionEnd === input.value.length
    if (!isNumeric(column) || !isWhole || text.trim() === '') return
    event.preventDefault()
    input.value = editableText(column, pastedText(column, text))
    pasted.set(input, input.value)
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    return
  }
  event.preventDefault()
  const { undo, ...placed } = sheet.paste(block, row, column)
  input.select()
  showToast(pasteText(placed, formatMoney(MOST_COMPANIES)), {
    action: {
      text: 'Fortryd',
      label: 'Fortryd indsættelsen',
      run: () => {
        undo()
        focusCell(row, column)
      },
    },
  })
}
