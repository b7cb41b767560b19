import { Plus } from 'lucide-react'
import { writeDay } from '../../base/time/days.ts'
import { STATUS_NAMES } from '../../projects/project/project.ts'
import { Chip } from '../../ui/basic/chip.tsx'
import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import type { TaughtLayout } from '../receipts/layouts.db.ts'
import { TaughtLayouts } from '../receipts/taught-layouts.tsx'
import { NO_ADVICE } from './duty-mail.ts'
import { ALL_DUTIES, writeDutyQuery } from './duty.ts'
import { dueRuleText, type Obligation } from './obligation.ts'
import type { ObligationRow } from './obligations.db.ts'

type ObligationsPageProps = { obligations: ObligationRow[]; layouts: TaughtLayout[] }

/** Lists what the office's duties come from. */
export function ObligationsPage({ obligations, layouts }: ObligationsPageProps) {
  return (
    <Shell
      title="Pligter"
      actions={
        <LinkButton href={urls.newObligation} icon={Plus}>
          Ny pligt
        </LinkButton>
      }
    >
      <p className="-mt-4 mb-6 max-w-[720px] text-muted">
        En pligt giver sine projekter en frist i hver periode. {NO_ADVICE}
      </p>
      <div className="rounded-card border border-line bg-surface">
        {obligations.length === 0 ? (
          <EmptyState text="Ingen pligter endnu" />
        ) : (
          <ul className="divide-y divide-line">
            {obligations.map((each) => (
              <Row key={each.id} obligation={each} />
            ))}
          </ul>
        )}
      </div>
      <TaughtLayouts layouts={layouts} />
    </Shell>
  )
}

function Row({ obligation }: { obligation: ObligationRow }) {
  const {
    id,
    title,
    is_active: isActive,
    responsible,
    open_count: open,
    undecided_count: undecided,
  } = obligation
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_9rem]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <a
            href={urls.editObligation(id)}
            className="inline-flex items-center font-medium wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11"
          >
            {title}
          </a>
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
        <p className="wrap-anywhere">{responsible ?? 'Ingen ansvarlig'}</p>
        <p className="text-meta wrap-anywhere">{doneText(obligation)}</p>
      </div>
      <div className="md:text-right">
        {open > 0 && (
          <a
            href={urls.obligations + writeDutyQuery({ ...ALL_DUTIES, rule: obligation.title })}
            className="text-accent underline underline-offset-2"
          >
            {open} {open === 1 ? 'åben frist' : 'åbne frister'}
          </a>
        )}
      </div>
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

const LIST = new Intl.ListFormat('da', { type: 'disjunction' })

/** 'Projekter, der er aktiv eller under afvikling, og flere end 10 investorlogin', 'Kun valgte projekter'. */
function reachText({ reach, statuses, more_than: moreThan }: Obligation): string {
  if (reach === 'chosen') return 'Kun valgte projekter'
  const those = `Projekter med status ${LIST.format(statuses.map((status) => STATUS_NAMES[status].toLowerCase()))}`
  return moreThan === null ? those : `${those} og flere end ${moreThan} investorlogin`
}
