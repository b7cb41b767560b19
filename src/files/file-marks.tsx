import { isOffice } from '../rights.ts'
import { Chip } from '../ui/chips.tsx'
import { useFrame } from '../ui/frame.ts'

/** What is to be known of a file at a glance. */
export function FileMarks({ isNew, isSent }: { isNew: boolean; isSent: boolean }) {
  const { role } = useFrame().user!
  if (!isNew && !isSent) return null
  return (
    <span className="ml-2 inline-flex flex-wrap gap-2 align-middle">
      {isNew && <Chip tone="accent" text="Ny" />}
      {isSent && <Chip text={isOffice(role) ? 'Fra investor' : 'Sendt af dig'} />}
    </span>
  )
}
