import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Section } from '../ui/shell/section.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import type { FactGroup } from './fact-words.ts'
import type { TroubleWords } from './trouble-words.ts'

type StatusPageProps = {
  troubles: TroubleWords[]
  /** Sentences of notices that are no trouble of the installation itself. */
  notices: string[]
  ended: { title: string; says: string }[]
  groups: FactGroup[]
}

/** Shows an administrator what needs attention, and how everything else is doing. */
export function StatusPage({ troubles, notices, ended, groups }: StatusPageProps) {
  const isWell = troubles.length + notices.length === 0
  return (
    <Shell title="Status">
      <div className="grid gap-6">
        {isWell ? <AllIsWell /> : <Attention troubles={troubles} notices={notices} />}
        <div className="grid gap-6 md:grid-cols-2">
          {groups.map((group) => (
            <Facts key={group.title} {...group} />
          ))}
        </div>
        {ended.length > 0 && <Ended ended={ended} />}
      </div>
    </Shell>
  )
}

function AllIsWell() {
  return (
    <p className="flex items-center gap-2 rounded-card border border-ok bg-ok-soft px-4 py-3 font-medium text-ok">
      <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      Alt er, som det skal være.
    </p>
  )
}

function Attention({ troubles, notices }: Pick<StatusPageProps, 'troubles' | 'notices'>) {
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className="mb-3 text-section font-semibold">
        Kræver opmærksomhed
      </h2>
      <ul className="grid gap-3">
        {troubles.map(({ title, says, todo }) => (
          <Warning key={title}>
            <h3 className="font-semibold">{title}</h3>
            <p>{says}</p>
            <p>{todo}</p>
          </Warning>
        ))}
        {notices.map((text) => (
          <Warning key={text}>
            <p>{text}</p>
          </Warning>
        ))}
      </ul>
    </section>
  )
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-3 rounded-card border border-warn bg-warn-soft px-4 py-3">
      <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-warn" />
      <div className="grid min-w-0 max-w-[720px] gap-1 wrap-anywhere">{children}</div>
    </li>
  )
}

function Facts({ title, lines }: FactGroup) {
  return (
    <Section title={title}>
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        {lines.map(({ name, text }) => (
          <div key={name} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums wrap-anywhere">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function Ended({ ended }: Pick<StatusPageProps, 'ended'>) {
  return (
    <Section title="Overstået den seneste uge">
      <ul className="grid gap-2">
        {ended.map(({ title, says }) => (
          <li key={title + says}>
            {title}
            <span className="block text-muted">{says}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
