import { TriangleAlert } from 'lucide-react'
import { Button } from '../../ui/basic/button.tsx'
import { IconButton } from '../../ui/basic/icon-button.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import type { Ignored, UploadForm } from './pile.ts'
import { faultText } from '../names/placing.ts'
import { isRepairable, type Repair } from './repair.ts'
import { countFiles } from '../../projects/folder.ts'
import type { Repairs } from './use-repairs.ts'

type Props = {
  form: UploadForm
  ignored: Ignored[]
  onRepair: Repairs['repair']
  onRemove: (ids: string[]) => void
}

/** S4.5: lists the files that will not be saved, with the reason and the possible repairs. */
export function IgnoredFiles({ form, ignored, onRepair, onRemove }: Props) {
  if (ignored.length === 0) return null
  return (
    <section aria-labelledby="ignored" className="overflow-clip rounded-card border border-line bg-warn-soft">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id="ignored" className="flex items-center gap-2 text-section font-semibold text-warn">
          <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          Ignorerede filer
        </h2>
        <p className="ml-auto flex flex-wrap items-center gap-x-4 text-meta tabular-nums">
          {countFiles(ignored.length)} bliver ikke {form.kind === 'simple' ? 'sendt' : 'gemt'}
          {ignored.length > 1 && (
            <button
              type="button"
              className="cursor-pointer underline underline-offset-2 pointer-coarse:min-h-11"
              onClick={() => onRemove(ignored.map(({ upload }) => upload.id))}
            >
              Fjern ignorerede
            </button>
          )}
        </p>
      </header>
      <ul className="divide-y divide-line">
        {ignored.map((each) => (
          <IgnoredRow
            key={each.upload.id}
            ignored={each}
            onRepair={(how) => onRepair(each, how)}
            onRemove={() => onRemove([each.upload.id])}
          />
        ))}
      </ul>
    </section>
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
          <Button
            type="button"
            kind="secondary"
            aria-label={`Mente du ${near}? ${upload.name}`}
            onClick={() => onRepair({ folder: near })}
          >
            Mente du {near}?
          </Button>
        )}
        {isRepairable(fault) && (
          <Button
            type="button"
            kind={near === null ? 'secondary' : 'quiet'}
            aria-haspopup="dialog"
            aria-label={`Vælg plads til ${upload.name}`}
            onClick={() => modals.open('repair', ignored)}
          >
            Vælg plads…
          </Button>
        )}
      </span>
      <IconButton label={`Fjern ${upload.name}`} icon="remove" data-act="remove" onClick={onRemove} />
    </li>
  )
}
