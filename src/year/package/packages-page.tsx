import type { YearSum } from '../../files/zip/year-sum.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { PackageList } from './package-list.tsx'

export type PackagesPageProps = { years: YearSum[] }

/** Offers each year of what the reader sees as one package. */
export function PackagesPage({ years }: PackagesPageProps) {
  return (
    <Shell title="Årspakker">
      <div className="grid gap-6">
        <p className="max-w-prose text-muted">
          Én ZIP-fil med alt, du kan se fra et år, og en indholdsfortegnelse. Året er det, regnskabsåret
          slutter i.
        </p>
        <div className="rounded-card border border-line bg-surface">
          {years.length === 0 ? (
            <EmptyState text="Ingen årspakker endnu. De kommer, når der er filer med et årstal." />
          ) : (
            <PackageList years={years} />
          )}
        </div>
      </div>
    </Shell>
  )
}
