import { PROOF_PREFIX } from '../../../base/prove.ts'
import { textsOf } from './form-texts.ts'

// As much as the largest form that a person fills in.
const MOST_FIELDS = 1200
const MOST_LETTERS = 150_000

/**
 * Returns the fields of a sent form, for a page that asks a question first and then sends them on; null if they are too
 * many. Secrets are left out, and so is the anti-forgery token, which the page has anyway.
 */
export function carriedFields(body: unknown): Record<string, string> | null {
  const texts = textsOf(body ?? {}).filter(([name]) => !isKeptBack(name))
  const letters = texts.reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  return texts.length > MOST_FIELDS || letters > MOST_LETTERS ? null : Object.fromEntries(texts)
}

const isKeptBack = (name: string) =>
  name === '_token' || name.startsWith(PROOF_PREFIX) || /password|code|secret/.test(name)
