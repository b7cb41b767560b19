import { Field } from '../ui/field.tsx'

/** For choosing a password, not for giving one. */
export function PasswordField({ label }: { label: string }) {
  return (
    <Field
      name="password"
      label={label}
      type="password"
      autoComplete="new-password"
      help="Mindst 10 tegn. Nogle få tilfældige ord er både lette at huske og svære at gætte."
    />
  )
}
