import { shortDate } from '../../base/time/dates.ts'
import { ROLE_NAMES, ROLES } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { CheckField } from '../../ui/form/check-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { demandedOf, GRACE_DAYS, MOST_GRACE_DAYS, type FactorDemand } from './demand.ts'

type SignInRulesPageProps = { demands: FactorDemand[]; refused?: RefusedForm }

/** Where an administrator chooses which roles must have a second factor. */
export function SignInRulesPage({ demands, refused }: SignInRulesPageProps) {
  const { timeZone } = useFrame()
  return (
    <Shell title="Login">
      <section
        aria-labelledby="demands"
        className="max-w-[640px] rounded-card border border-line bg-surface p-4 sm:p-6"
      >
        <h2 id="demands" className="mb-4 text-section font-semibold">
          Totrinslogin
        </h2>
        <Form
          action={urls.signInRules}
          submit="Gem kravet"
          loadingText="Gemmer…"
          doneText="Det er gemt."
          beside={null}
          refused={refused}
          was={demandedOf(demands.map(({ role }) => role))}
          warnsBeforeLeaving
        >
          <p className="text-muted">Hvem skal logge ind i to trin? Alle kan gøre det frivilligt.</p>
          <fieldset className="grid gap-3">
            <legend className="sr-only">Totrinslogin kræves af</legend>
            {ROLES.map((role) => {
              const demand = demands.find((each) => each.role === role)
              return (
                <CheckField
                  key={role}
                  name={role}
                  label={ROLE_NAMES[role]}
                  {...(demand && { help: `Kræves fra ${shortDate(demand.starts_at, timeZone)}` })}
                  defaultChecked={demand !== undefined}
                />
              )
            })}
          </fieldset>
          <Field
            name="days"
            label="Frist i dage"
            help={`Gælder for dem, du sætter kryds ved nu. Højst ${MOST_GRACE_DAYS}.`}
            inputMode="numeric"
            defaultValue={refused?.values.days ?? String(GRACE_DAYS)}
          />
        </Form>
      </section>
    </Shell>
  )
}
