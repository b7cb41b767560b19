import { Button } from '../../ui/basic/button.tsx'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { PileName } from '../groups/pile-name.tsx'
import { GuessNote } from '../judgements/guess-note.tsx'
import { faultText } from '../names/placing.ts'
import type { Ignored } from '../pile/pile.ts'
import { standingOfIgnored } from '../pile/attention.ts'
import { isRepairable } from '../pile/repair.ts'
import { useGrowing } from '../groups/use-growing.ts'
import type { Repairs } from './use-repairs.ts'

/** How many rows are drawn at once. */
const AT_ONCE = 50

type RowsProps = {
  ignored: readonly Ignored[]
  repairs: Pick<Repairs, 'repair' | 'accept' | 'acceptName'>
  onRemove: (ids: string[]) => void
}

/** Files without a place, with the reason and the possible repairs. */
export function IgnoredRows({ ignored, repairs, onRemove }: RowsProps) {
  const drawn = useGrowing(ignored.length, AT_ONCE)
  return (
    <ul className="divide-y divide-line">
      {ignored.slice(0, drawn).map((each) => (
        <IgnoredRow key={each.upload.id} ignored={each} repairs={repairs} onRemove={onRemove} />
      ))}
    </ul>
  )
}

type RowProps = Omit<RowsProps, 'ignored'> & { ignored: Ignored }

export function IgnoredRow({ ignored, repairs, onRemove }: RowProps) {
  const { upload, fault, proposal, judgement } = ignored
  // Its name says nothing, but the paper does.
  const isOfPaper = proposal !== null && judgement?.best?.name === proposal
  const near = fault.kind === 'folder' && !isOfPaper ? fault.near : null
  return (
    <li className="upload-row" data-upload={upload.id}>
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 flex-1 basis-60">
          <PileName upload={upload} />
          <span className="block text-meta text-warn">
            {standingOfIgnored(ignored).group === 'nowhere' && faultText(fault)}
            {judgement?.state === 'waiting' && <span className="block text-muted">Læser papiret…</span>}
          </span>
        </span>
        {proposal !== null && (
          <Button
            type="button"
            kind="secondary"
            aria-label={`${isOfPaper ? `Gem som ”${proposal}”.` : `Mente du ”${proposal}”?`} ${upload.name}`}
            onClick={() => repairs.accept(ignored)}
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
            onClick={() => repairs.repair(ignored, { folder: near })}
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
        {judgement && (
          <GuessNote
            ignored={{ ...ignored, judgement }}
            onAccept={(name) => repairs.acceptName(ignored, name)}
          />
        )}
      </span>
      <IconButton
        label={`Fjern ${upload.name}`}
        icon="remove"
        data-act="remove"
        onClick={() => onRemove([upload.id])}
      />
    </li>
  )
}
