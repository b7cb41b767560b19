import { notFound } from './errors.ts'

/** Reads the id in an address; throws not-found if it is no id. */
export function idIn(text: unknown): number {
  const id = findId(text)
  if (id === null) throw notFound()
  return id
}

/** Reads the id in an address, or returns null if it is no id. */
export function findId(text: unknown): number | null {
  const id = typeof text === 'string' && /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  return Number.isSafeInteger(id) ? id : null
}
