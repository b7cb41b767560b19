import { useEffect, useEffectEvent, useMemo } from 'react'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { silent, type FormState, type Tell } from '../pile/form-state.ts'
import type { Pile } from '../pile/pile.ts'
import type { Contradiction, Judgement } from '../papers/judgement.ts'
import {
  acknowledgedIn,
  openKeys,
  othersLike,
  papersOf,
  seenKey,
  seenKindsIn,
  unreadableIn,
  unseenIn,
  type Judgements,
} from '../pile/judgements.ts'

/** The server's limit. */
const AT_ONCE = 200

/** Asks what the papers of a pile say. The form works without it. */
export function useJudgements(pile: Pile, isOn: boolean, state: FormState, tell: Tell) {
  const { judged, seen, rounds, pauseMs } = state
  const { groups, ignored } = pile

  const papers = useMemo(() => (isOn ? papersOf({ groups, ignored }) : []), [isOn, groups, ignored])
  const judgements: Judgements = useMemo(
    () =>
      new Map(
        papers.flatMap(({ id, asked }) => {
          const own = judged.get(id)
          return own?.asked === asked ? [[id, own.judgement] as const] : []
        }),
      ),
    [papers, judged],
  )
  const open = papers.filter(({ id }) => (judgements.get(id)?.state ?? 'waiting') === 'waiting')

  const ask = useEffectEvent(async () => {
    const some = open.slice(0, AT_ONCE)
    const body = jsonBody({ files: some.map((paper) => paper.body) })
    const response = await orNull(send('POST', urls.readTemporary, body))
    const answer = response?.ok ? await orNull(readJson<{ judgements: Judgement[] }>(response)) : null
    const byHash = new Map(answer?.judgements.map((each) => [each.hash_name, each]))
    const news = some.map(({ id, asked, body: { hash_name: hash } }) => ({
      id,
      asked,
      judgement: byHash.get(hash) ?? silent(hash),
    }))
    tell({ type: 'judged', news: answer ? news : [] })
  })
  // Does not change with progress, which would restart the pause for as long as files are being sent.
  const which = open.length > 0 ? `${rounds} ${open.length} ${open[0]!.asked}` : null
  useEffect(() => {
    if (which === null) return undefined
    const soon = setTimeout(() => void ask(), pauseMs)
    return () => clearTimeout(soon)
  }, [which, pauseMs])

  const seeAll = (keys: readonly string[], isSeen: boolean) => tell({ type: 'seen', keys, isSeen })
  return {
    judgements,
    seen,
    /** Files with contradictions that nobody has seen yet. */
    unseen: unseenIn(judgements, seen),
    /** Files that are read still: they are saved all the same, and shown when they are read. */
    reading: open.map(({ id }) => id),
    /** Unreadable files that nobody has chosen to show anyway. */
    unreadable: unreadableIn(judgements, seen),
    acknowledged: acknowledgedIn(judgements, seen),
    seenKinds: useMemo(() => seenKindsIn(judgements, seen), [judgements, seen]),
    /** Says that somebody has seen a contradiction, or takes it back. */
    see: (id: string, contradiction: Contradiction, isSeen: boolean) =>
      seeAll([seenKey(id, contradiction)], isSeen),
    /** Does so for all other files that contradict themselves in the same way. */
    seeOthers: (id: string, { kind }: Contradiction) =>
      seeAll(openKeys(judgements, seen, kind, othersLike(judgements, seen, { id, kind })), true),
    /** Says so for all these contradictions, or takes it back. */
    seeAll,
    /** Takes up what the server has found when the form was saved. */
    learn: (found: Record<string, Contradiction[]>) => tell({ type: 'contradicted', papers, found }),
  }
}

export type PilePapers = ReturnType<typeof useJudgements>
