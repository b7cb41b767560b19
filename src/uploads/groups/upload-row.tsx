import { CircleAlert, CircleCheck, Clock, FolderInput, LoaderCircle, RotateCcw, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { SpriteIcon } from '../../ui/icon/icon-sprite.tsx'
import { PileName } from './pile-name.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { CHOICE_NAMES, type Choice } from '../pile/duplicate.ts'
import type { Upload } from '../transport/upload.ts'

/** The icons that the page's sprite must have. */
export const ROW_ICONS = {
  sent: CircleCheck,
  failed: CircleAlert,
  waiting: Clock,
  sending: LoaderCircle,
  checking: LoaderCircle,
  remove: X,
  misplace: FolderInput,
  retry: RotateCcw,
}

export type RowActs = {
  remove: (id: string) => void
  retry: (id: string) => void
  choose: (id: string, choice: Choice) => void
  /** Asks where else the file belongs. */
  misplace: (id: string) => void
}

type Props = {
  upload: Upload
  /** The notice if the file is there already. */
  warning: string | null
  /** What happens to it then; null if not chosen yet, undefined if there is nothing to choose. */
  choice: Choice | null | undefined
  /** Whether it can replace the existing file. */
  mayReplace: boolean
  /** The thumbnail's size in pixels; null for none. */
  thumbnail: number | null
  /** Whether another name leads the file elsewhere. */
  mayMisplace: boolean
  /** Where it goes, if it does not stand under its place. */
  place?: string
  /** A note below the name. It has to be the same object while it says the same. */
  note?: ReactNode
  /** Somebody should look at it. */
  isAsked?: boolean
  acts: RowActs
}

const STATES = {
  sent: ['Klar', 'text-accent'],
  failed: ['Fejl', 'text-danger'],
  waiting: ['Venter', 'text-muted'],
  sending: ['Sendes', 'text-accent'],
  checking: ['Kontrolleres', 'text-accent'],
} as const

const ASKS = ['Skal ses på', 'text-warn'] as const
const AWAITS_NET = ['Venter på nettet', 'text-warn'] as const

/** Shows one file. There may be thousands, so a row renders again only when its own file changes. */
export const UploadRow = memo(function UploadRow(props: Props) {
  const { upload, warning, choice, mayReplace, thumbnail, place, note, isAsked, ...buttons } = props
  const isSkipped = choice === 'skip'
  const { id, name, state, fault, file } = upload
  const asks = isAsked && state === 'sent' && !isSkipped
  const [label, colour] = asks ? ASKS : upload.awaitsNet && state === 'waiting' ? AWAITS_NET : STATES[state]
  return (
    <li
      data-upload={id}
      className={`upload-row ${state === 'failed' ? 'has-failed bg-danger-soft' : warning ? 'bg-warn-soft' : ''}`}
    >
      <span className={isSkipped ? 'text-muted' : colour}>
        <SpriteIcon name={asks ? 'failed' : state} />
        <span className="sr-only">{isSkipped ? 'Springes over' : label}</span>
      </span>
      {thumbnail !== null && file && <Thumbnail file={file} size={thumbnail} />}
      <div
        className={`min-w-0 flex-1 ${thumbnail === null ? 'max-[30rem]:basis-[calc(100%-1.75rem)]' : 'max-[30rem]:basis-[calc(100%-5.5rem)]'}`}
      >
        <PileName upload={upload} isSkipped={isSkipped} />
        {place && <span className="block text-meta text-muted">{place}</span>}
        {note}
        {fault && <span className="block text-meta text-danger">{fault}</span>}
        {warning && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-warn">
            {warning}
            {choice !== undefined && (
              <Choices
                name={name}
                choice={choice}
                mayReplace={mayReplace}
                onChoose={(next) => buttons.acts.choose(id, next)}
              />
            )}
          </div>
        )}
      </div>
      {/* Screen readers get the state from the icon's label. */}
      <span
        {...((state === 'checking' || label === AWAITS_NET[0]) && { 'aria-hidden': true })}
        className="text-meta whitespace-nowrap text-muted tabular-nums"
      >
        {progressText(upload, label)}
      </span>
      <RowButtons upload={upload} {...buttons} />
    </li>
  )
})

function progressText({ state, size, done }: Upload, label: string): string {
  if (state === 'sending') return `${Math.floor((100 * done) / size)} %`
  if (state === 'checking') return `${label}…`
  return label === AWAITS_NET[0] ? label : formatBytes(size)
}

type ButtonsProps = Pick<Props, 'upload' | 'mayMisplace' | 'acts'>

function RowButtons({ upload, mayMisplace, acts }: ButtonsProps) {
  const { id, name, state } = upload
  return (
    <span className="flex">
      {upload.mayRetry && state === 'failed' && (
        <IconButton label={`Prøv ${name} igen`} icon="retry" onClick={() => acts.retry(id)} />
      )}
      {mayMisplace && (
        <IconButton
          label={`Læg ${name} et andet sted`}
          icon="misplace"
          aria-haspopup="dialog"
          onClick={() => acts.misplace(id)}
        />
      )}
      <IconButton label={`Fjern ${name}`} icon="remove" data-act="remove" onClick={() => acts.remove(id)} />
    </span>
  )
}

const CHOICES = ['version', 'keep', 'skip'] as const

type ChoicesProps = {
  name: string
  choice: Choice | null
  mayReplace: boolean
  onChoose: (choice: Choice) => void
}

/** Asks what happens to a file that exists already. */
function Choices({ name, choice, mayReplace, onChoose }: ChoicesProps) {
  return (
    <fieldset
      aria-label={`Hvis ${name} findes i forvejen`}
      data-open={choice === null || undefined}
      className="flex min-w-0"
    >
      {(mayReplace ? CHOICES : CHOICES.slice(1)).map((each) => (
        <button
          key={each}
          type="button"
          aria-label={`${CHOICE_NAMES[each]}, ${name}`}
          aria-pressed={choice === each}
          onClick={() => onChoose(each)}
          className="min-h-7 cursor-pointer border whitespace-nowrap border-line-strong px-2 text-ink not-first:-ml-px first:rounded-l-control last:rounded-r-control aria-pressed:bg-surface aria-pressed:font-semibold pointer-coarse:min-h-11"
        >
          {CHOICE_NAMES[each]}
        </button>
      ))}
    </fieldset>
  )
}
