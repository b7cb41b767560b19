import { useReducer, useRef } from 'react'
import { randomHex } from '../../base/random-hex.ts'
import type { Choice } from '../../releases/publishing-choice.tsx'
import { publishingFields, send } from '../form/submission.ts'
import { agreedIn, NOT_SAVED, nextSave } from '../pile/save-state.ts'
import { urls } from '../../urls.ts'
import type { Original } from './original-choice.tsx'
import { writeRanges } from './pdf/page-ranges.ts'
import { pagesOf, partsOf, type Plan } from './plan.ts'

type SplitContent = { hashName: string; plan: Plan; pattern: string; original: Original }

/** Saves the parts; the same form sent again after a lost answer is stored once. */
export function useSplitSaving() {
  const [state, tell] = useReducer(nextSave, NOT_SAVED)
  const key = useRef('')
  const isLeaving = useRef(false)

  async function post(content: SplitContent, known: readonly number[]): Promise<void> {
    if (state.step === 'saving') return
    tell({ type: 'started' })
    key.current ||= randomHex(16)
    const answer = await send(urls.splitUpload, bodyOf(content, known))
    if (answer?.redirect || answer?.saved) {
      isLeaving.current = true
      location.assign(answer.redirect ?? urls.uploadResult(key.current))
      return
    }
    if (answer === null) return tell({ type: 'stopped', fault: BROKEN })
    // A refused form has not been stored, and may be another one the next time.
    key.current = ''
    const { message = 'Delene kunne ikke gemmes. Prøv igen om lidt.', errors = {}, shared } = answer
    return tell(shared ? { type: 'asked', ids: shared, message } : { type: 'refused', message, errors })
  }

  function bodyOf({ hashName, plan, pattern, original }: SplitContent, known: readonly number[]): FormData {
    const body = new FormData()
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
      ...publishingFields(state.choice),
    }
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    for (const { person, pages } of partsOf(plan)) {
      body.set(`parts[u${person}][user_id]`, String(person))
      body.set(`parts[u${person}][pages]`, writeRanges(pages))
    }
    return body
  }

  return {
    ...state,
    isLeaving,
    save: (content: SplitContent) => void post(content, state.agreed),
    agree: (content: SplitContent) => {
      tell({ type: 'agreed' })
      void post(content, agreedIn(state))
    },
    decline: () => tell({ type: 'declined' }),
    choose: (choice: Choice) => tell({ type: 'chosen', choice }),
    clear: (field: string) => tell({ type: 'edited', field }),
  }
}

const BROKEN = 'Delene kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.'

export type SplitSaving = ReturnType<typeof useSplitSaving>
