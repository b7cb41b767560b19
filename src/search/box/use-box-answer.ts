import { useEffect, useRef, useState } from 'react'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { urls } from '../../urls.ts'
import { NO_QUESTION, writeSearch } from '../answer/search-address.ts'
import type { BoxAnswer } from '../answer/search-answer.ts'
import { readAsked } from './acts.ts'
import type { Asked } from './entries.ts'

/** Short enough to feel at once, long enough to leave out most letters of a word. */
const PAUSE_MS = 120

type Fetched = { asked: Asked | null; hasFailed: boolean }

/**
 * Fetches suggestions for a text while the box is open, after a pause in typing. Keeps the last answer until the next has
 * come; an older request is aborted.
 */
export function useBoxAnswer(typed: string, isOpen: boolean): Fetched & { isBusy: boolean } {
  const user = useFrame().user!
  const [fetched, setFetched] = useState<Fetched & { text: string | null }>({
    asked: null,
    hasFailed: false,
    text: null,
  })
  const hasAsked = useRef(false)
  const text = typed.trim()

  useEffect(() => {
    // Before anything is typed there are only saved searches to offer.
    if (!isOpen || (text === '' && !may(user.role, 'saveSearches'))) return undefined
    const overtaken = new AbortController()
    const ask = async () => {
      const { q, act } = readAsked(text, user)
      const answer = await fetchAnswer(q, overtaken.signal)
      if (overtaken.signal.aborted) return
      setFetched(
        answer
          ? { asked: { text, act, answer }, hasFailed: false, text }
          : { asked: null, hasFailed: true, text },
      )
    }
    // The first letter is answered at once.
    const pause = setTimeout(() => void ask(), hasAsked.current ? PAUSE_MS : 0)
    hasAsked.current = true
    return () => {
      clearTimeout(pause)
      overtaken.abort()
    }
  }, [text, isOpen, user])

  return { asked: fetched.asked, hasFailed: fetched.hasFailed, isBusy: isOpen && fetched.text !== text }
}

async function fetchAnswer(q: string, signal: AbortSignal): Promise<BoxAnswer | null> {
  const response = await orNull(
    send('GET', urls.suggestions + writeSearch({ ...NO_QUESTION, q }), null, signal),
  )
  return response?.ok ? orNull(readJson<BoxAnswer>(response)) : null
}
