import { Chip } from '../ui/basic/chip.tsx'
import { STATUS_NAMES, type Status } from './project/project.ts'

const TONES = { active: 'ok', closing: 'warn', sold: 'neutral' } as const

export function StatusChip({ status }: { status: Status }) {
  return <Chip tone={TONES[status]} text={STATUS_NAMES[status]} />
}
