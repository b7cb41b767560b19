import { formSchemas } from '../server/fields.ts'
import { fitsInFileName } from './folder.ts'
import { OWN_FIELDS } from './project.fields.ts'

const schemas = formSchemas(OWN_FIELDS)

/** What a project's values must be like, in its form and in a sheet. */
export const PROJECT_SCHEMAS = {
  ...schemas,
  number: schemas.number.refine(fitsInFileName, {
    error: 'Nummeret skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.',
  }),
}
