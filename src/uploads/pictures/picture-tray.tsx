import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { Faults } from '../../ui/basic/faults.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { ProgressBar } from '../../ui/basic/progress-bar.tsx'
import { useLeaveWarning } from '../../ui/basic/use-leave-warning.ts'
import { pdfOf, type JpegPage } from './picture-pdf.ts'
import { MOST_PICTURES, pdfName, picturesName, unreadableText } from './picture.ts'
import { readPicture } from './read-picture.ts'

export type PictureTrayProps = {
  /** Takes the PDF of all pictures. */
  onPdf: (file: File) => void
  /** Tells how many pictures wait to become a PDF. */
  onCount: (count: number) => void
  ref?: Ref<PictureTrayHandle>
}

export type PictureTrayHandle = {
  add: (files: readonly File[]) => void
  /** Says that the pictures are not among the files yet. */
  remind: () => void
}

type Taken = JpegPage & { id: number; name: string; address: string }

const NOT_YET = 'Lav først en PDF af billederne, eller fjern dem.'

/** Shows the pictures that were chosen, in the order of their pages, and makes one PDF of them. */
export function PictureTray({ onPdf, onCount, ref }: PictureTrayProps) {
  const [pictures, setPictures] = useState<readonly Taken[]>([])
  const [faults, setFaults] = useState<readonly string[]>([])
  const [reading, setReading] = useState<{ done: number; all: number } | null>(null)
  const waiting = useRef<File[]>([])
  const isRunning = useRef(false)
  const count = useRef(0)
  const section = useRef<HTMLElement>(null)
  const name = useRef<HTMLInputElement>(null)
  useEffect(() => onCount(pictures.length + (reading ? 1 : 0)), [onCount, pictures.length, reading])
  useLeaveWarning(() => pictures.length > 0)

  /** Reads one picture after the other: each of them needs much memory. */
  async function readAll(): Promise<void> {
    if (isRunning.current) return
    isRunning.current = true
    for (let done = 0; ; done++) {
      const file = waiting.current.shift()
      if (!file) break
      setReading({ done, all: done + 1 + waiting.current.length })
      if (count.current >= MOST_PICTURES) {
        waiting.current = []
        setFaults((all) => [...all, `Der kan højst være ${MOST_PICTURES} billeder i én PDF.`])
        break
      }
      const read = await readPicture(file)
      if (!read) setFaults((all) => [...all, unreadableText(file.name)])
      else {
        const { blob, ...page } = read
        const id = nextId++
        count.current++
        setPictures((all) => [...all, { ...page, id, name: file.name, address: URL.createObjectURL(blob) }])
      }
    }
    isRunning.current = false
    setReading(null)
  }

  useImperativeHandle(ref, () => ({
    add(files) {
      setFaults([])
      waiting.current.push(...files)
      void readAll()
    },
    remind() {
      setFaults([NOT_YET])
      section.current?.querySelector<HTMLElement>('[data-act=make-pdf]')?.focus()
    },
  }))

  function remove(gone: Taken): void {
    count.current--
    setPictures((all) => all.filter(({ id }) => id !== gone.id))
    URL.revokeObjectURL(gone.address)
    setFaults([])
    requestAnimationFrame(() =>
      (
        section.current?.querySelector<HTMLElement>('[data-act=remove-picture]') ??
        document.querySelector<HTMLElement>('[data-act=choose]')
      )?.focus(),
    )
  }

  function move(from: number, by: -1 | 1): void {
    setPictures((all) => {
      const moved = all.toSpliced(from, 1)
      return moved.toSpliced(from + by, 0, all[from]!)
    })
  }

  function make(): void {
    if (reading || pictures.length === 0) return
    const now = new Date()
    onPdf(new File([pdfOf(pictures)], pdfName(name.current?.value ?? '', now), { type: 'application/pdf' }))
    for (const { address } of pictures) URL.revokeObjectURL(address)
    count.current = 0
    setPictures([])
    setFaults([])
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-act=choose]')?.focus())
  }

  const many = pictures.length === 1 ? '1 billede' : `${pictures.length} billeder`
  return (
    <section
      ref={section}
      aria-label="Billeder"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-surface p-4 empty:hidden"
    >
      {pictures.length > 0 && <h3 className="font-semibold">{many} bliver til én PDF</h3>}
      <Pages pictures={pictures} onMove={move} onRemove={remove} />
      {reading && (
        <ProgressBar
          label={`Læser billede ${reading.done + 1} af ${reading.all}`}
          value={reading.done / reading.all}
        />
      )}
      {faults.length > 0 && (
        <div role="alert">
          <Faults id="picture-faults" faults={[...faults]} />
        </div>
      )}
      {pictures.length > 0 && (
        <div className="flex flex-wrap items-end gap-3">
          <NameField ref={name} onEnter={make} />
          <Button type="button" data-act="make-pdf" disabled={reading !== null} onClick={make}>
            Lav PDF af {many}
          </Button>
        </div>
      )}
    </section>
  )
}

let nextId = 1

type PagesProps = {
  pictures: readonly Taken[]
  onMove: (from: number, by: -1 | 1) => void
  onRemove: (picture: Taken) => void
}

function Pages({ pictures, onMove, onRemove }: PagesProps) {
  if (pictures.length === 0) return null
  return (
    <ol className="divide-y divide-line">
      {pictures.map((picture, at) => (
        <li key={picture.id} className="flex items-center gap-3 py-2">
          <img src={picture.address} alt="" className="size-16 shrink-0 rounded-control object-contain" />
          <span className="min-w-0 flex-1">
            <span className="block">Side {at + 1}</span>
            <span className="block text-meta text-muted wrap-anywhere">{picture.name}</span>
          </span>
          <IconButton
            label={`Flyt side ${at + 1} op`}
            icon={ArrowUp}
            disabled={at === 0}
            onClick={() => onMove(at, -1)}
          />
          <IconButton
            label={`Flyt side ${at + 1} ned`}
            icon={ArrowDown}
            disabled={at === pictures.length - 1}
            onClick={() => onMove(at, 1)}
          />
          <IconButton
            label={`Fjern side ${at + 1}`}
            icon={Trash2}
            data-act="remove-picture"
            onClick={() => onRemove(picture)}
          />
        </li>
      ))}
    </ol>
  )
}

function NameField({ ref, onEnter }: { ref: Ref<HTMLInputElement>; onEnter: () => void }) {
  const [atFirst] = useState(() => picturesName(new Date()))
  return (
    <label className="grid min-w-0 flex-1 basis-60 gap-1 font-medium">
      Filens navn
      <input
        ref={ref}
        defaultValue={atFirst}
        maxLength={200}
        className={`${INPUT_LOOK} font-normal`}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The form around would send its files, without the pictures.
          event.preventDefault()
          onEnter()
        }}
      />
    </label>
  )
}
