import { Monitor, Moon, Sun } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { urls } from '../../urls.ts'
import { useFrame, type Theme } from '../basic/frame.ts'
import { orNull, send } from '../overlay/request.ts'

const CHOICES = [
  { theme: 'light', text: 'Lyst', icon: Sun },
  { theme: 'dark', text: 'Mørkt', icon: Moon },
  { theme: 'auto', text: 'Automatisk', icon: Monitor },
] as const

/** Chooses light, dark or the computer's setting; a plain form without JavaScript. */
export function ThemeChoice() {
  const { theme, token, url } = useFrame()
  const [chosen, setChosen] = useState<Theme>(theme)

  function choose(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    const data = new FormData(event.currentTarget, submitter)
    const next = data.get('theme') as Theme
    setChosen(next)
    document.documentElement.dataset.theme = next
    void orNull(send('POST', urls.theme, data)) // the page already looks right; only the choice is not remembered
  }

  return (
    <form method="post" action={urls.theme} onSubmit={choose}>
      <input type="hidden" name="_token" value={token} />
      <input type="hidden" name="next" value={url} />
      <fieldset className="flex rounded-control border border-line p-0.5">
        <legend className="sr-only">Udseende</legend>
        {CHOICES.map(({ theme: each, text, icon: Icon }) => (
          <button
            key={each}
            type="submit"
            name="theme"
            value={each}
            title={text}
            aria-label={text}
            aria-pressed={each === chosen}
            className="grid h-8 min-w-10 flex-1 cursor-pointer place-items-center rounded-control text-muted hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent pointer-coarse:h-11 pointer-coarse:min-w-12"
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        ))}
      </fieldset>
    </form>
  )
}
