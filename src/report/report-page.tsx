import { Shell } from '../ui/shell.tsx'
import type { Report } from './company.ts'

export type ReportPageProps = { user: { id: number; name: string }; report: Report; mayLock: boolean }

/** An investor's external companies. */
export function ReportPage({ report }: ReportPageProps) {
  return (
    <Shell title="Rapport">
      <ul>
        {report.companies.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </Shell>
  )
}
