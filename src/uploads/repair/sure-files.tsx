import { useState } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { Button } from '../../ui/basic/button.tsx'
import { Fold } from '../groups/fold.tsx'
import type { Ignored } from '../pile/pile.ts'
import { IgnoredRows } from './ignored-row.tsx'
import type { Repairs } from './use-repairs.ts'

type Props = {
  sure: readonly Ignored[]
  repairs: Pick<Repairs, 'repair' | 'accept' | 'acceptName' | 'acceptAll'>
  onRemove: (ids: string[]) => void
}

/** Papers that say for certain where they belong, put in their places with one press. */
export function SureFiles({ sure, repairs, onRemove }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (sure.length === 0) return null
  const [papers, they] = sure.length === 1 ? ['papir', 'det'] : ['papirer', 'de']
  const count = formatCount(sure.length)
  return (
    <section
      aria-label="Sikre"
      className="overflow-clip rounded-card border border-line bg-accent-soft [&_.upload-row]:bg-surface"
    >
      <ul>
        <Fold
          heading="h2"
          title={`${count} ${papers} siger selv, hvor ${they} hører til`}
          facts={null}
          isOpen={isOpen}
          onToggle={() => setOpen(!isOpen)}
          acts={
            <Button type="button" kind="secondary" onClick={() => repairs.acceptAll(sure)}>
              {sure.length === 1 ? 'Læg det på plads' : `Læg ${count} sikre på plads`}
            </Button>
          }
        >
          {() => <IgnoredRows ignored={sure} repairs={repairs} onRemove={onRemove} />}
        </Fold>
      </ul>
    </section>
  )
}
