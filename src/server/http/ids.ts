import { notFound } from './errors.ts'

/** The id in an address; what is no id is not there. */
export function idIn(text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d*$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(id)) throw notFound()
  return id
}
