import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

const TONES = {
  neutral: 'border border-line bg-hover text-ink',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
}

export type Tone = keyof typeof TONES

type ChipProps = { text: string; tone?: Tone; icon?: LucideIcon; children?: ReactNode }

/** A word in a frame: a status, or one of several that were chosen. */
export function Chip({ text, tone = 'neutral', icon: Icon, children }: ChipProps) {
  return (
    <span
      className={`inline-flex min-h-6 max-w-full items-center gap-1.5 rounded-control px-2 text-meta font-medium ${TONES[tone]}`}
    >
      {Icon && <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />}
      <span className="wrap-anywhere">{text}</span>
      {children}
    </span>
  )
}
