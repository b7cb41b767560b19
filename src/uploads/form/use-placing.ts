import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { jsonBody, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import {
  learn,
  NOTHING_KNOWN,
  questionOf,
  sortPile,
  whereTo,
  type Known,
  type Pile,
  type UploadForm,
  type Where,
} from './pile.ts'
import type { UploadMap } from '../names/placing.ts'
import type { Upload } from '../transport/upload.ts'

/** Sorts the dropped files, and asks the server where new names lead. */
export function usePlacing(form: UploadForm, uploads: readonly Upload[]) {
  const [known, setKnown] = useState<Known>(NOTHING_KNOWN)
  const [hasFailed, setFailed] = useState(false)
  const isAsking = useRef(false)

  const whereOf = useMemo(() => remembered(form, known), [form, known])
  const pile: Pile = useMemo(() => sortPile(uploads, whereOf), [uploads, whereOf])

  const ask = useEffectEvent(async (unsure: Upload[]) => {
    if (isAsking.current) return
    isAsking.current = true
    const questions = unsure.flatMap(({ name }) => questionOf(form, name) ?? [])
    try {
      const response = await send(
        'POST',
        urls.resolveUpload,
        jsonBody({
          folders: distinct(questions.map(({ folder }) => folder)),
          keys: distinct(questions.map(({ key }) => key)),
        }),
      )
      if (!response.ok) throw new Error(`Resolving answered ${response.status}.`)
      const answer = (await response.json()) as UploadMap
      setKnown((before) => learn(before, answer, distinct(questions.map(({ id }) => id))))
    } catch {
      setFailed(true)
    }
    isAsking.current = false
  })
  const { unsure } = pile
  useEffect(() => {
    if (unsure.length === 0 || hasFailed) return undefined
    const soon = setTimeout(() => void ask(unsure)) // asks once for all files dropped at the same time
    return () => clearTimeout(soon)
  }, [unsure, hasFailed])

  return {
    pile,
    hasFailed,
    retry: () => setFailed(false),
    /** Asks everything again: a folder may have been renamed meanwhile. */
    forget: () => setKnown(NOTHING_KNOWN),
  }
}

/** Caches places by name until something new is known: a pile is sorted again at every bit of progress. */
function remembered(form: UploadForm, known: Known): (upload: Upload) => Where {
  const found = new Map<string, Where>()
  return ({ name, type }) => {
    if (form.kind === 'simple' && type !== null && type !== 'application/pdf') return NO_PDF
    const where = found.get(name) ?? whereTo(form, known, name)
    found.set(name, where)
    return where
  }
}

const NO_PDF: Where = { fault: { kind: 'refused', text: 'Filen er ikke en PDF, selv om den hedder det.' } }

const distinct = (texts: string[]) => [...new Set(texts)]
