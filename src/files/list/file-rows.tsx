import { memo, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { useNear } from '../../ui/basic/use-near.ts'
import { A_PAGE, countPages, sizeOf, type FilePages } from '../screen/file-pages.ts'
import { FileRow, type OnMove } from './file-row.tsx'
import { SHOWN_FILES, type ListedFile } from '../file/stored-file.ts'
import type { Picked } from '../screen/use-files-screen.ts'

type Shared = {
  folder: Picked['folder']
  total: number
  busy: number | null
  changed: number | null
  isScripted: boolean
  onMove: OnMove
}

type Props = Shared & {
  known: FilePages
  failed: ReadonlySet<number>
  isOpen: boolean
  /** New files after the first ones. They are shown too while the folder is closed. */
  news: readonly ListedFile[]
  onLoad: (page: number) => void
  onNear: (page: number, isNear: boolean) => void
}

/** Shows a folder's files in parts of one page each. Only parts near the visible area are in the document. */
export function FileRows({ known, failed, isOpen, news, onLoad, onNear, ...shared }: Props) {
  const [rowHeight, setRowHeight] = useState(0)
  const isHydrated = useHydrated()
  if (!isOpen)
    return (
      <tbody>
        <Rows files={[...(known.pages[0] ?? NONE).slice(0, SHOWN_FILES), ...news]} first={0} {...shared} />
      </tbody>
    )
  // The server sends the pages it has. The browser reserves the height of the rest, because only there a style may set it.
  const pages = Array.from({ length: countPages(known.total) }, (_, page) => page)
  return (isHydrated ? pages : pages.filter((page) => known.pages[page])).map((page) => (
    <Part
      key={page}
      page={page}
      files={known.pages[page]}
      hasFailed={failed.has(page)}
      rowHeight={rowHeight}
      onHeight={setRowHeight}
      onLoad={onLoad}
      onNear={onNear}
      {...shared}
    />
  ))
}

const NONE: readonly ListedFile[] = []

type PartProps = Shared & {
  page: number
  files: readonly ListedFile[] | undefined
  hasFailed: boolean
  /** The height of a drawn row, to estimate that of the others. */
  rowHeight: number
  onHeight: (height: number) => void
  onLoad: (page: number) => void
  onNear: (page: number, isNear: boolean) => void
}

const Part = memo(function Part(props: PartProps) {
  const { page, files = NONE, hasFailed, rowHeight, onHeight, onLoad, onNear, ...shared } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const [height, setHeight] = useState(0)
  const isNear = useNear(body, files.length > 0)
  // A part that has the focus, or a row that is being dragged, stays in the document.
  const [isHeld, setHeld] = useState(false)
  const isDrawn = isNear || isHeld
  const expected = sizeOf(shared.total, page)
  const missing = isDrawn ? expected - files.length : expected

  const tell = useEffectEvent((near: boolean) => onNear(page, near))
  const ask = useEffectEvent(() => onLoad(page))
  useEffect(() => {
    tell(isDrawn)
    return () => tell(false)
  }, [isDrawn])
  useEffect(() => {
    if (isDrawn && missing > 0 && !hasFailed) ask()
  }, [isDrawn, missing, hasFailed])

  useLayoutEffect(() => {
    if (!isDrawn || missing > 0) return
    const { offsetHeight } = body.current!
    setHeight(offsetHeight)
    if (rowHeight === 0) onHeight(offsetHeight / expected)
  }, [isDrawn, missing, expected, rowHeight, onHeight])

  const estimate = missing * (rowHeight || ROW_HEIGHT)
  const space = isDrawn ? estimate : height || estimate
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens for everything inside it
    <tbody
      ref={body}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onDragStart={() => setHeld(true)}
      onDragEnd={() => setHeld(false)}
    >
      {isDrawn && <Rows files={files} first={page * A_PAGE} {...shared} />}
      {missing > 0 && (
        <tr className="border-t border-line">
          <td style={hasFailed ? undefined : { height: space }} className="px-4 align-top">
            {isDrawn &&
              (hasFailed ? (
                <span role="alert" className="flex flex-wrap items-center gap-x-3 py-2 text-danger">
                  Filerne kunne ikke hentes.
                  <button
                    type="button"
                    onClick={() => onLoad(page)}
                    className="min-h-9 cursor-pointer font-medium text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
                  >
                    Prøv igen
                  </button>
                </span>
              ) : (
                <span className="block py-2 text-muted">Henter...</span>
              ))}
          </td>
        </tr>
      )}
    </tbody>
  )
})

/** Used until a row has been measured. */
const ROW_HEIGHT = 45

function Rows({
  files,
  first,
  busy,
  changed,
  ...shared
}: Shared & { files: readonly ListedFile[]; first: number }) {
  return files.map((file, index) => (
    <FileRow
      key={file.id}
      file={file}
      index={first + index}
      isBusy={busy === file.id}
      isChanged={changed === file.id}
      {...shared}
    />
  ))
}
