import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** Where ClamAV's daemon listens. */
export type ClamdAddress = { path: string } | { host: string; port: number }

/** Which ClamAV it is, and of when its signatures are. */
type ClamdVersion = { version: string; signaturesAt: Date | null }

/** ClamAV does not answer, whatever it is asked. */
export class ScannerAway extends Error {
  override name = 'ScannerAway'
}

/** ClamAV answers, but has not scanned these bytes: there are too many of them, or it could not. */
export class NotScanned extends Error {
  override name = 'NotScanned'
}

/** A limit for hangs; a scan of 256 MB takes about a minute. */
const MOST_MS = 300_000
const MOST_ANSWER = 4096
const VERSION_MS = 10_000
const PIECE_BYTES = 1 << 20

/** Asks which ClamAV answers: 'ClamAV 1.4.3/27654/Wed Jun  4 08:32:14 2025'. */
export async function askClamd(address: ClamdAddress, mostMs: number): Promise<ClamdVersion> {
  const answer = await converse(address, mostMs, async (socket) => {
    socket.write('zVERSION\0')
  })
  const [version = '', , at] = answer.split('/')
  if (!version.startsWith('ClamAV')) throw new ScannerAway(`clamd answered '${answer.slice(0, 200)}'`)
  const signaturesAt = at === undefined ? null : new Date(`${at} UTC`)
  return { version, signaturesAt: signaturesAt && !Number.isNaN(+signaturesAt) ? signaturesAt : null }
}

/** Returns the name of what ClamAV finds in some bytes; null if it finds nothing. */
export async function scanBytes(
  address: ClamdAddress,
  bytes: AsyncIterable<Buffer>,
  mostMs = MOST_MS,
): Promise<string | null> {
  const failures: unknown[] = []
  const answer = await converse(address, mostMs, async (socket) => {
    socket.write('zINSTREAM\0')
    for await (const piece of noting(bytes, failures))
      for (let at = 0; at < piece.length; at += PIECE_BYTES) {
        if (socket.destroyed) return
        const some = piece.subarray(at, at + PIECE_BYTES)
        const length = Buffer.alloc(4)
        length.writeUInt32BE(some.length)
        socket.write(length)
        if (!socket.write(some)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
      }
    socket.write(Buffer.alloc(4))
  }).catch(async (err: unknown) => {
    if (failures.length > 0) throw failures[0]
    // It may hang up on some bytes before its answer arrives. If it answers others, the fault is in these bytes.
    await askClamd(address, VERSION_MS)
    throw new NotScanned('ClamAV hung up on these bytes', { cause: err })
  })
  if (answer === 'stream: OK') return null
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  if (found === undefined) throw new NotScanned(`clamd answered '${answer.slice(0, 200)}'`)
  return found
}

/** Yields the bytes, and notes why they cannot be read: that says nothing of ClamAV. */
async function* noting(bytes: AsyncIterable<Buffer>, failures: unknown[]): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    failures.push(error)
    throw error
  }
}

/** Says something and returns the whole answer, which ends with the connection or with a zero. */
async function converse(
  address: ClamdAddress,
  mostMs: number,
  say: (socket: Socket) => Promise<void>,
): Promise<string> {
  const socket = connect(address)
  const signal = AbortSignal.timeout(mostMs)
  try {
    let answer = ''
    const answered = new Promise<string>((resolve, reject) => {
      socket.setEncoding('utf8').on('data', (text: string) => {
        answer += text
        if (answer.includes('\0') || answer.length > MOST_ANSWER) resolve(answer)
      })
      socket.on('close', () => resolve(answer)).on('error', reject)
      signal.addEventListener('abort', () => reject(new Error(`no answer within ${mostMs} ms`)))
    })
    // It answers early if it accepts no more, and then hangs up.
    await Promise.race([answered, Promise.all([say(socket), answered])])
    const [first = ''] = (await answered).split('\0')
    if (first === '') throw new Error('clamd hung up')
    return first.trim()
  } catch (error) {
    throw error instanceof ScannerAway ? error : new ScannerAway('ClamAV does not answer', { cause: error })
  } finally {
    socket.destroy()
  }
}
