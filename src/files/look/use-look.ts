import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { fileUrls } from '../../urls.ts'
import type { LookFacts } from './look.ts'

/** A file that somebody passes faster than this is not fetched, and so does not count as read. */
const REST_MS = 150

type Answer = { facts: LookFacts; fault?: never } | { facts?: never; fault: string }

/**
 * Fetches the facts about a file once the panel has rested on it, and again when its `version` changes. Null until they
 * arrive.
 */
export function useLook(
  owner: FileOwner,
  file: number,
  version = '',
): { answer: Answer | null; again: () => void } {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const asked = useRef<AbortController>(null)

  function ask(afterMs: number): void {
    asked.current?.abort()
    const over = new AbortController()
    asked.current = over
    setTimeout(() => {
      if (over.signal.aborted) return
      void fetchLook(owner, file, over.signal).then((came) => over.signal.aborted || setAnswer(came))
    }, afterMs)
  }

  const begin = useEffectEvent((_version: string) => ask(REST_MS))
  useEffect(() => {
    begin(version)
    return () => asked.current?.abort()
  }, [version])

  function again(): void {
    setAnswer(null)
    ask(0)
  }
  return { answer, again }
}

async function fetchLook(owner: FileOwner, file: number, signal: AbortSignal): Promise<Answer> {
  const response = await orNull(send('GET', fileUrls.look(owner, file), null, signal))
  if (!response) return { fault: OFFLINE }
  if (response.status === 404) return { fault: 'Filen findes ikke længere, eller den er flyttet.' }
  const facts = response.ok ? await orNull(readJson<LookFacts>(response)) : null
  return facts ? { facts } : { fault: 'Filen kunne ikke hentes. Prøv igen om lidt.' }
}
