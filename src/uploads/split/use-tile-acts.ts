import { useLayoutEffect, useRef, useState } from 'react'
import { askWhoGets } from './give-modal.tsx'
import type { TileActs } from './page-tile.tsx'
import type { PlanState } from './use-plan.ts'

/** The acts on a page: always the same object, so that tiles do not render again, with the current plan. */
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
