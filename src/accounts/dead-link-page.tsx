import { PageFrame } from '../ui/page-frame.tsx'
import { urls } from '../urls.ts'

export type DeadLinkPageProps = { kind: 'reset' | 'invitation' }

const HELP = {
  reset: 'Bed om et nyt link, så sender vi det med det samme.',
  invitation:
    'Har du allerede valgt en adgangskode, kan du logge ind. Ellers bed den, der inviterede dig, om et nyt link.',
}

export function DeadLinkPage({ kind }: DeadLinkPageProps) {
  return (
    <PageFrame width="max-w-[440px]">
      <h1 className="text-title font-semibold">Linket virker ikke længere</h1>
      <p className="mt-3 text-muted">Det er enten brugt eller blevet for gammelt. {HELP[kind]}</p>
      <div className="mt-6 flex flex-wrap gap-4">
        <a
          href={kind === 'reset' ? urls.forgotPassword : urls.login}
          className="inline-flex min-h-9 items-center rounded-control bg-accent px-4 font-medium text-on-accent hover:bg-accent-strong pointer-coarse:min-h-11"
        >
          {kind === 'reset' ? 'Bed om nyt link' : 'Log ind'}
        </a>
      </div>
    </PageFrame>
  )
}
