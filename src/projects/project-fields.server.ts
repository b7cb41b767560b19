import { line, optionalCvr } from '../server/http/validate.ts'
import { fitsInFileName } from './folder.ts'

/** What a project's texts must be like, in its form and in a sheet. */
export const PROJECT_FIELDS = {
  number: line('Nummeret', 50).refine(fitsInFileName, {
    error: 'Nummeret skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.',
  }),
  name: line('Navnet'),
  cvr: optionalCvr,
}
