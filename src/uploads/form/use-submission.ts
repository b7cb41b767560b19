import { useRef, useState } from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { Choice } from '../../releases/publishing-choice.tsx'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { useLeaveWarning } from '../../ui/basic/use-leave-warning.ts'
import { sayOnNextPage } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { keepLeftOut, lateOf, leftOutOf } from '../result/left-out.ts'
import type { Findings } from '../pile/duplicate.ts'
import type { PilePapers } from '../judgements/use-judgements.ts'
import type { Tell } from '../pile/form-state.ts'
import type { Pile, UploadForm } from '../pile/pile.ts'
import type { Waiting } from '../pile/waiting.ts'
import { isAboutPublishing } from '../pile/save-state.ts'
import type { PileKeeper } from '../unsaved/pile-keeper.ts'
import { Submission, type Answer, type ToSave } from './submission.ts'
import { faultsByFile } from './upload-faults.ts'
import type { Upload } from '../transport/upload.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'

export type SubmissionOptions = {
  form: UploadForm
  pile: Pile
  queue: UploadQueue
  uploads: readonly Upload[]
  findings: Findings
  /** The files that stay in the pile until somebody has answered. */
  waiting: Waiting
  papers: PilePapers
  /** Keeps the pile until it is saved. */
  keeper: PileKeeper | null
}

/** Sends the form, and does what the server's answer says. */
export function useSubmission(
  { form, pile, queue, uploads, findings, waiting, papers, keeper }: SubmissionOptions,
  ready: readonly ToSave[],
  choice: Choice,
  tell: Tell,
) {
  const [submission] = useState(() => new Submission(keeper))
  const isLeaving = useRef(false)
  // Also while saving: the server may refuse.
  useLeaveWarning(() => uploads.length > 0 && !isLeaving.current)

  async function save(known: readonly number[]): Promise<void> {
    tell({ type: 'started' })
    queue.freeze(true)
    try {
      const { acknowledged } = papers
      const rest = leftOutOf(pile, findings, waiting).flatMap(({ id, isHeld }) => (isHeld ? id : []))
      const isRestKept = rest.length === 0 || keeper === null || (await keeper.flush())
      const content = { groups: pile.groups, ready, known, choice, acknowledged, rest }
      const answer = await submission.post(form, content)
      if (answer === null) tell({ type: 'stopped', fault: navigator.onLine ? BROKEN : CUT })
      else if (answer.redirect && isRestKept) return leave(answer.redirect)
      else if (answer.redirect)
        goOnWithRest(
          ready.map(({ upload }) => upload),
          REST_IS_HERE,
        )
      else refuse(answer)
    } catch {
      tell({ type: 'stopped', fault: FAILED })
    }
    return queue.freeze(false)
  }

  /** Goes to the page that shows the files, or to the result page if files were left out. */
  function leave(redirect: string): void {
    isLeaving.current = true
    const leftOut = [...leftOutOf(pile, findings, waiting), ...lateOf(queue.late)]
    keepLeftOut(submission.key, leftOut, keeper && `${keeper.form}?pile=${keeper.key}`)
    const result = urls.uploadResult(submission.key) // has its own message
    const next = leftOut.length === 0 ? redirect : result
    if (next !== result) sayOnNextPage(savedText(form, ready.length, choice))
    location.assign(next)
  }

  function refuse({ message = FAILED, errors = {}, ...more }: Answer): void {
    if (more.saved) return goOnWithRest(submission.findSaved(uploads), SAVED_BEFORE)
    if (more.shared) return tell({ type: 'asked', ids: more.shared, message })
    if (more.contradictions) papers.learn(more.contradictions)
    if (more.contradictions) return askFirst()
    tell({ type: 'refused', message, errors })
    if (isAboutPublishing(errors)) focusSoon('.upload-bar [aria-invalid=true]')
    const { lost, refused, isMoved } = faultsByFile(errors)
    if (isMoved) tell({ type: 'moved' })
    queue.fail(lost)
    return queue.refuse(refused)
  }

  /** Says what the user has to look at, which may be out of sight. */
  function askFirst(): void {
    tell({ type: 'unchosen' })
    focusSoon('[data-open] button')
  }

  /** Removes the saved files from the pile, and stays with the others. */
  function goOnWithRest(saved: readonly Upload[], why: string): void {
    submission.startOver()
    queue.forget(saved.map(({ id }) => id))
    tell({ type: 'stopped', fault: `${countFiles(saved.length)} ${why}` })
  }

  return { save, askFirst }
}

const FAILED = 'Filerne kunne ikke gemmes. Prøv igen om lidt.'
const BROKEN = 'Filerne kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.'
export const CUT = 'Ingen forbindelse. Filerne gemmes, når nettet er tilbage, hvis siden er åben.'
const REST_IS_HERE = 'er gemt. De andre ligger kun på denne side, indtil der er forbindelse igen.'
const SAVED_BEFORE = 'blev gemt, før forbindelsen blev afbrudt. Gem igen for at få resten med.'

function savedText(form: UploadForm, saved: number, { way }: Choice): string {
  if (form.kind === 'replace') return `Ny version af ${form.file.name} er gemt${HOW[way]}.`
  if (form.kind === 'simple') return `${countFiles(saved)} er sendt til kontoret.`
  const place =
    form.kind === 'manual' ? ` i ${form.folder.name}` : form.kind === 'person' ? ` hos ${form.user.name}` : ''
  return `${countFiles(saved)} er gemt${place}${HOW[way]}.`
}

const HOW = { now: '', draft: ' som kladde', later: ' og udgives på det valgte tidspunkt' }
