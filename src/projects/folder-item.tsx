import { ChevronDown, ChevronUp, GripVertical, Pencil, Trash2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Chip } from '../ui/basic/chip.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { modals } from '../ui/overlay/modals.ts'
import { isPlainClick } from '../ui/basic/plain-click.ts'
import { useRowDrag } from '../ui/drag/use-row-drag.ts'
import { urls } from '../urls.ts'
import { expectsText } from './expected/expects.ts'
import { countFiles, type Folder } from './folder.ts'
import { Sharing } from './sharing.tsx'

type Props = {
  folder: Folder
  index: number
  count: number
  address: string
  /** False for the template, whose folders have no files. */
  hasFiles: boolean
  hasAuditor: boolean
  isChanged: boolean
  isBusy: boolean
  onMove: (from: number, to: number | 'up' | 'down') => void
  onEdit: () => void
  isOpen: boolean
  /** The form that edits the folder. */
  children: ReactNode
}

export function FolderItem(props: Props) {
  const { folder, index, count, address, isChanged, isBusy, onMove, onEdit, isOpen, children } = props
  const { target, handle, isDragged, line } = useRowDrag<HTMLLIElement>(index, onMove)
  const { name, sub_names: subNames, files_count: files } = folder
  const expected = expectsText(folder)
  return (
    <li
      ref={target}
      id={`folder-${folder.id}`}
      data-line={line}
      className={`drop-line scroll-mt-4 border-b border-line first:rounded-t-card last:rounded-b-card last:border-0 ${
        isDragged ? 'opacity-50' : ''
      } ${isChanged ? 'has-changed' : ''}`}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 py-1 pr-2 pl-3 sm:flex-nowrap sm:gap-3">
        <span
          ref={handle}
          aria-hidden="true"
          className="grid shrink-0 cursor-grab place-items-center text-muted noscript:hidden pointer-coarse:hidden"
        >
          <GripVertical size={16} strokeWidth={1.75} />
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium wrap-anywhere">{name}</span>
          {subNames.map((each) => (
            <Chip key={each} text={each} />
          ))}
        </div>
        <div className="flex shrink-0 items-center max-sm:w-full">
          <div className="mr-auto text-meta text-muted sm:mr-3 sm:flex sm:gap-3">
            {expected !== '' && <p>{expected}</p>}
            {props.hasFiles && <p className="tabular-nums sm:w-16 sm:text-right">{countFiles(files)}</p>}
            <Sharing
              isShared={folder.visible_to_investors}
              hasAuditor={props.hasAuditor}
              className="sm:w-40 max-sm:[&>svg]:hidden"
            />
          </div>
          <MoveForm address={urls.moveFolder(address, folder.id)}>
            <IconButton
              type="submit"
              name="to"
              value="up"
              label={`Flyt ${name} op`}
              icon={ChevronUp}
              busy={isBusy}
              disabled={index === 0}
              onClick={(event) => press(event, () => onMove(index, 'up'))}
            />
            <IconButton
              type="submit"
              name="to"
              value="down"
              label={`Flyt ${name} ned`}
              icon={ChevronDown}
              busy={isBusy}
              disabled={index === count - 1}
              onClick={(event) => press(event, () => onMove(index, 'down'))}
            />
          </MoveForm>
          <IconButton
            id={`edit-folder-${folder.id}`}
            href={`${address}?edit=${folder.id}#folder-${folder.id}`}
            label={`Rediger ${name}`}
            icon={Pencil}
            aria-expanded={isOpen}
            onClick={(event) => isPlainClick(event) && press(event, onEdit)}
          />
          <MoveForm address={urls.removeFolder(address, folder.id)}>
            <IconButton
              type="submit"
              label={files > 0 ? `${name} kan ikke slettes, før den er tom` : `Slet ${name}`}
              icon={Trash2}
              disabled={files > 0}
              onClick={(event) => press(event, () => modals.open('remove-folder', folder))}
            />
          </MoveForm>
        </div>
      </div>
      {isOpen && (
        <div className="border-t border-line px-4 py-4 sm:pl-10">
          <div className="max-w-[640px]">{children}</div>
        </div>
      )}
    </li>
  )
}

/** Sends a plain form without JavaScript. */
function MoveForm({ address, children }: { address: string; children: ReactNode }) {
  const { token } = useFrame()
  return (
    <form method="post" action={address} className="flex">
      <input type="hidden" name="_token" value={token} />
      {children}
    </form>
  )
}

function press(event: MouseEvent, act: () => void): void {
  event.preventDefault()
  act()
}
