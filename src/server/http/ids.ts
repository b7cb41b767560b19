import { notFound } from './errors.ts'

/** Reads the id in an address; throws not-found if it is no id. */
export function idIn(text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(id)) throw notFound()
  return id
}
