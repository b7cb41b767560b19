import { danishDate } from '../../base/time/dates.ts'
import { showAt } from './popovers.ts'

const SHOW_MS = 400
const HIDE_MS = 100 // long enough to move the pointer onto it

/** Shows tooltips in an element, beside the control that the pointer or the focus is on. Returns a function that ends it. */
export function showTooltips(tooltip: HTMLElement, timeZone: string): () => void {
  const textOf = (control: HTMLElement) => ownText(control) ?? dateIn(control, timeZone)
  const textOfAll = (all: readonly HTMLElement[]) => all.map(textOf).join(' · ')
  const ended = new AbortController()
  const options = { capture: true, signal: ended.signal }
  const changes = new MutationObserver(follow)
  let timer: ReturnType<typeof setTimeout>
  let shown: HTMLElement | null = null
  let pointed: HTMLElement | null = null
  /** The dates of the row that has the focus. */
  let dates: HTMLElement[] | undefined

  function show(control: HTMLElement | null): void {
    clearTimeout(timer)
    changes.disconnect()
    tooltip.hidePopover()
    shown = control
    if (!control) return
    // The page may remove the control or rename it.
    changes.observe(document, {
      childList: true,
      subtree: true,
      attributeFilter: ['data-tooltip', 'aria-label'],
    })
    follow()
  }

  function follow(): void {
    const text = shown?.isConnected ? (shown === dates?.[0] ? textOfAll(dates) : textOf(shown)) : undefined
    if (!shown || !text || !tooltip.isConnected) return show(null)
    if (tooltip.textContent !== text) tooltip.textContent = text
    showAt(tooltip, shown)
  }

  // Deferred, since the focus may come from a closing menu, and no popover can open during that event.
  function showLater(control: HTMLElement | null, after = 0): void {
    clearTimeout(timer)
    timer = setTimeout(() => show(control), after)
  }

  function point(at: EventTarget | null): void {
    const [from, to] = [pointed, at === tooltip ? shown : controlOf(at)]
    if (from === to) return
    pointed = to
    if (to && to === shown) return clearTimeout(timer)
    if (to && shown) show(null)
    if (to) showLater(to, SHOW_MS)
    else if (!shown) clearTimeout(timer)
    else if (shown === from) showLater(null, HIDE_MS)
  }

  const isMouse = ({ pointerType }: PointerEvent) => pointerType === 'mouse'
  addEventListener('pointerover', (event) => isMouse(event) && point(event.target), options)
  // The pointer left the window; any other move enters another element.
  addEventListener('pointerout', (event) => event.relatedTarget === null && point(null), options)
  addEventListener('pointerdown', () => show(null), options)
  addEventListener('keydown', ({ key }) => key === 'Escape' && show(null), options)
  function focus(target: EventTarget | null): void {
    const control = controlOf(target)
    dates = control ? undefined : datesBeside(target)
    const about = control ?? dates?.[0]
    if (about && target instanceof Element && target.matches(':focus-visible')) showLater(about)
  }
  addEventListener('focusin', ({ target }) => focus(target), options)
  addEventListener('focusout', ({ target }) => (controlOf(target) ?? dates) && showLater(null), options)
  // The pointer and the focus may have come before this code did.
  if (matchMedia('(hover: hover)').matches) point([...document.querySelectorAll(':hover')].at(-1) ?? null)
  focus(document.activeElement)
  return () => {
    ended.abort()
    show(null)
  }
}

/** Returns the tooltip's own text, or the control's name. */
function ownText({ dataset, ariaLabel }: HTMLElement): string | null {
  return dataset.tooltip || ariaLabel
}

function dateIn(element: HTMLElement, timeZone: string): string | null {
  return element instanceof HTMLTimeElement ? danishDate(element.dateTime, timeZone) : null
}

/** Returns the visible dates in the row of a control. */
function datesBeside(target: EventTarget | null): HTMLElement[] | undefined {
  const row = target instanceof Element ? target.closest('tr, li') : null
  if (!row || row === target) return undefined
  return [...row.querySelectorAll<HTMLElement>('time[data-tooltip]')].filter((each) => each.checkVisibility())
}

function controlOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null
}
