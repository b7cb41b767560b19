import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { withPosts } from '../../../test/neighbours/signed-disk.ts'
import type { Visitor } from '../../../test/visitor.ts'
import type { Answer, transfer } from '../../ui/overlay/transfer.ts'
import { finishDirectFile } from './direct.db.ts'
import { sendDirect } from './send-direct.ts'
import { alike } from './send-large.ts'

type Call = typeof transfer
type Fault = Answer | null | 'lost' | 'unreachable'

const BYTES = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(300_000)])
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
const NAME = 'Årsrapport (1024).pdf'
const STORE = 'https://lager.example/papirer'

let test: TestApp
let origin: string
let me: Visitor
/** The calls made, such as 'POST sign', without repetitions. */
let told: string[]
let typesSent: string[]

beforeAll(async () => {
  test = await freshApp({
    env: { REQUESTS_PER_MINUTE: '100000', MAX_FILE_BYTES: '400000' },
    storageOf: withPosts,
  })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
  me = (await enter(test, 'investor')).visitor
  await me.get('/findes-ikke') // for the token
})
beforeEach(async () => {
  await sql`delete from temporary_files`.execute(test.db)
  told = []
  typesSent = []
})

const said = (status: number, body: unknown = null): Answer => ({ status, body, header: () => null })

