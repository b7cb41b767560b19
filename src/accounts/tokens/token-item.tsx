import { listed } from '../../base/danish/listed.ts'
import { KeyRound } from 'lucide-react'
import { Chip } from '../../ui/basic/chip.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { Form } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import { endOf, SCOPE_NAMES, stateOf, type OfficeToken, type Token } from './token.ts'

type Props = {
  token: Token & Partial<Pick<OfficeToken, 'user'>>
  /** When the page was made. */
  now: string
  /** Where a press revokes it. */
  revokeAt: string
}

/** One API key in a list: what it is for, when it was used, when it ends, and the button that revokes it. */
export function TokenItem({ token, now, revokeAt }: Props) {
  const state = stateOf(token, new Date(now))
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-4 py-4 sm:px-6">
      <KeyRound
        size={20}
        strokeWidth={1.75}
        aria-hidden="true"
        className="mt-0.5 shrink-0 text-muted max-sm:hidden"
      />
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={`font-medium wrap-anywhere ${state === 'active' ? '' : 'text-muted'}`}>
            {token.name}
          </span>
          <StateChip token={token} now={now} />
        </p>
        {token.user && (
          <p>
            <a
              href={urls.user(token.user.id)}
              className="inline-flex items-center wrap-anywhere underline decoration-line-strong underline-offset-2 hover:text-accent pointer-coarse:min-h-11"
            >
              {token.user.name}
            </a>
          </p>
        )}
        <p className="text-meta text-muted">
          Kan {scopesText(token)} · begynder med <span className="font-mono">{token.prefix}</span>
        </p>
        <p className="text-meta text-muted tabular-nums">
          <span className="mr-3 inline-block">
            Lavet <ShortDate at={token.created_at} />
            {token.device !== '' && ` (${token.device})`}
          </span>
          <span className="mr-3 inline-block">
            {token.used_at === null ? (
              'Ikke brugt endnu'
            ) : (
              <>
                Sidst brugt <ShortDate at={token.used_at} withTime />
              </>
            )}
          </span>
          <Ending token={token} now={now} />
        </p>
      </div>
      {state === 'active' && (
        <Form
          action={revokeAt}
          submit="Spær"
          loadingText="Spærrer…"
          kind="secondary"
          doneText={`API-nøglen ${token.name} er spærret.`}
          beside={null}
        />
      )}
    </li>
  )
}

const scopesText = ({ scopes }: Token) => listed(scopes.map((scope) => SCOPE_NAMES[scope].toLowerCase()))

function StateChip({ token, now }: Pick<Props, 'token' | 'now'>) {
  const state = stateOf(token, new Date(now))
  if (state === 'revoked') return <Chip text="Spærret" />
  if (state === 'expired') return <Chip text="Udløbet" />
  const { text, isSoon } = endOf(token, new Date(now))
  return isSoon ? <Chip tone="warn" text={text} /> : null
}

function Ending({ token, now }: Pick<Props, 'token' | 'now'>) {
  const state = stateOf(token, new Date(now))
  const [text, at] =
    state === 'revoked'
      ? ['Spærret', token.revoked_at ?? token.expires_at]
      : [state === 'expired' ? 'Udløb' : 'Udløber', token.expires_at]
  return (
    <span className="inline-block">
      {text} <ShortDate at={at} />
    </span>
  )
}
