import { useEffect, useState } from 'react'
import { EVERYTHING, writeListQuery } from '../../base/list-query.ts'
import { fetchJson } from '../overlay/request.ts'

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
      const url = route + writeListQuery({ ...EVERYTHING, q })
      const body = await fetchJson<{ data: Item[] }>('GET', url, null, overtaken.signal)
      if (overtaken.signal.aborted) return
      const found = body?.data.slice(0, MOST_SUGGESTIONS) ?? []
      setAnswer({ for: q, found, state: body ? 'found' : 'fault' })
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
