import { ChevronDown, ChevronUp, X } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type KeyboardEvent,
  type Ref,
} from 'react'
import { formatCount } from '../../base/counts.ts'
import { giveFocusBack } from '../../ui/basic/focus.ts'
import { IconButton } from '../../ui/basic/icon-button.tsx'
import { useWideScreen } from '../../ui/shell/use-wide-screen.ts'
import type { FilesScreen, Picked } from '../list/use-files-screen.ts'
import { LookBody } from './look-body.tsx'
import { neighbourOf, pageOf, placeIn, type Step } from './walk.ts'

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

/** A few presses are remembered while a page is fetched. */
const MOST_WAITING = 5
const STEPS: Record<string, Step> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function LookDialog({ screen, shown, onShow }: DialogProps) {
  const { file, folder } = shown
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const isBeside = useWideScreen()
  const [said, setSaid] = useState('')
  const latest = useRef(shown)
  const walking = useRef(Promise.resolve())
  const waiting = useRef(0)
  const place = placeIn(screen.sections.get(folder.id), file.id)
  /** Where the file was when it was last known. */
  const seenAt = useRef<number | null>(null)
  const close = () => onShow(null)

  useLayoutEffect(() => {
    latest.current = shown
  }, [shown])
  useLayoutEffect(() => {
    if (place) seenAt.current = place.nth - 1
  })
  useHeldPage(screen, folder.id, place && pageOf(place.nth))
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

  // The body is another for each file, and the focus goes with the old one; a press in the list leads here too.
  useLayoutEffect(() => {
    rowOf(file.id)?.scrollIntoView({ block: 'nearest' })
    if (!dialog.current!.contains(document.activeElement)) title.current!.focus({ preventScroll: true })
  }, [file.id])

  /** Takes one step after the other: a held key presses faster than the panel is drawn or a page is fetched. */
  function walk(step: Step): void {
    if (waiting.current >= MOST_WAITING) return
    waiting.current++
    walking.current = walking.current.then(() => go(step)).finally(() => waiting.current--)
  }

  async function go(step: Step): Promise<void> {
    const from = latest.current
    const walked = screen.sections.get(from.folder.id)
    const at = seenAt.current
    const next = walked ? await neighbourOf(walked, { file: from.file, at }, step, screen.gone) : null
    if (!dialog.current || latest.current !== from) return // it is closed, or another file was pressed
    if (next) {
      seenAt.current = next.at
      onShow((latest.current = { file: next.file, folder: from.folder }))
    }
    setSaid(
      next
        ? `Viser ${next.file.name}`
        : step > 0
          ? 'Det er mappens sidste fil.'
          : 'Det er mappens første fil.',
    )
  }

  /** The file has just been deleted or given away: goes on to another. */
  const leave = useEffectEvent(async () => {
    const walked = screen.sections.get(folder.id)
    const next =
      walked &&
      ((await neighbourOf(walked, { file, at: seenAt.current }, 1, screen.gone)) ??
        (await neighbourOf(walked, { file, at: seenAt.current }, -1, screen.gone)))
    onShow(next ? { file: next.file, folder } : null)
  })
  const isGone = screen.gone.has(file.id)
  useEffect(() => {
    if (isGone) void leave()
  }, [isGone])

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

/** Somebody else's change fetches the list again. What is shown stays known: the way on begins there. */
function useHeldPage({ sections }: FilesScreen, folder: number, page: number | null): void {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    const files = sections.get(folder)?.files
    files?.hold({ page, onChange: drawAgain })
    return () => files?.hold(null)
  }, [sections, folder, page])
}

const rowOf = (file: number) => document.querySelector(`tr[data-file="${file}"]`)
