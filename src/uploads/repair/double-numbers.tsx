import { CircleHelp } from 'lucide-react'
import { countFiles } from '../../projects/folder.ts'
import type { Meaning } from '../names/placing.ts'
import type { Double } from '../pile/pile.ts'

type Props = { doubles: readonly Double[]; onDecide: (key: string, meaning: Meaning) => void }

/** Asks, once for all files with it, what a number means that both a project and a person have. The answer can be changed. */
export function DoubleNumbers({ doubles, onDecide }: Props) {
  return doubles.map((double) => {
    const { key, project, user, meaning, files } = double
    return (
      <fieldset
        key={key}
        data-open={meaning === null || undefined}
        className={`rounded-card border border-line px-4 py-3 ${meaning === null ? 'bg-warn-soft' : 'bg-surface'}`}
      >
        <legend className="sr-only">Hvad er {key}?</legend>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="flex min-w-0 flex-1 basis-60 items-start gap-2">
            <CircleHelp size={16} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 shrink-0" />
            <span>
              {key} er både et projekt og en person. {meaning === null ? 'Hvor hører ' : ''}
              {meaning === null ? `${countFiles(files)} til?` : `${countFiles(files)} lægges hos:`}
            </span>
          </p>
          <div className="flex min-w-0 flex-wrap gap-2">
            <Answer isOn={meaning === 'project'} onClick={() => onDecide(key, 'project')}>
              {`Projektet ${project.name}`}
            </Answer>
            <Answer isOn={meaning === 'person'} onClick={() => onDecide(key, 'person')}>
              {user.name}
            </Answer>
          </div>
        </div>
      </fieldset>
    )
  })
}

function Answer({ isOn, onClick, children }: { isOn: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className="min-h-9 cursor-pointer rounded-control border border-line-strong bg-surface px-3 wrap-anywhere hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-semibold pointer-coarse:min-h-11"
    >
      {children}
    </button>
  )
}
