import { Layers } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { Button } from '../../ui/basic/button.tsx'
import { ErrorState } from '../../ui/basic/error-state.tsx'
import type { UnsavedSummary } from './unsaved-pile.ts'
import type { Offer } from './use-unsaved-offer.ts'

/** Offers to go on with the pile that was left in the form, or to throw it away, which is asked twice. */
export function UnsavedOffer({
  kept,
  state,
  fault,
  goOn,
  ask,
  regret,
  discard,
}: Offer & { kept: UnsavedSummary }) {
  const isAsking = state === 'asking' || state === 'discarding'
  const buttons = useRef<HTMLDivElement>(null)
  const wasAsking = useRef(false)
  // The pressed button is removed.
  useEffect(() => {
    if (wasAsking.current !== isAsking) buttons.current?.querySelector<HTMLElement>('[data-next]')?.focus()
    wasAsking.current = isAsking
  }, [isAsking])
  return (
    <fieldset className="rounded-card border border-line bg-surface px-4 py-3">
      <legend className="sr-only">Bunke, der ikke er gemt</legend>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="flex min-w-0 flex-1 basis-72 items-start gap-2">
          <Layers size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
          <span>{isAsking ? questionText(kept) : offerText(kept)}</span>
        </p>
        <div ref={buttons} className="flex flex-wrap gap-3">
          {isAsking ? (
            <>
              <Button
                type="button"
                kind="danger"
                loading={state === 'discarding'}
                loadingText="Kasserer…"
                onClick={discard}
              >
                Kasser {countFiles(kept.files)}
              </Button>
              <Button type="button" kind="secondary" data-next onClick={regret}>
                Behold bunken
              </Button>
            </>
          ) : (
            <>
              <Button
                type="button"
                kind="secondary"
                data-next
                loading={state === 'continuing'}
                loadingText="Henter…"
                onClick={goOn}
              >
                Fortsæt
              </Button>
              <Button type="button" kind="quiet" onClick={ask}>
                Kasser…
              </Button>
            </>
          )}
        </div>
      </div>
      {fault && (
        <div className="mt-3">
          <ErrorState message={fault} />
        </div>
      )}
    </fieldset>
  )
}

/** '180 filer fra i går kl. 16.42 er ikke gemt.' */
function offerText({ files, unsent, since }: UnsavedSummary): string {
  const others = unsent === 0 ? '' : ` ${countFiles(unsent)} mere blev ikke sendt.`
  return `${countFiles(files)} fra ${since} er ikke gemt.${others}`
}

function questionText({ files }: UnsavedSummary): string {
  return files === 1
    ? 'Skal filen kasseres? Den kan ikke hentes frem igen.'
    : `Skal de ${countFiles(files)} kasseres? De kan ikke hentes frem igen.`
}
