import { LIFETIMES } from '../../base/upload-lifetimes.ts'
import { signedOutText } from '../../base/signed-out.ts'
import { transfer, type Answer } from '../../ui/overlay/transfer.ts'
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
} from './unfinished-uploads.ts'
import { PieceSize } from './piece-size.ts'
import { base64Of, sha256Of } from './sha256.ts'

type Options = {
  signal: AbortSignal
  onProgress: (part: number) => void
  chunkBytes: number
  /** Pieces grow to this size on a quick connection. */
  mostChunkBytes?: number
  /** How often a piece is tried again. */
  retries: number
  silenceMs: number
  /** The first wait before trying again; each further wait is twice as long. */
  waitMs?: number
  now?: () => number
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
  const { signal, retries, waitMs = 1000 } = options
  const upload = new LargeUpload(file, name, options, call)
  const leave = () => upload.release()
  globalThis.addEventListener?.('pagehide', leave)

  try {
    await upload.goOn()
    for (let tries = 0, reached = -1; !signal.aborted;) {
      const answer = await upload.next()
      const step = upload.read(answer)
      if (step === 'done') return upload.sent(answer!)
      if (step === 'refused') return refusal(answer!)
      if (step === 'further') {
        if (upload.offset! > reached) tries = 0
        reached = Math.max(reached, upload.offset!)
        continue
      }
      if (tries === retries) return { kind: 'broken' }
      tries++
      upload.offset = null
      if (step === 'lost') upload.begin(null)
      else await pause(waitMs * 2 ** (tries - 1), signal)
    }
    upload.cancel()
    return { kind: 'broken' }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // The file was moved or changed after it was chosen.
    return { kind: 'refused', message: 'Filen kan ikke længere læses. Vælg den igen.', faults: new Map() }
  } finally {
    globalThis.removeEventListener?.('pagehide', leave)
    leave()
  }
}

type Step = 'further' | 'done' | 'again' | 'lost' | 'refused'

/** A file's upload by tus: its calls, what their answers mean, and what the browser keeps of it. */
class LargeUpload {
  /** How much has arrived, null if the server must be asked. */
  offset: number | null = null
  /** Null until it is known. */
  #address: string | null = null
  #key = ''
  /** How much of the file may have arrived, and its fingerprint. */
  #known = { upTo: 0, sum: '' }
  /** Whether the browser keeps the address, and when it was last kept. */
  #isKept = false
  #saidAt = 0
  readonly #pieceSize: PieceSize
  readonly #now: () => number
  readonly #beginning: Beginning
  readonly #file: File
  readonly #name: string
  readonly #options: Options
  readonly #call: typeof transfer

  constructor(file: File, name: string, options: Options, call: typeof transfer) {
    const { chunkBytes, mostChunkBytes = chunkBytes, now = () => performance.now() } = options
    this.#pieceSize = new PieceSize(chunkBytes, mostChunkBytes)
    this.#now = now
    this.#beginning = new Beginning(file)
    this.#file = file
    this.#name = name
    this.#options = options
    this.#call = call
  }

