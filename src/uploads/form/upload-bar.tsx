import type { ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { countFiles } from '../../projects/folder.ts'
import { PublishingChoice, type Choice } from '../../releases/publishing-choice.tsx'
import type { Reach } from '../../releases/release/release.ts'
import { Button } from '../../ui/basic/button.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ProgressBar } from '../../ui/basic/progress-bar.tsx'
import type { PilePapers } from '../judgements/use-judgements.ts'
import type { UploadForm } from '../pile/pile.ts'
import { SaveRefused } from './save-refused.tsx'
import { leftText } from '../transport/time-left.ts'
import type { Upload } from '../transport/upload.ts'
import type { Saving } from './use-saving.ts'
import { sumOf } from '../transport/upload.ts'

type Props = {
  form: UploadForm
  /** The files to save. */
  wanted: readonly Upload[]
  saving: Saving
  /** How long until all files are sent; null if unknown. */
  seconds: number | null
  back: string | undefined
  /** The people outside the office whom the files reach; null if unknown. */
  reach: Reach | null
  papers: PilePapers
  onRetry: (ids: string[]) => void
  onRemoveAll: () => void
  /** The last repair. */
  children: ReactNode
}

/** Stays in view below a pile of any length: shows progress and errors, and has the save button. */
export function UploadBar({
  form,
  wanted,
  saving,
  seconds,
  back,
  reach,
  papers,
  onRetry,
  onRemoveAll,
  children,
}: Props) {
  const failed = wanted.filter(({ state }) => state === 'failed')
  const toSave = wanted.filter(({ state }) => state !== 'failed')
  const of = (...states: Upload['state'][]) => toSave.some(({ state }) => states.includes(state))
  const among = (ids: readonly string[]) => toSave.flatMap(({ id }) => (ids.includes(id) ? id : []))
  const reading = among(papers.reading).length
  const unreadable = among(papers.unreadable)
  const isChecking = of('checking') && !of('waiting', 'sending')
  const isWaiting = saving.step === 'waiting'
  // A draft stays in its release.
  const isDraft = form.kind === 'replace' && form.file.held === 'draft'
  const [act, toAct] = form.kind === 'simple' ? ['Send', 'sende'] : ['Gem', 'gemme']
  return (
    <div className="upload-bar sticky bottom-2 z-10 grid gap-3 rounded-card border border-line bg-surface px-4 py-3 shadow-lg">
      {children}
      <SaveRefused
        asking={saving.asking}
        onAgree={saving.agree}
        onDecline={saving.decline}
        fault={saving.fault}
      />
      {saving.left > 0 && (
        <SendingProgress wanted={wanted} isWaiting={isWaiting} isChecking={isChecking} seconds={seconds} />
      )}
      {saving.left === 0 && toSave.length > 0 && (
        // As high as the progress was, so that the button does not move away under a press.
        <p className="pb-2.5 text-muted">
          {reading > 0
            ? waitingText(reading, saving.choice.way)
            : `${failed.length > 0 ? 'Resten er klar til at' : 'Klar til at'} ${toAct}`}
        </p>
      )}
      {unreadable.length > 0 && <UnreadableStrip ids={unreadable} papers={papers} />}
      {failed.length > 0 && <FailedStrip failed={failed} onRetry={onRetry} />}
      {form.kind !== 'simple' && !isDraft && toSave.length > 0 && (
        <PublishingChoice
          choice={saving.choice}
          onChange={saving.choose}
          faults={saving.errors}
          reach={reach}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        {toSave.length > 0 ? (
          <Button
            type="submit"
            data-act="save"
            loading={saving.step !== 'filling'}
            loadingText={isWaiting ? (isChecking ? 'Kontrollerer…' : 'Sender…') : 'Gemmer…'}
          >
            {form.kind === 'replace' ? 'Gem ny version' : `${act} ${countFiles(toSave.length)}`}
            {saving.choice.way === 'draft' && ' som kladde'}
          </Button>
        ) : (
          <p className="text-muted">Der er ingen filer at {toAct}.</p>
        )}
        {back && (
          <span className="max-sm:hidden">
            <LinkButton kind="secondary" href={back}>
              Annuller
            </LinkButton>
          </span>
        )}
        <p className="ml-auto text-meta text-muted tabular-nums max-sm:hidden">
          {formatBytes(sumOf(toSave, 'size'))}
        </p>
        <Button type="button" kind="quiet" className="max-sm:ml-auto" onClick={onRemoveAll}>
          Fjern alle
        </Button>
      </div>
    </div>
  )
}

type ProgressProps = {
  wanted: readonly Upload[]
  /** It is saved when all files have arrived. */
  isWaiting: boolean
  isChecking: boolean
  seconds: number | null
}

function SendingProgress({ wanted, isWaiting, isChecking, seconds }: ProgressProps) {
  const text = isWaiting
    ? `Gemmer, når alt er ${isChecking ? 'kontrolleret' : 'sendt'}`
    : `${isChecking ? 'Kontrollerer' : 'Sender'} filer`
  return (
    <ProgressBar
      label={seconds === null || isChecking ? text : `${text} · ${leftText(seconds)}`}
      {...(!isChecking && { value: sumOf(wanted, 'done') / sumOf(wanted, 'size') })}
    />
  )
}

type FailedProps = { failed: readonly Upload[]; onRetry: (ids: string[]) => void }

function FailedStrip({ failed, onRetry }: FailedProps) {
  const mayRetry = failed.filter((upload) => upload.mayRetry).map(({ id }) => id)
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-danger">
      {countFiles(failed.length)} kunne ikke sendes og bliver ikke gemt.
      {mayRetry.length > 1 && (
        <Button type="button" kind="secondary" onClick={() => onRetry(mayRetry)}>
          Prøv alle igen
        </Button>
      )}
    </p>
  )
}

/** '3 læses stadig; de udgives, når de er læst' */
function waitingText(count: number, way: Choice['way']): string {
  const [they, are] = count === 1 ? ['den', 'den er'] : ['de', 'de er']
  const text = `${count} læses stadig`
  return way === 'now' ? `${text}; ${they} udgives, når ${are} læst` : text
}

/** Says what becomes of files that cannot be read, and takes one yes for all of them. */
function UnreadableStrip({ ids, papers }: { ids: string[]; papers: PilePapers }) {
  const [it, are] = ids.length === 1 ? ['den', 'Den'] : ['dem', 'De']
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-warn">
      {countFiles(ids.length)} kan ikke læses. {are} gemmes, men kun kontoret ser {it}, før en af jer siger
      ja.
      <Button
        type="button"
        kind="secondary"
        onClick={() => {
          for (const id of ids)
            for (const each of papers.judgements.get(id)!.contradictions)
              if (each.kind === 'unreadable') papers.see(id, each, true)
        }}
      >
        Udgiv {it} alligevel
      </Button>
    </p>
  )
}
