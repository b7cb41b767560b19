import { contradictionText } from '../papers/judgement.ts'
import type { Findings } from './duplicate.ts'
import { seenKey, type Judgements } from './judgements.ts'

/** The files with a place that are not saved before somebody has answered a question about them, and the question. */
export type Waiting = ReadonlyMap<string, string>

/** Finds contradictions that nobody has seen, and names that another file has. An unreadable file is saved, and held. */
export function waitingIn(
  ids: readonly string[],
  findings: Findings,
  judgements: Judgements,
  seen: ReadonlySet<string>,
): Waiting {
  return new Map(
    ids.flatMap((id) => {
      const { contradictions = [] } = judgements.get(id) ?? {}
      const open = contradictions.find((each) => each.kind !== 'unreadable' && !seen.has(seenKey(id, each)))
      if (open) return [[id, contradictionText(open)] as const]
      const finding = findings.get(id)
      return finding?.choice === null ? [[id, finding.why] as const] : []
    }),
  )
}
