import { LIFETIMES } from '../../base/lifetimes.ts'
import { signedOutText } from '../../base/signed-out.ts'
import { transfer, type Answer } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { faultsOf, type Sent } from './send-batch.ts'
import {
  Beginning,
  claimUpload,
  forgetUpload,
  isOurs,
  keepUpload,
  releaseUpload,
  sampleOf,
} from './send-large-kept.ts'
import { base64Of, sha256Of } from './sha256.ts'

type Options = {
  signal: AbortSignal
  onProgress: (part: number) => void
  chunkBytes: number
  /** How often a piece is tried again. */
  retries: number
  silenceMs: number
  /** The first wait before trying again; each further wait is twice as long. */
  waitMs?: number
}

/**
 * Sends a file in pieces, by tus. Goes on where it stopped: after a broken connection, after a restart of the server, and
 * when the same file is sent again from another page within a day.
 */
export async function sendLarge(
  file: File,
  name: string,
  options: Options,
  call: typeof transfer = transfer,
): Promise<Sent> {
  const { signal, onProgress, chunkBytes, retries, silenceMs, waitMs = 1000 } = options
  const beginning = new Beginning(file)
  /** The upload's address, null until it is known, and how much has arrived, null if the server must be asked. */
  const at: { address: string | null; offset: number | null } = { address: null, offset: null }
  let key = ''
  /** How much of the file may have arrived, and its fingerprint. */
  let known = { upTo: 0, sum: '' }
  /** Whether the browser keeps the address, and when it was last kept. */
  let isKept = false
  let saidAt = 0
  const leave = () => at.address !== null && releaseUpload(at.address)
  globalThis.addEventListener?.('pagehide', leave)

  try {
    key = [file.name, file.size, file.lastModified, await sampleOf(file)].join('/')
    known = await beginning.reach(0, signal)
    await goOn()
    for (let tries = 0, reached = -1; !signal.aborted;) {
      const answer = await next()
      const step = read(answer)
      if (step === 'done') return sent(answer!)
      if (step === 'refused') return refusal(answer!)
      if (step === 'further') {
        if (at.offset! > reached) tries = 0
        reached = Math.max(reached, at.offset!)
        continue
      }
      if (tries === retries) return { kind: 'broken' }
      tries++
      at.offset = null
      if (step === 'lost') begin(null)
      else await pause(waitMs * 2 ** (tries - 1), signal)
    }
    if (at.address !== null) void tell('DELETE')
    begin(null)
    return { kind: 'broken' }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // The file was moved or changed after it was chosen.
    return { kind: 'refused', message: 'Filen kan ikke længere læses. Vælg den igen.', faults: new Map() }
  } finally {
    globalThis.removeEventListener?.('pagehide', leave)
    leave()
  }

  /** Takes up an earlier upload if its bytes are the beginning of this very file. */
  async function goOn(): Promise<void> {
    const claimed = claimUpload(key)
    if (!claimed) return
    known = await beginning.reach(claimed.upTo, signal)
    if (known.sum !== claimed.sum) return releaseUpload(claimed.address)
    at.address = claimed.address
    keep()
  }

  function keep(): void {
    saidAt = Date.now()
    keepUpload(at.address!, { key, ...known })
    isKept = isOurs(at.address!)
  }

  async function next(): Promise<Answer | null> {
    // Another tab has taken over.
    if (at.address !== null && isKept && !isOurs(at.address)) {
      releaseUpload(at.address)
      Object.assign(at, { address: null, offset: null })
    }
    if (at.address === null)
      return tell('POST', {
        'Upload-Length': String(file.size),
        'Upload-Metadata': `filename ${base64(name)}`,
      })
    if (at.offset === null) return tell('HEAD')
    const from = at.offset
    const bytes = new Uint8Array(await file.slice(from, from + chunkBytes).arrayBuffer())
    const piece = new Blob([bytes]) // sends the summed bytes, even if the file changes
    const sum = base64Of(await sha256Of(bytes))
    known = await beginning.reach(from + piece.size, signal)
    keep()
    const headers = {
      'Upload-Offset': String(from),
      'Upload-Checksum': `sha256 ${sum}`,
      'Content-Type': 'application/offset+octet-stream',
    }
    return tell('PATCH', headers, piece, (part) => {
      if (Date.now() - saidAt > LIFETIMES.sendingSaidMs && isOurs(at.address!)) keep()
      onProgress((from + piece.size * part) / file.size)
    })
  }

  function tell(
    method: string,
    headers: Record<string, string> = {},
    body: Blob | null = null,
    onPart: (part: number) => void = () => undefined,
  ): Promise<Answer | null> {
    // An aborted upload still tells the server.
    const until = method === 'DELETE' ? new AbortController().signal : signal
    const progress = { signal: until, onProgress: onPart, silenceMs }
    return call(method, at.address ?? urls.tus, { 'Tus-Resumable': '1.0.0', ...headers }, body, progress)
  }

  /** Applies an answer, and returns how to go on. */
  function read(answer: Answer | null): 'further' | 'done' | 'again' | 'lost' | 'refused' {
    if (answer === null || isPassing(answer)) return 'again'
    if (at.address !== null && [404, 410].includes(answer.status)) return 'lost' // or another person's
    if (answer.status >= 300) return 'refused'
    if (at.address === null) {
      const address = answer.header('Location')
      if (!address?.startsWith(`${urls.tus}/`)) return 'again' // a proxy has answered
      begin(address)
      at.offset = 0
      return 'further'
    }
    const there = Number(answer.header('Upload-Offset') ?? NaN)
    if (!(there > (at.offset ?? -1) && there <= file.size)) return 'again'
    at.offset = there
    onProgress(there / file.size)
    return there === file.size ? 'done' : 'further'
  }

  function begin(address: string | null): void {
    if (at.address !== null) forgetUpload(at.address)
    at.address = address
    if (address !== null) keep()
  }

  function sent(answer: Answer): Sent {
    forgetUpload(at.address!)
    const type = answer.header('X-File-Type') ?? 'application/octet-stream'
    return {
      kind: 'sent',
      files: [{ name, size: file.size, type, hash_name: at.address!.split('/').at(-1)! }],
    }
  }
}

/** The status for a piece that changed on the way. */
const WRONG_SUM = 460

/** Returns whether trying again may help: a server may be down or busy, but one without room says so at the file. */
function isPassing({ status, body }: Answer): boolean {
  return (
    [409, 429, WRONG_SUM].includes(status) ||
    (status >= 500 && !(body as { errors?: unknown } | null)?.errors)
  )
}

function refusal({ status, body }: Answer): Sent {
  const { message, errors } = (body ?? {}) as { message?: string; errors?: Record<string, string[]> }
  const unsaid = status === 401 ? signedOutText() : 'Filen kunne ikke sendes.' // the answer to HEAD has no body
  return { kind: 'refused', message: message ?? unsaid, faults: faultsOf(errors ?? {}) }
}

const base64 = (text: string) => base64Of(new TextEncoder().encode(text))

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

/** Passed to `send-direct.ts` as a parameter: an import from here would make the browser fetch one more chunk. */
export const alike = { isPassing, refusal, pause }
