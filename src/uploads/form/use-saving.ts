import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { Choice } from '../../releases/publishing-choice.tsx'
import { focusSoon } from './focus-after-removal.ts'
import { usePublishing } from './use-publishing.ts'
import { sayOnNextPage } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { keepLeftOut, lateOf, leftOutOf } from '../result/left-out.ts'
import { openIn, type Findings } from '../names/duplicate.ts'
import type { Pile, UploadForm } from './pile.ts'
import { Submission, type Answer } from './submission.ts'
import { faultsByFile } from './upload-faults.ts'
import { useSharing } from './use-sharing.ts'
import type { Upload } from '../transport/upload.ts'
import type { UploadQueue } from '../transport/upload-queue.ts'

type Options = {
  form: UploadForm
  pile: Pile
  queue: UploadQueue
  uploads: readonly Upload[]
  findings: Findings
  /** Whether the server is being asked which files exist already. */
  isAsking: boolean
  /** Whether asking where some files belong has failed. */
  isLost: boolean
  /** Called when the server says that a file no longer goes where the page thought. */
  onMoved: () => void
}

/** Saves the form when the user asks for it, or as soon as all files have arrived. */
export function useSaving({ form, pile, queue, uploads, findings, isAsking, isLost, onMoved }: Options) {
  const { groups, unsure } = pile
  const [state, setState] = useState<'filling' | 'waiting' | 'saving'>('filling')
  const [fault, setFault] = useState<string | null>(null)
  const { agreed, ...sharing } = useSharing()
  const publishing = usePublishing()
  const [submission] = useState(() => new Submission())
  /** The ids of the files to save when the user pressed save. */
  const meant = useRef<ReadonlySet<string>>(new Set())
  const isLeaving = useRef(false)

  const wanted = groups.flatMap(({ target, uploads: theirs }) =>
    theirs
      .filter(({ id }) => !findings.get(id)?.isSkipped)
      .map((upload) => ({ upload, target, replaces: replacedBy(findings, upload.id) })),
  )
  const ready = wanted.filter(({ upload }) => upload.state === 'sent')
  const left = wanted.filter(({ upload }) => upload.state !== 'sent' && upload.state !== 'failed').length

  async function save(known: readonly number[]): Promise<void> {
    setState('saving')
    setFault(null)
    publishing.refuse({})
    queue.freeze(true)
    try {
      const answer = await submission.post(form, { groups, ready, known, choice: publishing.choice })
      if (answer === null) setFault('Filerne kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.')
      else if (answer.redirect) return leave(answer.redirect)
      else refuse(answer)
    } catch {
      setFault('Filerne kunne ikke gemmes. Prøv igen om lidt.')
    }
    queue.freeze(false)
    return setState('filling')
  }

  /** Goes to the page that shows the files, or to the result page if files were left out. */
  function leave(redirect: string): void {
    isLeaving.current = true
    const leftOut = [...leftOutOf(pile, findings), ...lateOf(queue.late)]
    keepLeftOut(submission.key, leftOut)
    const result = urls.uploadResult(submission.key) // has its own message
    const next = leftOut.length === 0 ? redirect : result
    if (next !== result) sayOnNextPage(saidOf(form, ready.length, publishing.choice))
    location.assign(next)
  }

  function refuse({
    message = 'Filerne kunne ikke gemmes. Prøv igen om lidt.',
    errors = {},
    ...more
  }: Answer): void {
    if (more.saved) return goOnWithRest()
    if (more.shared) return sharing.ask({ ids: more.shared, message })
    if (publishing.refuse(errors)) focusSoon('.upload-bar [aria-invalid=true]')
    else setFault(message)
    const { lost, refused, isMoved } = faultsByFile(errors)
    if (isMoved) onMoved()
    queue.fail(lost)
    return queue.refuse(refused)
  }

  /** Removes the saved files from the pile: the call whose answer was lost had succeeded. */
  function goOnWithRest(): void {
    const saved = submission.startOver(uploads)
    queue.forget(saved.map(({ id }) => id))
    setFault(
      `${countFiles(saved.length)} blev gemt, før forbindelsen blev afbrudt. Resten er ikke gemt endnu; gem igen for at få dem med.`,
    )
  }

  // If pressed while files are being sent, saves when all have arrived, and does not save if one is missing.
  const goOn = useEffectEvent(() => {
    if (isUnchosen()) return undefined
    const there = new Set(ready.map(({ upload }) => upload.id))
    const missing = uploads.filter(
      ({ id }) => meant.current.has(id) && !findings.get(id)?.isSkipped && !there.has(id),
    )
    if (!isLost && missing.length === 0 && ready.length > 0) return void save(agreed)
    setState('filling')
    if (isLost) setFault(LOST)
    else if (missing.length > 0)
      setFault(
        `Der er ikke gemt endnu, fordi ${countFiles(missing.length)} ikke kom med. Gem igen for at gemme de andre.`,
      )
    return undefined
  })
  const isReady = left === 0 && !isAsking && (unsure.length === 0 || isLost)
  useEffect(() => {
    if (state !== 'waiting' || !isReady) return undefined
    const soon = setTimeout(() => goOn())
    return () => clearTimeout(soon)
  }, [state, isReady])

  useLeaveWarning(uploads.length > 0, isLeaving)

  /** Asks what becomes of files that are there already, if the user has not chosen. Nothing is saved until they have. */
  function isUnchosen(): boolean {
    const open = openIn(findings)
    if (open.length === 0) return false
    setState('filling')
    setFault(unchosenText(open.length))
    focusSoon('[data-open] button')
    return true
  }

  function press(): void {
    if (state !== 'filling' || isUnchosen()) return
    setFault(null)
    meant.current = new Set(
      wanted.filter(({ upload }) => upload.state !== 'failed').map(({ upload }) => upload.id),
    )
    setState('waiting')
  }

  /** Saves after the user has accepted that investors will see the files. */
  const agree = () => void save(sharing.agree())
  const { asking, decline, isShared } = sharing
  return { state, left, fault, asking, press, agree, decline, isShared, publishing }
}

/** The file that an upload becomes a new version of. */
function replacedBy(findings: Findings, id: string): number | null {
  const finding = findings.get(id)
  return finding?.choice === 'version' ? finding.replaces : null
}

const LOST = 'Der er ikke gemt endnu, fordi Ringbind ikke kunne finde ud af, hvor alle filerne hører til.'
const unchosenText = (open: number) =>
  `Vælg først, hvad der skal ske med ${open === 1 ? 'den fil' : `de ${open} filer`}, der har samme navn som en fil, der allerede ligger der.`

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

function saidOf(form: UploadForm, saved: number, { way }: Choice): string {
  if (form.kind === 'replace') return `Der er gemt en ny version af ${form.file.name}${HOW[way]}.`
  if (form.kind === 'simple') return `${countFiles(saved)} er sendt til kontoret.`
  const place =
    form.kind === 'manual' ? ` i ${form.folder.name}` : form.kind === 'person' ? ` hos ${form.user.name}` : ''
  return `${countFiles(saved)} er gemt${place}${HOW[way]}.`
}

const HOW = { now: '', draft: ' som kladde', later: ' og bliver udgivet på det valgte tidspunkt' }
