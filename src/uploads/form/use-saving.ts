import { useEffect, useEffectEvent } from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { Choice } from '../../releases/publishing-choice.tsx'
import { undecidedIn, type Findings } from '../pile/duplicate.ts'
import type { FormState, Tell } from '../pile/form-state.ts'
import type { Group, Target } from '../pile/pile.ts'
import { agreedIn } from '../pile/save-state.ts'
import { waitingIn } from '../pile/waiting.ts'
import type { ToSave } from './submission.ts'
import { CUT, useSubmission, type SubmissionOptions } from './use-submission.ts'
import { whenReachable } from '../transport/net.ts'
import type { Upload } from '../transport/upload.ts'

type Options = Omit<SubmissionOptions, 'waiting'> & {
  /** Whether the server is being asked which files exist already. */
  isAsking: boolean
  /** Files without a place that stay in the pile: they have to be on the server before the page is left. */
  staying: readonly string[]
}

/** Saves the form when the user asks for it, or as soon as all files have arrived. */
export function useSaving(options: Options, formState: FormState, tell: Tell) {
  const { pile, uploads, findings, papers, isAsking, keeper } = options
  const { groups, unsure, undecided } = pile
  const { isLost, isAsked, meant, save: state } = formState
  const { step, fault, choice } = state

  const wanted = wantedOf(groups, findings)
  const placed = wanted.map(({ upload }) => upload.id)
  const waiting = waitingIn(
    wanted.map(({ upload }) => upload),
    findings,
    { ...papers, isAsked: undecided.length > 0 && keeper !== null },
  )
  const sure = wanted.filter(({ upload }) => !waiting.has(upload.id))
  const ready = sure.filter(({ upload }) => upload.state === 'sent')
  const left = leftIn(uploads, [...placed, ...options.staying])
  const { save, askFirst } = useSubmission({ ...options, waiting }, ready, choice, tell)
  // What waits for an answer stays in the pile, if there is one to stay in and something else to save.
  const hasQuestion = waiting.size > 0 || undecided.length > 0
  const isPart = hasQuestion && keeper !== null && sure.some(isComing)
  const toSave = (isPart ? sure : wanted).filter(isComing).map(({ upload }) => upload)

  // If pressed while files are being sent, saves when all have arrived, and does not save if one is missing.
  const goOn = useEffectEvent(() => {
    // A question that came up since the press: nobody has seen that its file would stay.
    if (hasQuestion && (!isPart || [...meant].some((id) => waiting.has(id)))) return askFirst()
    const there = new Set(ready.map(({ upload }) => upload.id))
    const isMeant = ({ id }: Upload) => meant.has(id) && !findings.get(id)?.isSkipped
    const missing = uploads.filter((upload) => isMeant(upload) && !there.has(upload.id))
    if (!isLost && missing.length === 0 && ready.length > 0) return void save(state.agreed)
    const why = isLost ? LOST : missing.length > 0 ? missingText(missing.length) : null
    return tell({ type: 'stopped', fault: why })
  })
  const isReady = left === 0 && !isAsking && (unsure.length === 0 || isLost)
  const isDue = step === 'waiting' && isReady
  useEffect(() => {
    const soon = isDue ? setTimeout(() => goOn()) : undefined
    return () => clearTimeout(soon)
  }, [isDue])

  const question = isPart
    ? partText(waiting.size + undecided.length)
    : questionText(undecidedIn(findings).length, undecided.length, waiting.size)

  function press(): void {
    if (step !== 'filling') return
    if (hasQuestion && !isPart) askFirst()
    else tell({ type: 'pressed', meant: new Set(toSave.map(({ id }) => id)) })
  }

  /** Saves after the user has accepted that investors will see the files. */
  function agree(): void {
    tell({ type: 'agreed' })
    void save(agreedIn(state))
  }

  useAgain(fault === CUT && step === 'filling', press)
  return {
    ...state,
    fault: isAsked ? question : fault,
    left,
    /** The files with a place that nothing asks about. */
    sure: sure.map(({ upload }) => upload),
    /** The files that a press saves. */
    toSave,
    /** Whether others wait for an answer, and stay. */
    isPart,
    press,
    agree,
    decline: () => tell({ type: 'declined' }),
    choose: (next: Choice) => tell({ type: 'chosen', choice: next }),
    isShared: ({ target: { folder } }: { target: Target }) =>
      folder !== undefined && (folder.visible_to_investors || agreedIn(state).includes(folder.id)),
  }
}

/**
 * Repeats the press when the server answers. It knows the submission, so files saved before a lost answer are not saved
 * again.
 */
function useAgain(isCut: boolean, press: () => void): void {
  const again = useEffectEvent(press)
  useEffect(() => (isCut ? whenReachable(() => again()) : undefined), [isCut])
}

const partText = (count: number) =>
  `Intet er gemt. ${countFiles(count)} venter på svar; de andre kan gemmes uden.`

const isComing = ({ upload }: ToSave) => upload.state !== 'failed'

/** How many of these files are still on their way. */
function leftIn(uploads: readonly Upload[], ids: readonly string[]): number {
  const theirs = new Set(ids)
  return uploads.filter(({ id, state }) => theirs.has(id) && state !== 'sent' && state !== 'failed').length
}

/** The files to save, with their places and the files they replace. */
function wantedOf(groups: readonly Group[], findings: Findings): ToSave[] {
  return groups.flatMap(({ target, uploads }) =>
    uploads
      .filter(({ id }) => !findings.get(id)?.isSkipped)
      .map((upload) => ({ upload, target, replaces: replacedBy(findings, upload.id) })),
  )
}

/** The file that an upload becomes a new version of. */
function replacedBy(findings: Findings, id: string): number | null {
  const finding = findings.get(id)
  return finding?.choice === 'version' ? finding.replaces : null
}

const missingText = (count: number) =>
  `Intet er gemt: ${countFiles(count)} kom ikke med. Gem igen for at gemme de andre.`
const LOST = 'Intet er gemt: Ringbind fandt ikke ud af, hvor alle filerne hører til.'

/**
 * Says what the user has to choose first: about existing files, numbers that are both a project's and a person's, and
 * papers that contradict themselves.
 */
function questionText(open: number, undecided: number, waiting: number): string | null {
  if (undecided > 0) return 'Vælg først, om nummeret er et projekt eller en person.'
  if (open === 0 && waiting > 0)
    return `Se først på ${waiting === 1 ? 'den fil' : `de ${waiting} filer`}, der modsiger navn eller plads.`
  if (open === 0) return null
  return `Vælg først, hvad der skal ske med ${open === 1 ? 'den fil' : `de ${open} filer`}, der har samme navn som en anden.`
}

export type Saving = ReturnType<typeof useSaving>
