import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { TokenItem } from '../accounts/tokens/token-item.tsx'
import type { OfficeToken } from '../accounts/tokens/token.ts'
import { formatCount } from '../base/danish/counts.ts'
import { EmptyState } from '../ui/basic/empty-state.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { CheckField } from '../ui/form/check-field.tsx'
import { Form, type RefusedForm } from '../ui/form/form.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { urls } from '../urls.ts'
import { eventName } from './hooks/event.ts'
import { hostOf, type Hook } from './hooks/hook.ts'
import { HookState } from './hooks/hook-state.tsx'

type ProgramsPageProps = {
  hooks: Hook[]
  tokens: OfficeToken[]
  /** At most this many keys are listed. */
  most: number
  /** Whether investors and advisers may make keys. */
  isOutsideAllowed: boolean
  /** When the page was made. */
  now: string
  refused?: RefusedForm
}

/** Shows administrators which programs use Ringbind: everybody's API keys, and the webhooks. */
export function ProgramsPage({ hooks, tokens, most, isOutsideAllowed, now, refused }: ProgramsPageProps) {
  return (
    <Shell title="Programmer">
      <div className="grid max-w-[880px] gap-6">
        <Section
          id="tokens"
          title="API-nøgler"
          says="Programmet kan det, personen bag nøglen kan. Spær en nøgle, du ikke kender."
        >
          {tokens.length === 0 ? (
            <EmptyState text="Ingen har lavet en API-nøgle." />
          ) : (
            <ul className="divide-y divide-line">
              {tokens.map((token) => (
                <TokenItem key={token.id} token={token} now={now} revokeAt={urls.revokeToken(token.id)} />
              ))}
            </ul>
          )}
          {tokens.length >= most && (
            <p className="border-t border-line px-4 py-3 text-meta text-muted sm:px-6">
              De {most} senest brugte eller lavede.
            </p>
          )}
          <div className="border-t border-line px-4 py-3 sm:px-6">
            <Form
              action={urls.outsideTokens}
              submit="Gem"
              loadingText="Gemmer…"
              doneText="Det er gemt."
              beside={null}
              kind="secondary"
              refused={refused}
            >
              <input type="hidden" name="was" value={isOutsideAllowed ? '1' : '0'} />
              <CheckField
                name="outside_tokens"
                label="Investorer og rådgivere må lave API-nøgler"
                help="De nøgler, de har, virker stadig."
                defaultChecked={isOutsideAllowed}
              />
            </Form>
          </div>
        </Section>
        <Section
          id="hooks"
          title="Webhooks"
          says="Andre programmer får besked, når noget sker."
          action={
            <LinkButton href={urls.newHook} icon={Plus}>
              Ny webhook
            </LinkButton>
          }
        >
          {hooks.length === 0 ? (
            <EmptyState text="Ingen webhooks endnu" />
          ) : (
            <ul className="divide-y divide-line">
              {hooks.map((hook) => (
                <HookRow key={hook.id} hook={hook} />
              ))}
            </ul>
          )}
        </Section>
      </div>
    </Shell>
  )
}

type SectionProps = { id: string; title: string; says: string; action?: ReactNode; children: ReactNode }

function Section({ id, title, says, action, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-start justify-between gap-3 border-b border-line px-4 py-3 sm:px-6">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={id} className="text-section font-semibold">
            {title}
          </h2>
          <p className="text-muted">{says}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

function HookRow({ hook }: { hook: Hook }) {
  const { id, name, url, events, waiting } = hook
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-3 sm:px-6 md:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_11rem]">
      <div className="min-w-0">
        <a
          href={urls.hook(id)}
          className="inline-flex items-center font-medium wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {name}
        </a>
        <p className="text-meta text-muted wrap-anywhere">{hostOf(url)}</p>
      </div>
      <p className="min-w-0 text-muted">{events.map(eventName).join(', ')}</p>
      <div className="md:text-right">
        <HookState hook={hook} />
        {waiting > 0 && (
          <p className="mt-1 text-meta text-muted tabular-nums">{formatCount(waiting)} venter</p>
        )}
      </div>
    </li>
  )
}
