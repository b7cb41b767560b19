const PATIENCE_MS = 10_000

/** The button for the same act in another row. A narrow list has it in the menu. */
const SAME_ACT = {
  leave: '[data-act=delete], [data-act=menu], [data-act=restore]',
  move: '[data-act=move], [data-act=menu]',
}

/**
 * Moves the focus when rows disappear together with it: to the row that takes the place of the first one, otherwise to
 * the search field if it has a text, otherwise to the heading.
 */
export function focusAfter(files: ReadonlySet<number>, act: keyof typeof SAME_ACT = 'leave'): void {
  const row = findRow(files)
  if (!row) return
  const section = row.closest('section, main')
  const item = row.closest('li, tr')!
  const list = item.parentElement!
  const place = [...list.children].indexOf(item)
  const neighbours = [item.nextElementSibling, item.previousElementSibling]
  const watch = new MutationObserver(() => {
    if (row.isConnected) return
    watch.disconnect()
    const { activeElement, body } = document
    if (activeElement !== body && activeElement !== document.querySelector('main')) return // the user has moved on
    const rows = [list.isConnected ? list.children[place] : undefined, ...neighbours]
    const acts = rows
      .filter((each) => each?.isConnected)
      .flatMap((each) => [...each!.querySelectorAll<HTMLElement>(SAME_ACT[act])])
    focus(acts.find((each) => each.checkVisibility()) ?? searchField() ?? headingOf(section))
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), PATIENCE_MS)
}

function searchField(): HTMLElement | null {
  const field = document.querySelector<HTMLInputElement>('main search input')
  return field?.value ? field : null
}

function headingOf(section: Element | null): HTMLElement | null {
  const heading = section?.isConnected ? section : document.querySelector('main')
  return heading?.querySelector<HTMLElement>('h1, h2') ?? null
}

function focus(target: HTMLElement | null): void {
  if (target?.matches('h1, h2')) target.tabIndex = -1
  target?.focus()
}

/** Returns the first row of some files. */
function findRow(files: ReadonlySet<number>): HTMLElement | undefined {
  const rows = document.querySelectorAll<HTMLElement>('[data-file]')
  return [...rows].find(({ dataset }) => files.has(Number(dataset.file)))
}

/** Moves the focus to the first restored row, if the button that restored it is gone together with the focus. */
export function focusWhenThere(files: ReadonlySet<number>): void {
  const watch = new MutationObserver(() => {
    const row = findRow(files)
    if (!row) return
    watch.disconnect()
    const { activeElement, body } = document
    if (activeElement === body || activeElement === document.querySelector('main'))
      row.querySelector<HTMLElement>('a')?.focus()
  })
  watch.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => watch.disconnect(), PATIENCE_MS)
}
