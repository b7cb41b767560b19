import { EmptyState } from '../../ui/basic/empty-state.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { TokenItem } from './token-item.tsx'
import type { OfficeToken } from './token.ts'

type OfficeTokensPageProps = {
  tokens: OfficeToken[]
  /** At most this many are listed. */
  most: number
  /** When the page was made. */
  now: string
}

/** Shows administrators everybody's API keys, and lets them revoke one. */
export function OfficeTokensPage({ tokens, most, now }: OfficeTokensPageProps) {
  return (
    <Shell title="API-nøgler" crumbs={[{ text: 'Kontoret', href: urls.office }]}>
      <div className="grid max-w-[880px] gap-6">
        <p className="-mt-2 text-muted">
          Med en API-nøgle kan et program bruge Ringbind på en brugers vegne, men aldrig mere, end brugeren
          selv kan. Alle laver deres egne nøgler på Min profil. Spær en nøgle, hvis du ikke ved, hvad den
          bruges til: Programmet kommer ikke ind med den igen.
        </p>
        <section aria-labelledby="tokens" className="rounded-card border border-line bg-surface">
          <h2 id="tokens" className="border-b border-line px-4 py-3 text-section font-semibold sm:px-6">
            Alles API-nøgler
          </h2>
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
              Her er de {most}, der senest er brugt eller lavet.
            </p>
          )}
        </section>
      </div>
    </Shell>
  )
}
