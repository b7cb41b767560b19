import type { Way } from '../load/caller.ts'
import type { Answer } from '../neighbours/nginx.ts'

/** A longer wait seems endless to a person. */
export const MOST_WAIT_MS = 60_000

/** Counts the calls to Ringbind, and checks the messages of those that fail. */
export class Meter {
  calls = 0
  failed = 0
  longestMs = 0
  /** Answers that help nobody, such as a stack trace or a wait without an end. */
  complaints: string[] = []
  /** How calls failed, with how often. */
  reasons = new Map<string, number>()

  begin(): void {
    this.calls = 0
    this.failed = 0
    this.longestMs = 0
    this.complaints = []
    this.reasons = new Map()
  }

  around(way: Way): Way {
    return async (method, path, sending) => {
      const began = performance.now()
      const what = `${method} ${path.replaceAll(/[0-9a-f]{12,}|\d+/g, '…')}`
      try {
        const answer = await way(method, path, sending)
        const complaint = method === 'HEAD' ? null : judgeAnswer(answer) // HEAD has no words
        this.#hear(what, began, answer.status >= 500 ? String(answer.status) : null, complaint)
        return answer
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        this.#hear(
          what,
          began,
          code ?? message,
          message.includes('hangs') ? 'no answer within a minute' : null,
        )
        throw error
      }
    }
  }

  #hear(what: string, began: number, failure: string | null, complaint: string | null): void {
    const ms = performance.now() - began
    this.calls++
    this.longestMs = Math.max(this.longestMs, ms)
    if (failure !== null) {
      this.failed++
      this.reasons.set(failure, (this.reasons.get(failure) ?? 0) + 1)
    }
    const late = ms > MOST_WAIT_MS ? `answered after ${Math.round(ms / 1000)} s` : null
    const wrong = complaint ?? late
    if (wrong && this.complaints.length < 20) this.complaints.push(`${what}: ${wrong}`)
    if (wrong) this.complaints = [...new Set(this.complaints)]
  }
}

const DANISH = /\b(ikke|prøv|igen|lige nu|plads|gik galt)\b/i
const INSIDE = /\bat .+:\d+:\d+|node_modules|ECONN|EROFS|ENOSPC|Error:|select .* from/

/** Returns the fault of an answer to a person while something is broken, or null. */
export function judgeAnswer({
  status,
  headers,
  body,
}: Pick<Answer, 'status' | 'headers' | 'body'>): string | null {
  if (status < 500) return null
  const text = body.toString()
  const begin = text
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .trim()
    .slice(0, 120)
  // A 500 tells a person to call for help where waiting would do.
  if (status === 500) return `500 ${begin}`
  if (INSIDE.test(text)) return `${status} shows its inside: ${begin}`
  const isHtml = String(headers['content-type'] ?? '').includes('html')
  if (isHtml && !text.includes('lang="da"')) return `${status} is no Danish page: ${begin}`
  return DANISH.test(text) ? null : `${status} says nothing in Danish: ${begin}`
}
