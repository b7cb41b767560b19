import type { CustomFetch } from 'openid-client'

/** The provider cannot be reached, or says itself that it cannot answer. */
export class Unreachable extends Error {}

/** No honest answer of a provider is longer than this. */
const MOST_BYTES = 512 * 1024

/** Fetches the whole answer of a provider, within the signal's time and up to a maximum length. */
export const boundedFetch: CustomFetch = async (url, { body, headers, method, redirect, signal }) => {
  const init = { body: body ?? null, headers, method, redirect, signal: signal ?? null } as RequestInit
  const response = await fetch(url, init).catch((cause: unknown) => {
    throw new Unreachable('The provider does not answer.', { cause })
  })
  if (response.status >= 500) {
    await response.body?.cancel()
    throw new Unreachable(`The provider answers ${response.status}.`)
  }
  const bytes = await readAtMost(response, MOST_BYTES)
  // 204 and 304 may have no body at all.
  const content = bytes.length > 0 ? bytes : null
  return new Response(content, { status: response.status, headers: plainHeaders(response) })
}

async function readAtMost(response: Response, most: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of response.body ?? []) {
      length += part.length
      if (length > most) throw new RangeError(`The provider's answer is longer than ${most} bytes.`)
      parts.push(part)
    }
  } catch (cause) {
    throw cause instanceof RangeError
      ? cause
      : new Unreachable('The provider breaks off its answer.', { cause })
  }
  return Buffer.concat(parts)
}

/** The bytes are unpacked already. */
function plainHeaders({ headers }: Response): Headers {
  const plain = new Headers(headers)
  plain.delete('content-encoding')
  plain.delete('content-length')
  return plain
}
