import { ChevronDown, ChevronUp, X } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { returnFocus } from '../../ui/basic/focus.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { useScreenForPanel } from '../../ui/shell/use-wide-screen.ts'
import type { Step } from './walk.ts'

const STEPS: Record<string, Step> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

type Props = {
  file: { id: number; name: string }
  /** Where the file lies. */
  where: string
  /** The file's number in the list, counted from 1; null if it is not known. */
  place: { nth: number; total: number } | null
  /** Goes to the next file or the one before. */
  walk: (step: Step) => void
  onClose: () => void
  /** Announced to screen readers. */
  announcement: string
  children: (isBeside: boolean) => ReactNode
}

/** The panel around a file, beside the list or over it on a narrow screen. Its row in the list has `data-file`. */
export function LookFrame({ file, where, place, walk, onClose, announcement, children }: Props) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const isBeside = useScreenForPanel()

  const giveBack = useEffectEvent(() => returnFocus(rowOf(file.id)?.querySelector('[data-act=look]') ?? null))
  useLayoutEffect(() => {
    const element = dialog.current!
    if (isBeside) element.show()
    else element.showModal()
    title.current!.focus({ preventScroll: true })
    return () => element.close()
  }, [isBeside])
  useLayoutEffect(() => () => giveBack(), [])
  useKeptFocus(dialog, title)

  // Each file has a new body, and the focus goes with the old one. A press in the list leads here too.
  useLayoutEffect(() => {
    rowOf(file.id)?.scrollIntoView({ block: 'nearest' })
    if (!dialog.current!.contains(document.activeElement)) title.current!.focus({ preventScroll: true })
  }, [file.id])

  function onKeyDown(event: KeyboardEvent<HTMLDialogElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return
    const step = STEPS[event.key]
    const isClosing = event.key === 'Escape' || (event.key === ' ' && event.target === title.current)
    if (!step && !isClosing) return
    event.preventDefault()
    if (step) walk(step)
    else onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of everything inside it
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="look"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className="sticky top-0 z-10 flex items-start gap-1 border-b border-line bg-surface py-2.5 pr-2 pl-4">
        <div className="min-w-0 flex-1 py-1">
          <h2 ref={title} id={titleId} tabIndex={-1} className="font-semibold wrap-anywhere outline-none">
            {file.name}
          </h2>
          <p className="text-meta text-muted tabular-nums">
            {where}
            {place && ` · ${formatCount(place.nth)} af ${formatCount(place.total)}`}
          </p>
        </div>
        <IconButton
          label="Forrige fil"
          icon={ChevronUp}
          disabled={place?.nth === 1}
          onClick={() => walk(-1)}
        />
        <IconButton
          label="Næste fil"
          icon={ChevronDown}
          disabled={place !== null && place.nth === place.total}
          onClick={() => walk(1)}
        />
        <IconButton label="Luk visningen" icon={X} onClick={onClose} />
      </header>
      {children(isBeside)}
      <output className="sr-only">{announcement}</output>
    </dialog>
  )
}

/**
 * Takes the focus back from a document that takes it by itself, as a browser's viewer does with a PDF that it cannot
 * read: the keys would no longer reach us. A person who clicks into the document or tabs to it keeps the focus there.
 */
function useKeptFocus(
  dialog: RefObject<HTMLDialogElement | null>,
  title: RefObject<HTMLHeadingElement | null>,
): void {
  useEffect(() => {
    let hasTabbed = false
    const ended = new AbortController()
    const options = { capture: true, signal: ended.signal }
    addEventListener('keydown', ({ key }) => (hasTabbed = key === 'Tab'), options)
    addEventListener(
      'blur',
      () =>
        setTimeout(() => {
          const { activeElement: frame } = document
          if (!(frame instanceof HTMLIFrameElement) || !dialog.current?.contains(frame)) return
          if (!hasTabbed && !frame.matches(':hover')) title.current?.focus({ preventScroll: true })
        }),
      { signal: ended.signal },
    )
    return () => ended.abort()
  }, [dialog, title])
}

const rowOf = (file: number) => document.querySelector(`[data-file="${file}"]`)
