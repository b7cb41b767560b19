import { useRef, useState } from 'react'
import { usePublishing } from '../form/use-publishing.ts'
import { useSharing } from '../form/use-sharing.ts'
import type { Answer } from '../form/submission.ts'
import { save } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { Original } from './original-choice.tsx'
import { writeRanges } from './pdf/page-ranges.ts'
import { pagesOf, partsOf, type Plan } from './plan.ts'

type SplitContent = { hashName: string; plan: Plan; pattern: string; original: Original }

type Errors = Record<string, string[]>

/** Saves the parts; the same form sent again after a lost answer is stored once. */
export function useSplitSaving() {
  const [isSaving, setSaving] = useState(false)
  const [errors, setErrors] = useState<Errors>({})
  const [fault, setFault] = useState<string | null>(null)
  const publishing = usePublishing()
  const sharing = useSharing()
  const key = useRef('')
  const isLeaving = useRef(false)

  async function post(content: SplitContent, known: readonly number[]): Promise<void> {
    if (isSaving) return
    setSaving(true)
    setErrors({})
    setFault(null)
    key.current ||= randomId()
    const answer = await send(bodyOf(content, known))
    if (answer?.redirect || answer?.saved) {
      isLeaving.current = true
      location.assign(answer.redirect ?? urls.uploadResult(key.current))
      return
    }
    setSaving(false)
    if (answer === null)
      return setFault('Delene kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.')
    // A refused form has not been stored, and may be another one the next time.
    key.current = ''
    const { message = 'Delene kunne ikke gemmes. Prøv igen om lidt.', errors: told = {}, shared } = answer
    if (shared) return sharing.ask({ ids: shared, message })
    setErrors(told)
    if (!publishing.refuse(told)) setFault(message)
  }

  function bodyOf({ hashName, plan, pattern, original }: SplitContent, known: readonly number[]): FormData {
    const body = new FormData()
    const { choice } = publishing
    const folder = original === 'nowhere' ? null : original.folder
    const shared = [...known, ...(folder?.visible_to_investors ? [folder.id] : [])]
    const fields: Record<string, string> = {
      submission: key.current,
      file: hashName,
      pages: String(plan.length),
      pattern,
      left_out: writeRanges(pagesOf(plan, 'out')),
      original: folder ? String(folder.id) : '',
      shared: shared.join(','),
      publish: choice.way,
      ...(choice.way === 'later' && { publish_day: choice.day ?? '', publish_time: choice.time }),
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    for (const { person, pages } of partsOf(plan)) {
      body.set(`parts[u${person}][user_id]`, String(person))
      body.set(`parts[u${person}][pages]`, writeRanges(pages))
    }
    return body
  }

  return {
    isSaving,
    isLeaving,
    errors,
    fault,
    publishing,
    asking: sharing.asking,
    decline: sharing.decline,
    save: (content: SplitContent) => void post(content, sharing.agreed),
    agree: (content: SplitContent) => void post(content, sharing.agree()),
    clear: (field: string) => setErrors(({ [field]: _gone, ...others }) => others),
  }
}

export type SplitSaving = ReturnType<typeof useSplitSaving>

async function send(body: FormData): Promise<Answer | null> {
  try {
    const response = await save(urls.splitUpload, body)
    if (response.status >= 500) return null // may come from a proxy, although the server has saved it
    return (await response.json()) as Answer
  } catch {
    return null
  }
}

/** `crypto.randomUUID` exists only on https. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
