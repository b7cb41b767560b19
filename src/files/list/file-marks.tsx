import { isOffice } from '../../rights.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { HELD_NAMES, type HeldState } from '../stored-file.ts'

type Props = { isNew: boolean; isSent: boolean; held: HeldState | null }

/** Shows the chips after a file's name. The space before them disappears at a line break. */
export function FileMarks({ isNew, isSent, held }: Props) {
  const { role } = useFrame().user!
  if (!isNew && !isSent && held === null) return null
  return (
    <>
      {'\u2002'}
      <span className="inline-flex flex-wrap gap-2 align-middle">
        {isNew && <Chip tone="accent" text="Ny" />}
        {held && <Chip tone="warn" text={HELD_NAMES[held]} />}
        {isSent && <Chip text={isOffice(role) ? 'Fra investor' : 'Sendt af dig'} />}
      </span>
    </>
  )
}
