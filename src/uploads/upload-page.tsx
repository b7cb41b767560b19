import { CircleAlert, CircleCheck, RotateCcw, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatBytes } from '../base/bytes.ts'
import type { ErrorBody } from '../base/field-errors.ts'
import type { Project } from '../projects/project.ts'
import { Sharing } from '../projects/sharing.tsx'
import { Button } from '../ui/button.tsx'
import { Dropzone } from '../ui/dropzone.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { send } from '../ui/request.ts'
import { Shell } from '../ui/shell.tsx'
import { sayOnNextPage } from '../ui/toasts.ts'
import { folderAnchor, urls } from '../urls.ts'
import type { UploadFolder } from './placing.ts'
import { useUploads, type Limits, type Upload } from './use-uploads.ts'

export type UploadPageProps = { project: Project; folder: UploadFolder; limits: Limits }

/** S2.1: files for one folder, whatever they are called. */
export function UploadPage({ project, folder, limits }: UploadPageProps) {
  const { uploads, add, remove, retry, change } = useUploads(limits)
  const submission = useRef({ id: '', content: '' })
  const [state, setState] = useState<'filling' | 'waiting' | 'saving'>('filling')
  const [fault, setFault] = useState<string | null>(null)
  const failedAtPress = useRef(0)
  const back = `${urls.files(project.id)}#${folderAnchor(folder.id)}`
  const left = uploads.filter((upload) => upload.state === 'waiting' || upload.state === 'sending').length
  const failed = uploads.filter((upload) => upload.state === 'failed').length
  const ready = uploads.filter((upload) => upload.state === 'sent')
  const isTooMany = uploads.length > limits.files

  async function save(): Promise<void> {
    setState('saving')
    setFault(null)
    // The same id for the same files alone: sent again after a lost answer, they are stored once.
    const content = ready.map(({ hashName }) => hashName).join(' ')
    if (submission.current.content !== content) submission.current = { id: crypto.randomUUID(), content }
    const form = new FormData()
    form.set('submission', submission.current.id)
    for (const { id, name, file, hashName } of ready) {
      form.set(`files[${id}][name]`, name)
      form.set(`files[${id}][mime]`, file.type)
      form.set(`files[${id}][data]`, hashName!)
    }
    try {
      const response = await send('POST', urls.uploadTo(project.id, folder.id), form)
      const body = (await response.json()) as { redirect?: string } & Partial<ErrorBody>
      if (response.ok && body.redirect) {
        const rest = failed > 0 ? ` ${countOf(failed)} blev ikke sendt.` : ''
        sayOnNextPage(`${countOf(ready.length)} er gemt i ${folder.name}.${rest}`)
        return location.assign(body.redirect)
      }
      for (const { id } of ready) {
        const told = Object.entries(body.errors ?? {}).find(([field]) => field.startsWith(`files.${id}.`))
        if (told) change([id], () => ({ state: 'failed', fault: told[1].join(' '), mayRetry: true }))
      }
      setFault(body.message ?? 'Filerne kunne ikke gemmes. Prøv igen om lidt.')
    } catch {
      setFault('Filerne kunne ikke gemmes, fordi forbindelsen blev afbrudt. Prøv igen.')
    }
    return setState('filling')
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

  const hasUnsaved = uploads.length > 0 && state !== 'saving'
  useEffect(() => {
    if (!hasUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasUnsaved])

  return (
    <Shell
      title={`Upload til ${folder.name}`}
      above={`Projekt ${project.number} · ${project.name}`}
      crumbs={[
        { text: 'Projekter', href: urls.projects },
        { text: project.name, href: back },
      ]}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (state !== 'filling' || uploads.length === failed || isTooMany) return
          failedAtPress.current = failed
          setState('waiting')
        }}
        className="grid gap-4"
      >
        <noscript>
          <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
            Slå JavaScript til i din browser for at uploade filer.
          </p>
        </noscript>
        <Dropzone
          onFiles={add}
          hint={`Højst ${limits.files} filer ad gangen, højst ${formatBytes(limits.bytes)} hver.`}
        />
        {uploads.length > 0 && (
          <section aria-labelledby="uploads" className="rounded-card border border-line bg-surface">
            <header className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3">
              <h2 id="uploads" className="text-section font-semibold">
                Filer til upload
              </h2>
              <p className="ml-auto flex flex-wrap items-center gap-x-4 text-meta text-muted tabular-nums">
                <span>{countOf(uploads.length)}</span>
                <span>{formatBytes(sum(uploads, 'size'))}</span>
                <Sharing isShared={folder.visible_to_investors} />
              </p>
            </header>
            {left > 0 && (
              <div className="border-b border-line px-4 py-3">
                <ProgressBar label="Sender filer" value={sum(uploads, 'done') / sum(uploads, 'size')} />
              </div>
            )}
            <ul className="divide-y divide-line">
              {uploads.map((upload) => (
                <UploadItem
                  key={upload.id}
                  upload={upload}
                  onRemove={() => remove(upload.id)}
                  onRetry={() => retry(upload.id)}
                />
              ))}
            </ul>
          </section>
        )}
        {isTooMany && (
          <ErrorState message={`Der kan højst sendes ${limits.files} filer ad gangen. Fjern nogle af dem.`} />
        )}
        {failed > 0 && uploads.length > failed && (
          <p className="text-muted">{countOf(failed)} kunne ikke sendes og bliver ikke gemt.</p>
        )}
        {fault && <ErrorState message={fault} />}
        <output className="sr-only">
          {uploads.length > 0 && left === 0 && `${countOf(ready.length)} er sendt og kan gemmes.`}
        </output>
        {uploads.length > 0 && (
          <div className="flex flex-wrap gap-3">
            <Button
              type="submit"
              loading={state !== 'filling'}
              loadingText={state === 'waiting' ? 'Sender…' : 'Gemmer…'}
            >
              Gem {countOf(uploads.length - failed)}
            </Button>
            <LinkButton kind="secondary" href={back}>
              Annuller
            </LinkButton>
          </div>
        )}
      </form>
    </Shell>
  )
}

