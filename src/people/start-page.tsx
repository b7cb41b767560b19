import { Shell } from '../ui/shell.tsx'
import { useFrame } from '../ui/frame.ts'
import type { Role } from '../rights.ts'

export type StartPageProps = { firstName: string }

/** What each role finds here; the lists themselves come with the projects. */
const CARDS: Record<Role, { title: string; empty: string }[]> = {
  administrator: [{ title: 'Projekter', empty: 'Der er endnu ingen projekter.' }],
  employee: [{ title: 'Projekter', empty: 'Der er endnu ingen projekter.' }],
  auditor: [{ title: 'Mine projekter', empty: 'Du har endnu ikke fået adgang til et projekt.' }],
  investor: [
    { title: 'Mine projekter', empty: 'Du er endnu ikke tilknyttet et projekt.' },
    { title: 'Mine filer', empty: 'Ingen filer' },
  ],
}

export function StartPage({ firstName }: StartPageProps) {
  const { user } = useFrame()
  return (
    <Shell title={`Hej ${firstName}`}>
      <div className="grid gap-6">
        {CARDS[user!.role].map(({ title, empty }) => (
          <section key={title} className="rounded-card border border-line bg-surface">
            <h2 className="border-b border-line px-4 py-3 text-section font-semibold">{title}</h2>
            <p className="px-4 py-6 text-muted">{empty}</p>
          </section>
        ))}
      </div>
    </Shell>
  )
}
