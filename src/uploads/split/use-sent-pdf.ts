import { useEffect, useEffectEvent, useState } from 'react'
import { takeCarried } from '../../ui/basic/next-page.ts'
import { jsonBody, OFFLINE, orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { useUploads } from '../form/use-uploads.ts'
import { cleanFileName } from '../../files/names/file-name.ts'
import type { Limits } from '../transport/upload.ts'
import type { SplitReading } from './split.ts'

type Options = {
  /** A file that was sent before the page was opened. */
  sent: string | null
  limits: Limits
  isDirect: boolean
}

type Answer = { to: string; reading: SplitReading | null; fault: string | null }

/** Sends one PDF and has the server read it. */
export function useSentPdf({ sent, limits, isDirect }: Options) {
  const { queue, uploads } = useUploads({ limits, isDirect, nameOf: cleanFileName })
  const [refusal, setRefusal] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const [upload] = uploads
  const id = upload?.id
  const hashName = upload ? upload.hashName : sent
  const question = hashName === null ? null : `${hashName} ${tries}`

  const read = useReading(question)

  useEffect(() => queue.want(id === undefined ? [] : [id]), [queue, id])
  const takeUp = useEffectEvent(() => queue.add(takeCarried().slice(0, 1)))
  useEffect(() => takeUp(), [])

  /** Takes the only PDF among the files, instead of the one before it. */
  function choose(files: readonly File[]): void {
    const pdfs = files.filter(({ name }) => /\.pdf$/i.test(name))
    if (pdfs.length !== 1 || files.length !== 1)
      return setRefusal(pdfs.length === 0 ? 'Vælg en PDF.' : 'Vælg én PDF ad gangen.')
    setRefusal(null)
    queue.remove(uploads.map((each) => each.id))
    return queue.add(pdfs)
  }

  return {
    reading: read?.reading ?? null,
    hashName,
    isReading: question !== null && read === null,
    upload: upload ?? null,
    fault: refusal ?? read?.fault ?? upload?.refusal ?? upload?.fault ?? null,
    choose,
    again: () => (upload?.state === 'failed' ? queue.retry([upload.id]) : setTries(tries + 1)),
  }
}

/** Asks the server to read a PDF, again for each new question; null until it has answered. */
function useReading(question: string | null): Answer | null {
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    if (question === null) return undefined
    let isDropped = false
    const ask = async () => {
      const read = await readPdf(question.split(' ')[0]!)
      if (!isDropped) setAnswer({ to: question, ...read })
    }
    void ask()
    return () => {
      isDropped = true
    }
  }, [question])
  return answer !== null && answer.to === question ? answer : null
}

/** Returns the reading, or why the PDF cannot be divided. */
async function readPdf(hashName: string): Promise<Omit<Answer, 'to'>> {
  const response = await orNull(send('POST', urls.readSplit, jsonBody({ file: hashName })))
  const body = response && (await orNull(readJson<SplitReading & { message?: string }>(response)))
  if (!body) return { reading: null, fault: OFFLINE }
  if (response.ok) return { reading: body, fault: null }
  return { reading: null, fault: body.message ?? "PDF'en kunne ikke læses. Prøv igen om lidt." }
}
