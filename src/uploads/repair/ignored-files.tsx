import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { groupByFault, MOST_GROUPS } from '../groups/bundles.ts'
import { Fold } from '../groups/fold.tsx'
import type { Ignored, UploadForm } from '../pile/pile.ts'
import { countFiles } from '../../projects/folder.ts'
import { IgnoredRows } from './ignored-row.tsx'
import type { Repairs } from './use-repairs.ts'

type Props = {
  form: UploadForm
  ignored: readonly Ignored[]
  repairs: Pick<Repairs, 'repair' | 'accept' | 'acceptName'>
  onRemove: (ids: string[]) => void
}

/** S4.5: lists the files that nothing gives a place, with the reason; many of them by their fault. */
export function IgnoredFiles({ form, ignored, ...common }: Props) {
  const { onRemove } = common
  if (ignored.length === 0) return null
  return (
    <section aria-labelledby="ignored" className="overflow-clip rounded-card border border-line bg-warn-soft">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id="ignored" className="flex items-center gap-2 text-section font-semibold text-warn">
          <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          Ignorerede filer
        </h2>
        <p className="ml-auto flex flex-wrap items-center gap-x-4 text-meta tabular-nums">
          {countFiles(ignored.length)} {form.kind === 'simple' ? 'sendes ikke' : 'gemmes ikke'}
          {ignored.length > 1 && (
            <button
              type="button"
              className="min-h-6 cursor-pointer underline underline-offset-2 pointer-coarse:min-h-11"
              onClick={() => onRemove(ignored.map(({ upload }) => upload.id))}
            >
              Fjern ignorerede
            </button>
          )}
        </p>
      </header>
      {ignored.length > MOST_GROUPS ? (
        <FaultList ignored={ignored} {...common} />
      ) : (
        <IgnoredRows ignored={ignored} {...common} />
      )}
    </section>
  )
}

/** One closed line for each fault. */
function FaultList({ ignored, ...common }: Omit<Props, 'form'>) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <ul className="divide-y divide-line">
      {groupByFault(ignored).map(({ title, ignored: theirs }) => (
        <Fold
          key={title}
          heading="h3"
          title={title}
          facts={countFiles(theirs.length)}
          isOpen={open === title}
          onToggle={() => setOpen(open === title ? null : title)}
        >
          {() => <IgnoredRows ignored={theirs} {...common} />}
        </Fold>
      ))}
    </ul>
  )
}
