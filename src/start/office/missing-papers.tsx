import { MonthColumns } from '../../ui/basic/month-columns.tsx'
import { ShareBar } from '../../ui/basic/share-bar.tsx'
import type { MissingKind, MonthCount } from './office-day.ts'

/** Shows which kinds of papers are missing, as bars with their numbers. */
export function MissingKinds({ kinds }: { kinds: MissingKind[] }) {
  const most = Math.max(...kinds.map(({ count }) => count))
  return (
    <ul className="grid grid-cols-[minmax(0,max-content)_minmax(3rem,1fr)_auto] gap-x-3 gap-y-2 border-b border-line px-4 py-3">
      {kinds.map(({ name, count }) => (
        <li key={name} className="col-span-3 grid grid-cols-subgrid items-center">
          <span className="wrap-anywhere">{name}</span>
          <ShareBar part={count} of={most} />
          <span className="min-w-6 text-right tabular-nums">{count}</span>
        </li>
      ))}
    </ul>
  )
}

/** Shows how many papers that are not there have their last day in each month around today. */
export function OpenByMonth({ months, today }: { months: MonthCount[]; today: string }) {
  return (
    <div className="px-4 py-3">
      <p className="mb-2 text-meta text-muted">Sidste dag, måned for måned</p>
      <MonthColumns
        label="Papirer, der ikke er kommet, måned for måned"
        columns={months.map(({ month, count }) => ({
          key: month,
          count,
          label: nameOf(month, 'short').slice(0, 3),
          title: `${nameOf(month, 'long')} ${month.slice(0, 4)}: ${count}`,
          tone: month < today.slice(0, 7) ? 'danger' : 'accent',
        }))}
      />
    </div>
  )
}

const nameOf = (month: string, length: 'short' | 'long') =>
  new Intl.DateTimeFormat('da-DK', { month: length, timeZone: 'UTC' }).format(new Date(`${month}-15`))
