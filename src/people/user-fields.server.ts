import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { fitsInFileName } from '../projects/folder.ts'
import { editSchemas, formSchemas } from '../server/fields.ts'
import { line, list } from '../server/http/validate.ts'

const { called, most, mostTexts } = USER_FIELDS.numbers
const schemas = formSchemas(USER_FIELDS)

/** Schema of one of a person's numbers. */
export const NUMBER_SCHEMA = line(called, most)
  .refine(fitsInFileName, {
    error: 'Nummeret skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.',
  })
  .refine((number) => !/[,;]/.test(number), { error: 'Skriv ét nummer ad gangen, uden komma.' })

/** Schemas of a person's fields, for their form and for sheets. The form always says the role. */
export const USER_SCHEMAS = {
  ...editSchemas(USER_FIELDS, schemas),
  role: schemas.role,
  numbers: list(NUMBER_SCHEMA, mostTexts),
}
