import { RotateCcw, Trash2 } from 'lucide-react'
import { useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { countFiles } from '../../projects/folder.ts'
import { Modal } from '../../ui/overlay/modal.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { fileUrls } from '../../urls.ts'
import { focusAfter } from '../screen/focus-after.ts'
import { postAct } from '../screen/post-act.ts'
import { tellAct } from '../screen/tell-act.ts'
import { startPages } from '../screen/file-pages.ts'
import type { Picked, ShownFolder } from '../screen/use-files-screen.ts'
import { listAll } from '../select/list-all.ts'
import { SelectBar, type BarAct } from '../../ui/list/select-bar.tsx'
import { NOTHING, selected } from '../select/selected.ts'
import { keepOnly } from '../select/selection.ts'
import { useBarKeys } from '../../ui/list/use-bar-keys.ts'
import { useSelecting } from '../select/use-selecting.ts'
import type { DeletedFile } from '../file/stored-file.ts'
import { FirstNames } from './delete-files-modal.tsx'
import { RemoveQuestion } from './remove-question.tsx'

type Files = readonly Picked[]

type Props = {
  owner: FileOwner
  /** The rows that are shown. */
  files: readonly DeletedFile[]
  q: string
  mayRemove: boolean
  reload: () => Promise<void>
  children: ReactNode
}

/** Selects files in the trash inside it, and restores or removes them together. */
export function TrashSelecting({ owner, files, q, mayRemove, reload, children }: Props) {
  const { items } = useSyncExternalStore(selected.listen, selected.now, () => NOTHING)
  const [announcement, setAnnouncement] = useState('')
  const sections = useMemo(() => new Map([[TRASH.id, trashOf(files)]]), [files])
  const openRemove = (some: Files) => modals.open('remove-many', some)
  const { onClick, onKey, clear } = useSelecting({
    sections,
    q,
    routeOf: () => fileUrls.trash(owner),
    onDelete: mayRemove ? openRemove : null,
    onRename: null,
    onLook: null,
  })
  const text = items.size > 0 ? `${countFiles(items.size)} valgt` : null
  useBarKeys(text, 'Ingen filer valgt', setAnnouncement, clear)
  const all = [...items.values()]

  /** Returns why it was refused, or null if it was done or some are gone. */
  async function act(name: 'restore' | 'remove', some: Files): Promise<string | null> {
    const ids = new Set(some.map(({ file }) => file.id))
    const { status, undo, fault, asked } = await postAct(fileUrls.many(owner, name), { files: [...ids] })
    if (fault !== null && status !== 404) return fault
    modals.close('remove-many')
    if (fault !== null) {
      const there = await listAll(fileUrls.trash(owner), '')
      const left = new Set(there?.files.map(({ id }) => id))
      if (there) selected.set(keepOnly(selected.now(), (id) => left.has(id)))
      showToast('Nogle af filerne ligger ikke længere i papirkurven, så intet blev ændret.', {
        kind: 'fault',
      })
      await reload()
      return null
    }
    focusAfter(ids)
    selected.set(keepOnly(selected.now(), (id) => !ids.has(id)))
    await reload()
    const count = countFiles(ids.size)
    tellAct(
      asked ?? (name === 'restore' ? `${count} er gendannet.` : `${count} er slettet for altid.`),
      undo,
      {
        label: `Fortryd gendannelse af ${count}`,
        onOver: reload,
      },
    )
    return null
  }

  async function restore(): Promise<void> {
    const fault = await act('restore', all)
    if (fault !== null) showToast(`Filerne blev ikke gendannet. ${fault}`, { kind: 'fault' })
  }

  const acts: BarAct[] = [
    { key: 'restore', text: 'Gendan', icon: RotateCcw, onPress: () => void restore() },
    ...(mayRemove
      ? [
          {
            key: 'remove',
            text: 'Slet for altid',
            icon: Trash2,
            danger: true,
            onPress: () => openRemove(all),
          },
        ]
      : []),
  ]
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the clicks and keys of every row inside it
    <div onClick={onClick} onKeyDown={onKey}>
      {children}
      <output className="sr-only">{announcement}</output>
      {text !== null && <SelectBar label="Valgte filer" text={text} acts={acts} onClose={clear} />}
      {mayRemove && (
        <Modal<Files> name="remove-many" title={(some) => `Slet ${countFiles(some.length)} for altid?`}>
          {(some) => (
            <RemoveQuestion count={some.length} onRemove={() => act('remove', some)}>
              <FirstNames files={some.map(({ file }) => file)} />
            </RemoveQuestion>
          )}
        </Modal>
      )}
    </div>
  )
}

/** The trash is one list, whatever folders its files lay in. */
const TRASH: ShownFolder['folder'] = {
  id: 0,
  name: 'Papirkurv',
  visible_to_investors: false,
  files_count: 0,
  new_count: 0,
  files: [],
  new_files: [],
}

/** The shown page of the trash, in the form that selecting needs. */
const trashOf = (files: readonly DeletedFile[]): ShownFolder => ({
  folder: TRASH,
  files: {
    known: startPages(files, files.length),
    isOpen: true,
    ensure: () => Promise.resolve(null),
    hold: () => undefined,
  },
})
