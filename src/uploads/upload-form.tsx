import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '../base/bytes.ts'
import { Button } from '../ui/button.tsx'
import { Dropzone } from '../ui/dropzone.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { IconSprite } from '../ui/icon-sprite.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { cleanFileName, simpleName } from './file-name.ts'
import { focusAfterRemoval } from './focus-after-removal.ts'
import { IgnoredFiles } from './ignored-files.tsx'
import type { UploadForm as Form } from './pile.ts'
import { RepairModal } from './repair-modal.tsx'
import { leftText } from './time-left.ts'
import { UploadGroup } from './upload-group.tsx'
import { ROW_ICONS, type RowActs } from './upload-row.tsx'
import { countFiles } from '../projects/folder.ts'
import type { Limits } from './upload.ts'
import { useDuplicates } from './use-duplicates.ts'
import { usePlacing } from './use-placing.ts'
import { useRepairs } from './use-repairs.ts'
import { useSaving } from './use-saving.ts'
import type { Widget } from './widget.ts'
import { sumOf, useSending, useUploads } from './use-uploads.ts'

type Props = {
  form: Form
  limits: Limits
  /** Where "Annuller" leads; without it there is nowhere else to go. */
  back?: string
  hint?: string
  /** How files are sent, where it is not as usual. */
  widget?: Partial<Widget>
}

/** S2.7: what is dropped is sorted and sent at once, and saved by one press. */
export function UploadForm({ form, limits, back, hint, widget }: Props) {
  const all = useUploads({
    limits,
    nameOf: form.kind === 'simple' ? simpleName : cleanFileName,
    ...(widget && { widget }),
  })
  const { uploads, change, retry } = all
  const { pile, hasFailed, retry: askAgain, forget } = usePlacing(form, uploads)
  const warnings = useDuplicates(pile.groups)
  const placed = pile.groups.flatMap((group) => group.uploads)
  const wanted = placed.filter(({ isSkipped }) => !isSkipped)
  const seconds = useSending(all, wanted)
  const count = {
    left: wanted.filter(({ state }) => state === 'waiting' || state === 'sending').length,
    failed: wanted.filter(({ state }) => state === 'failed').length,
    twice: placed.filter(({ id }) => warnings.has(id)).length,
  }
  const toSave = wanted.length - count.failed
  const saving = useSaving({ form, pile, uploads: all, left: count.left, onMoved: forget })
  const isWaiting = pile.unsure.length > 0
  const { said, ...repairs } = useRepairs(form, pile.ignored, all)

  const hasUnsaved = uploads.length > 0 && saving.state !== 'saving'
  useEffect(() => {
    if (!hasUnsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [hasUnsaved])

  function remove(ids: string[]): void {
    focusAfterRemoval(ids)
    all.remove(ids)
  }
  const acts = useStable<RowActs>({
    remove: (id) => remove([id]),
    retry: (id) => retry([id]),
    skip: (id, isSkipped) => change([id], () => ({ isSkipped })),
  })
  const skipAll = (isSkipped: boolean) => change([...warnings.keys()], () => ({ isSkipped }))
  const failed = wanted.filter(({ state, mayRetry }) => state === 'failed' && mayRetry).map(({ id }) => id)

  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (toSave > 0 && !isWaiting) saving.press()
        }}
        className="grid gap-4"
      >
        <IconSprite icons={ROW_ICONS} />
        <noscript>
          <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
            Slå JavaScript til i din browser for at uploade filer.
          </p>
        </noscript>
        <Dropzone
          onFiles={all.add}
          message="Træk filer her."
          isCompact={uploads.length > 0}
          isWholePage
          hint={hint ?? `Højst ${limits.files} filer ad gangen, højst ${formatBytes(limits.bytes)} hver.`}
        />
        {all.tooMany > 0 && (
          <ErrorState
            message={`Du har valgt ${countFiles(all.tooMany)}${uploads.length > 0 ? ' mere' : ''}. Der kan højst sendes ${limits.files} ad gangen, så ingen af dem er taget med.`}
          />
        )}
        {hasFailed && (
          <ErrorState message="Det kunne ikke slås op, hvor filerne hører til." onRetry={askAgain} />
        )}
        <IgnoredFiles form={form} ignored={pile.ignored} repairs={repairs} said={said} onRemove={remove} />
        {count.twice > 0 && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3">
            <p className="min-w-0 flex-1 basis-60">
              {count.twice === 1
                ? '1 fil ser ud til at være der'
                : `${count.twice} filer ser ud til at være der`}{' '}
              i forvejen.
            </p>
            <Button type="button" kind="secondary" onClick={() => skipAll(false)}>
              Behold begge for alle
            </Button>
            <Button type="button" kind="secondary" onClick={() => skipAll(true)}>
              Spring alle over
            </Button>
          </div>
        )}
        {isWaiting && !hasFailed && (
          <output className="text-muted">
            Finder ud af, hvor {countFiles(pile.unsure.length)} hører til…
          </output>
        )}
        {pile.groups.map((group) => (
          <UploadGroup
            key={group.key}
            form={form}
            group={group}
            isShared={saving.isShared(group)}
            warnings={warnings}
            widget={all.widget}
            acts={acts}
          />
        ))}
        {saving.fault && <ErrorState message={saving.fault} />}
        {uploads.length > 0 && (
          <div className="sticky bottom-0 z-10 -mx-1 grid gap-3 rounded-card border border-line bg-surface px-4 py-3 shadow-lg">
            {count.left > 0 && (
              <ProgressBar
                label={['Sender filer', seconds === null ? '' : leftText(seconds)]
                  .filter(Boolean)
                  .join(' · ')}
                value={sumOf(wanted, 'done') / sumOf(wanted, 'size')}
              />
            )}
            {count.failed > 0 && (
              <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-danger">
                {countFiles(count.failed)} kunne ikke sendes og bliver ikke gemt.
                {failed.length > 1 && (
                  <Button type="button" kind="secondary" onClick={() => retry(failed)}>
                    Prøv alle igen
                  </Button>
                )}
              </p>
            )}
            <div className="flex flex-wrap items-center gap-3">
              <Button
                type="submit"
                disabled={toSave === 0}
                loading={saving.state !== 'filling'}
                loadingText={saving.state === 'waiting' ? 'Sender…' : 'Gemmer…'}
              >
                {form.kind === 'simple' ? 'Send' : 'Gem'} {countFiles(toSave)}
              </Button>
              <Button type="button" kind="secondary" onClick={() => remove(uploads.map(({ id }) => id))}>
                Fjern alle
              </Button>
              {back && (
                <span className="max-sm:hidden">
                  <LinkButton kind="secondary" href={back}>
                    Annuller
                  </LinkButton>
                </span>
              )}
              <p className="ml-auto text-meta text-muted tabular-nums max-sm:hidden">
                {formatBytes(sumOf(wanted, 'size'))}
              </p>
            </div>
          </div>
        )}
        <output className="sr-only">
          {toSave > 0 && count.left === 0 && `${countFiles(toSave)} er klar til at blive gemt.`}
        </output>
      </form>
      {/* A form of its own, and none can be inside another. */}
      <RepairModal form={form} onRepair={repairs.repair} />
    </>
  )
}

/** The same object for as long as the page is open, whose functions are always the latest. */
function useStable<Functions extends Record<string, (...args: never[]) => void>>(
  latest: Functions,
): Functions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  const [stable] = useState(
    () =>
      Object.fromEntries(
        Object.keys(latest).map((name) => [name, (...args: never[]) => current.current[name]!(...args)]),
      ) as Functions,
  )
  return stable
}
