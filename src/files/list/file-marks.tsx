import { isOffice } from '../../rights.ts'
import { Chip } from '../../ui/basic/chips.tsx'
import { useFrame } from '../../ui/basic/frame.ts'

type Props = { isNew: boolean; isSent: boolean; isHeldBack: boolean }

/** Shows the chips after a file's name. The space before them disappears at a line break. */
export function FileMarks({ isNew, isSent, isHeldBack }: Props) {
  const { role } = useFrame().user!
  if (!isNew && !isSent && !isHeldBack) return null
  return (
    <>
      {'\u2002'}
      <span className="inline-flex flex-wrap gap-2 align-middle">
        {isNew && <Chip tone="accent" text="Ny" />}
        {isHeldBack && <Chip tone="warn" text="Kladde" />}
        {isSent && <Chip text={isOffice(role) ? 'Fra investor' : 'Sendt af dig'} />}
      </span>
    </>
  )
}
