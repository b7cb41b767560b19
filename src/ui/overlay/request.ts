import { NOBODY_ELSE, UNATTENDED, VIEWED } from '../../base/own-headers.ts'
import { askForProof, needsProof } from './ask-for-proof.ts'
import { modals } from './modals.ts'

/** The name of the modal that leads to sign-in. */
export const SIGNED_OUT = 'signed-out'

export const OFFLINE = 'Der er ingen forbindelse til Ringbind. Prøv igen om lidt.'

/** There was no answer, or an unreadable one: the connection is broken, or a proxy answered instead. */
export class NoAnswer extends Error {}

/** Whether a call failed on its way, or was given up; anything else that is thrown is a fault of the page. */
export const isNoAnswer = (error: unknown) =>
  error instanceof NoAnswer || (error instanceof DOMException && error.name === 'AbortError')

/** Returns the result of a call, or null if no answer came. */
export async function orNull<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work
  } catch (error) {
    if (isNoAnswer(error)) return null
    throw error
  }
}

/** The JSON of an answer; throws `NoAnswer` when it breaks off or is none. */
export const readJson = <Body>(response: Response): Promise<Body> =>
  response.json().then((body) => body as Body, toNoAnswer)

/** Returns the JSON of a call, or null if it was refused or no answer came. */
export async function fetchJson<Body>(...call: Parameters<typeof send>): Promise<Body | null> {
  const response = await orNull(send(...call))
  return response?.ok ? orNull(readJson<Body>(response)) : null
}

function toNoAnswer(cause: unknown): never {
  throw isNoAnswer(cause) ? cause : new NoAnswer('No answer', { cause })
}

/** Calls our own server, with S7.1's two headers and no timeout (S7.2). Returns the answer whatever its status. */
export function send(
  method: string,
  url: string,
  body?: BodyInit | null,
  signal?: AbortSignal,
): Promise<Response> {
  return attended(fetchOurs(method, url, body ?? null, signal))
}

/** The same for text that the user has typed; `press` is the button that sends it. */
export function save(url: string, body: BodyInit, press = 'Gem'): Promise<Response> {
  return attended(fetchOurs('POST', url, body, undefined, press))
}

/** Fetches something that the page asks for by itself, which is no use of the session. */
export const sendUnattended = (url: string): Promise<Response> =>
  fetchOurs('GET', url, null, undefined, undefined, { [UNATTENDED]: '1' })

let lastAct = -Infinity

/** Returns when this page last asked the server to do something. */
export const actedAt = () => lastAct

let acts = 0

/** Changes when the page asks the server to change something, and when the server has answered. */
export const actCount = () => acts

let running = 0

/** Whether the user waits for an answer of the server. */
export const isWaiting = () => running > 0

function attended(answer: Promise<Response>): Promise<Response> {
  running++
  return answer.finally(() => running--)
}

async function fetchOurs(
  method: string,
  url: string,
  body: BodyInit | null,
  signal?: AbortSignal,
  press?: string,
  more?: Record<string, string>,
): Promise<Response> {
  const isAct = method !== 'GET'
  if (isAct) lastAct = performance.now()
  if (isAct) acts++
  const response = await fetch(url, {
    method,
    body,
    credentials: 'same-origin',
    headers: { ...ownHeaders(), ...more },
    ...(signal && { signal }),
  })
    .catch(toNoAnswer)
    .finally(() => isAct && acts++)
  const { status } = response
  // Chromium holds the connection of a no-store answer until it has been read, and not every caller reads it.
  const text = response
    .clone()
    .text()
    .catch(() => '')
  const said = status === 403 ? parsed(await text) : null
  if (isSignedOut(status, said)) tellSignedOut(press)
  // The body has what was typed, so the same request is sent again.
  if (needsProof(status, said) && (await askForProof()))
    return fetchOurs(method, url, body, signal, press, more)
  return response
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Whether a refusal means that the user must sign in again: the session has ended, or the token belongs to another one.
 */
export function isSignedOut(status: number, body: unknown): boolean {
  return status === 401 || (status === 403 && (body as { expired?: unknown } | null)?.expired === true)
}

/** Not while the user is in the tab where they sign in. */
export function tellSignedOut(press?: string): void {
  if (!document.hidden) modals.open(SIGNED_OUT, press)
}

/** Sends a request without a body. Returns the status, and a message if it was refused. */
export async function attempt(
  method: string,
  url: string,
): Promise<{ status: number; fault: string | null }> {
  const response = await orNull(send(method, url))
  if (!response) return { status: 0, fault: OFFLINE }
  const { ok, status } = response
  if (ok) return { status, fault: null }
  const body = await orNull(readJson<{ message?: string } | null>(response))
  return { status, fault: body?.message || 'Noget gik galt. Prøv igen om lidt.' }
}

/** The HTML of another page of ours; none when it is refused, or leads elsewhere. */
export async function getPage(address: string, more?: Record<string, string>): Promise<string> {
  const response = await fetch(address, { headers: { accept: 'text/html', ...more } }).catch(toNoAnswer)
  return response.ok && !response.redirected ? response.text().catch(toNoAnswer) : ''
}

/** Tells the server something that nobody waits for, also while the page is being left. */
export function tell(url: string, value: unknown): void {
  void orNull(
    fetch(url, { method: 'POST', body: jsonBody(value), headers: ownHeaders(), keepalive: true }).catch(
      toNoAnswer,
    ),
  )
}

/** A JSON body. */
export const jsonBody = (value: unknown) => new Blob([JSON.stringify(value)], { type: 'application/json' })

/** The headers of every call to our own server. */
export const ownHeaders = () => ({
  Accept: 'application/json',
  'X-Requested-With': 'XMLHttpRequest',
  'X-XSRF-TOKEN': readCookie('XSRF-TOKEN'),
  ...viewedMark(),
})

/** A page says in whose view it is, so that its requests are never handled as another person. */
const viewedMark = () => ({ [VIEWED]: document.documentElement?.dataset.viewed ?? NOBODY_ELSE })

function readCookie(name: string): string {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}
