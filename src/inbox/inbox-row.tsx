import { useEffect, useRef, useState, type FormEvent } from 'react'
import { FileLink } from '../files/content/file-link.tsx'
import type { PaperNote } from '../files/file/paper-note.ts'
import { PaperNotes } from '../files/file/paper-notes.tsx'
import { HELD_NAMES } from '../files/file/stored-file.ts'
import { countFiles } from '../projects/folder.ts'
import { Button } from '../ui/basic/button.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { OFFLINE, orNull, readJson, send } from '../ui/overlay/request.ts'
import { urls } from '../urls.ts'
import { IntakeContent, IntakeSender, SortForm } from './intake-parts.tsx'
import { leftText } from './intake-words.ts'
import {
  ACT_TEXTS,
  maySort,
  offeredActs,
  senderName,
  stateText,
  type InboxAct,
  type InboxCounts,
  type InboxFile,
  type InboxItem,
} from './inbox.ts'

const LINK = 'underline-offset-2 hover:text-accent hover:underline'

type Props = {
  item: InboxItem
  /** A new object with each answer of the server. It replaces the row's own state. */
  by: object
  notes: PaperNote[] | undefined
  onItem: (item: InboxItem) => void
  onCounts: (counts: InboxCounts) => void
}

/** Shows the files of one save. The row stays in its place after an act, with its new state. */
export function InboxRow({ item: listed, by, notes, onItem, onCounts }: Props) {
  const { user } = useFrame()
  const [own, setOwn] = useState<{ by: object; item: InboxItem } | null>(null)
  const item = own?.by === by ? own.item : listed
  const { busy, fault, act } = useInboxAct((now) => {
    setOwn({ by, item: now })
    onItem(now)
  }, onCounts)
  const state = useRef<HTMLDivElement>(null)

  // The pressed button is gone, and the focus with it. No other button gets it: Enter may be pressed twice.
  useEffect(() => {
    if (own && document.activeElement === document.body) state.current?.focus()
  }, [own])

  const isSorted = maySort(item, user!.id)
  // Sorting an item also takes it.
  const acts = offeredActs({ state: item.state, by: item.by?.id ?? null }, user!.id).filter(
    (each) => each !== 'take' || !isSorted,
  )
  return (
    <li className="acting-row grid gap-x-6 gap-y-2 px-4 py-3 @list:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)_15rem]">
      <div className="min-w-0">
        {item.sender ? (
          <a
            href={urls.user(item.sender.id)}
            className={`font-medium wrap-anywhere pointer-coarse:py-3 ${LINK}`}
          >
            {item.sender.name}
          </a>
        ) : (
          <IntakeSender item={item} />
        )}
        <p className="text-meta text-muted tabular-nums">
          <ShortDate at={item.sent_at} withTime />
        </p>
      </div>
      <div className="min-w-0">
        {item.intake ? <IntakeContent id={item.id} intake={item.intake} /> : <Files item={item} />}
        <PaperNotes notes={notes} />
      </div>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 @list:contents">
        <div ref={state} tabIndex={-1} className="min-w-0 flex-auto outline-none">
          <State item={item} me={user!.id} />
        </div>
        <div className="flex flex-wrap content-start gap-2 @list:justify-end">
          {isSorted && <SortForm item={item} />}
          {acts.map((each, index) => (
            <ActForm
              key={each}
              act={each}
              item={item}
              kind={index === 0 && !isSorted && each !== 'reopen' ? 'secondary' : 'quiet'}
              isBusy={busy === each}
              onAct={(form) => void act(each, form)}
            />
          ))}
        </div>
      </div>
      <div
        role="alert"
        className="col-span-full rounded-control bg-warn-soft px-3 py-2 text-warn empty:hidden"
      >
        {fault}
      </div>
    </li>
  )
}

/** Does acts on a row. If somebody else's act caused a refusal, the row shows its new state. */
function useInboxAct(onItem: (item: InboxItem) => void, onCounts: Props['onCounts']) {
  const [busy, setBusy] = useState<InboxAct | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  async function act(which: InboxAct, form: HTMLFormElement): Promise<void> {
    if (busy !== null) return
    setBusy(which)
    const response = await orNull(send('POST', form.action, new FormData(form)))
    const body = response && (await orNull(readJson<Answer | null>(response)))
    setBusy(null)
    setFault(response?.ok && body ? null : (body?.message ?? OFFLINE))
    if (body?.item) onItem(body.item)
    if (body?.counts) onCounts(body.counts)
  }

  return { busy, fault, act }
}

