import { Mail, ScanLine, TriangleAlert } from 'lucide-react'
import { formatBytes } from '../base/bytes.ts'
import { FileLink } from '../files/content/file-link.tsx'
import { SOURCE_NAMES } from '../intake/intake.ts'
import { Button } from '../ui/basic/button.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { IN_NEW_TAB } from '../ui/basic/new-tab.tsx'
import { urls } from '../urls.ts'
import { senderName, type InboxIntake, type InboxItem } from './inbox.ts'
import { picturesText } from './intake-words.ts'

const ICONS = { directory: ScanLine, mailbox: Mail }

/** Shows where it came from and the stated sender, which nobody has proved. */
export function IntakeSender({ item }: { item: InboxItem }) {
  const { intake } = item
  if (!intake) return null
  const Icon = ICONS[intake.source]
  const isClaimed = intake.source === 'mailbox' && intake.sender !== ''
  return (
    <>
      <p className="font-medium wrap-anywhere">
        {isClaimed && <span className="block text-meta font-normal text-muted">Angivet afsender</span>}
        {senderName(item)}
      </p>
      <p className="flex items-center gap-1.5 text-meta text-muted">
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
        {SOURCE_NAMES[intake.source]}
      </p>
    </>
  )
}

/** Shows what was handed in: a mail's subject and text, the files, and what was not taken. */
export function IntakeContent({ id, intake }: { id: number; intake: InboxIntake }) {
  const { subject, note, files, total, pictures, untaken } = intake
  const more = total - files.length
  return (
    <div className="grid min-w-0 content-start gap-1">
      {subject !== '' && <p className="font-medium wrap-anywhere">{subject}</p>}
      {files.length > 0 && (
        <ul className="grid gap-1">
          {files.map((file) => (
            <li key={file.id} className="min-w-0">
              <IntakeFileName item={id} file={file} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-muted">og {more} til</p>}
      {untaken.length > 0 && (
        <ul className="rounded-control bg-warn-soft px-3 py-2 text-meta text-warn">
          {untaken.map(({ name, why }) => (
            <li key={`${name} ${why}`} className="flex gap-1.5">
              <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" className="mt-px shrink-0" />
              <span className="min-w-0 wrap-anywhere">
                {name} {why}
              </span>
            </li>
          ))}
        </ul>
      )}
      {note !== '' && (
        <details className="text-meta">
          <summary className="cursor-pointer py-1 text-muted hover:text-ink pointer-coarse:py-3">
            Vis mailens tekst
          </summary>
          <p className="mt-1 max-h-80 overflow-y-auto rounded-control bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-line">
            {note}
          </p>
        </details>
      )}
      {pictures > 0 && <p className="text-meta text-muted">{picturesText(pictures)}</p>}
    </div>
  )
}

function IntakeFileName({ item, file }: { item: number; file: InboxIntake['files'][number] }) {
  const { filed } = file
  if (filed && !filed.in_trash)
    return (
      <>
        <FileLink owner={filed.owner} file={filed} />
        <span className="text-meta text-muted">
          {' '}
          gemt i{' '}
          <a
            href={'project' in filed.owner ? urls.files(filed.owner.project) : urls.user(filed.owner.user)}
            className="underline underline-offset-2 hover:text-ink"
          >
            {filed.moved_to}
          </a>
        </span>
      </>
    )
  if (file.state !== 'waiting')
    return (
      <>
        <span className="text-muted wrap-anywhere">{file.name}</span>
        <span className="text-meta text-muted">
          {file.state === 'removed' ? ' slettet' : filed ? ' gemt, nu i papirkurven' : ' gemt'}
        </span>
      </>
    )
  return (
    <>
      <a
        href={urls.intakeFile(item, file.id)}
        {...IN_NEW_TAB}
        className="wrap-anywhere hover:text-accent hover:underline pointer-coarse:py-3"
      >
        {file.name}
      </a>
      <span className="text-meta text-muted tabular-nums"> {formatBytes(file.size)}</span>
    </>
  )
}

/** Leads to the upload form with these files. A plain form: it leaves the page. */
export function SortForm({ item }: { item: InboxItem }) {
  const { token } = useFrame()
  return (
    <form method="post" action={urls.inboxAct(item.id, 'sort')}>
      <input type="hidden" name="_token" value={token} />
      <Button type="submit" kind="secondary">
        Sorter bunken
        <span className="sr-only"> (fra {senderName(item)})</span>
      </Button>
    </form>
  )
}
