import { CheckField } from '../../ui/form/check-field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'

type Props = { isWarned: boolean; refused: RefusedForm | undefined }

/** Lets an administrator choose to be told by mail when somebody's password is being guessed at. */
export function WarningsForm({ isWarned, refused }: Props) {
  return (
    <Form action={urls.profileWarnings} submit="Gem ønske" beside={null} refused={refused}>
      <CheckField
        name="is_warned"
        label="Send mig en mail ved mange forkerte forsøg på at logge ind som en bruger"
        help="Højst én mail om dagen for hver bruger. Forsiden viser det under alle omstændigheder."
        defaultChecked={isWarned}
      />
    </Form>
  )
}
