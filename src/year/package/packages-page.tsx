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
          En årspakke er én ZIP-fil med alt fra et år, som du kan se, og en indholdsfortegnelse, der kan åbnes
          og udskrives. Året er det år, regnskabsåret slutter i.
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
