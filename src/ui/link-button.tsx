import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = {
  href: string
  icon?: LucideIcon
  kind?: 'primary' | 'secondary'
  download?: boolean
  children: ReactNode
}

const LOOKS = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface hover:bg-hover',
}

/** A link that weighs as much as a button. */
export function LinkButton({ href, icon: Icon, kind = 'primary', download, children }: Props) {
  return (
    <a
      href={href}
      download={download}
      className={`inline-flex min-h-9 items-center gap-2 rounded-control px-4 font-medium pointer-coarse:min-h-11 ${LOOKS[kind]}`}
    >
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      {children}
    </a>
  )
}