  /** Takes up an earlier upload if its bytes are the beginning of this very file. */
  async goOn(): Promise<void> {
    const { name, size, lastModified } = this.#file
    const { signal } = this.#options
    this.#key = [name, size, lastModified, await sampleOf(this.#file)].join('/')
    this.#known = await this.#beginning.reach(0, signal)
    const claimed = claimUpload(this.#key)
    if (!claimed) return
    this.#known = await this.#beginning.reach(claimed.upTo, signal)
    if (this.#known.sum !== claimed.sum) return releaseUpload(claimed.address)
    this.#address = claimed.address
    this.#keep()
  }

  async next(): Promise<Answer | null> {
    const { signal, onProgress } = this.#options
    const file = this.#file
    // Another tab has taken over.
    if (this.#address !== null && this.#isKept && !isOurs(this.#address)) {
      releaseUpload(this.#address)
      this.#address = null
      this.offset = null
    }
    if (this.#address === null)
      return this.#tell('POST', {
        'Upload-Length': String(file.size),
        'Upload-Metadata': `filename ${base64(this.#name)}`,
      })
    if (this.offset === null) return this.#tell('HEAD')
    const from = this.offset
    const began = this.#now()
    const bytes = new Uint8Array(await file.slice(from, from + this.#pieceSize.bytes).arrayBuffer())
    const piece = new Blob([bytes]) // sends the summed bytes, even if the file changes
    const sum = base64Of(await sha256Of(bytes))
    this.#known = await this.#beginning.reach(from + piece.size, signal)
    this.#keep()
    const headers = {
      'Upload-Offset': String(from),
      'Upload-Checksum': `sha256 ${sum}`,
      'Content-Type': 'application/offset+octet-stream',
    }
    const answer = await this.#tell('PATCH', headers, piece, (part) => {
      if (Date.now() - this.#saidAt > LIFETIMES.sendingSaidMs && isOurs(this.#address!)) this.#keep()
      onProgress((from + piece.size * part) / file.size)
    })
    if (answer?.status === 204) this.#pieceSize.took(this.#now() - began)
    return answer
  }

  /** Applies an answer, and returns how to go on. */
  read(answer: Answer | null): Step {
    if (answer === null || isPassing(answer)) {
      this.#pieceSize.startOver()
      return 'again'
    }
    if (answer.status === 413 && this.offset !== null && this.#pieceSize.stopGrowing()) return 'again'
    if (this.#address !== null && [404, 410].includes(answer.status)) return 'lost' // or another person's
    if (answer.status >= 300) return 'refused'
    return this.#address === null ? this.#takeAddress(answer) : this.#takeOffset(answer)
  }

  #takeAddress(answer: Answer): Step {
    const address = answer.header('Location')
    if (!address?.startsWith(`${urls.tus}/`)) return 'again' // a proxy has answered
    this.begin(address)
    this.offset = 0
    return 'further'
  }

  #takeOffset(answer: Answer): Step {
    const { size } = this.#file
    const there = Number(answer.header('Upload-Offset') ?? NaN)
    if (!(there > (this.offset ?? -1) && there <= size)) return 'again'
    this.offset = there
    this.#options.onProgress(there / size)
    return there === size ? 'done' : 'further'
  }

  begin(address: string | null): void {
    if (this.#address !== null) forgetUpload(this.#address)
    this.#address = address
    if (address !== null) this.#keep()
  }

  sent(answer: Answer): Sent {
    const address = this.#address!
    forgetUpload(address)
    const type = answer.header('X-File-Type') ?? 'application/octet-stream'
    return {
      kind: 'sent',
      files: [{ name: this.#name, size: this.#file.size, type, hash_name: address.split('/').at(-1)! }],
    }
  }

  cancel(): void {
    if (this.#address !== null) void this.#tell('DELETE')
    this.begin(null)
  }

  /** Lets any page go on with it. */
  release(): void {
    if (this.#address !== null) releaseUpload(this.#address)
  }

  #keep(): void {
    this.#saidAt = Date.now()
    keepUpload(this.#address!, { key: this.#key, ...this.#known })
    this.#isKept = isOurs(this.#address!)
  }

  #tell(
    method: string,
    headers: Record<string, string> = {},
    body: Blob | null = null,
    onPart: (part: number) => void = () => undefined,
  ): Promise<Answer | null> {
    const { signal, silenceMs } = this.#options
    const call = this.#call
    // An aborted upload still tells the server.
    const until = method === 'DELETE' ? new AbortController().signal : signal
    const progress = { signal: until, onProgress: onPart, silenceMs }
    return call(method, this.#address ?? urls.tus, { 'Tus-Resumable': '1.0.0', ...headers }, body, progress)
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
