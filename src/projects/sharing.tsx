import { Lock, UsersRound } from 'lucide-react'

/** Who sees what is in a folder; never by colour alone. */
export function Sharing({ isShared, className = '' }: { isShared: boolean; className?: string }) {
  const Icon = isShared ? UsersRound : Lock
  return (
    <span className={`flex items-center gap-1.5 whitespace-nowrap ${className}`}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      {isShared ? 'Deles med investorer' : 'Kun kontoret'}
    </span>
  )
}
