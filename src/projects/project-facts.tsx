import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROLE_NAMES } from '../rights.ts'
import { namesWith } from '../base/fields/field.ts'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { urls } from '../urls.ts'
import { FACTS_ID } from './facts-id.ts'
import { countFiles } from './folder.ts'
import { OWN_FIELDS } from './project/project.fields.ts'
import type { Member, Project, ProjectRelease } from './project/project.ts'
import { StatusChip } from './status-chip.tsx'

export type KnownMember = Pick<Member, 'id' | 'name' | 'role' | 'numbers'>

type Props = {
  project: Project
  /** Null for everyone but the office. */
  members: KnownMember[] | null
  /** Null for everyone but the office, and if nothing was released. */
  release: ProjectRelease | null
}

/** Shows a project's facts, members and newest release: beside its folders, or below them where there is no room. */
export function ProjectFacts({ project, members, release }: Props) {
  return (
    <section
      id={FACTS_ID}
      aria-label="Oplysninger"
      className="scroll-mt-4 rounded-card border border-line bg-surface px-4 py-3 @4xl:border-0 @4xl:bg-transparent @4xl:px-3 @4xl:py-0"
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-3 @4xl:flex-col">
        {namesWith(OWN_FIELDS, 'isFact').map((name) => (
          <Fact key={name} name={OWN_FIELDS[name].label}>
            {name === 'status' ? <StatusChip status={project.status} /> : <Value text={project[name]} />}
          </Fact>
        ))}
        {members && (
          <Fact name="Medlemmer">
            {members.length === 0 ? (
              <span className="text-muted">Ingen endnu</span>
            ) : (
              <Members members={members} />
            )}
          </Fact>
        )}
        {release && (
          <Fact name="Senest udgivet">
            <span className="tabular-nums">
              <a
                href={urls.release(release.id)}
                className="text-accent underline-offset-2 hover:underline pointer-coarse:-my-2.5 pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center"
              >
                {countFiles(release.files)} <ShortDate at={release.published_at} />
              </a>
              {release.reached > 0 && ` · ${release.opened} af ${release.reached} har åbnet`}
            </span>
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-meta text-muted">{name}</dt>
      <dd className="grid min-h-6 content-center justify-items-start wrap-anywhere">{children}</dd>
    </div>
  )
}

function Value({ text }: { text: string | null }) {
  return text ? (
    <span className="tabular-nums">{text}</span>
  ) : (
    <span className="text-muted">Ikke angivet</span>
  )
}

function Members({ members }: { members: KnownMember[] }) {
  return (
    <details className="group">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-control text-accent underline-offset-2 hover:underline pointer-coarse:-my-2.5 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        {countMembers(members)}
        <ChevronDown
          size={16}
          strokeWidth={1.75}
          aria-hidden="true"
          className="transition-transform group-open:rotate-180 motion-reduce:transition-none"
        />
      </summary>
      <ul className="mt-2 max-h-72 columns-[16rem] gap-x-8 overflow-y-auto @4xl:columns-1">
        {members.map(({ id, name, role, numbers }) => (
          <li key={id} className="break-inside-avoid py-0.5 pointer-coarse:py-2">
            <a href={urls.user(id)} className="text-accent underline-offset-2 hover:underline">
              {name}
            </a>{' '}
            <span className="text-meta text-muted tabular-nums">
              {[ROLE_NAMES[role], ...numbers].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** '5 investorer og 1 revisor' */
function countMembers(members: readonly Pick<Member, 'role'>[]): string {
  const count = (role: Member['role']) => members.filter((each) => each.role === role).length
  const [investors, auditors] = [count('investor'), count('auditor')]
  return [
    investors > 0 && `${investors} ${investors === 1 ? 'investor' : 'investorer'}`,
    auditors > 0 && `${auditors} ${auditors === 1 ? 'revisor' : 'revisorer'}`,
  ]
    .filter(Boolean)
    .join(' og ')
}
