import { useLayoutEffect, useRef, useState } from 'react'
import { askWhoGets } from './give-modal.tsx'
import type { TileActs } from './page-tile.tsx'
import type { PlanState } from './use-plan.ts'

/** What can be done with a page: the same object always, so that tiles are not drawn again, and about the plan as it is now. */
export function useTileActs(plan: PlanState): TileActs {
  const now = useRef(plan)
  useLayoutEffect(() => {
    now.current = plan
  })
  const [acts] = useState((): TileActs => {
    const meantBy = (page: number) => (now.current.selected.has(page) ? [...now.current.selected] : [page])
    return {
      meantBy,
      ownerOf: (page) => now.current.plan[page - 1]!,
      toggle: (page, isRange) => now.current.toggle(page, isRange),
      give: (page) => askWhoGets(meantBy(page)),
      leaveOut: (page) => now.current.give(meantBy(page), 'out'),
    }
  })
  return acts
}
