import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../base/counts.ts'
import { Button } from '../../ui/basic/button.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { groupByFault, MOST_GROUPS } from '../groups/bundles.ts'
import { Fold } from '../groups/fold.tsx'
import type { Ignored, UploadForm } from '../pile/pile.ts'
import { useGrowing } from '../groups/use-growing.ts'
import { faultText } from '../names/placing.ts'
import { GuessNote, judgementText } from '../judgements/guess-note.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { isPdf, splitSent } from '../pile/split-link.ts'
import { isRepairable, type Repair } from '../pile/repair.ts'
import { countFiles } from '../../projects/folder.ts'
import type { Repairs } from './use-repairs.ts'

type Props = {
  form: UploadForm
  ignored: Ignored[]
  repairs: Pick<Repairs, 'repair' | 'accept' | 'acceptName' | 'acceptAll' | 'repairAll'>
  onRemove: (ids: string[]) => void
}

/** S4.5: lists the files that will not be saved, with the reason and the possible repairs; many of them by their fault. */
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
      {ignored.length > MOST_GROUPS ? (
        <FaultList ignored={ignored} {...common} />
      ) : (
        <IgnoredRows ignored={ignored} {...common} />
      )}
    </section>
  )
}

type ListProps = Omit<Props, 'form'>

/** One closed line for each fault, with the button that repairs all its files at once. */
function FaultList({ ignored, repairs, ...common }: ListProps) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <ul className="divide-y divide-line">
      {groupByFault(ignored).map(({ key, title, ignored: theirs, repair }) => (
        <Fold
          key={key}
          heading="h3"
          title={title}
          facts={countFiles(theirs.length)}
          isOpen={open === key}
          onToggle={() => setOpen(open === key ? null : key)}
          acts={
            repair && (
              <Button
                type="button"
                kind="secondary"
                onClick={() =>
                  repair.how === 'proposed'
                    ? repairs.acceptAll(theirs)
                    : repairs.repairAll(theirs, repair.how)
                }
              >
                {repair.text}
                {theirs.length > 1 && ` (alle ${formatCount(theirs.length)})`}
              </Button>
            )
          }
        >
          {() => <IgnoredRows ignored={theirs} repairs={repairs} {...common} />}
        </Fold>
      ))}
    </ul>
  )
}

/** How many rows are drawn at once. */
const AT_ONCE = 50

function IgnoredRows({ ignored, repairs, onRemove }: ListProps) {
  const drawn = useGrowing(ignored.length, AT_ONCE)
  return (
    <ul className="divide-y divide-line">
      {ignored.slice(0, drawn).map((each) => (
        <IgnoredRow
          key={each.upload.id}
          ignored={each}
          onAccept={() => repairs.accept(each)}
          onName={(name) => repairs.acceptName(each, name)}
          onRepair={(how) => repairs.repair(each, how)}
          onRemove={() => onRemove([each.upload.id])}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  ignored: Ignored
  onAccept: () => void
  onName: (name: string) => void
  onRepair: (how: Repair) => void
  onRemove: () => void
}

function IgnoredRow({ ignored, onAccept, onName, onRepair, onRemove }: RowProps) {
  const { upload, fault, proposal, judgement } = ignored
  // Its name says nothing, but the paper does.
  const isOfPaper = proposal !== null && judgement?.best?.name === proposal
  const near = fault.kind === 'folder' && !isOfPaper ? fault.near : null
  return (
    <li className="upload-row" data-upload={upload.id}>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1 basis-60">
          <span className="block wrap-anywhere">{upload.name}</span>
          <span className="block text-meta text-warn">
            {isOfPaper
              ? 'Papiret siger selv, hvor det hører til.'
              : proposal === null
                ? faultText(fault)
                : 'Navnet følger næsten reglen.'}
            {judgement && <span className="block text-muted">{judgementText(judgement)}</span>}
          </span>
        </span>
        {proposal !== null && (
          <Button
            type="button"
            kind="secondary"
            aria-label={`${isOfPaper ? `Gem som ”${proposal}”.` : `Mente du ”${proposal}”?`} ${upload.name}`}
            onClick={onAccept}
            className="max-w-full text-left whitespace-normal wrap-anywhere"
          >
            {isOfPaper ? `Gem som ”${proposal}”` : `Mente du ”${proposal}”?`}
          </Button>
        )}
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
            kind={near === null && proposal === null ? 'secondary' : 'quiet'}
            aria-haspopup="dialog"
            aria-label={`Vælg plads til ${upload.name}`}
            onClick={() => modals.open('repair', ignored)}
          >
            Vælg plads…
          </Button>
        )}
        {judgement && <GuessNote ignored={{ ...ignored, judgement }} onAccept={onName} />}
      </span>
      {isRepairable(fault) && upload.hashName !== null && isPdf(upload.name) && (
        <IconButton
          label={`Del ${upload.name} mellem investorer`}
          icon="split"
          href={splitSent(upload.hashName)}
          {...IN_NEW_TAB}
        />
      )}
      <IconButton label={`Fjern ${upload.name}`} icon="remove" data-act="remove" onClick={onRemove} />
    </li>
  )
}
