import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CircleSlash,
  Clock,
  FilePen,
} from 'lucide-react'
import { SpriteIcon } from '../../ui/icon/icon-sprite.tsx'
import type { CellState } from './overview.ts'

/** An icon for each state. */
export const STATE_ICONS = {
  done: CircleCheck,
  draft: FilePen,
  excused: CircleSlash,
  unfollowed: CircleMinus,
  late: CircleAlert,
  missing: CircleDashed,
  coming: Clock,
  'not-yet': Clock,
}

export const StateIcon = ({ state }: { state: CellState }) => <SpriteIcon name={state} />
