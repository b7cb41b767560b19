import { jsonBody } from '../../ui/overlay/request.ts'
import { transfer, type Answer } from '../../ui/overlay/transfer.ts'
import { urls } from '../../urls.ts'
import type { Sent } from './send-batch.ts'
import type { alike } from './send-large.ts'

type Options = {
  signal: AbortSignal
  onProgress: (part: number) => void
  /** Called when all bytes have arrived and the server checks them. */
  onThere: () => void
  /** How often a broken call is tried again. */
  retries: number
  silenceMs: number
  alike: typeof alike
  /** The first wait before trying again; each further wait is twice as long. */
  waitMs?: number
}

type Signed = { signature: Record<string, string>; postEndpoint: string; hash_name: string }
type DirectState = { state: 'pending' | 'stored'; type: string; size: number }

/** How often a question is asked again: long enough for a restart, because asking is cheaper than sending again. */
const PATIENCE = 12
const LONGEST_WAIT_MS = 10_000

/**
 * Sends a file straight to the store with the server's signature, and waits until the server has read it. Returns null if
 * the file must go through the server: the server does not sign for it, or this browser cannot send it to the store.
 */
export async function sendDirect(
  file: File,
  name: string,
  {
    signal,
    onProgress,
    onThere,
    retries,
    silenceMs,
    waitMs = 1000,
    alike: { isPassing, pause, refusal },
  }: Options,
  call: typeof transfer = transfer,
): Promise<Sent | null> {
  // Operating systems report all kinds of types; the server finds the type from the bytes anyway.
  const contentType = /^[\w.+-]{1,99}\/[\w.+-]{1,99}$/.test(file.type) ? file.type : ''
  const asked = { filePath: name, contentType, size: file.size }
  const given = await ask('POST', urls.signUpload, retries, jsonBody(asked))
  if (given === null) return { kind: 'broken' }
  if (given.status === 404) return null
  if (given.status >= 300) return refusal(given)
  const { signature, postEndpoint, hash_name: hashName } = given.body as Signed
  const address = urls.directFile(hashName)
  const outcome = (await deliver()) ?? (await waitForIt())
  if (outcome === 'elsewhere' || outcome.kind === 'broken') giveUp()
  return outcome === 'elsewhere' ? null : outcome

  /** Sends the file to the store; null if it has arrived. */
  async function deliver(): Promise<Sent | 'elsewhere' | null> {
    for (let tries = 0; !signal.aborted; tries++) {
      let hasBegun = false
      const answer = await call('POST', postEndpoint, {}, formOf(signature, file), {
        signal,
        silenceMs,
        onProgress: (part) => {
          hasBegun ||= part > 0
          onProgress(part)
        },
      })
      // A browser that may not send there does not begin, and gives no reason: it may also be offline.
      if (answer === null && !hasBegun) return signal.aborted ? { kind: 'broken' } : 'elsewhere'
      // The file may have arrived even if the answer is lost.
      const taken = await ask('POST', address, retries)
      if (taken === null) return { kind: 'broken' }
      if (taken.status < 300) return null
      if (taken.status !== 409) return refusal(taken)
      const mayPass = answer === null || answer.status >= 500
      if (!mayPass || tries === retries) return 'elsewhere'
      await pause(waitMs * 2 ** tries, signal)
    }
    return { kind: 'broken' }
  }

  async function waitForIt(): Promise<Sent> {
    onThere()
    while (!signal.aborted) {
      const answer = await ask('GET', address, PATIENCE)
      if (answer === null) return { kind: 'broken' }
      if (answer.status === 404) return refusal({ ...answer, body: { message: LOST } })
      if (answer.status >= 300) return refusal(answer)
      const { state, type, size } = answer.body as DirectState
      if (state === 'stored') return { kind: 'sent', files: [{ name, size, type, hash_name: hashName }] }
      await pause(waitMs, signal)
    }
    return { kind: 'broken' }
  }

  /** Calls our own server; null if it does not answer. */
  async function ask(
    method: string,
    url: string,
    most: number,
    body: Blob | null = null,
  ): Promise<Answer | null> {
    for (let tries = 0; ; tries++) {
      const answer = await call(method, url, {}, body, { signal, silenceMs, onProgress: () => undefined })
      if (answer !== null && (answer.status === 409 || !isPassing(answer))) return answer
      if (tries === most || signal.aborted) return null
      await pause(Math.min(waitMs * 2 ** tries, LONGEST_WAIT_MS), signal)
    }
  }

  function giveUp(): void {
    const progress = { signal: new AbortController().signal, silenceMs, onProgress: () => undefined }
    void call('DELETE', urls.temporaryFile(hashName), {}, null, progress)
  }
}

const LOST = 'Filen kom ikke rigtigt frem. Prøv igen.'

/** Puts the file last, because the store ignores later fields. The store need not know the file's name. */
function formOf(fields: Record<string, string>, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file, 'file')
  return form
}
