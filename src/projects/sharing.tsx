import { LockIcon, UsersRound } from 'lucide-react'

/** Says in Danish who sees a folder. An auditor who is a member of the project sees all its folders. */
export function sharingText(isShared: boolean, hasAuditor = false): string {
  if (isShared) return 'Deles med investorer'
  return hasAuditor ? 'Kontoret og revisor' : 'Kun kontoret'
}

type Props = { isShared: boolean; hasAuditor?: boolean; className?: string }

/** Shows the same with an icon, never by colour alone. Not shown to investors, who only see shared folders. */
export function Sharing({ isShared, hasAuditor = false, className = '' }: Props) {
  const Icon = isShared ? UsersRound : LockIcon
  return (
    <span className={`flex items-center gap-1.5 whitespace-nowrap ${className}`}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {sharingText(isShared, hasAuditor)}
    </span>
  )
}
