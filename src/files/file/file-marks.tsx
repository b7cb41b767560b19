import { periodKeyText } from '../../base/time/period.ts'
import { isOffice } from '../../rights.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { HELD_NAMES, type StoredFile } from './stored-file.ts'

type Props = {
  isNew: boolean
  isSent?: boolean
  /** The file, or the parts of it that a list knows. */
  file: Pick<StoredFile, 'is_version' | 'held' | 'waiting'> &
    Partial<Pick<StoredFile, 'is_asked' | 'period' | 'is_period_given'>>
  /** Whether years are written '2024/25'. */
  crossesNewYear?: boolean
}

/** Shows the chips after a file's name. The space before them disappears at a line break. */
export function FileMarks({ isNew, isSent = false, file, crossesNewYear = false }: Props) {
  // A release that waits says so already.
  const isAsked = file.is_asked === true && file.held !== 'waiting'
  const { is_version: isVersion, held, waiting, period = null, is_period_given: hasPeriod = false } = file
  const { role } = useFrame().user!
  if (!isNew && !isSent && held === null && waiting === null && !isAsked && !hasPeriod) return null
  return (
    <>
      {'\u2002'}
      <span className="inline-flex flex-wrap gap-2 align-middle">
        {isNew && <Chip tone="accent" text={isVersion ? 'Ny version' : 'Ny'} />}
        {held && <Chip tone="warn" text={HELD_NAMES[held]} />}
        {isAsked && <Chip tone="warn" text={HELD_NAMES.waiting} />}
        {waiting && <Chip tone="warn" text={`Ny version: ${HELD_NAMES[waiting].toLowerCase()}`} />}
        {hasPeriod && <Chip text={periodText(period, crossesNewYear)} />}
        {isSent && <Chip text={isOffice(role) ? 'Fra investor' : 'Sendt af dig'} />}
      </span>
    </>
  )
}

const periodText = (period: string | null, crossesNewYear: boolean) =>
  period === null ? 'Ingen periode' : `Periode: ${periodKeyText(period, crossesNewYear)}`
