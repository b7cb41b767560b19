import type { Fields, ValuesOf } from '../../base/fields/field.ts'

/** The fields of a project that its form saves together. */
export const OWN_FIELDS = {
  number: {
    kind: 'line',
    label: 'Nummer',
    called: 'Nummeret',
    most: 50,
    help: 'Nummeret i parentes i filnavnene, for eksempel 1024.',
    example: '1024',
    isListed: true,
    searchedAs: 'nummer',
    sheet: {
      heading: 'Projektnr.',
      synonyms: ['projektnummer', 'projekt nr', 'projekt', 'nummer', 'nr', 'sagsnr', 'sagsnummer', 'sag'],
      note: 'Skal udfyldes. Projektet kendes på nummeret: Findes det allerede, bliver projektet ændret.',
      example: 'Eksempel: 1024',
      width: 18,
    },
  },
  name: {
    kind: 'line',
    label: 'Navn',
    called: 'Navnet',
    most: 200,
    example: 'K/S Nordhavn Kontorhus',
    isListed: true,
    searchedAs: 'navn',
    sheet: {
      synonyms: ['projektnavn', 'projektets navn', 'selskab', 'selskabsnavn', 'selskabets navn', 'k/s'],
      note: 'Skal udfyldes for et nyt projekt.',
      example: 'K/S Nordhavn Kontorhus',
      width: 36,
    },
  },
  cvr: {
    kind: 'cvr',
    label: 'CVR-nr.',
    help: 'Otte cifre. Feltet kan stå tomt.',
    example: '38291041',
    isFact: true,
    searchedAs: 'CVR',
    sheet: {
      synonyms: ['cvr', 'cvr nr', 'cvrnummer', 'cvr nummer'],
      note: 'Otte cifre. Kan stå tomt.',
      example: '38291041',
      width: 12,
    },
  },
  status: {
    kind: 'choice',
    label: 'Status',
    choices: { active: 'Aktiv', closing: 'Under afvikling', sold: 'Solgt' },
    initial: 'active',
    fault: 'Vælg en status.',
    isListed: true,
    isFact: true,
    sheet: {
      synonyms: ['projektstatus', 'tilstand'],
      note: 'Aktiv, Under afvikling eller Solgt. Tomt er Aktiv.',
      example: 'Aktiv',
      width: 16,
      words: {
        active: ['aktivt', 'i drift', 'igangværende'],
        closing: ['afvikles', 'afvikling', 'i likvidation'],
        sold: ['afhændet'],
      },
    },
  },
} as const satisfies Fields

/** The fields that say which papers are expected. They are saved and logged with the changes of accounting years. */
export const YEAR_FIELDS = {
  year_ends: {
    kind: 'month',
    label: 'Regnskabsår slutter',
    initial: 12,
    exportedAs: 'Regnskabsåret slutter i måned',
    sheet: {
      synonyms: [
        'regnskabsår',
        'regnskabsåret slutter',
        'regnskabsåret slutter i måned', // in our own export
        'regnskabsårets afslutning',
        'regnskabsafslutning',
        'årsafslutning',
        'balancedag',
        'statusdag',
      ],
      note: 'En måned, for eksempel december. Tomt er december.',
      example: 'december',
      width: 20,
    },
  },
  held_from: {
    kind: 'day',
    label: 'Overtaget',
    sheet: {
      synonyms: ['overtaget den', 'overtagelse', 'overtagelsesdato', 'overtagelsesdag', 'købt', 'købsdato'],
      note: 'En dato som 01/07/2015. Kan stå tomt.',
      example: '01/07/2015',
      width: 13,
    },
  },
  sold_on: {
    kind: 'day',
    label: 'Solgt den',
    sheet: {
      synonyms: ['solgt', 'salgsdato', 'salgsdag', 'afhændet'],
      note: 'En dato som 30/06/2024. Kan stå tomt.',
      example: '',
      width: 13,
    },
  },
  followed_from: {
    kind: 'day',
    label: 'Følges fra',
    help: 'Det, der skulle være klar før den dag, mangler ikke og er ikke forsinket. Tomt: alt følges.',
    sheet: {
      synonyms: ['følges fra den', 'følg frister fra', 'følg fra', 'følg med fra'],
      note: 'En dato som 01/01/2026: Frister før den bliver ikke fulgt. Tomt er det, du svarer, når du flytter ind.',
      example: '',
      width: 13,
    },
  },
} as const satisfies Fields

/** All fields of a project, in the order of forms, sheets and the export. */
export const PROJECT_FIELDS = { ...OWN_FIELDS, ...YEAR_FIELDS }

export type OwnValues = ValuesOf<typeof OWN_FIELDS>
export type ProjectValues = ValuesOf<typeof PROJECT_FIELDS>
