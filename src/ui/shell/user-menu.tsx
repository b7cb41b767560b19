import { LogOut, UserRound } from 'lucide-react'
import { initialsOf } from '../../base/text.ts'
import { urls } from '../../urls.ts'
import { useFrame } from '../basic/frame.ts'
import { ThemeChoice } from './theme-choice.tsx'
import { useOwnUser } from './use-own-user.ts'

const ID = 'user-menu'
const ENTRY =
  'flex min-h-9 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-left hover:bg-hover pointer-coarse:min-h-11'

/** The signed-in person, profile, theme and sign-out. A browser popover, so that it works without JavaScript. */
export function UserMenu() {
  const { token } = useFrame()
  const user = useOwnUser()
  if (!user) return null
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        className="grid size-9 cursor-pointer place-items-center rounded-full bg-accent-soft font-medium text-accent hover:bg-hover pointer-coarse:size-11"
      >
        {user.image ? (
          <img src={user.image} alt="" className="size-full rounded-full object-cover hover:opacity-90" />
        ) : (
          <span aria-hidden="true">{initialsOf(user.name)}</span>
        )}
        <span className="sr-only">Brugermenu for {user.name}</span>
      </button>
      <section
        id={ID}
        popover="auto"
        aria-label="Brugermenu"
        className="below-its-button w-64 rounded-card border border-line bg-surface p-2 text-ink shadow-lg"
      >
        <div className="px-3 py-2">
          <p className="font-medium wrap-anywhere">{user.name}</p>
          <p className="text-meta text-muted wrap-anywhere">{user.email}</p>
          <p className="text-meta text-muted">{user.roleName}</p>
        </div>
        <div className="px-3 py-2">
          <ThemeChoice />
        </div>
        <a href={urls.profile} className={ENTRY}>
          <UserRound size={20} strokeWidth={1.75} aria-hidden="true" />
          Min profil
        </a>
        <form method="post" action={urls.logout}>
          <input type="hidden" name="_token" value={token} />
          <button type="submit" className={ENTRY}>
            <LogOut size={20} strokeWidth={1.75} aria-hidden="true" />
            Log ud
          </button>
        </form>
      </section>
    </>
  )
}
