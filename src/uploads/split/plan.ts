import type { PageProposal } from './propose-pages.ts'
import { countPages, pagesText, sentence } from './pdf/page-ranges.ts'

/** The owner of a page: a person, left out, or not decided. */
export type PageOwner = number | 'out' | null

/** The owner of each page; the first is that of page 1. */
export type Plan = readonly PageOwner[]

export const planOf = (proposals: readonly PageProposal[]): Plan => proposals.map(({ person }) => person)

export function givePages(plan: Plan, pages: readonly number[], owner: PageOwner): Plan {
  const given = new Set(pages)
  return plan.map((now, index) => (given.has(index + 1) ? owner : now))
}

/** Gives each page to whom the page before it belongs, from the first to the last. */
export function joinBefore(plan: Plan, pages: readonly number[]): Plan {
  const given = new Set(pages)
  let before: PageOwner = null
  return plan.map((now, index) => {
    before = given.has(index + 1) && index > 0 ? before : now
    return before
  })
}

export type Part = { person: number; pages: number[] }

/** One part for each person, by their first page. */
export function partsOf(plan: Plan): Part[] {
  const parts = new Map<number, number[]>()
  for (const [index, owner] of plan.entries()) {
    if (typeof owner !== 'number') continue
    const pages = parts.get(owner) ?? []
    pages.push(index + 1)
    parts.set(owner, pages)
  }
  return [...parts].map(([person, pages]) => ({ person, pages }))
}

export function pagesOf(plan: Plan, owner: PageOwner): number[] {
  return plan.flatMap((each, index) => (each === owner ? index + 1 : []))
}

/** Says why the plan cannot be saved yet; null if it can. */
export function unfinished(plan: Plan): string | null {
  const missing = pagesOf(plan, null)
  if (missing.length > 0)
    return missing.length === 1
      ? `Giv ${pagesText(missing)} til nogen, eller udelad den.`
      : `Giv ${countPages(missing.length)} til nogen, eller udelad dem: ${shortened(missing)}.`
  return plan.some((owner) => typeof owner === 'number') ? null : 'Mindst én side skal gives til en investor.'
}

const MOST_SAID = 60

function shortened(pages: readonly number[]): string {
  const all = pagesText(pages)
  return all.length <= MOST_SAID ? all : `${pagesText(pages.slice(0, 1))} og ${pages.length - 1} andre`
}

/** The announcement to screen readers after a correction. */
export function correctionText(pages: readonly number[], to: string | null, plan: Plan): string {
  const what = sentence(pagesText(pages))
  const done = to === null ? `${what} er udeladt.` : `${what} er givet til ${to}.`
  const missing = pagesOf(plan, null).length
  return `${done} ${missing === 0 ? 'Alle sider er fordelt.' : `${countPages(missing)} mangler.`}`
}

type SentPart = { id: string; pages: readonly number[] }

/** Finds the faults of a sent plan, by field: every page must be given once, or left out. */
export function planFaults(
  parts: readonly SentPart[],
  leftOut: readonly number[],
  pages: number,
): Record<string, string[]> {
  const faults: Record<string, string[]> = {}
  const seen = new Set<number>()
  const check = (field: string, theirs: readonly number[]) => {
    const beyond = theirs.filter((page) => page > pages)
    const twice = theirs.filter((page) => seen.has(page))
    if (beyond.length > 0) faults[field] = [`PDF'en har kun ${countPages(pages)}.`]
    else if (twice.length > 0) faults[field] = [`${sentence(pagesText(twice))} er givet to gange.`]
    for (const page of theirs) seen.add(page)
  }
  for (const { id, pages: theirs } of parts) check(`parts.${id}.pages`, theirs)
  check('left_out', leftOut)
  const missing = Array.from({ length: pages }, (_, index) => index + 1).filter((page) => !seen.has(page))
  if (missing.length > 0 && Object.keys(faults).length === 0)
    faults.parts = [`${sentence(shortened(missing))} er hverken givet til nogen eller udeladt.`]
  return faults
}

/** The pages that nobody has, in runs for the same reason. */
export function missingRuns(
  plan: Plan,
  pages: readonly Pick<PageProposal, 'reason' | 'candidates'>[],
): number[][] {
  const runs: number[][] = []
  const whyOf = (page: number) => JSON.stringify([pages[page - 1]!.reason, pages[page - 1]!.candidates])
  for (const page of pagesOf(plan, null)) {
    const last = runs.at(-1)
    if (last && last.at(-1) === page - 1 && whyOf(last[0]!) === whyOf(page)) last.push(page)
    else runs.push([page])
  }
  return runs
}
