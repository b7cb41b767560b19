import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { Choice } from '../../releases/publishing-choice.tsx'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { sayOnNextPage } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { keepLeftOut, lateOf, leftOutOf } from '../result/left-out.ts'
import { undecidedIn, type Findings } from '../pile/duplicate.ts'
import type { PilePapers } from '../judgements/use-judgements.ts'
import type { FormState, Tell } from '../pile/form-state.ts'
import type { Group, Pile, Target, UploadForm } from '../pile/pile.ts'
import { agreedIn, isAboutPublishing } from '../pile/save-state.ts'
import type { PileKeeper } from '../unsaved/pile-keeper.ts'
import { Submission, type Answer } from './submission.ts'
import { faultsByFile } from './upload-faults.ts'
import { whenReachable } from '../transport/net.ts'
import type { Upload } from '../transport/upload.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'

type Options = {
  form: UploadForm
  pile: Pile
  queue: UploadQueue
  uploads: readonly Upload[]
  findings: Findings
  papers: PilePapers
  /** Whether the server is being asked which files exist already. */
  isAsking: boolean
  /** Keeps the pile until it is saved. */
  keeper: PileKeeper | null
}

/** Saves the form when the user asks for it, or as soon as all files have arrived. */
export function useSaving({ form, pile, queue, ...options }: Options, formState: FormState, tell: Tell) {
  const { uploads, findings, papers, isAsking, keeper } = options
  const { groups, unsure, undecided } = pile
  const { isLost, meant, save: state } = formState
  const { step, fault, choice } = state
  const [submission] = useState(() => new Submission(keeper))
  const isLeaving = useRef(false)

  const wanted = wantedOf(groups, findings)
  const ready = wanted.filter(({ upload }) => upload.state === 'sent')
  const left = wanted.filter(({ upload }) => upload.state !== 'sent' && upload.state !== 'failed').length

  async function save(known: readonly number[]): Promise<void> {
    tell({ type: 'started' })
    queue.freeze(true)
    try {
      const { acknowledged } = papers
      const answer = await submission.post(form, { groups, ready, known, choice, acknowledged })
      if (answer === null) tell({ type: 'stopped', fault: navigator.onLine ? BROKEN : CUT })
      else if (answer.redirect) return leave(answer.redirect)
      else refuse(answer)
    } catch {
      tell({ type: 'stopped', fault: FAILED })
    }
    return queue.freeze(false)
  }

  /** Goes to the page that shows the files, or to the result page if files were left out. */
  function leave(redirect: string): void {
    isLeaving.current = true
    const leftOut = [...leftOutOf(pile, findings), ...lateOf(queue.late)]
    keepLeftOut(submission.key, leftOut)
    const result = urls.uploadResult(submission.key) // has its own message
    const next = leftOut.length === 0 ? redirect : result
    if (next !== result) sayOnNextPage(savedText(form, ready.length, choice))
    location.assign(next)
  }

  function refuse({ message = FAILED, errors = {}, ...more }: Answer): void {
    if (more.saved) return goOnWithRest()
    if (more.shared) return tell({ type: 'asked', ids: more.shared, message })
    if (more.contradictions) papers.learn(more.contradictions)
    if (more.contradictions) return askFirst(message)
    tell({ type: 'refused', message, errors })
    if (isAboutPublishing(errors)) focusSoon('.upload-bar [aria-invalid=true]')
    const { lost, refused, isMoved } = faultsByFile(errors)
    if (isMoved) tell({ type: 'moved' })
    queue.fail(lost)
    return queue.refuse(refused)
  }

  /** Says what the user has to look at, which may be out of sight. */
  function askFirst(question: string): void {
    tell({ type: 'unchosen', question })
    focusSoon('[data-open] button')
  }

  /** Removes the saved files from the pile: the call whose answer was lost had succeeded. */
  function goOnWithRest(): void {
    const saved = submission.startOver(uploads)
    queue.forget(saved.map(({ id }) => id))
    tell({ type: 'stopped', fault: `${countFiles(saved.length)} ${SAVED_BEFORE}` })
  }

  // If pressed while files are being sent, saves when all have arrived, and does not save if one is missing.
  const goOn = useEffectEvent(() => {
    if (isUnchosen()) return undefined
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

  useLeaveWarning(uploads.length > 0, isLeaving)

  /** Asks what the user has not chosen yet. Nothing is saved until they have. */
  function isUnchosen(): boolean {
    const contradicting = wanted.filter(({ upload }) => papers.unseen.includes(upload.id)).length
    const question = unchosenText(undecidedIn(findings).length, undecided.length, contradicting)
    if (question !== null) askFirst(question)
    return question !== null
  }

  function press(): void {
    if (step !== 'filling' || isUnchosen()) return
    const sent = wanted.filter(({ upload }) => upload.state !== 'failed')
    tell({ type: 'pressed', meant: new Set(sent.map(({ upload }) => upload.id)) })
  }

  /** Saves after the user has accepted that investors will see the files. */
  function agree(): void {
    tell({ type: 'agreed' })
    void save(agreedIn(state))
  }

  useAgain(fault === CUT && step === 'filling', press)
  return {
    ...state,
    left,
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

/** The files to save, with their places and the files they replace. */
function wantedOf(groups: readonly Group[], findings: Findings) {
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

const FAILED = 'Filerne kunne ikke gemmes. Prøv igen om lidt.'
const BROKEN = 'Filerne kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.'
const CUT =
  'Der er ingen forbindelse, så filerne er ikke gemt endnu. De bliver gemt, når nettet er tilbage, hvis siden er åben.'
const missingText = (count: number) =>
  `Der er ikke gemt endnu, fordi ${countFiles(count)} ikke kom med. Gem igen for at gemme de andre.`
const SAVED_BEFORE =
  'blev gemt, før forbindelsen blev afbrudt. Resten er ikke gemt endnu; gem igen for at få dem med.'
const LOST = 'Der er ikke gemt endnu, fordi Ringbind ikke kunne finde ud af, hvor alle filerne hører til.'

/**
 * Says what the user has to choose first: about existing files, numbers that are both a project's and a person's, and
 * papers that contradict themselves.
 */
function unchosenText(open: number, undecided: number, contradicting: number): string | null {
  if (undecided > 0)
    return 'Vælg først, hvor de filer hører til, hvis nummer er både et projekt og en person.'
  if (open === 0 && contradicting > 0)
    return `Se først på ${contradicting === 1 ? 'den fil' : `de ${contradicting} filer`}, der siger noget andet end navn eller plads.`
  if (open === 0) return null
  return `Vælg først, hvad der skal ske med ${open === 1 ? 'den fil' : `de ${open} filer`}, der har samme navn som en fil, der allerede ligger der.`
}

/** Warns of leaving with files that are not saved. Also while saving: the server may refuse. */
function useLeaveWarning(hasUnsaved: boolean, isLeaving: RefObject<boolean>): void {
  useEffect(() => {
    if (!hasUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => isLeaving.current || event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasUnsaved, isLeaving])
}

export type Saving = ReturnType<typeof useSaving>

function savedText(form: UploadForm, saved: number, { way }: Choice): string {
  if (form.kind === 'replace') return `Der er gemt en ny version af ${form.file.name}${HOW[way]}.`
  if (form.kind === 'simple') return `${countFiles(saved)} er sendt til kontoret.`
  const place =
    form.kind === 'manual' ? ` i ${form.folder.name}` : form.kind === 'person' ? ` hos ${form.user.name}` : ''
  return `${countFiles(saved)} er gemt${place}${HOW[way]}.`
}

const HOW = { now: '', draft: ' som kladde', later: ' og bliver udgivet på det valgte tidspunkt' }
