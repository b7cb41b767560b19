import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { jsonBody, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { Pile } from '../pile/pile.ts'
import type { Contradiction, Judgement } from '../papers/judgement.ts'
import {
  acknowledgedIn,
  othersLike,
  papersOf,
  seenAgain,
  seenKey,
  seenKindsIn,
  unreadableIn,
  unseenIn,
  type Judgements,
  type SeenKinds,
} from './judgements.ts'

/** The server's limit. */
const AT_ONCE = 200
/** The page asks again while papers are read; less often while nothing comes of it. */
const FIRST_PAUSE_MS = 400
const LONGEST_PAUSE_MS = 5000

type Known = ReadonlyMap<string, { asked: string; judgement: Judgement }>

/** Asks what the papers of a pile say. The form works without it. */
export function useJudgements(pile: Pile, isOn: boolean) {
  const [known, setKnown] = useState<Known>(new Map())
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [round, setRound] = useState(0)
  const pause = useRef(FIRST_PAUSE_MS)
  /** Acknowledged in the page that left the pile; forgotten once the papers are judged here. */
  const earlier = useRef<SeenKinds>(new Map())
  const { groups, ignored } = pile

  const papers = useMemo(() => (isOn ? papersOf({ groups, ignored }) : []), [isOn, groups, ignored])
  const judgements: Judgements = useMemo(
    () =>
      new Map(
        papers.flatMap(({ id, asked }) => {
          const own = known.get(id)
          return own?.asked === asked ? [[id, own.judgement] as const] : []
        }),
      ),
    [papers, known],
  )
  const open = papers.filter(({ id }) => (judgements.get(id)?.state ?? 'waiting') === 'waiting')

  const see = (keys: readonly string[], isSeen: boolean) =>
    setSeen((before) =>
      isSeen ? new Set([...before, ...keys]) : new Set([...before].filter((key) => !keys.includes(key))),
    )

  const ask = useEffectEvent(async () => {
    const some = open.slice(0, AT_ONCE)
    const body = jsonBody({ files: some.map((paper) => paper.body) })
    const response = await orNull(send('POST', urls.readTemporary, body))
    const answer = response?.ok ? await orNull(readJson<{ judgements: Judgement[] }>(response)) : null
    const byHash = new Map(answer?.judgements.map((each) => [each.hash_name, each]))
    const news = answer
      ? some.map(({ id, asked, body: { hash_name: hash } }) => ({
          id,
          asked,
          judgement: byHash.get(hash) ?? { ...SILENT, hash_name: hash },
        }))
      : []
    const isRead = news.some(({ judgement }) => judgement.state !== 'waiting')
    pause.current = isRead ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pause.current * 1.5)
    const answered = news.filter(({ judgement }) => judgement.state !== 'waiting')
    const again = seenAgain(new Map(answered.map(({ id, judgement }) => [id, judgement])), earlier.current)
    if (again.length > 0) see(again, true)
    const ids = new Set(answered.map(({ id }) => id))
    earlier.current = new Map([...earlier.current].filter(([id]) => !ids.has(id)))
    if (news.length > 0)
      setKnown((before) => new Map([...before, ...news.map(({ id, ...rest }) => [id, rest] as const)]))
    setRound((before) => before + 1)
  })
  // Does not change with progress, which would restart the pause for as long as files are being sent.
  const which = open.length > 0 ? `${round} ${open.length} ${open[0]!.asked}` : null
  useEffect(() => {
    if (which === null) return undefined
    const soon = setTimeout(() => void ask(), pause.current)
    return () => clearTimeout(soon)
  }, [which])

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
    /** Restores the acknowledgements of an earlier page. */
    takeUp: (kinds: SeenKinds) => void (earlier.current = new Map([...earlier.current, ...kinds])),
    /** Says that somebody has seen a contradiction, or takes it back. */
    see: (id: string, contradiction: Contradiction, isSeen: boolean) =>
      see([seenKey(id, contradiction)], isSeen),
    /** Does the same for all other files with the same kind of contradiction. */
    seeOthers: (id: string, { kind }: Contradiction) =>
      see(
        othersLike(judgements, seen, { id, kind }).flatMap((other) =>
          judgements
            .get(other)!
            .contradictions.filter((each) => each.kind === kind)
            .map((each) => seenKey(other, each)),
        ),
        true,
      ),
    /** Takes up what the server has found when the form was saved. */
    learn: (found: Record<string, Contradiction[]>) =>
      setKnown(
        (before) =>
          new Map([
            ...before,
            ...papers.flatMap(({ id, asked, body: { hash_name: hash } }) => {
              const contradictions = Object.hasOwn(found, id) ? found[id] : undefined
              const own = before.get(id)?.judgement ?? { ...SILENT, hash_name: hash }
              return contradictions
                ? [[id, { asked, judgement: { ...own, state: 'read' as const, contradictions } }] as const]
                : []
            }),
          ]),
      ),
  }
}

/** The judgement of a paper that says nothing, or that the server no longer has. */
const SILENT: Omit<Judgement, 'hash_name'> = {
  state: 'unreadable',
  sureness: 'unknown',
  best: null,
  second: null,
  contradictions: [],
}

export type PilePapers = ReturnType<typeof useJudgements>
