import { signedOutText } from '../../base/signed-out.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { makeUser, PASSWORD } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import type { Answer, transfer } from '../../ui/overlay/transfer.ts'
import { sendLarge } from './send-large.ts'

type Call = typeof transfer

const BYTES = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(500_000)])
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
const NAME = 'Årsrapport (1024).pdf'

let test: TestApp
let origin: string
let me: Visitor
let kept: Map<string, string>
/** The calls made, such as 'PATCH 0'. */
let told: string[]

async function enter(): Promise<Visitor> {
  const visitor = new Visitor(test.app)
  await visitor.signIn((await makeUser(test.db, { role: 'investor' })).email, PASSWORD)
  await visitor.get('/findes-ikke')
  return visitor
}

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000', MAX_FILE_BYTES: '6000000' } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
})
beforeEach(async () => {
  await sql`delete from temporary_files`.execute(test.db)
  me = await enter()
  told = []
  kept = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

/** Calls the real server as a browser does. */
const callAs =
  (visitor: Visitor): Call =>
  async (method, url, headers, body, { signal }) => {
    told.push([method, headers['Upload-Offset']].filter(Boolean).join(' '))
    try {
      const answer = await fetch(origin + url, {
        method,
        signal,
        ...(body && { body }),
        headers: {
          cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'x-requested-with': 'XMLHttpRequest',
          'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN') ?? ''),
          ...headers,
        },
      })
      const text = await answer.text()
      return {
        status: answer.status,
        body: text === '' ? null : (JSON.parse(text) as unknown),
        header: (name) => answer.headers.get(name),
      }
    } catch {
      return null
    }
  }

const said = (status: number, body: unknown = null, headers: Record<string, string> = {}): Answer => ({
  status,
  body,
  header: (name) => headers[name] ?? null,
})

/** Replaces the answer to the n-th call; with 'lost' the server does its work, but the answer is lost. */
function withFaults(call: Call, faults: Record<number, Answer | null | 'lost'>): Call {
  let count = 0
  return async (...args) => {
    const fault = faults[++count]
    if (fault === undefined) return call(...args)
    if (fault === 'lost') await call(...args)
    else told.push(`${args[0]} ✗`)
    return fault === 'lost' ? null : fault
  }
}

const fileOf = (bytes = BYTES) => new File([new Uint8Array(bytes)], 'a.pdf', { lastModified: 1 })
function sendFile(
  call = callAs(me),
  { signal = new AbortController().signal, file = fileOf(), name = NAME, page = sendLarge, waitMs = 1 } = {},
) {
  const parts: number[] = []
  const onProgress = (part: number) => void parts.push(part)
  const options = { signal, onProgress, chunkBytes: 200_000, retries: 3, silenceMs: 30_000, waitMs }
  return page(file, name, options, call).then((outcome) => ({ outcome, parts }))
}

const LARGE = randomBytes(5_000_000)
function changed(at: number): typeof LARGE {
  const bytes = Buffer.from(LARGE)
  bytes[at]! ^= 1
  return bytes
}

/** The calls that fail, so that no piece arrives. */
const DOWN = Object.fromEntries([3, 4, 5, 6, 7].map((n) => [n, null]))
/** Loads the same code again, as another tab of the same browser. */
async function otherPage(): Promise<typeof sendLarge> {
  vi.resetModules()
  return (await import('./send-large.ts')).sendLarge
}

const SENT = {
  kind: 'sent',
  files: [
    { name: NAME, size: BYTES.length, type: 'application/pdf', hash_name: expect.stringMatching(/^\w{32}$/) },
  ],
}
const sums = async () => {
  const { rows } = await sql<{ sha256: string | null }>`
    select sha256 from temporary_files join blobs on blobs.id = blob_id order by sha256`.execute(test.db)
  return rows.map(({ sha256 }) => sha256)
}

