import { useEffect } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { fileUrls, folderAnchor, urls } from '../../urls.ts'
import { FileGroupCard } from '../list/file-group-card.tsx'
import type { FileGroup } from '../file/stored-file.ts'

export type PapersPageProps = {
  groups: FileGroup[]
  /** Which of the papers are shown, from 1, and how many there are. */
  from: number
  total: number
  /** The following ones come after this file. Null if there are none. */
  next: number | null
  /** The only paper that the mail named. It is opened, and marked in the list. */
  only: number | null
}

/** Shows the papers that a mail named. A single one is opened at once; going back leads to its place in the list. */
export function PapersPage({ groups, from, total, next, only }: PapersPageProps) {
  const [first] = groups
  const file = only === null ? undefined : first?.files.find(({ id }) => id === only)
  const owner = first && ownerOf(first)
  useOpened(file && owner ? fileUrls.open(owner, file.path) : null)
  return (
    <Shell
      title={only === null ? 'Filerne i mailen' : (file?.name ?? 'Filen i mailen')}
      actions={
        only !== null &&
        first?.project && (
          <LinkButton
            kind="secondary"
            href={`${urls.files(first.project.id)}?open=${first.folder.id}#${folderAnchor(first.folder.id)}`}
          >
            Alle filer i {first.project.name}
          </LinkButton>
        )
      }
    >
      <div className="grid gap-4">
        {groups.map((group) => (
          <FileGroupCard key={group.folder.id} group={group} marked={only} />
        ))}
        {(from > 1 || next !== null) && <Parts {...{ groups, from, total, next }} />}
      </div>
    </Shell>
  )
}

/** Says which of many papers are shown, and leads to the others. */
function Parts({ groups, from, total, next }: Omit<PapersPageProps, 'only'>) {
  const { path } = useFrame()
  const shown = groups.reduce((sum, { files }) => sum + files.length, 0)
  return (
    <nav aria-label="Flere filer" className="flex flex-wrap items-center gap-x-6 gap-y-1 print:hidden">
      <p className="text-muted tabular-nums">
        {formatCount(from)}–{formatCount(from + shown - 1)} af {formatCount(total)} filer
      </p>
      {from > 1 && (
        <a href={path} className={LINK}>
          Til de første
        </a>
      )}
      {next !== null && (
        <a href={`${path}?after=${next}`} className={LINK}>
          Vis de næste
        </a>
      )}
    </nav>
  )
}

const LINK =
  'inline-flex min-h-6 items-center text-accent underline underline-offset-2 hover:text-accent-strong pointer-coarse:min-h-11'

const ownerOf = ({ project, user }: FileGroup) => (project ? { project: project.id } : { user: user!.id })

/** Opens an address once. Whoever comes back from it stays here, at the marked row. */
function useOpened(address: string | null): void {
  useEffect(() => {
    if (address === null) return
    document.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'center' })
    const state: unknown = history.state
    if (typeof state === 'object' && state !== null && 'isOpened' in state) return
    history.replaceState({ isOpened: true }, '')
    location.assign(address)
  }, [address])
}
