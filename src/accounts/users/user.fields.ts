import type { Fields, SentValues, ValuesOf } from '../../base/fields/field.ts'
import { ROLE_NAMES, type Role } from '../../rights.ts'

/** A person's details: a sheet may change them, and the log says which are changed. */
export const DETAIL_FIELDS = {
  name: {
    kind: 'line',
    label: 'Navn',
    called: 'Navnet',
    most: 200,
    example: 'Søren Kjærgaard',
    isListed: true,
    searchedAs: 'navn',
    sheet: {
      synonyms: ['fulde navn', 'fuldt navn', 'person', 'investor', 'investornavn', 'brugernavn', 'kunde'],
      note: 'Skal udfyldes for en ny person.',
      example: 'Eksempel: Bo Holm',
      width: 30,
    },
  },
  email: {
    kind: 'email',
    label: 'E-mail',
    help: 'Bruges til at logge ind.',
    example: 'investor@ringbind.example',
    isListed: true,
    isFact: true,
    searchedAs: 'e-mail',
    sheet: {
      synonyms: ['email', 'mail', 'e-mailadresse', 'emailadresse', 'mailadresse', 'e mail', 'e-post'],
      note: 'Skal udfyldes for en ny person. Personen kendes på e-mailen.',
      example: 'bo.holm@example.dk',
      width: 32,
    },
  },
} as const satisfies Fields

/** The fields that are columns of `users`. A new role is an act of its own, and no sheet changes it. */
export const COLUMN_FIELDS = {
  ...DETAIL_FIELDS,
  role: {
    kind: 'choice',
    label: 'Rolle',
    choices: ROLE_NAMES,
    initial: 'investor',
    fault: 'Vælg en rolle.',
    example: 'investor',
    isListed: true,
    sheet: {
      synonyms: ['type', 'brugertype'],
      note: 'Investor, Revisor, Rådgiver eller Medarbejder. Tomt er Investor.',
      example: 'Investor',
      width: 14,
      words: {
        administrator: ['admin'],
        employee: ['ansat'],
        investor: ['kommanditist', 'deltager'],
        adviser: ['advokat'],
      },
      fault: 'Rollen er Investor, Revisor, Rådgiver eller Medarbejder.',
    },
  },
} as const satisfies Fields

/** All fields of a person, in the order of forms, sheets and the export. The numbers are rows of `user_numbers`. */
export const USER_FIELDS = {
  ...COLUMN_FIELDS,
  numbers: {
    kind: 'texts',
    label: 'Numre',
    called: 'Nummeret',
    most: 50,
    mostTexts: 20,
    help: 'Står i parentes i navnene på personens egne filer, for eksempel 2001. Tryk Enter efter hvert.',
    description: 'En investors numre.',
    example: '2001',
    isListed: true,
    isFact: true,
    searchedAs: 'nummer',
    sheet: {
      heading: 'Investornr.',
      synonyms: [
        'investornummer',
        'investornumre',
        'investor nr',
        'inv nr',
        'invnr',
        'inv nummer',
        'numre',
        'nummer',
        'nr',
        'brugernr',
        'brugernummer',
        'kundenr',
        'kundenummer',
      ],
      note: 'En investor skal have mindst ét nummer. Skriv komma mellem flere.',
      example: '2001',
      width: 16,
    },
  },
} as const satisfies Fields

export type DetailValues = ValuesOf<typeof DETAIL_FIELDS>
export type ColumnValues = ValuesOf<typeof COLUMN_FIELDS>
export type UserValues = ValuesOf<typeof USER_FIELDS>

/** The values of a person's form, which always says the role. */
export type SentUser = SentValues<typeof USER_FIELDS> & { role: Role }
