import { eitherOf } from '../../base/danish/listed.ts'
import { Plus } from 'lucide-react'
import { formatCount } from '../../base/danish/counts.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { writeDay } from '../../base/time/days.ts'
import { STATUS_NAMES } from '../../projects/project/project.ts'
import { may } from '../../rights.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { urls } from '../../urls.ts'
import type { TaughtLayout } from '../receipts/layouts.db.ts'
import { TaughtLayouts } from '../receipts/taught-layouts.tsx'
import { NO_ADVICE } from './duty-mail.ts'
import { OPEN_STATES, STATE_NAMES } from './duty-state.ts'
import { writeDutyQuery, type DutyQuery } from './duty.ts'
import { dueRuleText, type Obligation } from './obligation.ts'
import type { ObligationRow } from './obligations.db.ts'
import type { YearChoices } from './year-filters.tsx'
import { NothingInYear, YearFrame } from './year-frame.tsx'

export type ObligationsPageProps = {
  query: DutyQuery
  choices: YearChoices
  /** The obligations that the filters find, with what is open of each. */
  obligations: (ObligationRow & { open: OpenCounts })[]
  /** The expectations of folders, without an obligation. */
  folders: { name: string; expects: string; open: OpenCounts }[]
  layouts: TaughtLayout[]
}

type OpenCounts = Record<(typeof OPEN_STATES)[number], number>

/** Lists what asks for the office's duties: obligations, and folders. */
export function ObligationsPage({ query, choices, obligations, folders, layouts }: ObligationsPageProps) {
  const { role } = useFrame().user!
  return (
    <YearFrame
      view={urls.yearRules}
      query={query}
      choices={choices}
      actions={
        may(role, 'editObligations') && (
          <LinkButton href={urls.newObligation} icon={Plus}>
            Ny pligt
          </LinkButton>
        )
      }
    >
      <p className="max-w-[720px] text-muted">
        En pligt giver sine projekter en frist i hver periode. {NO_ADVICE}
      </p>
      {obligations.length + folders.length === 0 && (
        <NothingInYear view={urls.yearRules} query={query} text="Ingen pligter endnu" />
      )}
      {obligations.length > 0 && (
        <ul aria-label="Pligter" className={LIST_LOOK}>
          {obligations.map((each) => (
            <Row key={each.id} obligation={each} query={query} />
          ))}
        </ul>
      )}
      {folders.length > 0 && (
        <section className="grid gap-2">
          <h2 className="text-section font-semibold">Papirer, som mapper forventer</h2>
          <ul className={LIST_LOOK}>
            {folders.map(({ name, expects, open }) => (
              <li key={name} className={ROW_LOOK}>
                <div className="min-w-0">
                  <p className="font-medium wrap-anywhere">
                    {may(role, 'editProjects') ? (
                      <a href={urls.templateFolders} className={LINK}>
                        {name}
                      </a>
                    ) : (
                      name
                    )}
                  </p>
                  <p className="text-meta text-muted">{expects}</p>
                </div>
                <p className="text-muted">Udført, når papiret ligger i mappen</p>
                <Open rule={name} open={open} query={query} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {may(role, 'editObligations') && <TaughtLayouts layouts={layouts} />}
    </YearFrame>
  )
}

const LIST_LOOK = 'divide-y divide-line rounded-card border border-line bg-surface'
const ROW_LOOK = 'grid gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_9rem]'
const LINK =
  'inline-flex items-center font-medium wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11'

/** How much is late, missing and coming, each as a link to the list. */
function Open({ rule, open, query }: { rule: string; open: OpenCounts; query: DutyQuery }) {
  return (
    <ul className="md:text-right">
      {OPEN_STATES.filter((state) => open[state] > 0).map((state) => (
        <li key={state}>
          <a
            href={urls.yearList + writeDutyQuery({ ...query, rule, state, page: FIRST_PAGE })}
            className={`inline-flex min-h-6 items-center underline underline-offset-2 pointer-coarse:min-h-11 ${state === 'late' ? 'text-danger' : 'text-accent'}`}
          >
            {STATE_NAMES[state]} ({formatCount(open[state])})
          </a>
        </li>
      ))}
    </ul>
  )
}

function Row({
  obligation,
  query,
}: {
  obligation: ObligationsPageProps['obligations'][number]
  query: DutyQuery
}) {
  const { id, title, is_active: isActive, responsible, undecided_count: undecided } = obligation
  const { role } = useFrame().user!
  return (
    <li className={ROW_LOOK}>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {may(role, 'editObligations') ? (
            <a href={urls.editObligation(id)} className={LINK}>
              {title}
            </a>
          ) : (
            <span className="font-medium wrap-anywhere">{title}</span>
          )}
          {!isActive && <Chip text="Slået fra" />}
          {obligation.code === null && <Chip text="Egen" />}
        </p>
        <p>{dueRuleText(obligation)}</p>
        <p className="text-meta text-muted wrap-anywhere">{reachText(obligation)}</p>
        {undecided > 0 && (
          <p className="text-meta text-warn">
            {undecided === 1 ? 'Ét projekt' : `${undecided} projekter`} med flere end {obligation.more_than}{' '}
            investorlogin er ikke afgjort
          </p>
        )}
        <Source obligation={obligation} />
      </div>
      <div className="min-w-0 text-muted">
        <p className={`wrap-anywhere ${isActive && responsible === null ? 'text-warn' : ''}`}>
          {responsible ?? 'Ingen ansvarlig'}
        </p>
        <p className="text-meta wrap-anywhere">{doneText(obligation)}</p>
      </div>
      <Open rule={title} open={obligation.open} query={query} />
    </li>
  )
}

function doneText({ is_filing: isFiling, folder_name: folder }: Obligation): string {
  if (isFiling) return 'Indberettes, og markeres af kontoret'
  return folder === '' ? 'Markeres som udført af kontoret' : `Udført, når papiret ligger i ${folder}`
}

function Source({ obligation }: { obligation: ObligationRow }) {
  const { source, source_url: address, holds_since: since, holds_until: until } = obligation
  const holds = [since && `gælder siden ${writeDay(since)}`, until && `til og med ${writeDay(until)}`]
    .filter(Boolean)
    .join(' ')
  if (source === '' && holds === '') return null
  return (
    <p className="text-meta text-muted wrap-anywhere">
      {source !== '' && (address === '' ? source : <SourceLink text={source} address={address} />)}
      {source !== '' && holds !== '' && ' · '}
      {holds}
    </p>
  )
}

const SourceLink = ({ text, address }: { text: string; address: string }) => (
  <a href={address} rel="noreferrer" className="underline underline-offset-2 hover:text-ink">
    {text}
  </a>
)

/** 'Projekter, der er aktiv eller under afvikling, og flere end 10 investorlogin', 'Kun valgte projekter'. */
function reachText({ reach, statuses, more_than: moreThan }: Obligation): string {
  if (reach === 'chosen') return 'Kun valgte projekter'
  const those = `Projekter med status ${eitherOf(statuses.map((status) => STATUS_NAMES[status].toLowerCase()))}`
  return moreThan === null ? those : `${those} og flere end ${moreThan} investorlogin`
}
