import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import type { Approval } from './approval.ts'
import type { Release } from '../release/release.ts'

type Props = { release: Release; approval: Approval }

/** Says who asks for approval, and what happens when it is given. */
export function WaitingText({ release, approval }: Props) {
  const { publish_at: at } = release
  const time = at && <ShortDate at={at} withTime="spoken" />
  if (!approval.is_asker)
    return (
      <>
        {approval.asked_by} bad om godkendelse <ShortDate at={approval.asked_at!} withTime="spoken" />. Kun
        kontoret kan se papirerne. {approval.is_overdue && <>De skulle være udgivet {time}.</>}
      </>
    )
  return (
    <>
      Du bad om godkendelse <ShortDate at={approval.asked_at!} withTime="spoken" />. Kun kontoret kan se
      papirerne, til en kollega godkender.
      {approval.is_overdue && <> De skulle være udgivet {time}.</>}
      {approval.verdict === 'needless' && ' Du kan nu selv udgive dem.'}
    </>
  )
}

/** Says that a colleague has rejected a release, and that nobody can approve it, if it is so. */
export function ApprovalNotes({ release, approval }: Props) {
  const { user } = useFrame()
  const isOpen = release.state === 'draft' || release.state === 'waiting'
  const isAsked = release.state === 'waiting' || (isOpen && approval.verdict === 'asked')
  return (
    <>
      {isOpen && approval.rejected_at !== null && (
        <Note>
          <p>
            {release.state === 'waiting' ? 'Blev afvist' : 'Afvist'}{' '}
            <ShortDate at={approval.rejected_at} withTime="spoken" /> af {approval.rejected_by}:
          </p>
          <p className="mt-1 wrap-anywhere whitespace-pre-wrap text-ink">{approval.rejection}</p>
        </Note>
      )}
      {isAsked && approval.verdict !== 'needless' && !approval.has_approver && (
        <Note>
          <p>
            Kontoret har ingen anden, der kan godkende papirerne. En administrator kan invitere en kollega
            eller{' '}
            {may(user!.role, 'editOffice') ? (
              <a href={urls.office} className="underline underline-offset-2">
                slå godkendelse fra under Kontoret
              </a>
            ) : (
              'slå godkendelse fra under Kontoret'
            )}
            .
          </p>
        </Note>
      )}
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-2 rounded-control bg-warn-soft px-3 py-2 text-warn">
      <TriangleAlert size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
