import { Button } from '../../ui/basic/button.tsx'
import type { Ignored } from '../pile/pile.ts'
import { reasonText, type Guess, type Judgement } from '../papers/judgement.ts'
import { OwnersNote } from './owners-note.tsx'

type Props = { ignored: Ignored & { judgement: Judgement }; onAccept: (name: string) => void }

/** Tells where a paper seems to belong, and why. */
export function GuessNote({ ignored: { upload, proposal, judgement }, onAccept }: Props) {
  const { sureness, best, second, owners } = judgement
  if (owners) return <OwnersNote owners={owners} upload={upload} />
  if (sureness === 'unknown' || !best) return null
  const guesses = [best, ...(sureness === 'maybe' && second ? [second] : [])]
  return (
    <div className="flex min-w-0 basis-full flex-wrap items-start gap-x-3 gap-y-2">
      <span className={`rounded-control px-2 py-0.5 text-meta font-semibold ${CHIPS[sureness]}`}>
        {sureness === 'sure' ? 'Sikker' : 'Måske'}
      </span>
      <details className="min-w-0 flex-1 basis-60 text-meta">
        <summary className="cursor-pointer wrap-anywhere pointer-coarse:min-h-11">{placeText(best)}</summary>
        <ul className="list-disc pl-5 text-muted">
          {best.reasons.map((reason) => (
            <li key={reasonText(reason)} className="wrap-anywhere">
              {reasonText(reason)}
            </li>
          ))}
        </ul>
      </details>
      {guesses
        .filter(({ name }) => name !== proposal || sureness === 'maybe')
        .map(({ name }) => (
          <Button
            key={name}
            type="button"
            kind="secondary"
            aria-label={`Gem som ”${name}”. ${upload.name}`}
            onClick={() => onAccept(name)}
            className="max-w-full whitespace-normal wrap-anywhere"
          >
            Gem som ”{name}”
          </Button>
        ))}
    </div>
  )
}

const CHIPS = { sure: 'bg-accent-soft text-accent', maybe: 'bg-sunken text-ink' }

/** 'Årsrapport i 1024 K/S Nordhavn Kontorhus', 'Til Ida Granbo'. */
function placeText({ place }: Guess): string {
  if (place.user) return `Til ${place.user.name}`
  return `${place.folder.name} i ${place.project.number} ${place.project.name}`
}
