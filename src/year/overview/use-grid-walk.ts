import { useEffect, type RefObject } from 'react'

/**
 * Makes a table one tab stop: the arrow keys, Home and End go from cell to cell, with Ctrl to the first and the last
 * one. Without JavaScript every link is a tab stop.
 */
export function useGridWalk(table: RefObject<HTMLTableElement | null>): void {
  // Also after each render, which may have brought other cells.
  useEffect(() => {
    const element = table.current
    if (element) keepStop(element, element.querySelector('[data-stop]') ?? element.querySelector('tbody th'))
  })
  useEffect(() => {
    const element = table.current
    if (!element) return undefined
    const over = new AbortController()
    const enter = ({ target }: FocusEvent) => {
      const cell = cellAt(target)
      if (cell) keepStop(element, cell)
    }
    element.addEventListener('focusin', enter, over)
    element.addEventListener('keydown', walk, over)
    return () => over.abort()
  }, [table])
}

const cellAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLTableCellElement>('tbody th, tbody td') : null

/** The focused element of a cell: its first link, or the cell. */
const targetOf = (cell: HTMLElement) => cell.querySelector<HTMLElement>('a, button') ?? cell

/** Lets Tab reach one cell of the table alone, and everything in it. */
function keepStop(table: HTMLTableElement, stop: Element | null): void {
  for (const cell of table.querySelectorAll<HTMLElement>('tbody th, tbody td')) {
    const isStop = cell === stop
    cell.toggleAttribute('data-stop', isStop)
    const links = cell.querySelectorAll<HTMLElement>('a, button')
    for (const each of links) each.tabIndex = isStop ? 0 : -1
    if (links.length === 0) cell.tabIndex = isStop ? 0 : -1
  }
}

function walk(event: KeyboardEvent): void {
  const cell = cellAt(event.target)
  if (!cell || event.altKey || event.metaKey || event.shiftKey) return
  const next = nextCell(cell, event.key, event.ctrlKey)
  if (!next) return
  event.preventDefault()
  targetOf(next).focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Finds where a key leads: the cell itself at an edge, null for other keys. */
function nextCell(cell: HTMLTableCellElement, key: string, hasControl: boolean): HTMLTableCellElement | null {
  const row = cell.parentElement as HTMLTableRowElement
  const rows = [...(row.parentElement as HTMLTableSectionElement).rows]
  const [down, across] = [rows.indexOf(row), cell.cellIndex]
  const at = (y: number, x: number) => rows[y]?.cells[x] ?? cell
  const [lastRow, lastCell] = [rows.length - 1, row.cells.length - 1]
  if (key === 'Home') return at(hasControl ? 0 : down, 0)
  if (key === 'End') return at(hasControl ? lastRow : down, lastCell)
  if (hasControl) return null
  if (key === 'ArrowLeft') return at(down, across - 1)
  if (key === 'ArrowRight') return at(down, across + 1)
  if (key === 'ArrowUp') return at(down - 1, across)
  return key === 'ArrowDown' ? at(down + 1, across) : null
}
