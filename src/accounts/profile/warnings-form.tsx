import { CheckField } from '../../ui/form/check-field.tsx'
import { Form, type RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'
import type { Warnings } from './profile.db.ts'

type Props = { warnings: Warnings; refused: RefusedForm | undefined }

/** Lets an administrator choose which warnings come by mail. */
export function WarningsForm({ warnings, refused }: Props) {
  return (
    <Form action={urls.profileWarnings} submit="Gem ønske" beside={null} refused={refused}>
      <CheckField
        name="is_told_of_troubles"
        label="Send mig en mail, når der er noget galt med Ringbind"
        help="For eksempel når en sikkerhedskopi mislykkes. Én mail om hvert problem."
        defaultChecked={warnings.ofTroubles}
      />
      <CheckField
        name="is_warned"
        label="Send mig en mail ved mange forkerte forsøg på at logge ind"
        help="Højst én om dagen for hver person. Forsiden viser det også."
        defaultChecked={warnings.ofGuessing}
      />
    </Form>
  )
}