describe('a large file', () => {
  it('a large file is sent in growing pieces, and in small ones again if a proxy refuses them', async () => {
    const bytes = randomBytes(2_500_000)
    const sizes: number[] = []
    const behindProxy: Call = async (method, url, headers, body, progress) => {
      if (method === 'PATCH') sizes.push((body as Blob).size)
      if (method === 'PATCH' && (body as Blob).size > 400_000) return said(413)
      return callAs(me)(method, url, headers, body, progress)
    }
    const options = {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      chunkBytes: 200_000,
      mostChunkBytes: 800_000,
      retries: 3,
      silenceMs: 30_000,
      waitMs: 1,
      now: () => 0,
    }
    expect(await sendLarge(fileOf(bytes), NAME, options, callAs(me))).toMatchObject({ kind: 'sent' })
    expect(await sendLarge(fileOf(bytes), NAME, options, behindProxy)).toMatchObject({ kind: 'sent' })
    expect(sizes.slice(0, 5)).toEqual([200_000, 400_000, 800_000, 200_000, 200_000])
  })

  it('a piece that was damaged on the way is sent again', async () => {
    let isSpoilt = false
    const spoiling: Call = async (method, url, headers, body, progress) => {
      if (method !== 'PATCH' || headers['Upload-Offset'] !== '200000' || isSpoilt)
        return callAs(me)(method, url, headers, body, progress)
      isSpoilt = true
      const bytes = new Uint8Array(await (body as Blob).arrayBuffer())
      bytes[100_000]! ^= 1
      return callAs(me)(method, url, headers, new Blob([bytes]), progress)
    }
    const { outcome } = await sendFile(spoiling)
    expect(outcome).toEqual(SENT)
    expect(told).toEqual(['POST', 'PATCH 0', 'PATCH 200000', 'HEAD', 'PATCH 200000', 'PATCH 400000'])
    expect(await sums()).toEqual([SHA256])
  })

  it('a large file is sent in pieces, and forgotten by the browser when it has arrived', async () => {
    const { outcome, parts } = await sendFile()
    expect(outcome).toEqual(SENT)
    expect(told).toEqual(['POST', 'PATCH 0', 'PATCH 200000', 'PATCH 400000'])
    expect([parts.at(-1), parts]).toEqual([1, parts.toSorted((a, b) => a - b)])
    expect([await sums(), kept.get('uploads')]).toEqual([[SHA256], '{}'])
  })

  it.each([
    [
      'a piece that did not arrive',
      { 3: null },
      ['POST', 'PATCH 0', 'PATCH ✗', 'HEAD', 'PATCH 200000', 'PATCH 400000'],
    ],
    ['a lost answer', { 3: 'lost' }, ['POST', 'PATCH 0', 'PATCH 200000', 'HEAD', 'PATCH 400000']],
    ['a lost last answer', { 4: 'lost' }, ['POST', 'PATCH 0', 'PATCH 200000', 'PATCH 400000', 'HEAD']],
    [
      'a server that is starting',
      { 3: said(502), 4: said(503), 5: said(429) },
      ['POST', 'PATCH 0', 'PATCH ✗', 'HEAD ✗', 'HEAD ✗', 'HEAD', 'PATCH 200000', 'PATCH 400000'],
    ],
    [
      'a proxy that says yes to everything',
      { 1: said(200), 3: said(200), 4: said(200) },
      ['POST ✗', 'POST', 'PATCH ✗', 'HEAD ✗', 'HEAD', 'PATCH 0', 'PATCH 200000', 'PATCH 400000'],
    ],
  ] as [string, Record<number, Answer | null | 'lost'>, string[]][])(
    'a large file continues after %s',
    async (_what, faults, calls) => {
      expect((await sendFile(withFaults(callAs(me), faults))).outcome).toEqual(SENT)
      expect([told, await sums()]).toEqual([calls, [SHA256]])
    },
  )

  it('a large file is broken after three tries without progress, and continues from there if sent again', async () => {
    const gone = Object.fromEntries([3, 4, 5, 6, 7].map((n) => [n, null]))
    expect((await sendFile(withFaults(callAs(me), gone))).outcome).toEqual({ kind: 'broken' })
    expect(told).toEqual(['POST', 'PATCH 0', 'PATCH ✗', 'HEAD ✗', 'HEAD ✗', 'HEAD ✗'])
    told = []
    expect((await sendFile()).outcome).toEqual(SENT)
    expect([told, await sums()]).toEqual([['HEAD', 'PATCH 200000', 'PATCH 400000'], [SHA256]])
  })

  it('a large file is broken too if asking works but sending never does', async () => {
    const call = callAs(me)
    const oneWay: Call = (method, ...more) =>
      method === 'PATCH' ? Promise.resolve(null) : call(method, ...more)
    expect((await sendFile(oneWay)).outcome).toEqual({ kind: 'broken' })
    expect(told).toEqual(['POST', 'HEAD', 'HEAD', 'HEAD'])
  })

  it('a large file starts over for another person in the same browser', async () => {
    await sendFile(withFaults(callAs(me), Object.fromEntries([3, 4, 5, 6, 7].map((n) => [n, null]))))
    told = []
    expect((await sendFile(callAs(await enter()))).outcome).toEqual(SENT)
    expect(told).toEqual(['HEAD', 'POST', 'PATCH 0', 'PATCH 200000', 'PATCH 400000'])
  })

  it('a large file that is dropped twice is two uploads, and one of them continues', async () => {
    await sendFile(withFaults(callAs(me), Object.fromEntries([3, 4, 5, 6, 7].map((n) => [n, null]))))
    const outcomes = await Promise.all([sendFile(), sendFile()])
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([SENT, SENT])
    expect(await sums()).toEqual([SHA256, SHA256])
  })

  it.each([
    ['all of it', randomBytes(5_000_000)],
    ['a byte that was sent', changed(100_000)],
    ['a byte that was not sent', changed(1_000_000)],
  ])(
    'another file of the same name, size and date does not continue an upload: %s differs',
    async (_what, other) => {
      await sendFile(withFaults(callAs(me), DOWN), { file: fileOf(LARGE) })
      for (const page of [sendLarge, await otherPage()]) {
        expect((await sendFile(callAs(me), { file: fileOf(other), page })).outcome.kind).toBe('sent')
        const sha256 = createHash('sha256').update(other).digest('hex')
        expect(await sums()).toContain(sha256)
        await sql`delete from temporary_files where blob_id in (select id from blobs where sha256 = ${sha256})`.execute(
          test.db,
        )
      }
      expect((await sendFile(callAs(me), { file: fileOf(LARGE) })).outcome.kind).toBe('sent')
      expect(await sums()).toEqual([createHash('sha256').update(LARGE).digest('hex')])
    },
  )

  it('a large file continues in another tab after it broke in this one', async () => {
    await sendFile(withFaults(callAs(me), DOWN))
    told = []
    expect((await sendFile(callAs(me), { page: await otherPage() })).outcome).toEqual(SENT)
    expect([told[0], await sums()]).toEqual(['HEAD', [SHA256]])
  })

  it('a large file is two uploads if two tabs send it at the same time', async () => {
    const page = await otherPage()
    const call = callAs(me)
    const other = Promise.withResolvers<void>()
    let otherOutcome: unknown
    const { outcome } = await sendFile(async (...args) => {
      if (args[2]['Upload-Offset'] === '200000') {
        otherOutcome = (await sendFile(call, { page })).outcome
        other.resolve()
      }
      return call(...args)
    })
    await other.promise
    expect([outcome, otherOutcome]).toEqual([SENT, SENT])
    expect(told.filter((each) => each !== 'HEAD')).toHaveLength(8)
    expect([await sums(), kept.get('uploads')]).toEqual([[SHA256, SHA256], '{}'])
  })

  it('a large file starts over if another tab has taken it over after a minute’s silence', async () => {
    const page = await otherPage()
    const call = callAs(me)
    let otherOutcome: unknown
    const { outcome } = await sendFile(async (...args) => {
      if (args[2]['Upload-Offset'] !== '200000' || otherOutcome) return call(...args)
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000)
      otherOutcome = 'begun'
      const calls: string[] = []
      const theirs = await sendFile(
        async (...each) => {
          calls.push(each[0])
          return calls.length === 3 ? null : call(...each)
        },
        { page },
      )
      otherOutcome = [theirs.outcome, calls[0]]
      return null
    }).finally(() => vi.restoreAllMocks())
    expect([outcome, otherOutcome]).toEqual([SENT, [SENT, 'HEAD']])
    expect(await sums()).toEqual([SHA256, SHA256])
  })

  it('a large file that can no longer be read is refused, and may be tried again', async () => {
    const file = fileOf()
    file.slice = () => {
      throw new DOMException('gone', 'NotReadableError')
    }
    const { outcome } = await sendFile(callAs(me), { file })
    expect(outcome).toEqual({
      kind: 'refused',
      message: 'Filen kan ikke længere læses. Vælg den igen.',
      faults: new Map(),
    })
  })

  it('cancels the retry of a removed upload', async () => {
    const controller = new AbortController()
    const before = performance.now()
    const call: Call = async () => {
      controller.abort()
      return null
    }
    await sendFile(call, { signal: controller.signal, waitMs: 20_000 })
    expect(performance.now() - before).toBeLessThan(2000)
  })

  it('a refused large file says why, and is not sent again', async () => {
    const message = `${NAME} er for stor. En fil må højst fylde 5.72 MB.`
    const { outcome } = await sendFile(callAs(me), { file: fileOf(randomBytes(6_000_001)) })
    expect(outcome).toEqual({ kind: 'refused', message, faults: new Map([[0, message]]) })
    expect(told).toEqual(['POST'])
  })

  it.each([1, 3, 4])('a large file says that its sender is signed out at call %d', async (from) => {
    const call = callAs(me)
    let count = 0
    const { outcome } = await sendFile(async (...args) => {
      if (++count === from) me.cookies.delete('session')
      return from === 4 && count === 3 ? null : call(...args)
    })
    expect(outcome).toEqual({ kind: 'refused', message: signedOutText(), faults: new Map() })
  })

  it('reports a full server at the file', async () => {
    const full = said(507, { message: 'Fuld.', errors: { 'files.0': ['Der er ikke plads.'] } })
    const { outcome } = await sendFile(withFaults(callAs(me), { 2: full }))
    expect(outcome).toEqual({
      kind: 'refused',
      message: 'Fuld.',
      faults: new Map([[0, 'Der er ikke plads.']]),
    })
  })

  it('removing a large file gives it up on the server too', async () => {
    const controller = new AbortController()
    const call = callAs(me)
    const { outcome } = await sendFile(
      async (method, url, headers, body, progress) => {
        if (headers['Upload-Offset'] === '200000') controller.abort()
        return call(method, url, headers, body, progress)
      },
      { signal: controller.signal },
    )
    expect(outcome).toEqual({ kind: 'broken' })
    await expect.poll(sums).toEqual([])
    expect(kept.get('uploads')).toBe('{}')
  })

  it('a browser that stores nothing sends a large file', async () => {
    vi.stubGlobal('localStorage', undefined)
    expect((await sendFile()).outcome).toEqual(SENT)
  })
})
