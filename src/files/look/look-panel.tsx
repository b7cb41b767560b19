import { useImperativeHandle, useState, type Ref } from 'react'
import type { FilesScreen, Picked } from '../screen/use-files-screen.ts'
import { LookBody } from './look-body.tsx'
import { LookFrame } from './look-frame.tsx'
import { useWalk } from './use-walk.ts'

export type LookHandle = Pick<FilesScreen, 'openLook'>

export type LookPanelProps = {
  ref: Ref<LookHandle>
  screen: FilesScreen
  setLooked: (file: number | null) => void
}

/** Shows a file without leaving the list: beside it, or over it on a narrow screen. */
export function LookPanel({ ref, screen, setLooked }: LookPanelProps) {
  const [shown, setShown] = useState<Picked | null>(null)

  function show(picked: Picked | null): void {
    setShown(picked)
    setLooked(picked?.file.id ?? null)
  }

  useImperativeHandle(ref, () => ({
    openLook: (picked) => show(picked.file.id === shown?.file.id ? null : picked),
  }))

  return shown && <LookDialog screen={screen} shown={shown} onShow={show} />
}

type DialogProps = { screen: FilesScreen; shown: Picked; onShow: (picked: Picked | null) => void }

function LookDialog({ screen, shown, onShow }: DialogProps) {
  const { file, folder } = shown
  const { walk, place, announcement } = useWalk(screen, shown, onShow)
  const close = () => onShow(null)
  return (
    <LookFrame
      file={file}
      where={folder.name}
      place={place}
      walk={walk}
      onClose={close}
      announcement={announcement}
    >
      {(isBeside) => (
        <LookBody key={file.id} screen={screen} shown={shown} isBeside={isBeside} onClose={close} />
      )}
    </LookFrame>
  )
}
