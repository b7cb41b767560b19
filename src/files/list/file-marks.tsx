import { isOffice } from '../../rights.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'

/** Shows the chips after a file's name. The space before them disappears at a line break. */
export function FileMarks({ isNew, isSent }: { isNew: boolean; isSent: boolean }) {
  const { role } = useFrame().user!
  if (!isNew && !isSent) return null
  return (
    <>
      {'\u2002'}
      <span className="inline-flex flex-wrap gap-2 align-middle">
        {isNew && <Chip tone="accent" text="Ny" />}
        {isSent && <Chip text={isOffice(role) ? 'Fra investor' : 'Sendt af dig'} />}
      </span>
    </>
  )
}
