import type { ErrorCode } from '../../base/error-codes.ts'

/** The values of a form's fields by their names, as JSON has them. */
export type FormValues = Readonly<Record<string, unknown>>

/** A field that two people have changed, with both values in words. */
export type ClashingField = { name: string; label: string; mine: string; theirs: string }

/** Tells a form what somebody else has changed meanwhile. `now` comes back as `seen`. */
export type Clash = { message: string; fields: ClashingField[]; now: FormValues }

/** An error answer, thrown from anywhere: a status, a Danish message, faults by field. */
export class Refusal extends Error {
  status: number
  /** Tells a program more exactly than the status what is wrong. */
  code: ErrorCode | undefined
  errors: Record<string, string[]> | undefined
  /** The page was opened too long ago, or before another person signed in. */
  isExpired = false
  /** Seconds until another try may succeed. */
  retryAfter: number | undefined
  /** Replaces the page's usual title for this status. */
  title: string | undefined
  /** Replaces the page's usual advice for this status. */
  help: string | undefined
  /** The person must prove first that it is them: `requireFreshProof`. */
  asksForProof = false
  /** Changes by somebody else since the form was opened: `submit` shows the form again with both. */
  clash: Clash | undefined
  /** More fields for a JSON answer. */
  more: Record<string, unknown> | undefined
  constructor(status: number, message: string, errors?: Record<string, string[]>) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

/** Refuses after too many tries; `retryAfter` is in seconds. */
export const tooMany = (retryAfter: number, message: string) =>
  Object.assign(new Refusal(429, message), { retryAfter })

export const notFound = (message = 'Siden findes ikke.') => new Refusal(404, message)

export const forbidden = (message = 'Det har du ikke adgang til.') => new Refusal(403, message)

export const conflict = (message: string) => new Refusal(409, message)

/** An act on all of a list is refused if the list has become longer or shorter since its page was made. */
export function checkListed(shown: number, now: number): void {
  if (shown !== now)
    throw conflict(
      `Listen er ændret: Den viste ${shown}, og nu er der ${now}. Intet er sket. Genindlæs siden.`,
    )
}

/** `invalid({ name: ['Navnet skal udfyldes.'] })`: all fields' faults at once. */
export const invalid = (errors: Record<string, string[]>) =>
  new Refusal(422, Object.values(errors)[0]?.[0] ?? 'Noget er ikke udfyldt rigtigt.', errors)