type ItemProps = { upload: Upload; onRemove: () => void; onRetry: () => void }

function UploadItem({ upload, onRemove, onRetry }: ItemProps) {
  const { name, size, state, done, fault } = upload
  return (
    <li
      className={`flex min-h-11 items-center gap-3 px-4 py-1 ${state === 'failed' ? 'bg-danger-soft' : ''}`}
    >
      {state === 'sent' ? (
        <CircleCheck size={16} strokeWidth={1.75} aria-label="Sendt" className="shrink-0 text-ok" />
      ) : state === 'failed' ? (
        <CircleAlert size={16} strokeWidth={1.75} aria-label="Fejl" className="shrink-0 text-danger" />
      ) : (
        <span className="size-4 shrink-0" />
      )}
      <span className="min-w-0 flex-1">
        <span className="block wrap-anywhere">{name}</span>
        {fault && <span className="block text-meta text-danger">{fault}</span>}
      </span>
      <span className="text-meta whitespace-nowrap text-muted tabular-nums">
        {state === 'sending' ? `${Math.floor((100 * done) / size)} %` : formatBytes(size)}
      </span>
      <span className="flex">
        {upload.mayRetry && state === 'failed' && (
          <IconButton label={`Prøv ${name} igen`} icon={RotateCcw} onClick={onRetry} />
        )}
        <IconButton label={`Fjern ${name}`} icon={X} onClick={onRemove} />
      </span>
    </li>
  )
}

function countOf(files: number): string {
  return `${files} ${files === 1 ? 'fil' : 'filer'}`
}

function sum(uploads: readonly Upload[], what: 'size' | 'done'): number {
  return uploads.reduce((total, upload) => total + upload[what], 0)
}
