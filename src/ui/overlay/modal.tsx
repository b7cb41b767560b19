import { X } from 'lucide-react'
import {
  createContext,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { Button } from '../basic/button.tsx'
import { returnFocus, isShown, tabStops } from '../basic/focus.ts'
import { modals } from './modals.ts'

const SCROLL_RESTORE_MS = 300 // S9.4

type Part<Subject> = ReactNode | ((subject: Subject) => ReactNode)
type Props<Subject> = { name: string; title: Part<Subject>; children: Part<Subject> }

const NameContext = createContext('')

/** S4.1: shown while `modals.open(name, subject)` is in effect. Title and content may depend on the subject. */
export function Modal<Subject = undefined>({ name, title, children }: Props<Subject>) {
  const isOpen = useSyncExternalStore(modals.listen, () => modals.isOpen(name), isClosedAtFirst)
  const about = useSyncExternalStore(modals.listen, () => modals.subject(name), noneAtFirst)
  if (!isOpen) return null
  const subject = about as Subject
  const draw = (part: Part<Subject>) => (typeof part === 'function' ? part(subject) : part)
  return (
    <NameContext value={name}>
      <Dialog name={name} title={draw(title)}>
        {draw(children)}
      </Dialog>
    </NameContext>
  )
}

const isClosedAtFirst = () => false
const noneAtFirst = () => undefined

/** Closes its modal. Gets the focus first if there is no field. */
export function CancelButton({ children = 'Annuller' }: { children?: ReactNode }) {
  const name = use(NameContext)
  return (
    <Button type="button" kind="secondary" data-cancel onClick={() => modals.close(name)}>
      {children}
    </Button>
  )
}

function Dialog({ name, title, children }: { name: string; title: ReactNode; children: ReactNode }) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const wasPressedOutside = useRef(false)
  const close = () => modals.close(name)

  useLayoutEffect(() => {
    const element = dialog.current!
    const opener = document.activeElement
    const { scrollX, scrollY } = window
    keepWidth()
    element.showModal()
    firstFocus(element)?.focus()
    return () => {
      element.close()
      if (!isAnyOpen()) document.documentElement.style.paddingRight = ''
      returnFocus(opener)
      const isLeftAlone = watchForScrolling()
      setTimeout(() => restore(opener, scrollX, scrollY, isLeftAlone()), SCROLL_RESTORE_MS)
    }
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of everything inside it
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // Only the dialog's own event: a file chooser inside it fires its own cancel.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        close()
      }}
      onClose={(event) => !event.currentTarget.open && close()}
      onKeyDown={(event) => {
        if (event.key === 'Tab') keepInside(event)
        else if (event.key === 'Enter') submitOnEnter(event)
      }}
      // A drag that begins inside, such as selecting text, may end outside.
      onMouseDown={(event) => {
        wasPressedOutside.current = isOutside(event)
      }}
      onClick={(event) => {
        if (wasPressedOutside.current && isOutside(event)) close()
      }}
      className="m-auto max-h-[calc(100dvh-32px)] w-[min(480px,calc(100vw-32px))] max-w-none overflow-y-auto overscroll-contain rounded-card border border-line bg-surface text-ink shadow-lg backdrop:bg-shade"
    >
      <header className="sticky top-0 z-10 flex items-start gap-3 bg-surface pt-4 pr-4 pb-3 pl-6">
        <h2
          id={titleId}
          tabIndex={-1}
          className="min-w-0 flex-1 pt-1 text-modal font-semibold wrap-anywhere outline-none"
        >
          {title}
        </h2>
        <button
          type="button"
          aria-label="Luk"
          onClick={close}
          className="grid size-9 shrink-0 cursor-pointer place-items-center rounded-control text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
        >
          <X size={20} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </header>
      <div className="px-6 pt-1 pb-6 wrap-anywhere">{children}</div>
    </dialog>
  )
}

/** Chooses the first focus: the marked element, the first field, the cancel button, or the title. */
function firstFocus(dialog: HTMLElement): HTMLElement | undefined {
  const stops = tabStops(dialog)
  return (
    stops.find((each) => each.matches('[data-autofocus]')) ??
    stops.find((each) => each.matches('input, select, textarea, [contenteditable]')) ??
    stops.find((each) => each.matches('[data-cancel]')) ??
    dialog.querySelector('h2') ??
    undefined
  )
}

const isAnyOpen = () => document.querySelector('dialog:modal') !== null

/** Keeps the page behind from moving when its scroll bar disappears. */
function keepWidth(): void {
  const { clientWidth, style } = document.documentElement
  if (!isAnyOpen()) style.paddingRight = `${innerWidth - clientWidth}px`
}

/** S4.3. The list behind may have been redrawn without the row that opened the modal. */
function restore(opener: Element | null, left: number, top: number, isLeftAlone: boolean): void {
  if (isAnyOpen()) return
  if (document.activeElement === document.body) returnFocus(opener)
  if (isLeftAlone) scrollTo({ left, top, behavior: 'instant' })
}

/** A user who scrolls meanwhile has moved on, and is not taken back. */
function watchForScrolling(): () => boolean {
  const over = new AbortController()
  let isLeftAlone = true
  for (const act of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(act, () => (isLeftAlone = false), { passive: true, capture: true, signal: over.signal })
  return () => {
    over.abort()
    return isLeftAlone
  }
}

/** Keeps Tab inside: the browser would move on to its address field. */
function keepInside(event: KeyboardEvent<HTMLDialogElement>): void {
  const stops = tabStops(event.currentTarget)
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const [end, other] = event.shiftKey ? [0, stops.at(-1)] : [stops.length - 1, stops[0]]
  if (at !== end && !(at < 0 && event.shiftKey)) return
  event.preventDefault()
  other?.focus()
}

// Elements in which Enter does something else.
const OWN_ACT =
  'button, a[href], summary, select, option, textarea, [contenteditable]:not([contenteditable="false"]), [role="option"], [role="menuitem"], input:is([type="submit"], [type="button"], [type="reset"], [type="image"], [type="file"], [type="color"])'

function submitOnEnter(event: KeyboardEvent<HTMLDialogElement>): void {
  const target = event.target as HTMLElement
  // A held Enter is the press that opened the modal.
  if (event.repeat && target.closest('button, a[href]')) event.preventDefault()
  if (event.defaultPrevented || isComposing(event) || target.closest(OWN_ACT)) return
  event.preventDefault() // otherwise the browser submits once more
  const form = target.closest('form') ?? event.currentTarget.querySelector('form')
  if (form && isShown(form) && !event.repeat) form.requestSubmit()
}

/** Safari ends a composition before it reports the Enter that ended it, with code 229. */
function isComposing({ nativeEvent, keyCode }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || keyCode === 229
}

/** Whether the click hit the backdrop, which belongs to the dialog element itself. */
function isOutside({ target, currentTarget, clientX, clientY }: MouseEvent<HTMLDialogElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}
