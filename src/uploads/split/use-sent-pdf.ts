import { useEffect, useState } from 'react'
import { jsonBody, OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { SplitReading } from './split.ts'

type Answer = { tries: number; reading: SplitReading | null; fault: string | null }

/** Has the server read a PDF that was sent. */
export function useSentPdf(hashName: string) {
  const [tries, setTries] = useState(0)
  const [last, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    let isDropped = false
    const ask = async () => {
      const read = await readPdf(hashName)
      if (!isDropped) setAnswer({ tries, ...read })
    }
    void ask()
    return () => {
      isDropped = true
    }
  }, [hashName, tries])
  const answer = last?.tries === tries ? last : null
  return {
    reading: answer?.reading ?? null,
    fault: answer?.fault ?? null,
    isReading: answer === null,
    again: () => setTries(tries + 1),
  }
}

/** Returns the reading, or why the PDF cannot be divided. */
async function readPdf(hashName: string): Promise<Omit<Answer, 'tries'>> {
  const response = await orNull(send('POST', urls.readSplit, jsonBody({ file: hashName })))
  const body = response && (await orNull(readJson<SplitReading & { message?: string }>(response)))
  if (!body) return { reading: null, fault: OFFLINE }
  if (response.ok) return { reading: body, fault: null }
  return { reading: null, fault: body.message ?? "PDF'en kunne ikke læses. Prøv igen om lidt." }
}
