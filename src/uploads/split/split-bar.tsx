import { countFiles } from '../../projects/folder.ts'
import { PublishingChoice, ReachNote } from '../../releases/publishing-choice.tsx'
import type { Reach } from '../../releases/release/release.ts'
import { Button } from '../../ui/basic/button.tsx'
import { SaveRefused } from '../form/save-refused.tsx'
import { countPages } from './pdf/page-ranges.ts'
import type { PlanState } from './use-plan.ts'
import type { SplitSaving } from './use-split-saving.ts'

type Props = {
  plan: PlanState
  saving: SplitSaving
  /** How many files are saved. */
  files: number
  /** Why it cannot be saved yet; null if it can. */
  why: string | null
  reach: Reach | null
  onGive: () => void
  onLook: () => void
  onAgree: () => void
}

/** Stays in view: the acts on selected pages, and the save button with the reason why it does not work yet. */
export function SplitBar({ plan, saving, files, why, reach, onGive, onLook, onAgree }: Props) {
  const selected = [...plan.selected]
  return (
    <div className="upload-bar sticky bottom-2 z-10 grid gap-3 rounded-card border border-line bg-surface px-4 py-3 shadow-lg">
      {selected.length > 0 && (
        <div role="toolbar" aria-label="Valgte sider" className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="font-medium tabular-nums">{countPages(selected.length)} valgt</p>
          <Button type="button" kind="secondary" aria-haspopup="dialog" onClick={onGive}>
            Giv til…
          </Button>
          <Button type="button" kind="secondary" onClick={() => plan.give(selected, 'out')}>
            Udelad
          </Button>
          <Button type="button" kind="secondary" onClick={() => plan.join(selected)}>
            Samme som siden før
          </Button>
          {selected.length === 1 && (
            <Button type="button" kind="secondary" aria-haspopup="dialog" onClick={onLook}>
              Se siden
            </Button>
          )}
          <Button type="button" kind="quiet" onClick={() => plan.select([])}>
            Fravælg
          </Button>
        </div>
      )}
      <SaveRefused asking={saving.asking} onAgree={onAgree} onDecline={saving.decline} fault={saving.fault} />
      {why === null && (
        <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
          <PublishingChoice choice={saving.choice} onChange={saving.choose} faults={saving.errors} />
          <div className="min-w-0 flex-1 basis-40 self-center text-meta text-muted">
            <ReachNote way={saving.choice.way} reach={reach} />
          </div>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="submit"
          loading={saving.step === 'saving'}
          loadingText="Deler og gemmer…"
          aria-disabled={why !== null || undefined}
          aria-describedby={why === null ? undefined : 'split-why'}
          kind={why === null ? 'primary' : 'secondary'}
          className={why === null ? '' : 'bg-sunken text-muted'}
        >
          Gem {countFiles(files)}
          {saving.choice.way === 'draft' && ' som kladde'}
        </Button>
        <p id="split-why" className="min-w-0 flex-1 basis-48 text-meta text-warn">
          {why}
        </p>
        {plan.canUndo && (
          <Button type="button" kind="quiet" onClick={plan.undo}>
            Fortryd rettelse
          </Button>
        )}
      </div>
    </div>
  )
}
