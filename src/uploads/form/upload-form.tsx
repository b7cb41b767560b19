import { useEffect, useEffectEvent, useMemo, useReducer } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { Dropzone } from '../../ui/drag/dropzone.tsx'
import { ErrorState } from '../../ui/basic/error-state.tsx'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { takeCarried } from '../../ui/basic/next-page.ts'
import { attentionOf, type Attention } from '../pile/attention.ts'
import { findingsText, type Findings } from '../pile/duplicate.ts'
import { cleanFileName, simpleName } from '../../files/names/file-name.ts'
import { DoubleNumbers } from '../repair/double-numbers.tsx'
import { focusSoon } from '../pile/focus-after-removal.ts'
import { usePilePapers } from '../judgements/use-pile-papers.tsx'
import { NEW_FORM, nextForm } from '../pile/form-state.ts'
import type { Group, Pile, UploadForm as Form } from '../pile/pile.ts'
import { usePictures } from '../pictures/use-pictures.tsx'
import { PileSections } from './pile-sections.tsx'
import { PlaceLine } from './place-line.tsx'
import { RepairModal } from '../repair/repair-modal.tsx'
import { RepairStrip } from '../repair/repair-strip.tsx'
import { UnsavedPile } from './unsaved-pile.tsx'
import type { UnsavedSummary } from '../unsaved/unsaved-pile.ts'
import { useKeeper } from '../unsaved/use-keeper.ts'
import { UploadBar } from './upload-bar.tsx'
import { ROW_ICONS } from '../groups/upload-row.tsx'
import type { Limits, Upload } from '../transport/upload.ts'
import { useDuplicates } from './use-duplicates.ts'
import { usePlacing } from './use-placing.ts'
import { useReach } from './use-reach.ts'
import { useRepairs } from '../repair/use-repairs.ts'
import { useRowActs } from './use-row-acts.ts'
import { useSaving } from './use-saving.ts'
import { useUploads } from './use-uploads.ts'
import type { Widget } from '../transport/widget.ts'

type Props = {
  form: Form
  limits: Limits
  /** Whether large files go straight to the store. */
  isDirect: boolean
  hint?: string
  /** The pile that was left in the form earlier. */
  kept?: UnsavedSummary | null
  /** Whether sure papers are put in their places without a press. */
  placesSure?: boolean
  /** Overrides how files are sent. */
  widget?: Partial<Widget>
}

/** S2.7: sorts and sends dropped files at once, and saves them with one press. */
export function UploadForm({ form, limits, isDirect, hint, kept = null, placesSure = false, widget }: Props) {
  const isSimple = form.kind === 'simple'
  const { queue, uploads, ...all } = useUploads({
    limits,
    isDirect,
    nameOf: isSimple ? simpleName : cleanFileName,
    ...(widget && { widget }),
  })
  const pictures = usePictures(isSimple, queue.add)
  useCarriedFiles(pictures.take)
  const [state, tell] = useReducer(nextForm, NEW_FORM)
  const { isLost } = state
  const sorted = usePlacing(form, uploads, state, tell)
  const { pile, papers, moves, notesFor, staying } = usePilePapers(form, sorted, state, tell)
  // A person who replaces one file is not asked about the others.
  const { findings, isAsking } = useDuplicates(form.kind === 'replace' ? NO_GROUPS : pile.groups, state, tell)
  const attention = useMemo(
    () => attentionOf(form, pile, findings, papers.judgements, state.seen),
    [form, pile, findings, papers.judgements, state.seen],
  )
  const wanted = pile.groups
    .flatMap((group) => group.uploads)
    .filter(({ id }) => !findings.get(id)?.isSkipped)
  // The queue sends files with a place first, then those whose papers may tell one.
  useEffect(() => queue.want([...wanted.map(({ id }) => id), ...staying]), [queue, wanted, staying])
  const keeper = useKeeper(form)
  const saving = useSaving(
    { form, pile, queue, uploads, findings, papers, isAsking, keeper, staying },
    state,
    tell,
  )
  const reach = useReach(groupsWith(pile.groups, saving.toSave), !isSimple)
  const { status, ...repairs } = useRepairs(form, pile, queue, uploads, placesSure ? attention.sure : NOTHING)

  const { remove, retry, choose, acts } = useRowActs(form, queue, saving, pile.groups)
  const askAgain = () => tell({ type: 'lost', isLost: false })
  const shown = {
    form,
    findings,
    acts,
    widget: all.widget,
    isShared: saving.isShared,
    notes: notesFor(repairs.putInstead),
  }

  return (
    <>
      <form
        aria-label={isSimple ? 'Send filer til kontoret' : 'Upload'}
        onSubmit={(event) => {
          event.preventDefault()
          if (pictures.remind()) return
          if (isLost) askAgain()
          if (pile.undecided.length > 0 || wanted.some((upload) => upload.state !== 'failed')) saving.press()
        }}
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
      >
        <IconSprite icons={ROW_ICONS} />
        <PlaceLine {...{ form, uploads, keeper }} mayLetGo={saving.step === 'filling'} />
        <ScriptsNeeded act={isSimple ? 'sende' : 'uploade'} />
        <UnsavedPile {...{ keeper, kept, uploads, pile, queue, state, papers, tell }} />
        <Dropzone
          onFiles={pictures.take}
          message={form.kind === 'replace' ? 'Træk den nye fil hertil.' : 'Træk filer her.'}
          isCompact={uploads.length > 0}
          isWholePage
          {...(isSimple && { accept: '.pdf,application/pdf,image/*' })}
          hint={hint ?? hintOf(form, limits)}
        />
        {pictures.tray}
        {all.tooMany > 0 && <TooMany dropped={all.tooMany} limits={limits} hasFiles={uploads.length > 0} />}
        {isLost && (
          <ErrorState
            message="Ringbind fandt ikke ud af, hvor filerne hører til."
            onRetry={() => {
              askAgain()
              focusSoon('[data-act=choose]')
            }}
          />
        )}
        <DoubleNumbers
          doubles={pile.doubles}
          onDecide={(number, meaning) => tell({ type: 'decided', number, meaning })}
        />
        <PileSections
          {...{ attention, wanted, papers, moves, repairs }}
          {...shown}
          asked={state.asked}
          unsure={isLost ? 0 : pile.unsure.length}
          onChoose={choose}
          onRetry={retry}
          onRemove={remove}
        />
        {uploads.length > 0 && (
          <UploadBar
            {...{ form, wanted, saving, reach }}
            reading={papers.reading}
            seconds={all.seconds}
            onRemoveAll={() => remove(uploads.map(({ id }) => id))}
          >
            <RepairStrip
              repairs={repairs}
              status={status}
              onRemembered={({ text, folder, project }) => {
                repairs.markRemembered()
                tell({ type: 'named', number: project.number, text, folder })
              }}
            />
          </UploadBar>
        )}
        <output className="sr-only">{statusOf(pile, attention, saving.sure, findings, isSimple)}</output>
      </form>
      {/* Outside, because it is a form too and forms cannot be nested. */}
      <RepairModal form={form} onRepair={repairs.repair} />
    </>
  )
}

