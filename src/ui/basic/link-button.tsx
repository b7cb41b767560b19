import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'

type Props = ComponentProps<'a'> & { href: string; icon?: LucideIcon; kind?: 'primary' | 'secondary' }

// The primary link has a border that only forced-colour modes show, because they remove the filled background.
const LOOKS = {
  primary: 'border border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface hover:bg-hover',
}

/** A link that looks like a button. */
export function LinkButton({ icon: Icon, kind = 'primary', children, ...more }: Props) {
  return (
    <a
      {...more}
      className={`inline-flex min-h-9 items-center gap-2 rounded-control px-4 py-1 font-medium pointer-coarse:min-h-11 ${LOOKS[kind]}`}
    >
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
      {children}
    </a>
  )
}
