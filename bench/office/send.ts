import { randomBytes } from 'node:crypto'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PieceSize } from '../../src/uploads/transport/piece-size.ts'
import { nextBatch } from '../../src/uploads/transport/send-batch.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { WIDGET } from '../../src/uploads/transport/widget.ts'
import { urls } from '../../src/urls.ts'
import type { SignedIn } from './sign-in.ts'

// Sends files to a server as the upload form does.

export const BLOCK = randomBytes(2 ** 20)
const agent = new Agent({ keepAlive: true })

export type SmallFile = { name: string; size: number }

export const TUS = { 'tus-resumable': '1.0.0' }

/** Sends a file by tus; returns its hash_name. */
export async function sendByTus(url: string, own: SignedIn, size: number): Promise<string> {
  const headers = { ...own, ...TUS }
  const { headers: told } = await call(url + urls.tus, 'POST', {
    ...headers,
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from('Stor.bin').toString('base64')}`,
  })
  const pieceSize = new PieceSize(WIDGET.chunkBytes, WIDGET.mostChunkBytes)
  for (let offset = 0; offset < size;) {
    const began = performance.now()
    const length = Math.min(pieceSize.bytes, size - offset)
    const piece = {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(length),
    }
    const answer = await call(url + told.location!, 'PATCH', { ...headers, ...piece }, blocks(length))
    offset = Number(answer.headers['upload-offset'])
    pieceSize.took(performance.now() - began)
  }
  return told.location!.split('/').at(-1)!
}

export async function sendByMultipart(url: string, headers: SignedIn, size: number): Promise<string> {
  const [sent] = await sendFiles(url, headers, [{ name: 'Stor.bin', size }])
  return sent!.hash_name
}

/** Sends a few files at a time, as the page does. */
export async function sendInBatches(
  url: string,
  headers: SignedIn,
  files: SmallFile[],
): Promise<TemporaryFile[]> {
  const waiting = [...files]
  const sent: TemporaryFile[] = []
  const sendOn = async () => {
    while (waiting.length > 0) {
      const batch = nextBatch(waiting)
      waiting.splice(0, batch.length)
      sent.push(...(await sendFiles(url, headers, batch)))
    }
  }
  await Promise.all(Array.from({ length: WIDGET.parallelUploads }, sendOn))
  return sent
}

export async function submit(url: string, headers: SignedIn, files: TemporaryFile[]): Promise<void> {
  const form = new FormData()
  form.set('submission', crypto.randomUUID())
  files.forEach(({ name, type, hash_name: hash }, index) => {
    const entry = { name, mime: type, data: hash }
    for (const [field, value] of Object.entries(entry)) form.set(`files[f${index}][${field}]`, value)
  })
  const answer = await fetch(url, { method: 'POST', body: form, headers })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

export async function sendFiles(
  url: string,
  headers: SignedIn,
  files: SmallFile[],
): Promise<TemporaryFile[]> {
  const boundary = 'ringbind-bench'
  const heads = files.map(({ name }, index) =>
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="files[${index}]"; filename="${name}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    ),
  )
  const [between, last] = [Buffer.from('\r\n'), Buffer.from(`--${boundary}--\r\n`)]
  const length = files.reduce(
    (sum, { size }, index) => sum + heads[index]!.length + size + between.length,
    last.length,
  )
  function* body() {
    for (const [index, { size }] of files.entries()) {
      yield heads[index]!
      yield* blocks(size)
      yield between
    }
    yield last
  }
  const { text } = await call(
    url + urls.temporaryUpload,
    'POST',
    {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(length),
    },
    body(),
  )
  return JSON.parse(text) as TemporaryFile[]
}

/** Yields `size` random bytes. */
export function* blocks(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, Math.min(left, BLOCK.length))
}

type Answer = { headers: IncomingHttpHeaders; text: string }

export async function call(
  url: string,
  method: string,
  headers: Record<string, string> = {},
  body: Iterable<Buffer> = [],
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(url, { method, headers, agent }, (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (part: string) => (text += part))
    answer.once('error', reject).once('end', () => {
      if (answer.statusCode! < 400) resolve({ headers: answer.headers, text })
      else reject(new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`))
    })
  })
  sent.once('error', (error: NodeJS.ErrnoException) => {
    // The server has closed a connection that was kept for the next request.
    const isStale = error.code === 'ECONNRESET' && sent.reusedSocket && method === 'GET'
    if (isStale) resolve(call(url, method, headers))
    else reject(error)
  })
  await pipeline(Readable.from(body, { objectMode: true, highWaterMark: 2 }), sent).catch(reject)
  return promise
}
