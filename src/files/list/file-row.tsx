import { memo, useSyncExternalStore } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { IconButton } from '../../ui/icon/icon-button.tsx'
import { SpriteIcon } from '../../ui/icon/icon-sprite.tsx'
import { MenuButton } from '../../ui/menu/menu-button.tsx'
import { useRowDrag } from '../../ui/drag/use-row-drag.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { fileUrls } from '../../urls.ts'
import { FileIcon } from '../file/file-icon.tsx'
import { FileMarks } from '../file/file-marks.tsx'
import { dimmedPart } from './dimmed-part.ts'
import { selected } from '../select/selected.ts'
import type { ListedFile } from '../file/stored-file.ts'
import { useFilesScreen, type Picked } from '../screen/use-files-screen.ts'
import { whenFollowed } from '../content/use-read-files.ts'

export type OnMove = (from: number, to: number | 'up' | 'down') => void

type Props = {
  file: ListedFile
  folder: Picked['folder']
  index: number
  total: number
  isBusy: boolean
  isChanged: boolean
  /**
   * Whether the row has the controls that need a script. They are added when its folder comes near the visible area: in
   * all rows at once they would take longer than the rest of the page.
   */
  isScripted: boolean
  onMove: OnMove
}

/** The same widths in every folder, so that the columns line up. */
export const WIDTHS = {
  date: 'w-24 @max-2xl:hidden',
  size: 'w-[88px] @max-2xl:hidden',
  changed: 'w-2 @2xl:w-36 pointer-coarse:@[30rem]:w-[148px] pointer-coarse:@2xl:w-[276px]',
  seen: 'w-[60px] @2xl:w-28',
}

export const FileRow = memo(function FileRow({
  file,
  folder,
  index,
  total,
  isBusy,
  isChanged,
  isScripted,
  onMove,
}: Props) {
  const screen = useFilesScreen()
  const { owner, mayChange } = screen
  const maySort = isScripted && mayChange && screen.q === ''
  const picked = { file, folder }
  const { target, handle, isDragged, line } = useRowDrag<HTMLTableRowElement>(
    index,
    maySort ? onMove : undefined,
    {
      group: folder.id,
      ...(mayChange && isScripted && { payload: picked }),
    },
  )
  const isSelected = useSyncExternalStore(
    selected.listen,
    () => selected.has(file.id),
    () => false,
  )
  if (screen.gone.has(file.id)) return null
  const said = dimmedPart(file.name, folder.name, screen.number)
  const isMoving = screen.moving.has(file.id)
  const isNew = file.is_new && !screen.read.has(file.id)
  const reading = isNew ? whenFollowed(() => screen.onRead(picked)) : {}
  const [date, size] = [<ShortDate key="date" at={file.created_at} />, formatBytes(file.size)]
  return (
    <tr
      ref={target}
      data-file={file.id}
      data-line={line}
      aria-busy={isMoving || undefined}
      aria-rowindex={index + 2}
      aria-current={screen.looked === file.id || undefined}
      aria-selected={isScripted ? isSelected : undefined}
      className={`file-row drop-line${isDragged || isMoving ? ' opacity-50' : ''}${isChanged ? ' has-changed' : ''}`}
    >
      <th scope="row">
        <span className="file-name">
          {mayChange && (
            <span ref={handle} aria-hidden="true" className="file-handle">
              {isScripted && <SpriteIcon name="grip" />}
            </span>
          )}
          <span className="file-check">
            {isScripted && (
              <input
                type="checkbox"
                aria-label={`Vælg ${file.name}`}
                tabIndex={-1}
                checked={isSelected}
                readOnly
              />
            )}
          </span>
          <LookButton picked={picked} isScripted={isScripted} />
          <span className="min-w-0">
            <a href={fileUrls.open(owner, file.path)} {...IN_NEW_TAB} className="file-link" {...reading}>
              {said !== '' && <span className="file-said">{said}</span>}
              {file.name.slice(said.length)}
            </a>
            <FileMarks
              isNew={isNew}
              isSent={file.from_investor}
              file={file}
              crossesNewYear={screen.crossesNewYear}
            />
            <span className="file-facts">
              {date} · {size}
            </span>
          </span>
        </span>
      </th>
      <td className="file-fact">{date}</td>
      <td className="file-fact">{size}</td>
      <td className="pr-2">
        <span className="file-buttons">
          {maySort && (
            <span className="file-order">
              <IconButton
                label={`Flyt ${file.name} op`}
                icon="up"
                busy={isBusy}
                disabled={index === 0}
                tabIndex={-1}
                data-act="up"
                onClick={() => onMove(index, 'up')}
              />
              <IconButton
                label={`Flyt ${file.name} ned`}
                icon="down"
                busy={isBusy}
                disabled={index === total - 1}
                tabIndex={-1}
                data-act="down"
                onClick={() => onMove(index, 'down')}
              />
            </span>
          )}
          <FileRowActions picked={picked} reading={reading} isScripted={isScripted} />
        </span>
      </td>
    </tr>
  )
})

/** The icon of a file, which shows it in the panel. */
function LookButton({ picked, isScripted }: Pick<Props, 'isScripted'> & { picked: Picked }) {
  const { openLook } = useFilesScreen()
  const { mime, name } = picked.file
  const icon = <FileIcon mime={mime} name={name} />
  if (!isScripted) return icon
  return (
    <button
      type="button"
      aria-label={`Vis ${name}`}
      data-tooltip=""
      data-act="look"
      tabIndex={-1}
      className="file-look"
      onClick={() => openLook(picked)}
    >
      {icon}
    </button>
  )
}

type ActionsProps = Pick<Props, 'isScripted'> & {
  picked: Picked
  reading: Partial<ReturnType<typeof whenFollowed>>
}

/**
 * The actions on a file: buttons, or a menu on narrow screens. Once scripts run, the name is the row's only tab stop,
 * and arrow keys lead to the actions.
 */
function FileRowActions({ picked, reading, isScripted }: ActionsProps) {
  const screen = useFilesScreen()
  const { owner, mayChange } = screen
  const { file } = picked
  return (
    <>
      {mayChange && (
        <span className="file-acts">
          {isScripted && (
            <>
              <span className="flex @max-2xl:hidden">
                <MenuButton
                  label={`Flyt ${file.name} til ${'project' in owner ? 'en anden mappe' : 'et andet sted'}`}
                  icon={'project' in owner ? 'move' : 'give'}
                  aria-haspopup="dialog"
                  tabIndex={-1}
                  data-act="move"
                  onOpen={(button, start) => screen.openMove([picked], button, start)}
                />
                <IconButton
                  label={`Slet ${file.name}`}
                  icon="delete"
                  tabIndex={-1}
                  data-act="delete"
                  aria-haspopup="dialog"
                  onClick={() => screen.openDelete([picked])}
                />
              </span>
              <MenuButton
                label={`Handlinger for ${file.name}`}
                icon="more"
                aria-haspopup="menu"
                tabIndex={-1}
                data-act="menu"
                onOpen={(button, start) => screen.openActions(picked, button, start)}
              />
            </>
          )}
        </span>
      )}
      <IconButton
        label={`Hent ${file.name}`}
        icon="download"
        href={fileUrls.download(owner, file.path)}
        className={mayChange ? '@max-2xl:hidden' : ''}
        tabIndex={isScripted ? -1 : undefined}
        {...reading}
      />
    </>
  )
}
