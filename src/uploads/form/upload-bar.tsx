import type { ReactNode } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { PublishingChoice, ReachNote, type Choice } from '../../releases/publishing-choice.tsx'
import type { Reach } from '../../releases/release/release.ts'
import { Button } from '../../ui/basic/button.tsx'
import type { UploadForm } from '../pile/pile.ts'
import { SaveRefused } from './save-refused.tsx'
import { leftText } from '../transport/time-left.ts'
import type { Upload } from '../transport/upload.ts'
import type { Saving } from './use-saving.ts'
import { sumOf } from '../transport/upload.ts'

type Props = {
  form: UploadForm
  /** The files with a place. */
  wanted: readonly Upload[]
  saving: Saving
  /** How long until all files are sent; null if unknown. */
  seconds: number | null
  /** The people outside the office whom the files reach; null if unknown. */
  reach: Reach | null
  /** The files whose papers are being read. */
  reading: readonly string[]
  onRemoveAll: () => void
  /** The last repair. */
  children: ReactNode
}

/** Stays in view below a pile of any length: one line that saves it, and says whom it reaches. */
export function UploadBar({ form, wanted, saving, seconds, reach, reading, onRemoveAll, children }: Props) {
  const { toSave, isPart } = saving
  const of = (...states: Upload['state'][]) => toSave.some(({ state }) => states.includes(state))
  const isChecking = of('checking') && !of('waiting', 'sending')
  const isWaiting = saving.step === 'waiting'
  // A draft stays in its release.
  const isDraft = form.kind === 'replace' && form.file.held === 'draft'
  const isPublished = form.kind !== 'simple' && !isDraft && toSave.length > 0
  const [act, toAct] = form.kind === 'simple' ? ['Send', 'sende'] : ['Gem', 'gemme']
  return (
    <div className="sticky bottom-2 z-10 grid grid-cols-[minmax(0,1fr)] gap-2">
      {children}
      <div className="upload-bar relative grid gap-2 rounded-card border border-line bg-surface px-3 py-2 shadow-lg sm:px-4">
        <SaveRefused
          asking={saving.asking}
          onAgree={saving.agree}
          onDecline={saving.decline}
          fault={saving.fault}
        />
        <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
          {toSave.length > 0 ? (
            <Button
              type="submit"
              data-act="save"
              loading={saving.step !== 'filling'}
              loadingText={isWaiting ? (isChecking ? 'Kontrollerer…' : 'Sender…') : 'Gemmer…'}
            >
              {form.kind === 'replace'
                ? 'Gem ny version'
                : `${act} ${isPart ? readyText(toSave.length) : countFiles(toSave.length)}`}
              {saving.choice.way === 'draft' && ' som kladde'}
            </Button>
          ) : (
            <p className="self-center text-muted">Ingen filer at {toAct}.</p>
          )}
          {isPublished && (
            <PublishingChoice choice={saving.choice} onChange={saving.choose} faults={saving.errors} />
          )}
          {/* As high as two lines, so that the button does not move away under a press. */}
          <div className="grid min-h-9 min-w-0 flex-1 basis-40 content-center self-center text-meta text-muted">
            {saving.left > 0 ? (
              <SendingProgress {...{ wanted, isWaiting, isChecking, seconds }} />
            ) : (
              <ReadingText {...{ toSave, reading }} way={saving.choice.way} />
            )}
            {isPublished && <ReachNote way={saving.choice.way} reach={reach} />}
          </div>
          <Button type="button" kind="quiet" onClick={onRemoveAll}>
            Fjern alle
          </Button>
        </div>
      </div>
    </div>
  )
}

/** '47 klare': the others wait for an answer. */
const readyText = (count: number) => `${formatCount(count)} ${count === 1 ? 'klar' : 'klare'}`

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
  const label = seconds === null || isChecking ? text : `${text} · ${leftText(seconds)}`
  return (
    <>
      <p>{label}</p>
      <span className="absolute inset-x-3 top-0 grid">
        <progress
          aria-label={label}
          className="progress-bar"
          {...(!isChecking && { value: sumOf(wanted, 'done') / sumOf(wanted, 'size') })}
        />
      </span>
    </>
  )
}

type ReadingProps = { toSave: readonly Upload[]; reading: readonly string[]; way: Choice['way'] }

/** '3 udgives, når de er læst' */
function ReadingText({ toSave, reading, way }: ReadingProps) {
  const count = toSave.filter(({ id }) => reading.includes(id)).length
  if (count === 0) return null
  const are = count === 1 ? 'den er' : 'de er'
  return <p>{way === 'now' ? `${count} udgives, når ${are} læst` : `${count} læses stadig`}</p>
}
