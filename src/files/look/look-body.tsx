import { CalendarRange, FolderInput, Forward, Trash2, type LucideIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/basic/button.tsx'
import type { FilesScreen, Picked } from '../screen/use-files-screen.ts'
import { LookContent } from './look-content.tsx'

type Props = {
  screen: FilesScreen
  shown: Picked
  isBeside: boolean
  onClose: () => void
}

/** A file of the list in the panel, with the acts of the list. */
export function LookBody({ screen, shown, isBeside, onClose }: Props) {
  const { owner, mayChange } = screen
  const [file, setFile] = useState(shown.file)
  const moveButton = useRef<HTMLButtonElement>(null)

  /** Closes a modal panel first, because the menu of folders would lie outside it and could not be used. */
  function move(): void {
    const button = isBeside ? moveButton.current : null
    if (!button) onClose()
    const row = document.querySelector(`tr[data-file="${file.id}"]`)
    const opener =
      button ??
      [...(row?.querySelectorAll<HTMLElement>('[data-act=move], [data-act=menu]') ?? [])].find((each) =>
        each.checkVisibility(),
      )
    if (opener) screen.openMove([shown], opener, 'first')
  }

  return (
    <LookContent
      owner={owner}
      file={file}
      onRead={() => screen.onRead(shown)}
      acts={
        mayChange && (
          <>
            <Button ref={moveButton} type="button" kind="secondary" aria-haspopup="dialog" onClick={move}>
              <Act icon={'project' in owner ? FolderInput : Forward} text="Flyt" />
            </Button>
            <Button
              type="button"
              kind="secondary"
              aria-haspopup="dialog"
              onClick={() => screen.openDelete([shown])}
            >
              <Act icon={Trash2} text="Slet" />
            </Button>
            <Button
              type="button"
              kind="secondary"
              aria-haspopup="dialog"
              onClick={() => screen.openPeriod({ ...shown, file }, setFile)}
            >
              <Act icon={CalendarRange} text="Ret periode" />
            </Button>
          </>
        )
      }
    />
  )
}

function Act({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span className="flex items-center gap-2">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {text}
    </span>
  )
}
