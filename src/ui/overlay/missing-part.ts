import { urls } from '../../urls.ts'
import { modals } from './modals.ts'
import { OFFLINE, orNull, send } from './request.ts'
import { showToast } from './toasts.ts'

/** The name of the modal that says so. */
export const UPDATED = 'updated'

const missing = new WeakSet<Error>()

/** Whether this was thrown because a part of the page, such as the calendar, could not be fetched. */
export const isMissingPart = (error: unknown): error is Error => error instanceof Error && missing.has(error)

let telling: Promise<void> | null = null

/** Listens for missing parts and says why they are missing, once for parts that fail together. */
export function hearMissingPart({ payload }: { payload: Error }): void {
  missing.add(payload)
  // The error reaches its catcher after this event, and that one may know that nobody waits for the part.
  setTimeout(() => ignored.has(payload) || tell())
}

const ignored = new WeakSet<object>()

/** Keeps the page from telling about a part that nobody waits for yet. */
export function ignoreMissingPart(error: unknown): void {
  if (error instanceof Error) ignored.add(error)
}

const met = new WeakSet<Error>()

/** React remembers the failure: from the second press on nothing is fetched, so only the boundary notices. */
export function meetMissingPart(error: Error): void {
  if (met.has(error)) tell()
  met.add(error)
}

function tell(): void {
  telling ??= tellWhy().finally(() => (telling = null))
}

/** A server that answers, but no longer has the part, has been updated since the page was loaded. */
async function tellWhy(): Promise<void> {
  const answer = await orNull(send('GET', urls.health))
  if (answer?.ok) modals.open(UPDATED)
  else showToast(OFFLINE, { kind: 'fault' })
}
