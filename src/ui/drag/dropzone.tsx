import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react'
import { Button } from '../basic/button.tsx'
import { droppedFiles, isSystemFile, type Dropped } from './dropped-files.ts'

const LEAVE_MS = 500 // S9.4
const DRAGS = ['dragenter', 'dragover', 'dragleave', 'drop'] as const

type Props = {
  onFiles: (files: File[]) => void
  /** The text while nothing is dragged over it. S9.11 gives the default in English. */
  message?: string
  hint?: string
  /** The button's text. */
  choose?: string
  /** The file types that the chooser offers, as an input's `accept`. */
  accept?: string
  /** Less high, for pages whose main content is the dropped files. */
  isCompact?: boolean
  /** Catches files that miss the zone too: the browser would leave the page and open them. */
  isWholePage?: boolean
}

/** S4.9: takes files and whole directories, dropped or chosen. */
export function Dropzone({
  onFiles,
  message = 'Drop files here to upload',
  hint,
  choose = 'Vælg filer',
  accept,
  isCompact = false,
  isWholePage = false,
}: Props) {
  const [isOver, setOver] = useState(false)
  const [unread, setUnread] = useState<string[]>([])
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)

  function enter(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    show(event.dataTransfer)
  }

  function show(transfer: DataTransfer): void {
    transfer.dropEffect = 'copy'
    clearTimeout(leaving.current)
    setOver(true)
  }

  function leave(): void {
    clearTimeout(leaving.current)
    leaving.current = setTimeout(() => setOver(false), LEAVE_MS)
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    take(event.dataTransfer)
  }

  function take(transfer: DataTransfer): void {
    clearTimeout(leaving.current)
    setOver(false)
    void receive(droppedFiles(transfer))
  }

  async function receive(dropped: Promise<Dropped>): Promise<void> {
    const { files, unread: missing } = await dropped
    setUnread(missing)
    if (files.length > 0) onFiles(files)
  }

  const catchMissed = useEffectEvent((event: globalThis.DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    if (event.type === 'dragleave') return event.relatedTarget === null ? leave() : undefined
    event.preventDefault()
    if (event.type === 'drop') take(event.dataTransfer)
    else show(event.dataTransfer)
  })
  useEffect(() => {
    if (!isWholePage) return undefined
    const listen = (event: globalThis.DragEvent) => catchMissed(event)
    for (const type of DRAGS) addEventListener(type, listen)
    return () => {
      for (const type of DRAGS) removeEventListener(type, listen)
    }
  }, [isWholePage])

  return (
    <div
      onDragEnter={enter}
      onDragOver={enter}
      onDragLeave={leave}
      onDrop={drop}
      className={`flex flex-wrap items-center justify-center rounded-card border-2 border-dashed px-4 text-center noscript:hidden ${isCompact ? 'gap-x-4 gap-y-2 py-4' : 'flex-col gap-3 py-10'} ${
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'
      }`}
    >
      <FileUp
        size={32}
        strokeWidth={1.5}
        aria-hidden="true"
        className={isOver ? 'text-accent' : 'text-muted'}
      />
      {/* Hidden on phones, where nothing can be dragged; the button below is enough. */}
      <p
        className={`text-section font-semibold ${isOver ? '' : 'pointer-coarse:[@media(hover:none)]:hidden'}`}
      >
        {isOver ? 'Slip Filer her' : message}
      </p>
      {hint && <p className="text-meta text-muted">{hint}</p>}
      {unread.length > 0 && (
        <p role="alert" className="w-full text-danger wrap-anywhere">
          Kunne ikke læses: {unread.slice(0, 5).join(', ')}
          {unread.length > 5 && ` og ${unread.length - 5} andre`}
        </p>
      )}
      <input
        ref={input}
        type="file"
        multiple
        accept={accept}
        tabIndex={-1}
        aria-hidden="true"
        className="sr-only"
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])].filter(({ name }) => !isSystemFile(name))
          currentTarget.value = '' // so that the same file can be chosen again
          if (files.length > 0) onFiles(files)
        }}
      />
      <Button type="button" kind="secondary" data-act="choose" onClick={() => input.current!.click()}>
        {choose}
      </Button>
    </div>
  )
}
