import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { isNoAnswer, jsonBody, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import {
  proposalId,
  questionOf,
  sortPile,
  whereTo,
  type Known,
  type Meanings,
  type Pile,
  type UploadForm,
  type Where,
} from '../pile/pile.ts'
import type { FormState, Tell } from '../pile/form-state.ts'
import type { UploadMap } from '../names/placing.ts'
import { whenReachable } from '../transport/net.ts'
import type { Upload } from '../transport/upload.ts'

/** Sorts the dropped files, and asks the server where new names lead. */
export function usePlacing(
  form: UploadForm,
  uploads: readonly Upload[],
  { known, meanings, isLost }: FormState,
  tell: Tell,
): Pile {
  const isAsking = useRef(false)
  if (uploads.length === 0 && meanings.size > 0) tell({ type: 'emptied' })

  const whereOf = useMemo(() => remembered(form, known, meanings), [form, known, meanings])
  const pile: Pile = useMemo(() => sortPile(uploads, whereOf), [uploads, whereOf])

  const ask = useEffectEvent(async (unsure: Upload[]) => {
    if (isAsking.current) return
    isAsking.current = true
    // First where the names lead, then which names were meant by those that lead nowhere.
    const asked = unsure.map(({ name }) => {
      const question = questionOf(form, name)
      return question && !known.asked.has(question.id) ? question : name
    })
    const names = distinct(asked.filter((each) => typeof each === 'string'))
    const questions = asked.filter((each) => typeof each !== 'string')
    try {
      const response = await send(
        'POST',
        urls.resolveUpload,
        jsonBody({
          folders: distinct(questions.flatMap(({ folder }) => folder || [])),
          keys: distinct(questions.map(({ key }) => key)),
          names,
          ...takenBy(form),
        }),
      )
      if (!response.ok) throw new Error(`Resolving answered ${response.status}.`)
      const answer = (await response.json()) as UploadMap
      const ids = [...questions.map(({ id }) => id), ...names.map(proposalId)]
      tell({ type: 'placed', answer, asked: distinct(ids) })
    } catch (error) {
      tell({ type: 'lost', isLost: true })
      if (isNoAnswer(error)) whenReachable(() => tell({ type: 'lost', isLost: false }))
    }
    isAsking.current = false
  })
  const { unsure } = pile
  useEffect(() => {
    if (unsure.length === 0 || isLost) return undefined
    const soon = setTimeout(() => void ask(unsure)) // asks once for all files dropped at the same time
    return () => clearTimeout(soon)
  }, [unsure, isLost])

  return pile
}

/** Caches places by name until something new is known: a pile is sorted again at every bit of progress. */
function remembered(form: UploadForm, known: Known, meanings: Meanings): (upload: Upload) => Where {
  const found = new Map<string, Where>()
  return ({ name, type }) => {
    if (form.kind === 'simple' && type !== null && type !== 'application/pdf') return NO_PDF
    const where = found.get(name) ?? whereTo(form, known, name, meanings)
    found.set(name, where)
    return where
  }
}

const NO_PDF: Where = { fault: { kind: 'refused', text: 'Filen er ikke en PDF.' } }

/** Which numbers the form takes. */
function takenBy(form: UploadForm): { of: string; project?: string } {
  if (form.kind === 'users') return { of: 'people' }
  return form.kind === 'folders' && form.project
    ? { of: 'project', project: form.project.number }
    : { of: 'all' }
}

const distinct = (texts: string[]) => [...new Set(texts)]
