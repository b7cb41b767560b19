import { fitsInFileName } from '../projects/folder.ts'
import { email, line } from '../server/http/validate.ts'

/** The rules for a person's texts, in their form and in a sheet. */
export const USER_FIELDS = {
  name: line('Navnet'),
  email,
  number: line('Nummeret', 50)
    .refine(fitsInFileName, {
      error: 'Nummeret skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.',
    })
    .refine((number) => !/[,;]/.test(number), { error: 'Skriv ét nummer ad gangen, uden komma.' }),
}
