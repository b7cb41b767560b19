import { useEffect, useState } from 'react'
import { EVERYTHING, writeListQuery } from '../../base/list-query.ts'
import { send } from '../overlay/request.ts'

const PAUSE_MS = 250
export const MOST_SUGGESTIONS = 8

type State = 'still' | 'busy' | 'fault' | 'found'

/** Fetches the first few rows that match a typed text; none for an empty text. */
export function useSuggestions<Item>(route: string, text: string): { found: Item[]; state: State } {
  const [answer, setAnswer] = useState<{ for: string; found: Item[]; state: State }>()
  const q = text.trim()

  useEffect(() => {
    if (q === '') return undefined
    const overtaken = new AbortController()
    const ask = async () => {
      const end = (found: Item[], state: State) =>
        overtaken.signal.aborted || setAnswer({ for: q, found, state })
      try {
        const response = await send(
          'GET',
          route + writeListQuery({ ...EVERYTHING, q }),
          null,
          overtaken.signal,
        )
        if (!response.ok) return end([], 'fault')
        const { data } = (await response.json()) as { data: Item[] }
        return end(data.slice(0, MOST_SUGGESTIONS), 'found')
      } catch {
        return end([], 'fault')
      }
    }
    const pause = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      clearTimeout(pause)
      overtaken.abort()
    }
  }, [route, q])

  if (q === '') return { found: [], state: 'still' }
  if (answer?.for === q) return answer
  return { found: answer?.found ?? [], state: 'busy' }
}
