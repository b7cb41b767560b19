import { CircleCheck } from 'lucide-react'
import { useMemo } from 'react'
import type { PaperNote } from '../../files/file/paper-note.ts'
import { PaperNotes } from '../../files/file/paper-notes.tsx'
import { FileGroupCard } from '../../files/list/file-group-card.tsx'
import { countFiles } from '../../projects/folder.ts'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { RegretButton } from '../../releases/release/release-act-button.tsx'
import { HeldCard } from '../../releases/held/held-card.tsx'
import type { HeldPapers } from '../../releases/held/held.ts'
import type { OwnRelease, ReleaseState } from '../../releases/release/release.ts'
import { StateChip } from '../../releases/release/state-chip.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { useLive } from '../../ui/live/use-live.ts'
import { refreshPage } from '../../ui/basic/next-page.ts'
import { changesOf, urls } from '../../urls.ts'
import { readLeftOut } from './left-out.ts'
import { resultText, resultTitle, skippedText, type Result, type SkippedFile } from './result.ts'

type UploadResultPageProps = Result & {
  submission: string
  /** Null for files that an investor has sent. */
  release: OwnRelease | null
  /** The papers that are still being read, or need attention; null for files that an investor has sent. */
  held: HeldPapers | null
  /** The notes of each file, by its id; for the office. */
  notes: Record<number, PaperNote[]>
}

/** Shows where a form's files were stored. */
export function UploadResultPage({ submission, release, held, notes, ...result }: UploadResultPageProps) {
  const { role } = useFrame().user!
  const { groups } = result
  useLive(release && held ? changesOf(`release:${release.id}`) : null, refreshPage)
  const isSent = !may(role, 'changeFiles')
  return (
    <Shell
      title={resultTitle(result, isSent)}
      crumbs={isSent ? [{ text: 'Mine filer', href: urls.myFiles }] : [{ text: 'Upload', href: urls.upload }]}
      actions={
        isSent ? (
          <div className="flex flex-wrap gap-3">
            <LinkButton kind="secondary" href={`${urls.myFiles}#send`}>
              Send flere filer
            </LinkButton>
            <LinkButton href={urls.myFiles}>Til mine filer</LinkButton>
          </div>
        ) : (
          <LinkButton
            kind="secondary"
            href={result.form ?? (groups.some(({ user }) => user) ? urls.uploadToUsers : urls.upload)}
          >
            Upload flere
          </LinkButton>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <p className="flex items-start gap-2 sm:-mt-4">
          <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ok" />
          {resultText(result, isSent)}
        </p>
        {release && (
          <div className="flex flex-wrap items-center gap-3">
            <StateChip state={release.state} />
            <a href={urls.release(release.id)} className="text-accent underline-offset-2 hover:underline">
              {RELEASE_LINKS[release.state] ?? 'Udgiv, planlæg eller slet filerne'}
            </a>
            {release.can_regret && <RegretButton id={release.id} />}
          </div>
        )}
        {held && <HeldCard held={held} {...(release && { release: release.id })} />}
        <PaperNotes notes={Object.values(notes).flat()} />
        <NotSaved submission={submission} skipped={result.skipped} isSent={isSent} />
        {groups.map((group) => (
          <FileGroupCard key={group.folder.id} group={group} />
        ))}
      </div>
    </Shell>
  )
}

const RELEASE_LINKS: Partial<Record<ReleaseState, string>> = {
  published: 'Se, hvem der har åbnet filerne',
  waiting: 'Se, hvad kollegerne skal godkende',
}

type NotSavedProps = { submission: string; skipped: SkippedFile[]; isSent: boolean }

/** Lists the files that the server skipped, and those that the form left out, which only the browser remembers. */
function NotSaved({ submission, skipped, isSent }: NotSavedProps) {
  const isHydrated = useHydrated()
  const kept = useMemo(() => (isHydrated ? readLeftOut(submission) : null), [isHydrated, submission])
  const files = [
    ...skipped.map((file, index) => ({
      id: `skipped${index}`,
      name: file.name,
      why: skippedText(file, isSent),
    })),
    ...(kept?.files ?? []),
  ]
  if (files.length === 0) return null
  return (
    <section
      aria-labelledby="not-saved"
      className="overflow-clip rounded-card border border-line bg-warn-soft"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        <h2 id="not-saved" className="text-section font-semibold text-warn">
          {countFiles(files.length)} blev ikke {isSent ? 'sendt' : 'gemt'}
        </h2>
        {kept?.goOn && (
          <LinkButton kind="secondary" href={kept.goOn.href}>
            Gå videre med {countFiles(kept.goOn.files)}
          </LinkButton>
        )}
      </header>
      <ul className="upload-rows divide-y divide-line">
        {files.map(({ id, name, why }) => (
          <li key={id} className="upload-row py-2 pr-4">
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{name}</span>
              <span className="block text-meta text-warn">{why}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
