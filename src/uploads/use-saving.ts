import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ErrorBody } from '../base/field-errors.ts'
import { send } from '../ui/request.ts'
import { sayOnNextPage } from '../ui/toasts.ts'
import { urls } from '../urls.ts'
import { keepLeftOut, leftOutOf } from './left-out.ts'
import type { Pile, Target, UploadForm } from './pile.ts'
import { countFiles } from '../projects/folder.ts'
import type { Upload } from './upload.ts'
import type { Uploads } from './use-uploads.ts'

type Options = {
  form: UploadForm
  pile: Pile
  uploads: Uploads
  /** How many are still on their way. */
  left: number
  /** The server says that something no longer leads where the page thought. */
  onMoved: () => void
}

/** The press that saves: at once, or as soon as all files are there. */
export function useSaving({ form, pile, uploads: { uploads, change }, left, onMoved }: Options) {
  const { groups } = pile
  const [state, setState] = useState<'filling' | 'waiting' | 'saving'>('filling')
  const [fault, setFault] = useState<string | null>(null)
  const [nowShared, setNowShared] = useState<readonly number[]>([])
  const submission = useRef({ id: '', content: '' })
  const failedAtPress = useRef(0)

  const wanted = groups.flatMap(({ target, uploads: theirs }) =>
    theirs.filter(({ isSkipped }) => !isSkipped).map((upload) => ({ upload, target })),
  )
  const failed = wanted.filter(({ upload }) => upload.state === 'failed').length
  const ready = wanted.filter(({ upload }) => upload.state === 'sent')

  const isShared = ({ target: { folder } }: { target: Target }) =>
    folder !== undefined && (folder.visible_to_investors || nowShared.includes(folder.id))

  async function save(): Promise<void> {
    setState('saving')
    setFault(null)
    // The same id for the same files alone: sent again after a lost answer, they are stored once.
    const content = ready.map(({ upload }) => `${upload.hashName} ${upload.name}`).join('\n')
    if (submission.current.content !== content) submission.current = { id: crypto.randomUUID(), content }
    const body = new FormData()
    body.set('submission', submission.current.id)
    body.set(
      'shared',
      groups
        .filter(isShared)
        .map(({ target }) => target.folder!.id)
        .join(','),
    )
    for (const { upload, target } of ready)
      for (const [field, value] of Object.entries(entryOf(upload, target, form)))
        body.set(`files[${upload.id}][${field}]`, value)
    try {
      const response = await send('POST', addressOf(form), body)
      const answer = (await response.json()) as Answer
      if (response.ok && answer.redirect) {
        keepLeftOut(submission.current.id, leftOutOf(pile))
        sayOnNextPage(saidOf(form, ready.length, uploads.length - ready.length))
        return location.assign(answer.redirect)
      }
      refuse(answer)
    } catch {
      setFault('Filerne kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.')
    }
    return setState('filling')
  }

  function refuse({ message, errors = {}, shared = [] }: Answer): void {
    setFault(message ?? 'Filerne kunne ikke gemmes. Prøv igen om lidt.')
    setNowShared((before) => [...before, ...shared])
    const faults = new Map<string, string>()
    for (const [field, texts] of Object.entries(errors)) {
      const [, id, which] = /^files\.([a-z0-9]+)\.(\w+)$/.exec(field) ?? []
      if (id === undefined) continue
      // What is wrong with its place is seen when it is looked up again; what is wrong with its bytes must be sent again.
      if (which === 'data') faults.set(id, texts.join(' '))
      else onMoved()
    }
    change([...faults.keys()], ({ id }) => ({
      state: 'failed',
      done: 0,
      hashName: null,
      fault: faults.get(id)!,
      mayRetry: true,
    }))
  }

  // Pressed while some are still on their way: saved as soon as all are there, and not when one of them is not.
  const goOn = useEffectEvent(() => {
    // One that failed only now was meant to be saved: its sender decides.
    if (failed > failedAtPress.current || ready.length === 0) setState('filling')
    else void save()
  })
  useEffect(() => {
    if (state !== 'waiting' || left > 0) return undefined
    const soon = setTimeout(() => goOn())
    return () => clearTimeout(soon)
  }, [state, left])

  function press(): void {
    if (state !== 'filling') return
    failedAtPress.current = failed
    setState('waiting')
  }

  return { state, fault, press, isShared }
}

type Answer = Partial<ErrorBody> & { redirect?: string; shared?: number[] }

/** S3.4 */
function entryOf({ name, file, hashName }: Upload, { folder, user }: Target, form: UploadForm) {
  return {
    ...(form.kind === 'folders' && { folder_id: String(folder!.id) }),
    ...(form.kind === 'users' && { user_id: String(user!.id) }),
    name,
    mime: file.type,
    ...(form.kind === 'folders' && { folder: folder!.name }),
    data: hashName!,
  }
}

/** Each form is sent to its own page's address. */
function addressOf(form: UploadForm): string {
  if (form.kind === 'manual') return urls.uploadTo(form.project.id, form.folder.id)
  if (form.kind === 'users') return urls.uploadToUsers
  if (form.kind === 'simple') return urls.myFiles
  return form.project ? urls.uploadToProject(form.project.id) : urls.upload
}

function saidOf(form: UploadForm, saved: number, rest: number): string {
  const where = {
    manual: ` i ${form.kind === 'manual' ? form.folder.name : ''}`,
    folders: '',
    users: '',
    simple: '',
  }
  const said = form.kind === 'simple' ? 'er sendt til kontoret' : `er gemt${where[form.kind]}`
  return `${countFiles(saved)} ${said}.${rest > 0 ? ` ${countFiles(rest)} blev ikke taget med.` : ''}`
}
