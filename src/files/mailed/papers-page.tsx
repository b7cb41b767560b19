import { useEffect } from 'react'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { fileUrls, folderAnchor, urls } from '../../urls.ts'
import { FileGroupCard } from '../list/file-group-card.tsx'
import type { FileGroup } from '../file/stored-file.ts'

export type PapersPageProps = {
  groups: FileGroup[]
  /** The only paper that the mail named. It is opened, and marked in the list. */
  only: number | null
}

/** Shows the papers that a mail named. A single one is opened at once; going back leads to its place in the list. */
export function PapersPage({ groups, only }: PapersPageProps) {
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
      </div>
    </Shell>
  )
}

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
