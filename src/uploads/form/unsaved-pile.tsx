import { useEffect } from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { Pile } from '../pile/pile.ts'
import type { FormState, Tell } from '../pile/form-state.ts'
import { CHOOSE_AGAIN, isMissing, type Upload } from '../transport/upload.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'
import { UnsavedOffer } from '../unsaved/unsaved-offer.tsx'
import type { UnsavedSummary } from '../unsaved/unsaved-pile.ts'
import type { PileKeeper } from '../unsaved/pile-keeper.ts'
import type { PilePapers } from '../judgements/use-judgements.ts'
import { unsavedFilesOf } from '../unsaved/pile-state.ts'
import { useUnsavedOffer } from '../unsaved/use-unsaved-offer.ts'

type Props = {
  keeper: PileKeeper
  /** The pile that was left in the form earlier. */
  kept: UnsavedSummary | null
  uploads: readonly Upload[]
  pile: Pick<Pile, 'doubles'>
  queue: UploadQueue
  state: FormState
  papers: Pick<PilePapers, 'seenKinds'>
  tell: Tell
}

/** Stores the pile on the server as it changes, and offers the pile that was left in the form earlier. */
export function UnsavedPile({ keeper, ...more }: Omit<Props, 'keeper'> & { keeper: PileKeeper | null }) {
  return keeper && <StoredPile keeper={keeper} {...more} />
}

function StoredPile({ keeper, kept, uploads, pile: { doubles }, queue, state, papers, tell }: Props) {
  const { seenKinds } = papers
  const { step, choice } = state.save
  const isSaving = step === 'saving'
  useEffect(
    () =>
      keeper.notice(
        isSaving ? null : () => ({ files: unsavedFilesOf(uploads, doubles, seenKinds), publishing: choice }),
      ),
    [keeper, uploads, doubles, seenKinds, choice, isSaving],
  )
  const offer = useUnsavedOffer({ keeper, kept, queue, tell })
  const missing = uploads.filter((upload) => isMissing(upload) && upload.fault === CHOOSE_AGAIN)
  return (
    <>
      {offer.kept && <UnsavedOffer {...offer} kept={offer.kept} />}
      {missing.length > 0 && <MissingFiles missing={missing} />}
    </>
  )
}

/** How many files are named at once. */
const MOST_NAMED = 3

/** Names the files that an earlier page did not send. */
function MissingFiles({ missing }: { missing: readonly Upload[] }) {
  const others = missing.length - MOST_NAMED
  const names = missing.slice(0, MOST_NAMED).map(({ original }) => original)
  return (
    <div className="rounded-card border border-line bg-warn-soft px-4 py-3 wrap-anywhere">
      <p>
        {countFiles(missing.length)} blev ikke sendt.{' '}
        {missing.length === 1
          ? 'Vælg den igen, så kommer den på plads.'
          : 'Vælg dem igen, så kommer de på plads.'}
      </p>
      {others <= 0 ? (
        <p className="text-meta">{names.join(', ')}</p>
      ) : (
        <details className="text-meta">
          <summary className="cursor-pointer py-1">
            {names.join(', ')} og {others} til
          </summary>
          <ul className="max-h-60 overflow-y-auto pl-4">
            {missing.map(({ id, original }) => (
              <li key={id}>{original}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
