import { useId } from 'react'
import { Faults } from '../../ui/basic/faults.tsx'
import { INPUT_LOOK } from '../../ui/basic/input-look.ts'
import { MOST_PATTERN, partName } from './part-names.ts'
import type { SplitOwner } from './split.ts'

type PatternProps = {
  pattern: string
  onChange: (pattern: string) => void
  faults: string[]
  example: SplitOwner | undefined
}

/** The names of the files, with an example. */
export function PatternField({ pattern, onChange, faults, example }: PatternProps) {
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-medium">
        Filnavn
      </label>
      <input
        id={id}
        value={pattern}
        maxLength={MOST_PATTERN}
        autoComplete="off"
        aria-invalid={faults.length > 0 || undefined}
        aria-describedby={`${id}-help ${faults.length > 0 ? `${id}-fault` : ''}`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className={INPUT_LOOK}
      />
      <p id={`${id}-help`} className="text-meta text-muted wrap-anywhere">
        {'{nummer} og {navn} bliver investorens. '}
        {faults.length === 0 && example && `${example.name} får ”${partName(pattern, example)}”.`}
      </p>
      <Faults id={`${id}-fault`} faults={faults} />
    </div>
  )
}
