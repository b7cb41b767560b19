import { Button } from '../../ui/basic/button.tsx'
import type { Repairs } from './use-repairs.ts'

type Props = { repairs: Omit<Repairs, 'said'>; said: Repairs['said'] }

/** Shows the last repair, and offers to repeat it for other files or to undo it. */
export function RepairStrip({ repairs: { done, others, repairOthers, undo }, said }: Props) {
  if (!done) return null
  return (
    <output
      ref={said}
      tabIndex={-1}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-ok-soft px-4 py-2"
    >
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{done.text}</span>
      {done.before.size > 0 && others.length > 0 && (
        <Button type="button" onClick={repairOthers}>
          Gør det samme for {others.length === 1 ? 'den anden' : `de andre ${others.length}`}
        </Button>
      )}
      {done.before.size > 0 && (
        <Button type="button" kind="secondary" onClick={undo}>
          Fortryd
        </Button>
      )}
    </output>
  )
}
