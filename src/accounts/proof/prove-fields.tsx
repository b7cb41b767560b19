import { eitherOf } from '../../base/danish/listed.ts'
import { PROOF_PREFIX } from '../../base/prove.ts'
import { useFrame, type FrameUser } from '../../ui/basic/frame.ts'
import { Field } from '../../ui/form/field.tsx'

/** The fields of a proof, in the dialog and on the page: see `ways.routes.ts`. */
export function ProveFields() {
  const { user } = useFrame()
  if (user?.provesWith === 'factor')
    return (
      <Field
        name={`${PROOF_PREFIX}code`}
        label="Kode"
        help="Fra din app, eller en af dine nødkoder."
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
    )
  return (
    <>
      {/* Tells the browser's password manager whose password it is. */}
      <input
        type="text"
        name={`${PROOF_PREFIX}username`}
        value={user?.email}
        autoComplete="username"
        readOnly
        hidden
      />
      <Field
        name={`${PROOF_PREFIX}password`}
        label="Din adgangskode"
        type="password"
        autoComplete="current-password"
      />
    </>
  )
}

/** Says what is asked for, and why. */
export function ProveText() {
  const { user } = useFrame()
  return (
    <p>Det er et stykke tid siden, du loggede ind. {user && whatToDo(user.provesWith)} for at fortsætte.</p>
  )
}

function whatToDo(provesWith: FrameUser['provesWith']): string {
  if (provesWith === 'factor') return 'Bekræft med dit totrinslogin'
  if (provesWith === 'password') return 'Skriv din adgangskode'
  return `Bekræft med ${eitherOf(provesWith.map(({ name }) => name))}`
}
