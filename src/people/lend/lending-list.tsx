import { scopeText, untilText } from '../../access/lent.ts'
import { hasOwnFiles } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { urls } from '../../urls.ts'
import type { UserDetails } from '../user/user-details.ts'
import type { Lending } from './lending.ts'

type Props = { user: UserDetails; lendings: Lending[]; mayEdit: boolean }

/** On a person's page: who else sees an investor's papers, or on whose behalf an adviser looks. */
export function LendingList({ user, lendings, mayEdit }: Props) {
  const { timeZone } = useFrame()
  const isLender = hasOwnFiles(user.role)
  return (
    <section aria-labelledby="lendings" className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
        <h2 id="lendings" className="text-section font-semibold">
          {isLender ? 'Adgang for andre' : 'Ser på vegne af'}
        </h2>
        {!isLender && (
          <a
            href={urls.seenBy(user.id)}
            className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            Alt, hvad {user.name} kan se
          </a>
        )}
        {isLender && mayEdit && (
          <a
            href={urls.lendings(user.id)}
            className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            {lendings.length > 0 ? 'Ret eller giv adgang' : 'Giv adgang'}
          </a>
        )}
      </div>
      {lendings.length === 0 ? (
        <p className="px-4 py-3 text-muted">
          {isLender ? 'Ingen rådgivere har adgang.' : 'Ingen giver rådgiveren adgang lige nu.'}
        </p>
      ) : (
        <ul>
          {lendings.map((lending) => {
            const other = isLender ? lending.adviser : lending.lender
            return (
              <li key={lending.id} className="border-b border-line px-4 py-2 last:border-0">
                <a
                  href={urls.user(other.id)}
                  className="inline-flex items-center wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11"
                >
                  {other.name}
                </a>
                <span className="block text-meta text-muted">
                  {scopeText(lending)} · {untilText(lending.until, timeZone)}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
