const TONES = { accent: 'fill-accent', danger: 'fill-danger' }

type Props = { part: number; of: number; tone?: keyof typeof TONES }

/** A small bar that shows a share. It says nothing by itself: its numbers stand beside it as text. */
export function ShareBar({ part, of, tone = 'accent' }: Props) {
  const width = of === 0 ? 0 : Math.min(Math.max((part / of) * 100, part > 0 ? 2 : 0), 100)
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="h-1.5 w-full min-w-12 overflow-hidden rounded-full forced-colors:border"
    >
      <rect width="100" height="6" className="fill-line" />
      <rect width={width.toFixed(1)} height="6" className={TONES[tone]} />
    </svg>
  )
}
