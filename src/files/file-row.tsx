import { ChevronDown, ChevronUp, Download, Ellipsis, FolderInput, GripVertical, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { formatBytes } from '../base/bytes.ts'
import { shortDate } from '../base/dates.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { modals } from '../ui/modals.ts'
import { useRowDrag } from '../ui/use-row-drag.ts'
import { fileUrls } from '../urls.ts'
import { FileIcon } from './file-icon.tsx'
import type { StoredFile } from './stored-file.ts'
import { useFilesScreen, type Picked } from './use-files-screen.ts'

export type OnMove = (from: number, to: number | 'up' | 'down') => void

type Props = {
  file: StoredFile
  folder: Picked['folder']
  index: number
  total: number
  isBusy: boolean
  isChanged: boolean
  onMove: OnMove
}

/** Widths are the same in every folder, so that the columns stand under each other. */
export const WIDTHS = {
  date: 'w-24 @max-2xl:hidden',
  size: 'w-[88px] @max-2xl:hidden',
  sorted: 'w-[124px] @2xl:w-[200px] pointer-coarse:w-[148px] pointer-coarse:@2xl:w-[236px]',
  seen: 'w-[60px] @2xl:w-28',
}

export const FileRow = memo(function FileRow({
  file,
  folder,
  index,
  total,
  isBusy,
  isChanged,
  onMove,
}: Props) {
  const screen = useFilesScreen()
  const { owner, timeZone, mayChange } = screen
  const maySort = mayChange && screen.q === ''
  const picked = { file, folder }
  const { target, handle, isDragged, line } = useRowDrag<HTMLTableRowElement>(
    index,
    maySort ? onMove : undefined,
    {
      group: folder.id,
      ...(mayChange && { payload: picked }),
    },
  )
  return (
    <tr
      ref={target}
      data-file={file.id}
      data-line={line}
      aria-rowindex={index + 2}
      className={`drop-line group border-t border-line hover:bg-hover ${isDragged ? 'opacity-50' : ''} ${
        isChanged ? 'has-changed' : ''
      }`}
    >
      <th scope="row" className="py-1 pl-4 text-left font-normal">
        <span className="flex items-start gap-2">
          {mayChange && (
            <span
              ref={handle}
              aria-hidden="true"
              className="-ml-2 cursor-grab text-muted noscript:hidden pointer-coarse:hidden"
            >
              <GripVertical size={16} strokeWidth={1.75} className="mt-0.5" />
            </span>
          )}
          <FileIcon mime={file.mime} />
          <span className="min-w-0">
            <a
              href={fileUrls.open(owner, file.path)}
              target="_blank"
              rel="noopener"
              className="wrap-anywhere hover:text-accent hover:underline pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              {file.name}
            </a>
            <span className="block text-meta text-muted tabular-nums @2xl:hidden">
              {shortDate(file.created_at, timeZone)} · {formatBytes(file.size)}
            </span>
          </span>
        </span>
      </th>
      <td className="py-1 text-right whitespace-nowrap text-muted tabular-nums @max-2xl:hidden">
        {shortDate(file.created_at, timeZone)}
      </td>
      <td className="py-1 text-right whitespace-nowrap text-muted tabular-nums @max-2xl:hidden">
        {formatBytes(file.size)}
      </td>
      <td className="py-1 pr-2">
        <span className="flex items-center justify-end">
          {mayChange && (
            <span className="flex noscript:hidden">
              <IconButton
                label={`Flyt ${file.name} op`}
                icon={ChevronUp}
                busy={isBusy}
                disabled={!maySort || index === 0}
                data-act="up"
                onClick={() => onMove(index, 'up')}
              />
              <IconButton
                label={`Flyt ${file.name} ned`}
                icon={ChevronDown}
                busy={isBusy}
                disabled={!maySort || index === total - 1}
                data-act="down"
                onClick={() => onMove(index, 'down')}
              />
            </span>
          )}
          <IconButton
            label={`Hent ${file.name}`}
            icon={Download}
            href={fileUrls.download(owner, file.path)}
            className={mayChange ? '@max-2xl:hidden' : ''}
          />
          {mayChange && (
            <>
              <span className="flex noscript:hidden @max-2xl:hidden">
                <MenuButton
                  label={`Flyt ${file.name} til en anden mappe`}
                  icon={FolderInput}
                  aria-haspopup="dialog"
                  onOpen={(button, start) => screen.openFolders(picked, button, start)}
                />
                <IconButton
                  label={`Slet ${file.name}`}
                  icon={Trash2}
                  data-act="delete"
                  aria-haspopup="dialog"
                  onClick={() => modals.open('delete', picked)}
                />
              </span>
              <span className="flex noscript:hidden @2xl:hidden">
                <MenuButton
                  label={`Handlinger for ${file.name}`}
                  icon={Ellipsis}
                  aria-haspopup="menu"
                  data-act="menu"
                  onOpen={(button, start) => screen.openActions(picked, button, start)}
                />
              </span>
            </>
          )}
        </span>
      </td>
    </tr>
  )
})
