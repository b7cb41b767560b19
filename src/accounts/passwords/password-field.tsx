import { Eye, EyeOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Field } from '../../ui/form/field.tsx'

/**
 * A field for choosing a password, not for entering the current one. The text can be shown, so that a typo locks
 * nobody out.
 */
export function PasswordField({ label }: { label: string }) {
  const [isShown, setShown] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  // Browsers remember what was sent in a readable field.
  useEffect(() => {
    const form = input.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])

  const Icon = isShown ? EyeOff : Eye
  return (
    <Field
      ref={input}
      name="password"
      label={label}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      help="Mindst 10 tegn, for eksempel nogle få tilfældige ord."
      beside={
        <button
          type="button"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
          className="inline-flex min-h-9 shrink-0 cursor-pointer items-center gap-2 rounded-control border border-line-strong bg-surface px-3 font-medium hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent noscript:hidden pointer-coarse:min-h-11"
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>
            Vis<span className="sr-only"> adgangskode</span>
          </span>
        </button>
      }
    />
  )
}
