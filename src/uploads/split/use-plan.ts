import { useState } from 'react'
import { correctionText, givePages, joinBefore, pagesOf, planOf, type Plan } from './plan.ts'
import { countPages, pagesText, sentence } from './pdf/page-ranges.ts'
import type { SplitOwner, SplitReading } from './split.ts'

type State = { plan: Plan; before: readonly Plan[] }

/** Holds the owner of each page, the selected pages, and the announcement of the last correction. */
export function usePlan({ pages, people }: SplitReading) {
  const [{ plan, before }, setState] = useState<State>(() => ({ plan: planOf(pages), before: [] }))
  const [owners, setOwners] = useState(() => new Map(people.map((person) => [person.id, person])))
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [last, setLast] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')

  function change(next: Plan, text: string): void {
    setState({ plan: next, before: [...before, plan] })
    setSelected(new Set())
    setAnnouncement(text)
    focusAfter(plan, next)
  }

  return {
    plan,
    selected,
    announcement,
    canUndo: before.length > 0,
    isTouched: before.length > 0,
    owner: (id: number): SplitOwner => owners.get(id)!,
    /** Gives pages to a person, or leaves them out. */
    give: (of: readonly number[], to: SplitOwner | 'out'): void => {
      if (of.length === 0) return
      if (to !== 'out') setOwners(new Map(owners).set(to.id, to))
      const next = givePages(plan, of, to === 'out' ? 'out' : to.id)
      change(next, correctionText(of, to === 'out' ? null : to.name, next))
    },
    /** Gives each page to whom the page before it belongs. */
    join: (of: readonly number[]): void => {
      const next = joinBefore(plan, of)
      const missing = pagesOf(next, null).length
      const left = missing === 0 ? 'Alle sider er fordelt.' : `${countPages(missing)} mangler.`
      change(next, `${sentence(pagesText(of))} følger siden før. ${left}`)
    },
    undo: (): void => {
      const earlier = before.at(-1)
      if (!earlier) return
      setState({ plan: earlier, before: before.slice(0, -1) })
      setSelected(new Set())
      setAnnouncement('Rettelsen er fortrudt.')
    },
    /** Selects or deselects a page; with `isRange`, everything from the last one with the same owner. */
    toggle: (page: number, isRange: boolean): void => {
      const next = new Set(selected)
      const isOn = !selected.has(page)
      const from = isRange && last !== null && plan[last - 1] === plan[page - 1] ? last : page
      for (let each = Math.min(from, page); each <= Math.max(from, page); each++) {
        if (plan[each - 1] !== plan[page - 1]) continue
        if (isOn || isRange) next.add(each)
        else next.delete(each)
      }
      setLast(page)
      setSelected(next)
    },
    select: (of: readonly number[]) => setSelected(new Set(of)),
  }
}

/** Moves to the next missing page, or to the first page that was moved: the focused element may be removed. */
function focusAfter(plan: Plan, next: Plan): void {
  const moved = next.findIndex((owner, index) => owner !== plan[index]) + 1
  const missing = pagesOf(next, null)
  const wasMissing = plan[moved - 1] === null
  const after = missing.find((page) => page > moved) ?? missing[0]
  const to = wasMissing && after !== undefined ? after : moved
  requestAnimationFrame(() => {
    const { activeElement, body } = document
    const isLost = activeElement === body || activeElement === null || activeElement.matches('main')
    if (isLost) document.querySelector<HTMLElement>(`[data-page="${to}"] input`)?.focus()
  })
}

export type PlanState = ReturnType<typeof usePlan>
