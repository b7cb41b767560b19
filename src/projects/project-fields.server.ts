import { formSchemas } from '../server/fields.ts'
import { fitsInFileName } from './folder.ts'
import { OWN_FIELDS } from './project/project.fields.ts'

const schemas = formSchemas(OWN_FIELDS)

/** Schemas of a project's own fields, for its form and for sheets. */
export const PROJECT_SCHEMAS = {
  ...schemas,
  number: schemas.number.refine(fitsInFileName, {
    error: 'Nummeret skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.',
  }),
}
