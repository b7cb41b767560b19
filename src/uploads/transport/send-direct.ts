import { jsonBody, transfer, type Answer } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import type { Sent } from './send-batch.ts'
import type { alike } from './send-large.ts'

type Options = {
  signal: AbortSignal
  onProgress: (part: number) => void
  /** All of it is there, and the server looks at it. */
  onThere: () => void
  /** So often what breaks is tried again. */
  retries: number
  silenceMs: number
  alike: typeof alike
  /** The first wait before trying again; each is twice as long as the one before. */
  waitMs?: number
}

type Signed = { signature: Record<string, string>; postEndpoint: string; hash_name: string }
type Told = { state: 'pending' | 'stored'; type: string; size: number }

/** Asking costs nothing, and sending it all again much: a server that restarts is waited for longer. */
const PATIENCE = 12
const LONGEST_WAIT_MS = 10_000

/**
 * Sends a file straight to the store, which the server signs for, and waits until the server has read it. Null: it must go
 * through the server, since this browser cannot send it there.
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
  // Systems call files all kinds of things; the server finds the type from the bytes anyway.
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

  /** To the store; null when it is there. */
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
      // A browser that may not send there does not begin. It tells no more, and may as well be without a network.
      if (answer === null && !hasBegun) return signal.aborted ? { kind: 'broken' } : 'elsewhere'
      // The answer may be lost, and all be there.
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
      const { state, type, size } = answer.body as Told
      if (state === 'stored') return { kind: 'sent', files: [{ name, size, type, hash_name: hashName }] }
      await pause(waitMs, signal)
    }
    return { kind: 'broken' }
  }

  /** Our own server; null when it stays away. */
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

/** The file comes last: what follows it is not read. Its name is not the store's business. */
function formOf(fields: Record<string, string>, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', file, 'file')
  return form
}