const NO_GROUPS: Group[] = []

function groupsWith(groups: readonly Group[], uploads: readonly Upload[]): Group[] {
  const ids = new Set(uploads.map(({ id }) => id))
  return groups.filter((group) => group.uploads.some(({ id }) => ids.has(id)))
}

const NOTHING: Attention['sure'] = []

function ScriptsNeeded({ act }: { act: string }) {
  return (
    <noscript>
      <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
        Slå JavaScript til for at {act} filer.
      </p>
    </noscript>
  )
}

const hintOf = (form: Form, { files, bytes }: Limits) =>
  form.kind === 'replace'
    ? `Én fil på højst ${formatBytes(bytes)}.`
    : `Højst ${formatCount(files)} filer ad gangen og ${formatBytes(bytes)} pr. fil.`

function TooMany({ dropped, limits, hasFiles }: { dropped: number; limits: Limits; hasFiles: boolean }) {
  const rest = hasFiles
    ? `Ingen af de ${formatCount(dropped)} nye kom med.`
    : `Ingen af de ${formatCount(dropped)} kom med.`
  return <ErrorState message={`Højst ${countFiles(limits.files)} ad gangen. ${rest}`} />
}

/** Adds the files that were dropped on the previous page. */
function useCarriedFiles(take: (files: File[]) => void): void {
  const takeUp = useEffectEvent(() => {
    const files = takeCarried()
    if (files.length === 0) return
    take(files)
    document.querySelector('main')?.focus({ preventScroll: true })
  })
  useEffect(() => takeUp(), [])
}

/** Returns the text for screen readers, which changes only when sending starts and ends. */
function statusOf(
  { unsure, undecided }: Pile,
  { sure, looks, nowhere }: Attention,
  wanted: Upload[],
  findings: Findings,
  isSimple: boolean,
): string {
  const of = (...states: Upload['state'][]) => wanted.filter(({ state }) => states.includes(state)).length
  if (unsure.length > 0) return 'Finder ud af, hvor filerne hører til.'
  if (of('waiting', 'sending', 'checking') > 0) return 'Sender filer.'
  const [ready, failed] = [of('sent'), of('failed')]
  return [
    ready > 0 && `${countFiles(ready)} er klar til at blive ${isSimple ? 'sendt' : 'gemt'}.`,
    undecided.length > 0 && `Vælg, hvor ${countFiles(undecided.length)} hører til.`,
    sure.length > 0 && `${countFiles(sure.length)} kan lægges på plads.`,
    looks.length > 0 && `${countFiles(looks.flatMap((look) => look.files).length)} skal ses på.`,
    nowhere.length > 0 && `${countFiles(nowhere.length)} er ignoreret.`,
    findingsText(findings),
    failed > 0 && `${countFiles(failed)} kunne ikke sendes.`,
  ]
    .filter(Boolean)
    .join(' ')
}