/** Calls the real server, and a store that takes everything that is signed, as a browser does. */
const call: Call = async (method, url, headers, body, { signal, onProgress }) => {
  const line = `${method} ${url.startsWith(STORE) ? 'store' : url.replace(/\/\w{32}$/, '').replace('/api/temp/', '')}`
  if (told.at(-1) !== line) told.push(line)
  if (signal.aborted) return null
  if (url.startsWith(STORE)) return store(body as FormData, onProgress)
  const answer = await fetch(origin + url, {
    method,
    ...(body && { body }),
    headers: {
      cookie: [...me.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-requested-with': 'XMLHttpRequest',
      'x-xsrf-token': decodeURIComponent(me.cookies.get('XSRF-TOKEN') ?? ''),
      ...headers,
    },
  })
  const text = await answer.text()
  // Does not wait for the job.
  if (answer.status === 202) await finishDirectFile(test, url.split('/').at(-1)!)
  return said(answer.status, text === '' ? null : (JSON.parse(text) as unknown))
}

async function store(form: FormData, onProgress: (part: number) => void): Promise<Answer> {
  expect([...form.keys()].at(-1)).toBe('file')
  const file = form.get('file') as File
  expect(file.name).toBe('file')
  typesSent.push(form.get('Content-Type') as string)
  const key = (form.get('key') as string).replace('stykke/', '')
  onProgress(0.5)
  await test.storage.append(key, 0, Readable.from([Buffer.from(await file.arrayBuffer())]))
  onProgress(1)
  return said(204)
}

/** Replaces the answer to the n-th call to an address; with 'lost' the work is done, but the answer is lost. */
function withFaults(which: string, faults: Record<number, Fault>): Call {
  let count = 0
  return async (...args) => {
    const [method, url, , , { onProgress }] = args
    const isMeant = which === 'store' ? url.startsWith(STORE) : `${method} ${url}`.includes(which)
    const fault = isMeant ? faults[++count] : undefined
    if (fault === undefined) return call(...args)
    if (fault === 'lost') await call(...args)
    else told.push(`✗ ${which}`)
    if (fault === null) onProgress(0.3)
    return fault === 'lost' || fault === 'unreachable' ? null : fault
  }
}

async function sendFile(
  by = call,
  {
    bytes = BYTES,
    name = NAME,
    type = 'application/pdf',
    signal = new AbortController().signal,
    waitMs = 1,
  } = {},
) {
  const parts: number[] = []
  let there = 0
  const file = new File([new Uint8Array(bytes)], 'a.pdf', { type })
  const outcome = await sendDirect(
    file,
    name,
    {
      signal,
      onProgress: (part) => void parts.push(part),
      onThere: () => there++,
      retries: 3,
      silenceMs: 30_000,
      waitMs,
      alike,
    },
    by,
  )
  return { outcome, parts, there }
}

const SENT = {
  kind: 'sent',
  files: [
    { name: NAME, size: BYTES.length, type: 'application/pdf', hash_name: expect.stringMatching(/^\w{32}$/) },
  ],
}
const STRAIGHT = ['POST sign', 'POST store', 'POST direct', 'GET direct']
const rows = async () => {
  const { rows: found } = await sql<{ state: string; sha256: string | null }>`
    select state, sha256 from temporary_files join blobs on blobs.id = blob_id`.execute(test.db)
  return found
}
const KEPT = [{ state: 'stored', sha256: SHA256 }]
const times = (fault: Fault, most: number) =>
  Object.fromEntries(Array.from({ length: most }, (_, index) => [index + 1, fault]))

describe('S7.11 a large file', () => {
  it('a large file goes straight to the store, and is sent when the server has read it', async () => {
    const { outcome, parts, there } = await sendFile()
    expect([outcome, told]).toEqual([SENT, STRAIGHT])
    expect([parts, there]).toEqual([[0.5, 1], 1])
    expect(await rows()).toEqual(KEPT)
  })

  it.each([
    ['POST /api/temp/sign', null],
    ['POST /api/temp/sign', said(503)],
    ['POST /api/temp/sign', said(429)],
    ['POST /api/temp/direct', null],
    ['POST /api/temp/direct', said(502)],
    ['POST /api/temp/direct', 'lost'],
    ['GET /api/temp/direct', null],
    ['GET /api/temp/direct', said(503)],
    ['store', null],
    ['store', 'lost'],
    ['store', said(500)],
    ['store', said(503)],
  ] as [string, Fault][])('a large file arrives even if %s breaks: %j', async (which, fault) => {
    const { outcome } = await sendFile(withFaults(which, { 1: fault, 2: fault }))
    expect([outcome, await rows()]).toEqual([SENT, KEPT])
  })

  it.each([
    ['application/pdf', 'application/pdf'],
    ['', 'application/octet-stream'],
    ['text/plain;charset=utf-8', 'application/octet-stream'],
    [`a/${'b'.repeat(300)}`, 'application/octet-stream'],
  ])('a large file of the type %j is sent as %s', async (type, as) => {
    const { outcome } = await sendFile(call, { type })
    expect([outcome, typesSent]).toEqual([SENT, [as]])
  })

  it('a large file is not sent again if only the store’s answer was lost', async () => {
    const { outcome } = await sendFile(withFaults('store', { 1: 'lost' }))
    expect([outcome, told]).toEqual([SENT, STRAIGHT])
  })

  it.each([
    ['cannot be reached', times('unreachable', 1), ['POST sign', '✗ store', 'DELETE tus']],
    [
      'breaks again and again',
      times(null, 4),
      ['POST sign', ...Array.from({ length: 4 }, () => ['✗ store', 'POST direct']).flat(), 'DELETE tus'],
    ],
    ['refuses it', times(said(403), 1), ['POST sign', '✗ store', 'POST direct', 'DELETE tus']],
  ])(
    'a large file goes through the server if the store %s, and takes no room there',
    async (_what, faults, calls) => {
      const { outcome } = await sendFile(withFaults('store', faults))
      expect([outcome, told]).toEqual([null, calls])
      await expect.poll(rows).toEqual([])
    },
  )

  it('a large file goes through the server if the server does not sign', async () => {
    const { outcome } = await sendFile(withFaults('sign', { 1: said(404, { message: 'Nej.' }) }))
    expect([outcome, told]).toEqual([null, ['✗ sign']])
  })

  it.each([
    [
      'is too large',
      { bytes: randomBytes(400_001) },
      `${NAME} er for stor. En fil må højst fylde 390.63 KB.`,
    ],
    ['has no name', { name: '\u200b' }, 'Filen har intet navn.'],
  ])('refuses a large file that %s', async (_what, more, message) => {
    const { outcome } = await sendFile(call, more)
    expect(outcome).toEqual({ kind: 'refused', message, faults: new Map([[0, message]]) })
  })

  it('a large file is refused if the server has removed it after reading it', async () => {
    const { outcome } = await sendFile(withFaults('GET /api/temp/direct', { 1: said(404, { message: 'x' }) }))
    expect(outcome).toEqual({
      kind: 'refused',
      message: 'Filen kom ikke rigtigt frem. Prøv igen.',
      faults: new Map(),
    })
  })

  it('refuses a large file of a sender who is signed out', async () => {
    const { outcome } = await sendFile(
      withFaults('sign', { 1: said(401, { message: 'Du er ikke logget ind.' }) }),
    )
    expect(outcome).toMatchObject({ kind: 'refused', message: 'Du er ikke logget ind.' })
  })

  it('a large file is broken if the server does not answer, and takes no room', async () => {
    expect((await sendFile(withFaults('sign', times(null, 9)))).outcome).toEqual({ kind: 'broken' })
    expect((await sendFile(withFaults('POST /api/temp/direct', times(null, 9)))).outcome).toEqual({
      kind: 'broken',
    })
    expect((await sendFile(withFaults('GET', times(null, 99)), { waitMs: 0 })).outcome).toEqual({
      kind: 'broken',
    })
    await expect.poll(rows).toEqual([])
  })

  it.each(['store', 'GET /api/temp/direct'])(
    'a large file that is removed at %s is given up at once',
    async (where) => {
      const stop = new AbortController()
      const stopping: Call = async (...args) => {
        const [method, url] = args
        if (where === 'store' ? url.startsWith(STORE) : `${method} ${url}`.includes(where)) stop.abort()
        return call(...args)
      }
      const { outcome } = await sendFile(stopping, { signal: stop.signal })
      expect(outcome).toEqual({ kind: 'broken' })
      expect(told.at(-1)).toBe('DELETE tus')
      await expect.poll(rows).toEqual([])
    },
  )
})