type Answer = { item?: InboxItem; counts?: InboxCounts; message?: string }

type ActProps = {
  act: InboxAct
  item: InboxItem
  kind: 'secondary' | 'quiet'
  isBusy: boolean
  onAct: (form: HTMLFormElement) => void
}

function ActForm({ act, item, kind, isBusy, onAct }: ActProps) {
  const { token, url } = useFrame()
  return (
    <form
      method="post"
      action={urls.inboxAct(item.id, act)}
      className={kind === 'quiet' && !isBusy ? 'row-act @list:order-first' : ''}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        onAct(event.currentTarget)
      }}
    >
      <input type="hidden" name="_token" value={token} />
      <input type="hidden" name="next" value={url} />
      {act === 'take-over' && <input type="hidden" name="from" value={item.by?.id} />}
      <Button
        type="submit"
        kind={kind}
        loading={isBusy}
        loadingText="Vent…"
        onClick={(event) => {
          // The second half of a double click hits the button that has replaced the first one.
          if (event.detail > 1) event.preventDefault()
        }}
      >
        {ACT_TEXTS[act]}
        <span className="sr-only"> (fra {senderName(item)})</span>
      </Button>
    </form>
  )
}

const TONES = { new: 'accent', taken: 'neutral', done: 'ok' } as const

function State({ item, me }: { item: InboxItem; me: number }) {
  const { state, by, at } = item
  return (
    <>
      <Chip tone={TONES[state]} text={stateText(item, me)} />
      {at && (
        <p className="mt-1 text-meta text-muted tabular-nums">
          {state === 'done' && `Af ${by?.id === me ? 'dig' : by?.name} · `}
          <ShortDate at={at} withTime />
        </p>
      )}
      {state === 'done' && item.intake && item.intake.waiting > 0 && (
        <p className="mt-1 text-meta text-muted">{leftText(item.intake.waiting)}</p>
      )}
    </>
  )
}

function Files({ item }: { item: InboxItem }) {
  const { files, left, in_trash: inTrash, gone, sender } = item
  const isAllInTrash = left > 0 && inTrash === left
  const more = left - files.length
  return (
    <div className="min-w-0">
      {files.length > 0 && (
        <ul className="grid gap-1">
          {files.map((file) => (
            <li key={file.id} className="min-w-0">
              <FileName file={file} isMarked={!isAllInTrash} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && sender && (
        <a href={urls.user(sender.id)} className={`mt-1 inline-block text-muted ${LINK}`}>
          og {more} til
        </a>
      )}
      {isAllInTrash && (
        <p className="mt-1 text-meta text-muted">
          {left === 1 ? 'Filen ligger' : 'Filerne ligger'} i papirkurven.
        </p>
      )}
      {gone > 0 && <p className="mt-1 text-meta text-muted">{countFiles(gone)} er slettet for altid.</p>}
    </div>
  )
}

function FileName({ file, isMarked }: { file: InboxFile; isMarked: boolean }) {
  const { owner, in_trash: isInTrash, moved_to: movedTo, held } = file
  const [files, trash] =
    'project' in owner
      ? [urls.files(owner.project), urls.trash(owner.project)]
      : [urls.user(owner.user), urls.userTrash(owner.user)]
  return (
    <>
      {isInTrash ? (
        <a href={trash} className={`text-muted wrap-anywhere ${LINK}`}>
          {file.name}
        </a>
      ) : (
        <FileLink owner={owner} file={file} />
      )}
      {!isInTrash && (held === 'virus' || held === 'scan' || held === 'unscanned') && (
        <>
          {' '}
          <Chip text={HELD_NAMES[held]} tone={held === 'scan' ? 'neutral' : 'warn'} />
        </>
      )}
      {isInTrash && isMarked && <span className="text-meta text-muted"> i papirkurven</span>}
      {!isInTrash && movedTo !== null && (
        <span className="text-meta text-muted">
          {' '}
          flyttet til{' '}
          <a href={files} className="underline underline-offset-2 hover:text-ink">
            {movedTo}
          </a>
        </span>
      )}
    </>
  )
}
