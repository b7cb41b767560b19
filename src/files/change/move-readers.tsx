import { useEffect, useState } from 'react'
import { fetchJson, jsonBody } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { Picked } from '../screen/use-files-screen.ts'

/** Where files are moved to, as the server is told. */
export type NewPlace = { folder_id: number } | { user_id: number }

type Props = { files: readonly Picked[]; to: NewPlace | null }
type Places = { folders?: number[]; users?: number[] }
type Reach = { people: number; names: string[] }

export const MOST_NAMED = 3
const LIST = new Intl.ListFormat('da')

/** Shows who sees the files now, and at the new place. */
export function MoveReaders({ files, to }: Props) {
  const now = useReach({ folders: [...new Set(files.map(({ folder }) => folder.id))] })
  const there = useReach(to && ('user_id' in to ? { users: [to.user_id] } : { folders: [to.folder_id] }))
  const isOne = files.length === 1
  return (
    <p aria-live="polite" className="text-muted">
      {now && `Nu kan ${seenText(now)} se ${isOne ? 'filen' : 'filerne'}. `}
      {there && `Efter flytningen kan ${seenText(there)} se ${isOne ? 'den' : 'dem'}.`}
    </p>
  )
}

/** 'kontoret og Bo Holm', 'kontoret, Bo Holm, Eva Lund, Ib Krog og 9 til'. */
function seenText({ people, names }: Reach): string {
  if (people === 0) return 'kun kontoret'
  return LIST.format(
    people <= MOST_NAMED
      ? ['kontoret', ...names]
      : ['kontoret', ...names.slice(0, MOST_NAMED), `${people - MOST_NAMED} til`],
  )
}

/** Fetches who sees folders, and people's own files. Null until the server has answered. */
function useReach(places: Places | null): Reach | null {
  const [found, setFound] = useState<{ asked: string; reach: Reach } | null>(null)
  const asked = places && JSON.stringify({ folders: [], users: [], ...places })
  useEffect(() => {
    if (asked === null) return undefined
    let isOver = false
    const show = async () => {
      const reach = await fetchJson<Reach>('POST', urls.findReach, jsonBody(JSON.parse(asked)))
      if (!isOver && reach) setFound({ asked, reach })
    }
    void show()
    return () => {
      isOver = true
    }
  }, [asked])
  return found?.asked === asked ? found.reach : null
}
