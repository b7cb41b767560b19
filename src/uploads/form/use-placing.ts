import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { isNoAnswer, jsonBody, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import {
  learn,
  NOTHING_KNOWN,
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
import type { Meaning, UploadFolder, UploadMap } from '../names/placing.ts'
import { folderKey } from '../../projects/folder.ts'
import { whenReachable } from '../transport/net.ts'
import type { Upload } from '../transport/upload.ts'

/** Sorts the dropped files, and asks the server where new names lead. */
export function usePlacing(form: UploadForm, uploads: readonly Upload[]) {
  const [known, setKnown] = useState<Known>(NOTHING_KNOWN)
  const [hasFailed, setFailed] = useState(false)
  const [meanings, setMeanings] = useState<Meanings>(new Map())
  const isAsking = useRef(false)
  // An answer about a number holds for this pile, not for the next one.
  if (uploads.length === 0 && meanings.size > 0) setMeanings(new Map())

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
      setKnown((before) => learn(before, answer, distinct(ids)))
    } catch (error) {
      setFailed(true)
      if (isNoAnswer(error)) whenReachable(() => setFailed(false))
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
    /** Says what a number means that is both a project's and a person's. */
    decide: (key: string, meaning: Meaning) => setMeanings((before) => new Map(before).set(key, meaning)),
    retry: () => setFailed(false),
    /** Knows at once that a text leads to a folder. */
    addName: (number: string, text: string, folder: UploadFolder) =>
      setKnown((before) => withName(before, number, text, folder)),
    /** Asks everything again: a folder may have been renamed meanwhile. */
    forget: () => setKnown(NOTHING_KNOWN),
  }
}

function withName(known: Known, number: string, text: string, folder: UploadFolder): Known {
  const project = known.projects[number]
  if (!project) return known
  const folders = { ...project.folders, [folderKey(text)]: folder }
  return { ...known, projects: { ...known.projects, [number]: { ...project, folders } } }
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

const NO_PDF: Where = { fault: { kind: 'refused', text: 'Filen er ikke en PDF, selv om den hedder det.' } }

/** Which numbers the form takes. */
function takenBy(form: UploadForm): { of: string; project?: string } {
  if (form.kind === 'users') return { of: 'people' }
  return form.kind === 'folders' && form.project
    ? { of: 'project', project: form.project.number }
    : { of: 'all' }
}

const distinct = (texts: string[]) => [...new Set(texts)]
