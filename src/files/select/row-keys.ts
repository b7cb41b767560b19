const ROW = '[data-file]'
/** The row's only tab stop. */
const MAIN = '.file-link, [data-act=restore]'
const PATIENCE_MS = 5000

export const rowOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(ROW) : null

export const idOf = ({ dataset }: HTMLElement) => Number(dataset.file)

/** Finds the control that a key leads to inside the row: the next or the one before. */
export function controlBeside(row: HTMLElement, key: 'ArrowLeft' | 'ArrowRight'): HTMLElement | undefined {
  const controls = [...row.querySelectorAll<HTMLElement>('a, button, input')].filter((each) => isShown(each))
  const at = controls.findIndex((each) => each === document.activeElement)
  return controls[at + (key === 'ArrowRight' ? 1 : -1)]
}

/**
 * Finds the row that a key leads to, also in the next folder. A part of a long folder that is not drawn yet comes into
 * view instead, and is there at the next press.
 */
export function rowBeside(row: HTMLElement, key: 'ArrowUp' | 'ArrowDown'): HTMLElement | undefined {
  const step = key === 'ArrowDown' ? 1 : -1
  const all = [...document.querySelectorAll<HTMLElement>(`main ${ROW}`)]
  const next = all[all.indexOf(row) + step]
  const part = row.closest('tbody')
  const beside = step === 1 ? part?.nextElementSibling : part?.previousElementSibling
  const isEnd = next?.closest('tbody') !== part
  if (isEnd && beside?.matches('tbody') && !beside.querySelector(ROW)) {
    beside.scrollIntoView({ block: step === 1 ? 'start' : 'end' })
    return undefined
  }
  return next
}

/** Moves the focus to a row: to the same act as in the row before, or to its name. */
export function focusRow(row: HTMLElement, from?: HTMLElement): void {
  const act = from?.contains(document.activeElement) && document.activeElement?.getAttribute('data-act')
  const same = act ? row.querySelector<HTMLElement>(`[data-act="${act}"]`) : null
  const target = same && isShown(same) ? same : row.querySelector<HTMLElement>(MAIN)
  target?.focus()
}

/** Keeps the focus in its row when the row's icons go, because the bar has come. */
export function keepFocusInRow(): void {
  const { activeElement: focused } = document
  const row = rowOf(focused)
  if (row && focused && !isShown(focused)) focusRow(row)
}

const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })

/** Moves the focus to the first or last row of a folder, which may have to be drawn first. */
export function focusEnd(row: HTMLElement, key: 'Home' | 'End'): void {
  const list = row.closest('table, ul')
  const parts = [...(list?.querySelectorAll<HTMLElement>('tbody') ?? [])]
  const part = key === 'Home' ? parts.at(0) : parts.at(-1)
  const find = () => {
    const rows = [...(part ?? list)!.querySelectorAll<HTMLElement>(ROW)]
    return key === 'Home' ? rows.at(0) : rows.at(-1)
  }
  const there = find()
  if (there) return focusRow(there)
  part!.scrollIntoView({ block: key === 'Home' ? 'start' : 'end' })
  const watch = new MutationObserver(() => {
    const came = find()
    if (!came) return
    watch.disconnect()
    focusRow(came)
  })
  watch.observe(part!, { childList: true })
  setTimeout(() => watch.disconnect(), PATIENCE_MS)
  return undefined
}
