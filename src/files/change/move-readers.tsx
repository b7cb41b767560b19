import { listed, withRest } from '../../base/danish/listed.ts'
import { useEffect, useState } from 'react'
import { fetchJson, jsonBody } from '../../ui/overlay/request.ts'
import type { FileOwner } from '../../access/reader.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { Picked } from '../screen/use-files-screen.ts'

/** Where files are moved to, as the server is told. */
export type NewPlace = { folder_id: number } | { user_id: number }

type Props = { owner: FileOwner; files: readonly Picked[]; to: NewPlace | null }
type Places = { folders?: number[]; users?: number[] }
type Reach = { people: number; names: string[] }

export const MOST_NAMED = 3
/** Shows who sees the files now, and at the new place, and whether a colleague has to approve the move. */
export function MoveReaders({ owner, files, to }: Props) {
  const now = useReach({ folders: [...new Set(files.map(({ folder }) => folder.id))] })
  const there = useReach(to && ('user_id' in to ? { users: [to.user_id] } : { folders: [to.folder_id] }))
  const asked = useForeseen(owner, files, to)
  const isOne = files.length === 1
  return (
    <div aria-live="polite" className="grid gap-2 text-muted">
      <p>
        {now && `Nu kan ${seenText(now)} se ${isOne ? 'filen' : 'filerne'}. `}
        {there && `Efter flytningen kan ${seenText(there)} se ${isOne ? 'den' : 'dem'}.`}
      </p>
      {asked !== null && <p className="text-warn">{asked}</p>}
    </div>
  )
}

/** 'kontoret og Bo Holm', 'kontoret, Bo Holm, Eva Lund, Ib Krog og 9 til'. */
function seenText({ people, names }: Reach): string {
  if (people === 0) return 'kun kontoret'
  return listed(['kontoret', ...withRest(names, MOST_NAMED, { total: people })])
}

/** Fetches who sees folders, and people's own files. Null until the server has answered. */
const useReach = (places: Places | null) =>
  useAnswer<Reach>(urls.findReach, places && { folders: [], users: [], ...places })

/** Fetches what the server would say of approval. Null if no colleague has to approve, and until it has answered. */
function useForeseen(owner: FileOwner, files: readonly Picked[], to: NewPlace | null): string | null {
  const wanted = to && { files: files.map(({ file }) => file.id), ...to }
  return useAnswer<{ asked: string | null }>(fileUrls.many(owner, 'foresee-move'), wanted)?.asked ?? null
}

function useAnswer<Answer>(url: string, question: object | null): Answer | null {
  const [found, setFound] = useState<{ asked: string; answer: Answer } | null>(null)
  const asked = question && JSON.stringify(question)
  useEffect(() => {
    if (asked === null) return undefined
    let isOver = false
    const show = async () => {
      const answer = await fetchJson<Answer>('POST', url, jsonBody(JSON.parse(asked)))
      if (!isOver && answer) setFound({ asked, answer })
    }
    void show()
    return () => {
      isOver = true
    }
  }, [url, asked])
  return found?.asked === asked ? found.answer : null
}
