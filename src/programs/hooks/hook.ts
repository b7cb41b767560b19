import type { HookEvent } from './event.ts'

/** More would make every act slower. */
export const MOST_HOOKS = 20

/** A hook as its pages show it. Its secret is in none of them. */
export type Hook = {
  id: number
  name: string
  url: string
  events: HookEvent[]
  is_on: boolean
  /** Why Ringbind itself switched it off: the receiver failed for a day, or said that it wants no more. */
  stopped_because: 'failed' | 'gone' | null
  /** The start of the current failure, or null. */
  failing_since: string | null
  /** How many acts wait to be sent. */
  waiting: number
}

/** 'regnskab.example.dk': the part of an address that is shown, since the rest may be a secret. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url)

/** Why a try did not get an answer that counts. */
const FAULTS = {
  'not-allowed': 'Ringbind må ikke sende til adressens netværk.',
  'no-such-host': 'Navnet i adressen findes ikke.',
  unreachable: 'Modtageren kunne ikke nås.',
  insecure: 'Modtagerens certifikat er ikke gyldigt.',
  'too-slow': 'Modtageren svarede ikke inden for 10 sekunder.',
  garbled: 'Svaret kunne ikke læses.',
} as const

export type SendFault = keyof typeof FAULTS

/** The outcome of one try. */
export type Outcome = {
  /** Null if there was no answer. */
  status: number | null
  fault: SendFault | null
  /** The beginning of the answer. */
  answer: string
  tookMs: number
}

export const MOST_ANSWER = 500

export const isDelivered = ({ status }: Pick<Outcome, 'status'>) =>
  status !== null && status >= 200 && status < 300

/**
 * How long after each failed try the next one comes. The last comes almost a day after the first. If nothing was received
 * meanwhile, the hook is then switched off and administrators get a mail: see `switchHook` for what waits.
 */
export const WAITS_SECONDS = [
  5, 30, 120, 600, 1800, 3600, 7200, 14_400, 14_400, 14_400, 14_400, 14_400,
] as const

export type Step =
  | { kind: 'delivered' }
  /** `holdsHook`: the receiver is unwell, so the messages after this one wait too, and keep their order. */
  | { kind: 'again'; afterSeconds: number; holdsHook: boolean }
  /** `stops`: the whole hook is switched off. */
  | { kind: 'failed'; stops: 'failed' | 'gone' | null }

/** Statuses by which a receiver says that it is the moment that is wrong, not the message. */
const OF_THE_MOMENT = new Set([408, 425, 429])

/** Decides what happens after a try. `hasFailedSince`: nothing was received since this message was first tried. */
export function stepAfter(outcome: Outcome, tries: number, hasFailedSince: boolean): Step {
  if (isDelivered(outcome)) return { kind: 'delivered' }
  if (outcome.status === 410) return { kind: 'failed', stops: 'gone' }
  const afterSeconds = WAITS_SECONDS[tries - 1]
  if (afterSeconds === undefined) return { kind: 'failed', stops: hasFailedSince ? 'failed' : null }
  const { status } = outcome
  const isRefused = status !== null && status >= 400 && status < 500 && !OF_THE_MOMENT.has(status)
  return { kind: 'again', afterSeconds, holdsHook: !isRefused }
}

type DeliveryState = 'waiting' | 'delivered' | 'failed'

/** A message as the hook's page lists it. */
export type Delivery = Outcome & {
  id: number
  event: string
  items: number
  payload: string
  state: DeliveryState
  tries: number
  created_at: string
  tried_at: string | null
  /** When it is tried again, if it waits. */
  next_at: string
}

/** The receiver's answer in a few words: '200', or why it counts as none. */
export function outcomeText({ status, fault }: Pick<Outcome, 'status' | 'fault'>): string {
  if (fault !== null) return FAULTS[fault]
  if (status === null) return 'Ikke sendt endnu.'
  if (status >= 300 && status < 400)
    return `Modtageren svarede ${status} og henviste til en anden adresse. Skriv den rigtige adresse.`
  if (status === 410) return 'Modtageren svarede 410: Den vil ikke have flere beskeder.'
  return isDelivered({ status })
    ? `Modtageren svarede ${status}.`
    : `Modtageren svarede ${status}, og det tæller som en fejl.`
}
