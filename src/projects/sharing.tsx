import { LockIcon, UsersRound } from 'lucide-react'

/** Who sees what is in a folder, in words. An auditor who belongs to the project sees all of its folders. */
export function sharingText(isShared: boolean, hasAuditor = false): string {
  if (isShared) return 'Deles med investorer'
  return hasAuditor ? 'Kontoret og revisor' : 'Kun kontoret'
}

type Props = { isShared: boolean; hasAuditor?: boolean; className?: string }

/** The same with an icon: never by colour alone. Investors are not told it at every folder: they see no other. */
export function Sharing({ isShared, hasAuditor = false, className = '' }: Props) {
  const Icon = isShared ? UsersRound : LockIcon
  return (
    <span className={`flex items-center gap-1.5 whitespace-nowrap ${className}`}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {sharingText(isShared, hasAuditor)}
    </span>
  )
}
