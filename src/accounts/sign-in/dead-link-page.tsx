import { LinkButton } from '../../ui/basic/link-button.tsx'
import { PageFrame } from '../../ui/shell/page-frame.tsx'
import { urls } from '../../urls.ts'

export type DeadLinkPageProps = { kind: 'reset' | 'invitation' }

const WHY = {
  reset: 'Det er enten brugt eller udløbet. Du kan få et nyt link med det samme.',
  invitation:
    'Det er brugt, udløbet eller erstattet af et nyere. Se efter den nyeste mail fra Ringbind. Har du allerede valgt en adgangskode, kan du logge ind. Ellers kan du bede den, der inviterede dig, om et nyt link.',
}

export function DeadLinkPage({ kind }: DeadLinkPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">Linket virker ikke længere</h1>
      <p className="mt-3 text-muted">{WHY[kind]}</p>
      <div className="mt-6 flex flex-wrap gap-4">
        <LinkButton href={kind === 'reset' ? urls.forgotPassword : urls.login}>
          {kind === 'reset' ? 'Få et nyt link' : 'Log ind'}
        </LinkButton>
      </div>
    </PageFrame>
  )
}
