import { TriangleAlert } from 'lucide-react'
import { Button } from '../../ui/basic/button.tsx'
import { askWhoGets } from './give-modal.tsx'
import { PageGroup } from './page-group.tsx'
import type { PagePictures } from './page-pictures.ts'
import { countPages, pagesText, sentence } from './pdf/page-ranges.ts'
import type { TileActs } from './page-tile.tsx'
import { missingRuns, pagesOf } from './plan.ts'
import { reasonText } from './propose-pages.ts'
import type { SplitPage } from './split.ts'
import type { PlanState } from './use-plan.ts'

type Props = {
  plan: PlanState
  pages: readonly SplitPage[]
  selected: ReadonlySet<number>
  pictures: PagePictures | null
  acts: TileActs
}

/** The pages that nobody has been given yet, in runs of the same reason, each with who may be meant. */
export function MissingPages({ plan, pages, ...shared }: Props) {
  const missing = pagesOf(plan.plan, null)
  if (missing.length === 0) return null
  return (
    <section aria-labelledby="missing" className="overflow-clip rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line bg-warn-soft px-4 py-3">
        <h2 id="missing" className="flex items-center gap-2 text-section font-semibold text-warn">
          <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
          Sider uden investor
        </h2>
        <p className="ml-auto text-meta tabular-nums">{countPages(missing.length)}</p>
      </header>
      <div className="divide-y divide-line">
        {missingRuns(plan.plan, pages).map((run) => (
          <MissingRun key={run[0]} plan={plan} run={run} pages={pages} {...shared} />
        ))}
      </div>
    </section>
  )
}

function MissingRun({ plan, run, pages, ...shared }: Props & { run: readonly number[] }) {
  const first = run[0]!
  const { reason, candidates } = pages[first - 1]!
  const hasBefore = (plan.plan[first - 2] ?? null) !== null
  const what = pagesText(run)
  const said = sentence(what)
  const other = candidates.length > 0 ? 'En anden…' : 'Giv til…'
  const joined = 'Samme som siden før'
  return (
    <PageGroup label={`${said}, mangler`} owner={null} numbers={run} pages={pages} {...shared}>
      <div>
        <h3 className="font-medium tabular-nums">{said}</h3>
        <p className="text-meta text-warn wrap-anywhere">{reasonText(reason)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {candidates.map((id) => {
          const owner = plan.owner(id)
          const who = owner.number === null ? owner.name : `${owner.name} (${owner.number})`
          return (
            <Button
              key={id}
              type="button"
              kind="secondary"
              aria-label={`Giv ${what} til ${who}`}
              onClick={() => plan.give(run, owner)}
            >
              {who}
            </Button>
          )
        })}
        <Button
          type="button"
          kind="secondary"
          aria-haspopup="dialog"
          aria-label={`${other}, ${what}`}
          onClick={() => askWhoGets(run)}
        >
          {other}
        </Button>
        {hasBefore && (
          <Button
            type="button"
            kind="secondary"
            aria-label={`${joined}, ${what}`}
            onClick={() => plan.join(run)}
          >
            {joined}
          </Button>
        )}
        <Button
          type="button"
          kind="secondary"
          aria-label={`Udelad ${what}`}
          onClick={() => plan.give(run, 'out')}
        >
          Udelad
        </Button>
      </div>
    </PageGroup>
  )
}
