import { RotateCcw, Trash2 } from 'lucide-react'
import { useRef, useState, useSyncExternalStore } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import type { Project } from '../../projects/project/project.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { may } from '../../rights.ts'
import { Button } from '../../ui/basic/button.tsx'
import { ListFault } from '../../ui/list/list-fault.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { List } from '../../ui/list/list.tsx'
import { Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { ListPager } from '../../ui/list/list-pager.tsx'
import { NothingFound } from '../../ui/list/nothing-found.tsx'
import { SearchBox } from '../../ui/form/search-box.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { showToast } from '../../ui/overlay/toasts.ts'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { useList } from '../../ui/list/use-list.ts'
import { useLive } from '../../ui/live/use-live.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { changesOf, fileUrls, folderAnchor, urls } from '../../urls.ts'
import { FileIcon } from '../file/file-icon.tsx'
import { FILE_ICONS } from '../file/file-icons.tsx'
import { focusAfter } from '../screen/focus-after.ts'
import { sendAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import { selected } from '../select/selected.ts'
import { RemoveQuestion } from './remove-question.tsx'
import { TrashSelecting } from './trash-selecting.tsx'
import { TRASH_DAYS, type DeletedFile } from '../file/stored-file.ts'

type TrashPageProps = {
  of: { project: Project; hasAuditor: boolean } | { user: { id: number; name: string } }
  query: ListQuery
  page: Page<DeletedFile>
}

const NO_SORTS: string[] = []

/** Lists the deleted files of a project or a person: who deleted them and when, with a button to restore each. */
export function TrashPage({ of, query: atFirst, page }: TrashPageProps) {
  const { user, path } = useFrame()
  const { owner, files, above, crumbs } = homeOf(of)
  const list = useList({ route: fileUrls.trash(owner), columns: NO_SORTS, page, query: atFirst })
  useLive(
    changesOf('project' in owner ? `project-trash:${owner.project}` : `user-trash:${owner.user}`),
    list.refresh,
  )
  const [busy, setBusy] = useState<number | null>(null)
  const top = useRef<HTMLDivElement>(null)
  const mayRemove = may(user!.role, 'removeFiles')

  /** Returns why the act was refused, or null if it was done or nothing was left to do. */
  async function act(
    file: DeletedFile,
    method: 'POST' | 'DELETE',
    url: string,
    said: string,
  ): Promise<string | null> {
    if (busy !== null) return null
    setBusy(file.id)
    const { status, undo, fault, asked } = await sendAct(method, url)
    setBusy(null)
    if (fault !== null && status !== 404) return fault
    modals.close('remove')
    if (fault === null)
      tellAct(asked ?? said, undo, {
        label: `Fortryd gendannelse af ${file.name}`,
        onOver: () => void list.reload(),
      })
    else showToast(`${file.name} ligger ikke længere i papirkurven.`, { kind: 'fault' })
    focusAfter(new Set([file.id]))
    await list.reload()
    return null
  }

  async function restore(file: DeletedFile): Promise<void> {
    const fault = await act(
      file,
      'POST',
      fileUrls.restore(owner, file.id),
      'project' in of ? `${file.name} er gendannet i ${file.folder.name}.` : `${file.name} er gendannet.`,
    )
    if (fault !== null) showToast(`${file.name} blev ikke gendannet. ${fault}`, { kind: 'fault' })
  }

  const remove = (file: DeletedFile) =>
    act(file, 'DELETE', fileUrls.deleted(owner, file.id), `${file.name} er slettet for altid.`)

  return (
    <Shell title="Papirkurv" above={above} aboveHref={files} crumbs={crumbs}>
      <IconSprite icons={FILE_ICONS} />
      <div ref={top} className="grid scroll-mt-4 gap-4">
        <p className="text-muted sm:-mt-4">Filerne slettes for altid efter {TRASH_DAYS} dage.</p>
        <noscript>
          <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
            Slå JavaScript til for at gendanne filer.
          </p>
        </noscript>
        {(list.info.total > 0 || page.meta.total > 0 || atFirst.q !== '' || list.refused !== null) && (
          <form action={path} onSubmit={(event) => event.preventDefault()}>
            <SearchBox label="Søg i papirkurven" text={list.text} onType={list.type} onSearch={list.search} />
          </form>
        )}
        <ListFault list={list} message="Papirkurven kunne ikke hentes." />
        <TrashSelecting
          owner={owner}
          files={list.rows}
          q={list.shown.query.q}
          mayRemove={mayRemove}
          reload={list.reload}
        >
          <List
            label="Slettede filer"
            items={list.rows}
            keyOf={({ id }) => id}
            total={list.info.total}
            busy={list.isBusy}
            empty={
              <NothingFound
                clearHref={list.shown.query.q === '' ? null : path}
                onClear={() => list.search('')}
                none="Papirkurven er tom"
              />
            }
            render={(file) => (
              <DeletedFileRow
                file={file}
                folder={'project' in of ? { href: files, hasAuditor: of.hasAuditor } : null}
                onRestore={() => void restore(file)}
                onRemove={mayRemove ? () => modals.open('remove', file) : null}
              />
            )}
          />
        </TrashSelecting>
        <ListPager list={list} top={top} />
      </div>
      {mayRemove && (
        <Modal<DeletedFile> name="remove" title={(file) => `Slet ${file.name} for altid?`}>
          {(file) => <RemoveQuestion count={1} onRemove={() => remove(file)} />}
        </Modal>
      )}
    </Shell>
  )
}

type RowProps = {
  file: DeletedFile
  /** Null for a person's files, which lie in no folder. */
  folder: { href: string; hasAuditor: boolean } | null
  onRestore: () => void
  /** Null for somebody who may not delete for good. */
  onRemove: (() => void) | null
}

function DeletedFileRow({ file, folder, onRestore, onRemove }: RowProps) {
  const isSelected = useSyncExternalStore(
    selected.listen,
    () => selected.has(file.id),
    () => false,
  )
  // Without scripts nothing walks in a row, so each link is a tab stop.
  const inside = useHydrated() ? -1 : undefined
  return (
    <div
      data-file={file.id}
      data-selected={isSelected || undefined}
      className="deleted-file flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1"
    >
      <span className="flex min-w-0 flex-1 basis-60 items-start gap-2">
        <span className="file-check">
          <input
            type="checkbox"
            aria-label={`Vælg ${file.name}`}
            tabIndex={inside}
            checked={isSelected}
            readOnly
          />
        </span>
        <FileIcon mime={file.mime} name={file.name} />
        <span className="min-w-0">
          <span className="block wrap-anywhere">{file.name}</span>
          <span className="block text-meta text-muted">
            {folder && (
              <>
                Fra{' '}
                <a
                  href={`${folder.href}#${folderAnchor(file.folder.id)}`}
                  tabIndex={inside}
                  className="underline underline-offset-2 hover:text-ink"
                >
                  {file.folder.name}
                </a>{' '}
                ({sharingText(file.folder.visible_to_investors, folder.hasAuditor).toLowerCase()}) ·{' '}
              </>
            )}
            <span className="whitespace-nowrap tabular-nums">{formatBytes(file.size)}</span>
          </span>
        </span>
      </span>
      <span className="text-meta text-muted tabular-nums max-sm:w-full max-sm:pl-12">
        Slettet <ShortDate at={file.deleted_at} />
        {file.deleted_by && ` af ${file.deleted_by}`} ·{' '}
        <span className="whitespace-nowrap">
          Forsvinder <ShortDate at={endOf(file).toISOString()} />
        </span>
      </span>
      <span className="flex items-center gap-1 noscript:hidden max-sm:pl-12">
        <Button
          type="button"
          kind="secondary"
          aria-label={`Gendan ${file.name}`}
          data-act="restore"
          onClick={onRestore}
        >
          <span className="flex items-center gap-2">
            <RotateCcw size={16} strokeWidth={1.75} aria-hidden="true" />
            Gendan
          </span>
        </Button>
        {onRemove && (
          <IconButton
            label={`Slet ${file.name} for altid`}
            icon={Trash2}
            tabIndex={inside}
            aria-haspopup="dialog"
            onClick={onRemove}
          />
        )}
      </span>
    </div>
  )
}

function homeOf(of: TrashPageProps['of']) {
  if ('project' in of) {
    const { id, number, name } = of.project
    return {
      owner: { project: id },
      files: urls.files(id),
      above: `Projekt ${number} · ${name}`,
      crumbs: [
        { text: 'Projekter', href: urls.projects },
        { text: name, href: urls.files(id) },
      ],
    }
  }
  const { id, name } = of.user
  return {
    owner: { user: id },
    files: urls.user(id),
    above: name,
    crumbs: [
      { text: 'Personer', href: urls.users },
      { text: name, href: urls.user(id) },
    ],
  }
}

/** Returns when a deleted file is removed for good. */
function endOf({ deleted_at: at }: DeletedFile): Date {
  return new Date(Date.parse(at) + TRASH_DAYS * 86_400_000)
}
