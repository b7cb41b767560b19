import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import { WaitingText } from '../approval/approval-text.tsx'
import type { Approval } from '../approval/approval.ts'
import { mailTexts, NO_MAIL_SERVER } from '../release/reach-text.ts'
import { countPeople, type PeopleCounts, type Release } from '../release/release.ts'

type StatusProps = { release: Release; counts: PeopleCounts; approval: Approval; sendsMail: boolean }

/** Says what a release is waiting for, or what became of it. */
export function Status({ release, counts, approval, sendsMail }: StatusProps) {
  const { state, made_at: madeAt, made_by: madeBy } = release
  const uploaded = (
    <>
      Uploadet <ShortDate at={madeAt} withTime="spoken" /> af {madeBy}.
    </>
  )
  if (state === 'published')
    return (
      <>
        {isApproverPublisher(release, approval) ? 'Godkendt og udgivet' : 'Udgivet'}{' '}
        <ShortDate at={release.published_at!} withTime="spoken" /> af {release.published_by}.{' '}
        {isApproverPublisher(release, approval) ? `Uploadet af ${madeBy}. ` : <ApprovedBy {...approval} />}
        {counts.reached === 0 ? (
          'Ingen uden for kontoret kan se papirerne.'
        ) : (
          <>
            <MailStatus {...{ release, counts, sendsMail }} /> <Opened id={release.id} counts={counts} />
          </>
        )}
      </>
    )
  if (state === 'recalled')
    return (
      <>
        Trukket tilbage <ShortDate at={release.recalled_at!} withTime="spoken" /> af {release.recalled_by}.
        Kun kontoret kan se papirerne. De var udgivet fra{' '}
        <ShortDate at={release.published_at!} withTime="spoken" />.
        {release.versions_count > 0 && ` ${OLDER_SHOWN}`}
      </>
    )
  if (state === 'waiting') return <WaitingText release={release} approval={approval} />
  return (
    <>
      {uploaded} <ApprovedBy {...approval} />
      Kun kontoret kan se papirerne
      {state === 'planned' ? (
        <>
          , indtil de udgives <ShortDate at={release.publish_at!} withTime="spoken" />.
          {release.is_late &&
            ' Computerens ur er sprunget frem, så Ringbind venter. Udgiv dem selv, hvis tidspunktet er rigtigt.'}
        </>
      ) : (
        '.'
      )}
    </>
  )
}

/** '3 af 12 personer har åbnet nogle af papirerne.', which leads to those who have not. */
function Opened({ id, counts: { opened, reached } }: { id: number; counts: PeopleCounts }) {
  const text = `${opened} af ${countPeople(Math.max(opened, reached))} har åbnet nogle af papirerne`
  if (opened >= reached) return `${text}.`
  return (
    <>
      <a href={urls.unopened(id)} className="text-accent underline underline-offset-2">
        {text}
      </a>
      .
    </>
  )
}

const OLDER_SHOWN = 'Erstattede papirer viser den forrige version igen.'

const isApproverPublisher = ({ published_by: publisher }: Release, { approved_by: approver }: Approval) =>
  approver !== null && approver === publisher

function ApprovedBy({ approved_at: at, approved_by: by }: Approval) {
  return at === null ? null : (
    <>
      Godkendt <ShortDate at={at} withTime="spoken" /> af {by}.{' '}
    </>
  )
}

/** Says why no reminder is offered, and to an administrator who can change that. */
function NoReminder({ isWanted }: { isWanted: boolean }) {
  const maySetUp = may(useFrame().user!.role, 'editOffice')
  if (!isWanted) return NO_MAIL_SERVER
  return `Ingen får mail eller påmindelse, for der er ingen mailserver.${maySetUp ? ' Bed den, der driver serveren, om at sætte SMTP_URL.' : ''}`
}

/** Says when people are mailed, or how many were. */
function MailStatus({ release, counts, sendsMail }: Omit<StatusProps, 'approval'>) {
  if (!sendsMail)
    return release.announced_at === null ? (
      <>
        {NO_MAIL_SERVER} Indtil <ShortDate at={release.announces_at!} withTime="spoken" /> kan du fortryde det
        hele.
      </>
    ) : (
      <NoReminder isWanted={counts.opened < counts.reached} />
    )
  if (release.announced_at === null) {
    const mailed = counts.reached - counts.no_mail - counts.uninvited
    const texts = mailTexts(counts.reached, counts).join(' ')
    const at = <ShortDate at={release.announces_at!} withTime="spoken" />
    return mailed > 0 ? (
      <>
        {countPeople(mailed)} får mail, tidligst {at}. {texts} Indtil da kan du fortryde det hele.
      </>
    ) : (
      <>
        Ingen får mail. {texts} Indtil {at} kan du fortryde det hele.
      </>
    )
  }
  return counts.told > 0 ? <>{countPeople(counts.told)} har fået mail.</> : null
}
