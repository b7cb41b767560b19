import { ChevronDown, ChevronUp, X } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react'
import { formatCount } from '../../base/counts.ts'
import { giveFocusBack } from '../../ui/basic/focus.ts'
import { IconButton } from '../../ui/basic/icon-button.tsx'
import { useWideScreen } from '../../ui/shell/use-wide-screen.ts'
import type { FilesScreen, Picked } from '../list/use-files-screen.ts'
import { LookBody } from './look-body.tsx'
import { useWalk } from './use-walk.ts'
import type { Step } from './walk.ts'

export type LookHandle = Pick<FilesScreen, 'openLook'>

export type LookPanelProps = {
  ref: Ref<LookHandle>
  screen: FilesScreen
  setLooked: (file: number | null) => void
}

/** Shows a file without leaving the list: beside it, or over it on a narrow screen. */
export function LookPanel({ ref, screen, setLooked }: LookPanelProps) {
  const [shown, setShown] = useState<Picked | null>(null)

  function show(picked: Picked | null): void {
    setShown(picked)
    setLooked(picked?.file.id ?? null)
  }

  useImperativeHandle(ref, () => ({
    openLook: (picked) => show(picked.file.id === shown?.file.id ? null : picked),
  }))

  return shown && <LookDialog screen={screen} shown={shown} onShow={show} />
}

type DialogProps = { screen: FilesScreen; shown: Picked; onShow: (picked: Picked | null) => void }

const STEPS: Record<string, Step> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function LookDialog({ screen, shown, onShow }: DialogProps) {
  const { file, folder } = shown
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const isBeside = useWideScreen()
  const { walk, place, said } = useWalk(screen, shown, onShow)
  const close = () => onShow(null)

  const giveBack = useEffectEvent(() =>
    giveFocusBack(rowOf(file.id)?.querySelector('[data-act=look]') ?? null),
  )
  useLayoutEffect(() => {
    const element = dialog.current!
    if (isBeside) element.show()
    else element.showModal()
    title.current!.focus({ preventScroll: true })
    return () => element.close()
  }, [isBeside])
  useLayoutEffect(() => () => giveBack(), [])
  useKeptFocus(dialog, title)

  // The body is another for each file, and the focus goes with the old one; a press in the list leads here too.
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
    else close()
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
        close()
      }}
    >
      <header className="sticky top-0 z-10 flex items-start gap-1 border-b border-line bg-surface py-2.5 pr-2 pl-4">
        <div className="min-w-0 flex-1 py-1">
          <h2 ref={title} id={titleId} tabIndex={-1} className="font-semibold wrap-anywhere outline-none">
            {file.name}
          </h2>
          <p className="text-meta text-muted tabular-nums">
            {folder.name}
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
        <IconButton label="Luk visningen" icon={X} onClick={close} />
      </header>
      <LookBody key={file.id} screen={screen} shown={shown} isBeside={isBeside} onClose={close} />
      <output className="sr-only">{said}</output>
    </dialog>
  )
}

/**
 * Takes the focus back from a document that takes it by itself, as a browser's viewer does for a PDF that it cannot read: the
 * keys would no longer reach us. Somebody who presses into the document or tabs to it keeps it there.
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

const rowOf = (file: number) => document.querySelector(`tr[data-file="${file}"]`)
