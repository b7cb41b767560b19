/**
 * The code of every error answer: a word that a program may rely on, with its status and what it means. Codes are added,
 * never renamed. The first code of a status is the usual one.
 */
export const ERROR_CODES = {
  malformed: {
    status: 400,
    says: 'Forespørgslen kan ikke forstås: JSON’en er ikke gyldig, eller noget mangler.',
  },
  signed_out: { status: 401, says: 'Der er ingen API-nøgle med i forespørgslen.' },
  unknown_token: {
    status: 401,
    says: 'API-nøglen findes ikke. Måske er den skrevet forkert.',
  },
  token_revoked: { status: 401, says: 'API-nøglen er spærret, eller personen bag den er deaktiveret.' },
  token_expired: { status: 401, says: 'API-nøglen er udløbet. Lav en ny.' },
  factor_due: { status: 401, says: 'Kontoret kræver totrinslogin af personen bag nøglen.' },
  forbidden: { status: 403, says: 'Personen bag nøglen har ikke ret til det.' },
  wrong_scope: {
    status: 403,
    says: 'Nøglen må ikke det: den mangler et af områderne Læse, Uploade og Ændre.',
  },
  not_for_programs: { status: 403, says: 'Adressen er til browsere og kan ikke bruges med en API-nøgle.' },
  not_found: { status: 404, says: 'Det findes ikke, eller personen bag nøglen kan ikke se det.' },
  timed_out: { status: 408, says: 'Forespørgslen kom ikke frem i tide. Prøv igen.' },
  conflict: { status: 409, says: 'Noget er ændret i mellemtiden. Læs det igen, og prøv igen.' },
  already_saved: { status: 409, says: 'Den samme upload er allerede gemt med andre filer.' },
  contradictions: {
    status: 409,
    says: 'En fil siger noget andet end sit navn eller sin plads. Intet er gemt; svaret siger hvad i contradictions.',
  },
  gone: { status: 410, says: 'Det er brugt, udløbet eller erstattet.' },
  wrong_version: { status: 412, says: 'Forudsætningen i forespørgslens headers er ikke opfyldt.' },
  too_large: { status: 413, says: 'Det, der blev sendt, er for stort.' },
  unsupported_type: { status: 415, says: 'Indholdstypen kendes ikke, eller indholdet er komprimeret.' },
  invalid: {
    status: 422,
    says: 'Et eller flere felter er forkerte. Feltet errors siger hvad ved hvert felt.',
  },
  idempotency_key_reused: {
    status: 422,
    says: 'Idempotency-Key er brugt før til andre filer. Brug en ny nøgle til noget nyt.',
  },
  too_many: {
    status: 429,
    says: 'Der kom for mange forespørgsler. Vent så mange sekunder, som Retry-After siger.',
  },
  headers_too_large: { status: 431, says: 'Forespørgslens headers er for store.' },
  different_bytes: { status: 460, says: 'Filen kom ikke frem, som den blev sendt. Send den igen.' },
  failed: { status: 500, says: 'Noget gik galt hos Ringbind. Prøv igen om lidt.' },
  unavailable: { status: 503, says: 'Ringbind er midlertidigt ude af drift. Prøv igen om lidt.' },
  full: { status: 507, says: 'Der er ikke mere plads på serveren.' },
} as const satisfies Record<string, { status: number; says: string }>

export type ErrorCode = keyof typeof ERROR_CODES

const CODES = Object.entries(ERROR_CODES) as [ErrorCode, { status: number }][]

/** Returns the usual code of a status: 404 becomes 'not_found'. */
export function codeOfStatus(status: number): ErrorCode {
  const found = CODES.find(([, each]) => each.status === status)
  return found?.[0] ?? (status >= 500 ? 'failed' : 'malformed')
}
