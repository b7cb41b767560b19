import { TriangleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import { isMaybe, PageGroup } from './page-group.tsx'
import { countPages, pagesText, sentence } from './pdf/page-ranges.ts'
import type { Part } from './plan.ts'
import type { SplitOwner } from './split.ts'

/** Groups of pages under a heading. */
export function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-card border border-line bg-surface">
      <h2 id={id} className="border-b border-line px-4 py-3 text-section font-semibold">
        {title}
      </h2>
      <div className="divide-y divide-line">{children}</div>
    </section>
  )
}

type PartProps = {
  part: Part
  owner: SplitOwner
  /** The file's name; null while it is unknown. */
  name: string | null
  fault: string | undefined
  onDrop: (pages: readonly number[]) => void
  onSelect: () => void
  shared: Omit<
    Parameters<typeof PageGroup>[0],
    'label' | 'owner' | 'numbers' | 'children' | 'onDrop' | 'fault'
  >
}

/** The pages of one investor, and the file that they become. */
export function PartGroup({ part, owner, name, fault, onDrop, onSelect, shared }: PartProps) {
  const who = owner.number === null ? owner.name : `${owner.name} (${owner.number})`
  const maybe = part.pages.filter((page) => isMaybe(shared.pages[page - 1]!, owner.id))
  return (
    <PageGroup label={who} owner={owner.id} numbers={part.pages} onDrop={onDrop} fault={fault} {...shared}>
      <div>
        <h3 className="font-medium wrap-anywhere">{who}</h3>
        <p className="text-meta text-muted tabular-nums">
          {sentence(pagesText(part.pages))} · {countPages(part.pages.length)}
        </p>
        {name !== null && <p className="text-meta text-muted wrap-anywhere">{name}</p>}
        {maybe.length > 0 && (
          <p className="flex items-start gap-1 text-meta text-warn tabular-nums">
            <TriangleAlert size={12} strokeWidth={2} aria-hidden="true" className="mt-0.5 shrink-0" />
            Tjek {pagesText(maybe)}.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          type="button"
          kind="quiet"
          className="-ml-4"
          aria-label={`Vælg siderne, ${owner.name}`}
          onClick={onSelect}
        >
          Vælg siderne
        </Button>
      </div>
    </PageGroup>
  )
}
