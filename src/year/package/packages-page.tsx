import type { YearSum } from '../../files/zip/year-sum.ts'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { PackageList } from './package-list.tsx'

export type PackagesPageProps = {
  /** One for everything that the reader sees, or one for each person who lends to them. */
  packages: { whose: { id: number; name: string } | null; years: YearSum[] }[]
}

/** Offers each year of what the reader sees as one package. */
export function PackagesPage({ packages }: PackagesPageProps) {
  return (
    <Shell title="Årspakker">
      <div className="grid gap-6">
        <p className="max-w-prose text-muted">
          En årspakke er én ZIP-fil med alt fra et år, som du kan se, og en indholdsfortegnelse, der kan åbnes
          og udskrives. Året er det år, regnskabsåret slutter i.
        </p>
        {packages.length === 0 && (
          <div className="rounded-card border border-line bg-surface">
            <EmptyState text="Ingen årspakker endnu. De kommer, når der er filer med et årstal." />
          </div>
        )}
        {packages.map(({ whose, years }) => (
          <section
            key={whose?.id ?? 'all'}
            aria-labelledby={`whose-${whose?.id ?? 'all'}`}
            className="rounded-card border border-line bg-surface"
          >
            <h2
              id={`whose-${whose?.id ?? 'all'}`}
              className="border-b border-line px-4 py-3 text-section font-semibold wrap-anywhere"
            >
              {whose?.name ?? 'Alle år'}
            </h2>
            <PackageList
              years={years}
              addressOf={(year) => (whose ? urls.lenderPackage(whose.id, year) : urls.yearPackage(year))}
            />
          </section>
        ))}
      </div>
    </Shell>
  )
}
