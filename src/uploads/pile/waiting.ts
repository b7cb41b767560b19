import { contradictionText } from '../papers/judgement.ts'
import type { Findings } from './duplicate.ts'
import { seenKey, type Judgements } from './judgements.ts'
import type { Upload } from '../transport/upload.ts'

/** The files with a place that are not saved before somebody has answered a question about them, and the question. */
export type Waiting = ReadonlyMap<string, string>

/**
 * Finds contradictions that nobody has seen, and names that another file has. An unreadable file is saved, and held. While
 * something is asked, files whose name is only pointed out wait too: 'klar' is what nothing is said about.
 */
export function waitingIn(
  uploads: readonly Pick<Upload, 'id' | 'choice'>[],
  findings: Findings,
  { judgements, seen, isAsked }: { judgements: Judgements; seen: ReadonlySet<string>; isAsked: boolean },
): Waiting {
  const waiting = new Map<string, string>()
  const pointedOut = new Map<string, string>()
  for (const { id, choice } of uploads) {
    const { contradictions = [] } = judgements.get(id) ?? {}
    const open = contradictions.find((each) => each.kind !== 'unreadable' && !seen.has(seenKey(id, each)))
    const finding = findings.get(id)
    if (open) waiting.set(id, contradictionText(open))
    else if (finding?.choice === null) waiting.set(id, finding.why)
    else if (finding?.kind === 'same-name' && choice === null) pointedOut.set(id, finding.why)
  }
  return waiting.size > 0 || isAsked ? new Map([...waiting, ...pointedOut]) : waiting
}
