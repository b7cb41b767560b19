export const CELLS = 'input[data-column]'

type By = -1 | 1
type Ways = Record<string, () => HTMLElement | null | undefined>

/** Finds the cell, or the button after the last cell, that a key leads to. */
export function nextOf(input: HTMLInputElement, key: string, shiftKey: boolean): HTMLElement | null {
  const by = shiftKey ? -1 : 1
  if (key === 'Tab') return beside(input, by)
  // A card has no columns: on a phone, Enter moves to the next field.
  if (key === 'Enter') return isCard(input) ? beside(input, by) : under(input, by)
  const { selectionStart: start, selectionEnd: end, value } = input
  const isAll = start === 0 && end === value.length
  const isAt = (place: number) => isAll || (start === place && end === place)
  const ways: Ways = {
    ArrowUp: () => under(input, -1),
    ArrowDown: () => under(input, 1),
    ArrowLeft: () => (isAt(0) ? beside(input, -1) : null),
    ArrowRight: () => (isAt(value.length) ? (inRow(input, 1) ?? firstButton(input)) : null),
  }
  return shiftKey ? null : (ways[key]?.() ?? null)
}

/** Finds the button or cell that an arrow key leads to from a button of a row, which follow the row's cells. */
export function nextOfButton(button: HTMLElement, row: Element, key: string): HTMLElement | null {
  const all = [...row.querySelectorAll<HTMLElement>(`${CELLS}, [data-act]`)]
  const ways: Ways = {
    ArrowUp: () => under(button, -1),
    ArrowDown: () => under(button, 1),
    ArrowLeft: () => all[all.indexOf(button) - 1],
    ArrowRight: () => all[all.indexOf(button) + 1],
  }
  return ways[key]?.() ?? null
}

const isCard = (input: Element) => getComputedStyle(input.closest('tr')!).display === 'grid'

const cellsIn = (row: Element) => [...row.querySelectorAll<HTMLInputElement>(CELLS)]

function inRow(input: HTMLInputElement, by: By): HTMLElement | null {
  const cells = cellsIn(input.closest('tr')!)
  return cells[cells.indexOf(input) + by] ?? null
}

/** Finds the next editable cell, also on the next row. Beyond the table the browser moves the focus itself. */
function beside(input: HTMLInputElement, by: By): HTMLElement | null {
  return inRow(input, by) ?? inRows(input, by, (row) => cellsIn(row).at(by === 1 ? 0 : -1))
}

/** Finds the cell of the same column, or the button of the same act, in the next row that has it. */
function under(from: HTMLElement, by: By): HTMLElement | null {
  const { column, act } = from.dataset
  const selector = column ? `input[data-column="${column}"]` : `[data-act="${act}"]`
  return inRows(from, by, (row) => row.querySelector<HTMLElement>(selector))
}

/** Looks in one row after the other, until something is found. */
function inRows(
  from: Element,
  by: By,
  find: (row: Element) => HTMLElement | null | undefined,
): HTMLElement | null {
  for (let row = siblingOf(from.closest('tr')!, by); row; row = siblingOf(row, by)) {
    const found = find(row)
    if (found) return found
  }
  return null
}

const siblingOf = (row: Element, by: By) => (by === 1 ? row.nextElementSibling : row.previousElementSibling)

const firstButton = (input: Element) => input.closest('tr')!.querySelector<HTMLElement>('[data-act]')
