import {
  ChevronDown,
  ChevronUp,
  Download,
  Ellipsis,
  FolderInput,
  Forward,
  GripVertical,
  LockIcon,
  Trash2,
  Upload,
  UsersRound,
} from 'lucide-react'
import { FILE_ICONS } from '../file/file-icons.tsx'

/** The icons for the page's sprite: of rows and of folders. */
export const ROW_ICONS = {
  up: ChevronUp,
  down: ChevronDown,
  download: Download,
  move: FolderInput,
  give: Forward,
  delete: Trash2,
  more: Ellipsis,
  grip: GripVertical,
  upload: Upload,
  shared: UsersRound,
  hidden: LockIcon,
  ...FILE_ICONS,
}
