import { TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { modals } from '../ui/modals.ts'
import type { Ignored, UploadForm } from './pile.ts'
import { faultText, type Fault } from './placing.ts'
import { RepairModal } from './repair-modal.tsx'
import { isRepairable, isSameFault, repaired, sameFor, type Repair } from './repair.ts'
import { countFiles } from './upload.ts'
import type { Uploads } from './use-uploads.ts'

type Props = { form: UploadForm; ignored: Ignored[]; uploads: Uploads }

/** What was put right last, so that the same can be done for others, or undone. */
type Done = { name: string; repair: Repair; fault: Fault; before: Map<string, string>; said: string }

/** S4.5: what will not be saved, why, and what can be done about it. */
export function IgnoredFiles({ form, ignored, uploads }: Props) {
  const [done, setDone] = useState<Done | null>(null)
  const strip = useRef<HTMLOutputElement>(null)
  const others = done ? ignored.filter(({ fault }) => isSameFault(done.fault, fault)) : []

  function repair({ upload, fault }: Ignored, how: Repair): void {
    const name = repaired(form, upload.name, how)
    uploads.rename(new Map([[upload.id, name]]))
    setDone({
      name: upload.name,
      repair: how,
      fault,
      before: new Map([[upload.id, upload.name]]),
      said: `“${upload.name}” hedder nu “${name}”.`,
    })
    requestAnimationFrame(() => strip.current?.focus())
  }

  function repairOthers({ name, repair: how, before }: Done): void {
    const names = others.map(
      ({ upload }) =>
        [upload.id, repaired(form, upload.name, sameFor(upload.name, { name, repair: how }))] as const,
    )
    uploads.rename(new Map(names))
    const all = new Map([...before, ...others.map(({ upload }) => [upload.id, upload.name] as const)])
    setDone({ ...done!, before: all, said: `${countFiles(all.size)} har fået et nyt navn.` })
    strip.current?.focus()
  }

  function undo({ before }: Done): void {
    uploads.rename(before)
    setDone(null)
  }

  if (ignored.length === 0 && !done) return null
  return (
    <>
      {done && (
        <output
          ref={strip}
          tabIndex={-1}
          className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-ok-soft px-4 py-3"
        >
          <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{done.said}</span>
          {others.length > 0 && (
            <Button type="button" onClick={() => repairOthers(done)}>
              Gør det samme for {others.length === 1 ? 'den anden' : `de andre ${others.length}`}
            </Button>
          )}
          <Button type="button" kind="secondary" onClick={() => undo(done)}>
            Fortryd
          </Button>
        </output>
      )}
      {ignored.length > 0 && (
        <section aria-labelledby="ignored" className="rounded-card border border-line bg-warn-soft">
          <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
            <h2 id="ignored" className="flex items-center gap-2 text-section font-semibold text-warn">
              <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              Ignorerede filer
            </h2>
            <p className="ml-auto flex flex-wrap items-center gap-x-4 text-meta tabular-nums">
              {countFiles(ignored.length)} bliver ikke gemt
              {ignored.length > 1 && (
                <button
                  type="button"
                  className="cursor-pointer underline underline-offset-2 pointer-coarse:min-h-11"
                  onClick={() => uploads.remove(ignored.map(({ upload }) => upload.id))}
                >
                  Fjern dem
                </button>
              )}
            </p>
          </header>
          <ul className="upload-rows divide-y divide-line">
            {ignored.map((each) => (
              <IgnoredRow
                key={each.upload.id}
                ignored={each}
                onRepair={(how) => repair(each, how)}
                onRemove={() => uploads.remove([each.upload.id])}
              />
            ))}
          </ul>
        </section>
      )}
      <RepairModal form={form} onRepair={repair} />
    </>
  )
}

type RowProps = { ignored: Ignored; onRepair: (how: Repair) => void; onRemove: () => void }

function IgnoredRow({ ignored, onRepair, onRemove }: RowProps) {
  const { upload, fault } = ignored
  const near = fault.kind === 'folder' ? fault.near : null
  return (
    <li className="upload-row" data-upload={upload.id}>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1 basis-60">
          <span className="block wrap-anywhere">{upload.name}</span>
          <span className="block text-meta text-warn">{faultText(fault)}</span>
        </span>
        {near !== null && (
          <Button type="button" kind="secondary" onClick={() => onRepair({ folder: near })}>
            Mente du {near}?
          </Button>
        )}
        {isRepairable(fault) && (
          <Button
            type="button"
            kind={near === null ? 'secondary' : 'quiet'}
            aria-haspopup="dialog"
            aria-label={`Ret ${upload.name}`}
            onClick={() => modals.open('repair', ignored)}
          >
            {near === null ? 'Ret…' : 'Vælg selv…'}
          </Button>
        )}
      </span>
      <IconButton label={`Fjern ${upload.name}`} icon="remove" onClick={onRemove} />
    </li>
  )
}
