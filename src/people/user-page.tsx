import { FileUp, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { seenByText } from '../access/lent.ts'
import { largeImage } from '../accounts/users/image-address.ts'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { formatValue, namesWith } from '../base/fields/field.ts'
import { danishDate, shortDate } from '../base/time/dates.ts'
import { formatCount } from '../base/danish/counts.ts'
import { FileListing, type FileListingProps } from '../files/list/file-listing.tsx'
import type { LogEntry } from '../log/words/entry.ts'
import { EntryList } from '../log/entry-list.tsx'
import type { Project } from '../projects/project/project.ts'
import { StatusChip } from '../projects/status-chip.tsx'
import { hasOwnFiles, isLentTo, isOffice, may, ROLE_NAMES } from '../rights.ts'
import { Avatar } from '../ui/basic/avatar.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import { Faults } from '../ui/basic/faults.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { logOf, urls } from '../urls.ts'
import type { Identity } from '../accounts/oidc/provider.ts'
import { InvitationLink, type GivenLink } from './user/invitation-link.tsx'
import { LendingList } from './lend/lending-list.tsx'
import { UserAccess } from './user-access.tsx'
import type { Lending } from './lend/lending.ts'
import { accessText, type UserDetails } from './user/user-details.ts'

type UserPageProps = {
  user: UserDetails
  projects: Project[]
  /** How many companies their report has. Null if they have no report. */
  companies: number | null
  /** What an investor lends to others, or others lend to an adviser. Null for everyone else. */
  lendings: Lending[] | null
  files: FileListingProps
  /** The advisers who see their own files. */
  readers: string[]
  /** The latest log entries by or about them. Null if the reader may not see the log. */
  activity: LogEntry[] | null
  /** A link that was just made, if no mail can be sent. */
  invitationLink: GivenLink | null
  /** For administrators: the person's logins at providers. */
  identities: Identity[]
  sendsMail: boolean
  /** Why the last action was refused. */
  refused?: string
}

/** Shows everything that the office keeps about a person. */
export function UserPage({
  user,
  projects,
  companies,
  lendings,
  files,
  readers,
  activity,
  invitationLink,
  identities,
  sendsMail,
  refused,
}: UserPageProps) {
  const { role } = useFrame().user!
  const mayEdit = may(role, 'editUsers')
  const mayUpload = hasOwnFiles(user.role) && may(role, 'changeFiles')
  // Former investors may still have files.
  const hasFiles = hasOwnFiles(user.role) || files.page.folders.length > 0 || files.query.q !== ''
  return (
    <Shell
      title={user.name}
      above={ROLE_NAMES[user.role]}
      crumbs={[{ text: 'Personer', href: urls.users }]}
      {...(mayUpload && { dropTo: { address: urls.uploadToUser(user.id), name: `Upload til ${user.name}` } })}
      actions={
        mayEdit && (
          <LinkButton kind="secondary" href={urls.editUser(user.id)} icon={Pencil}>
            Rediger
          </LinkButton>
        )
      }
    >
      <div className="grid gap-6">
        {refused && (
          <div role="alert">
            <Faults id="refused" faults={[refused]} />
          </div>
        )}
        {invitationLink && <InvitationLink {...invitationLink} name={user.name} />}
        <div className="grid items-start gap-6 md:grid-cols-2">
          <Facts user={user} identities={identities} mayEdit={mayEdit} sendsMail={sendsMail} />
          <div className="grid gap-6">
            {!isLentTo(user.role) && <Projects user={user} projects={projects} />}
            {lendings && <LendingList user={user} lendings={lendings} mayEdit={mayEdit} />}
            {companies !== null && <ReportSummary userId={user.id} companies={companies} />}
          </div>
        </div>
        {hasFiles && (
          <FileListing
            owner={{ user: user.id }}
            numbers={user.numbers}
            seenBy={
              hasOwnFiles(user.role) && !user.deactivated ? seenByText(user.name, readers) : 'Kun kontoret'
            }
            search="Søg i personens egne filer"
            beside={
              <span className="flex flex-wrap gap-3">
                <LinkButton kind="secondary" href={urls.userTrash(user.id)} icon={Trash2}>
                  Papirkurv
                </LinkButton>
                {mayUpload && (
                  <LinkButton kind="secondary" href={urls.uploadToUser(user.id)} icon={FileUp}>
                    Upload filer
                  </LinkButton>
                )}
              </span>
            }
            {...files}
          />
        )}
        {activity && (
          <section aria-labelledby="activity" className="rounded-card border border-line bg-surface">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
              <h2 id="activity" className="text-section font-semibold">
                Seneste aktivitet
              </h2>
              {activity.length > 0 && (
                <a
                  href={logOf({ person: user.id })}
                  className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
                >
                  Se det hele i loggen
                </a>
              )}
            </div>
            <EntryList entries={activity} />
          </section>
        )}
      </div>
    </Shell>
  )
}

type FactsProps = { user: UserDetails; identities: Identity[]; mayEdit: boolean; sendsMail: boolean }

function Facts({ user, identities, mayEdit, sendsMail }: FactsProps) {
  const { timeZone } = useFrame()
  const { name, numbers, deactivated } = user
  const access = accessText(user, (at) => shortDate(at, timeZone))
  return (
    <section aria-label="Oplysninger" className="rounded-card border border-line bg-surface p-4">
      <div className="flex gap-4">
        <Avatar name={name} image={user.image && largeImage(user.image)} size={64} />
        <dl className="grid min-w-0 flex-1 gap-3">
          {namesWith(USER_FIELDS, 'isFact').map((field) => {
            const { label } = USER_FIELDS[field]
            const text = formatValue(USER_FIELDS[field], user[field])
            return (
              text !== '' && (
                <Fact key={field} name={field === 'numbers' && numbers.length === 1 ? 'Nummer' : label}>
                  {field === 'email' ? (
                    <a
                      href={`mailto:${encodeURIComponent(text)}`}
                      className="text-accent underline-offset-2 wrap-anywhere hover:underline"
                    >
                      {text}
                    </a>
                  ) : (
                    <span className="tabular-nums">{text}</span>
                  )}
                </Fact>
              )
            )
          })}
          {user.last_sign_in && (
            <Fact name="Seneste login">
              <ShortDate at={user.last_sign_in} withTime className="tabular-nums" />
            </Fact>
          )}
          {user.has_factor && <Fact name="Totrinslogin">Slået til</Fact>}
          {(deactivated || access) && (
            <Fact name="Adgang">
              {deactivated ? (
                <Chip text="Deaktiveret" />
              ) : (
                <span data-tooltip={'at' in user.access ? danishDate(user.access.at, timeZone) : undefined}>
                  <Chip tone="warn" text={access!} />
                </span>
              )}
            </Fact>
          )}
        </dl>
      </div>
      <UserAccess user={user} identities={identities} mayEdit={mayEdit} sendsMail={sendsMail} />
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-meta text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ReportSummary({ userId, companies }: { userId: number; companies: number }) {
  return (
    <section aria-labelledby="report" className="rounded-card border border-line bg-surface">
      <h2 id="report" className="border-b border-line px-4 py-3 text-section font-semibold">
        Rapport
      </h2>
      <p className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 px-4 py-2">
        <span className="text-muted">
          {companies === 0
            ? 'Ingen eksterne K/S-selskaber endnu.'
            : companies === 1
              ? '1 eksternt K/S-selskab'
              : `${formatCount(companies)} eksterne K/S-selskaber`}
        </span>
        <a
          href={urls.report(userId)}
          className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          Åbn rapporten
        </a>
      </p>
    </section>
  )
}

function SeenByLink({ user }: { user: UserDetails }) {
  return (
    <a
      href={urls.seenBy(user.id)}
      className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
    >
      Alt, hvad {user.name} kan se
    </a>
  )
}

function Projects({ user, projects }: { user: UserDetails; projects: Project[] }) {
  return (
    <section aria-labelledby="projects" className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
        <h2 id="projects" className="text-section font-semibold">
          Projekter
        </h2>
        <SeenByLink user={user} />
      </div>
      {projects.length > 0 ? (
        <ul>
          {projects.map(({ id, number, name, status }) => (
            <li
              key={id}
              className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-0"
            >
              <span className="max-w-24 min-w-12 text-muted tabular-nums wrap-anywhere">{number}</span>
              <a
                href={urls.files(id)}
                className="inline-flex min-w-0 flex-1 items-center wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11"
              >
                {name}
              </a>
              <StatusChip status={status} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-4 py-3 text-muted">
          {isOffice(user.role) ? 'Ser alle projekter.' : 'Er ikke tilknyttet noget projekt.'}
        </p>
      )}
    </section>
  )
}
