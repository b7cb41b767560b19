import { Chip } from '../../ui/basic/chip.tsx'
import { STATE_NAMES, type ReleaseState } from './release.ts'

const TONES = {
  draft: 'warn',
  planned: 'accent',
  waiting: 'warn',
  published: 'ok',
  recalled: 'neutral',
} as const

export function StateChip({ state }: { state: ReleaseState }) {
  return <Chip tone={TONES[state]} text={STATE_NAMES[state]} />
}
