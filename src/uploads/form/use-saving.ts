import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ErrorBody } from '../../base/field-errors.ts'
import { countFiles } from '../../projects/folder.ts'
import { save as sendAll } from '../../ui/overlay/request.ts'
import { sayOnNextPage } from '../../ui/overlay/toasts.ts'
import { urls } from '../../urls.ts'
import { keepLeftOut, lateOf, leftOutOf } from '../result/left-out.ts'
import type { Findings } from '../names/duplicate.ts'
import type { Pile, Target, UploadForm } from './pile.ts'
import { faultsByFile } from './upload-faults.ts'
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
  /** Folders that are shared by now, and the question about them, which the user must answer before saving. */
  const [asking, setAsking] = useState<{ ids: number[]; message: string } | null>(null)
  const [agreed, setAgreed] = useState<readonly number[]>([])
  /** The form's key, so that a form sent again after a lost answer is stored once. */
  const submission = useRef('')
  /** The hash names that a call whose answer was lost may have saved. */
  const unknown = useRef<ReadonlySet<string>>(new Set())
  /** The ids of the files to save when the user pressed save. */
  const meant = useRef<ReadonlySet<string>>(new Set())
  const isLeaving = useRef(false)

  const wanted = groups.flatMap(({ target, uploads: theirs }) =>
    theirs.filter(({ id }) => !findings.get(id)?.isSkipped).map((upload) => ({ upload, target })),
  )
  const ready = wanted.filter(({ upload }) => upload.state === 'sent')
  const left = wanted.filter(({ upload }) => upload.state !== 'sent' && upload.state !== 'failed').length

  const isShared = ({ target: { folder } }: { target: Target }) =>
    folder !== undefined &&
    (folder.visible_to_investors || agreed.includes(folder.id) || (asking?.ids.includes(folder.id) ?? false))

  async function save(known: readonly number[]): Promise<void> {
    setState('saving')
    setFault(null)
    queue.freeze(true)
    try {
      submission.current ||= randomId()
      const hashes = new Set(ready.map(({ upload }) => upload.hashName!))
      const answer = await post(known)
      if (answer === null) {
        unknown.current = new Set([...unknown.current, ...hashes])
        setFault('Filerne kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.')
      } else if (answer.redirect) return leave(answer.redirect)
      else refuse(answer)
    } catch {
      setFault('Filerne kunne ikke gemmes. Prøv igen om lidt.')
    }
    queue.freeze(false)
    return setState('filling')
  }

  async function post(known: readonly number[]): Promise<Answer | null> {
    const body = new FormData()
    body.set('submission', submission.current)
    const seen = groups.flatMap(({ target: { folder } }) => (folder?.visible_to_investors ? folder.id : []))
    body.set('shared', [...new Set([...seen, ...known])].join(','))
    body.set('keep', ready.flatMap(({ upload }) => (upload.choice === 'keep' ? upload.id : [])).join(','))
    for (const { upload, target } of ready)
      for (const [field, value] of Object.entries(entryOf(upload, target, form)))
        body.set(`files[${upload.id}][${field}]`, value)
    try {
      const response = await sendAll(addressOf(form), body)
      if (response.status >= 500) return null // may come from a proxy, although the server has saved it
      return (await response.json()) as Answer
    } catch {
      return null
    }
  }

  /** Goes to the page that shows the files, or to the result page if files were left out. */
  function leave(redirect: string): void {
    isLeaving.current = true
    const leftOut = [...leftOutOf(pile, findings), ...lateOf(queue.late)]
    keepLeftOut(submission.current, leftOut)
    const result = urls.uploadResult(submission.current) // has its own message
    const next = leftOut.length === 0 ? redirect : result
    if (next !== result) sayOnNextPage(saidOf(form, ready.length))
    location.assign(next)
  }

  function refuse({
    message = 'Filerne kunne ikke gemmes. Prøv igen om lidt.',
    errors = {},
    ...more
  }: Answer): void {
    if (more.saved) return goOnWithRest()
    if (more.shared) return setAsking({ ids: more.shared, message })
    setFault(message)
    const { lost, refused, isMoved } = faultsByFile(errors)
    if (isMoved) onMoved()
    queue.fail(lost)
    return queue.refuse(refused)
  }

  /** Removes the saved files from the pile: the call whose answer was lost had succeeded. */
  function goOnWithRest(): void {
    const saved = uploads.filter(({ hashName }) => hashName !== null && unknown.current.has(hashName))
    queue.forget(saved.map(({ id }) => id))
    unknown.current = new Set()
    submission.current = ''
    setFault(
      `${countFiles(saved.length)} blev gemt, før forbindelsen blev afbrudt. Resten er ikke gemt endnu; gem igen for at få dem med.`,
    )
  }

  // If pressed while files are being sent, saves when all have arrived, and does not save if one is missing.
  const goOn = useEffectEvent(() => {
    const there = new Set(ready.map(({ upload }) => upload.id))
    const missing = uploads.filter(
      ({ id }) => meant.current.has(id) && !findings.get(id)?.isSkipped && !there.has(id),
    )
    if (!isLost && missing.length === 0 && ready.length > 0) return void save(agreed)
    setState('filling')
    if (isLost)
      setFault('Der er ikke gemt endnu, fordi Ringbind ikke kunne finde ud af, hvor alle filerne hører til.')
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

  // Also warns while saving: the server may refuse.
  const hasUnsaved = uploads.length > 0
  useEffect(() => {
    if (!hasUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => isLeaving.current || event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasUnsaved])

  function press(): void {
    if (state !== 'filling') return
    setFault(null)
    meant.current = new Set(
      wanted.filter(({ upload }) => upload.state !== 'failed').map(({ upload }) => upload.id),
    )
    setState('waiting')
  }

  /** Saves after the user has accepted that investors will see the files. */
  function agree(): void {
    const known = [...agreed, ...(asking?.ids ?? [])]
    setAgreed(known)
    setAsking(null)
    void save(known)
  }

  return { state, left, fault, asking, press, agree, decline: () => setAsking(null), isShared }
}

export type Saving = ReturnType<typeof useSaving>

type Answer = Partial<ErrorBody> & { redirect?: string; shared?: number[]; saved?: boolean }

/** `crypto.randomUUID` exists only on https. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** S3.4 */
function entryOf({ name, file, hashName }: Upload, { folder, user }: Target, form: UploadForm) {
  return {
    ...(form.kind === 'folders' && { folder_id: String(folder!.id) }),
    ...((form.kind === 'users' || form.kind === 'person') && { user_id: String(user!.id) }),
    name,
    mime: file.type,
    ...(form.kind === 'folders' && { folder: folder!.name }),
    data: hashName!,
  }
}

/** Returns the form's own page address, which it posts to. */
function addressOf(form: UploadForm): string {
  if (form.kind === 'manual') return urls.uploadTo(form.project.id, form.folder.id)
  if (form.kind === 'users') return urls.uploadToUsers
  if (form.kind === 'person') return urls.uploadToUser(form.user.id)
  if (form.kind === 'simple') return urls.myFiles
  return form.project ? urls.uploadToProject(form.project.id) : urls.upload
}

function saidOf(form: UploadForm, saved: number): string {
  if (form.kind === 'simple') return `${countFiles(saved)} er sendt til kontoret.`
  const place =
    form.kind === 'manual' ? ` i ${form.folder.name}` : form.kind === 'person' ? ` hos ${form.user.name}` : ''
  return `${countFiles(saved)} er gemt${place}.`
}
