const TONES = { accent: 'fill-accent', danger: 'fill-danger' }

/** A column: its number, its short and its full name, and what its colour means. */
type MonthColumn = {
  key: string
  count: number
  label: string
  title: string
  tone: keyof typeof TONES
}

const HEIGHT = 32

/** Shows a number for each of some months as columns, with the numbers above them. */
export function MonthColumns({ label, columns }: { label: string; columns: MonthColumn[] }) {
  const most = Math.max(1, ...columns.map(({ count }) => count))
  return (
    <ol aria-label={label} className="flex items-end gap-1">
      {columns.map(({ key, count, label: name, title, tone }) => {
        const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT))
        return (
          <li key={key} className="min-w-0 flex-1 text-center text-meta">
            <span aria-hidden="true" className="block tabular-nums">
              {count === 0 ? '' : count}
            </span>
            <svg
              aria-hidden="true"
              viewBox={`0 0 10 ${HEIGHT}`}
              preserveAspectRatio="none"
              className="h-8 w-full"
            >
              <rect
                y={HEIGHT - height}
                width="10"
                height={height}
                className={count === 0 ? 'fill-line' : TONES[tone]}
              />
            </svg>
            <span aria-hidden="true" className="block text-[12px]/4 whitespace-nowrap text-muted">
              {name}
            </span>
            <span className="sr-only">{title}</span>
          </li>
        )
      })}
    </ol>
  )
}
