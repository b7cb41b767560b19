import { createHash } from 'node:crypto'
import { globSync, readdirSync, readlinkSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { keepHouse } from '../../src/work.ts'
import { freshApp, type TestApp } from '../app.ts'
import { enter } from '../enter.ts'
import { chanceOf } from '../chance.ts'
import { anyCall, faultsOf, sendCall, type Call } from '../formats/multipart-fuzz.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const BODIES = Number(process.env.FUZZ_BODIES ?? 5000)
const AT_ONCE = 4
const PATIENCE_MS = 30_000
const FIELD = 'Content-Disposition: form-data; name="email"'

it(`S7.6 ${BODIES} broken multipart bodies break nothing`, { timeout: 500_000 }, async () => {
  console.log(`multipart: FUZZ_SEED=${SEED}`)
  const { test, port, crashes } = await listen({ MAX_FILE_BYTES: '100000', MAX_FILES_PER_SUBMIT: '20' })
  const { visitor } = await enter(test, 'employee')
  await visitor.get('/findes-ikke') // sets the token
  const headers = {
    Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'X-XSRF-TOKEN': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
    'X-Requested-With': 'XMLHttpRequest',
  }

  const tally: Record<string, number> = {}
  const kinds: Record<string, number> = {}
  const faults: string[] = []
  /** The SHA-256 of each acknowledged file; null if its bytes are not known. */
  const kept = new Map<string, string | null>()
  let next = 0
  const send = async (number: number, call: Call) => {
    let answer = await sendCall(call, port, chanceOf(SEED + number), PATIENCE_MS)
    // Earlier calls may still be running: a person may have four at a time.
    for (let tries = 0; answer.status === 429 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      answer = await sendCall(call, port, chanceOf(SEED + number), PATIENCE_MS)
    }
    tally[answer.status] = (tally[answer.status] ?? 0) + 1
    for (const kind of call.kinds.length === 0 ? ['nothing'] : call.kinds)
      kinds[kind] = (kinds[kind] ?? 0) + 1
    const what = `body ${number} (${call.kinds.join(', ') || 'nothing'}; ${call.leaves})`
    faults.push(...faultsOf(call, answer).map((fault) => `${what} ${fault}`))
    if (answer.status !== 200) return
    const files = JSON.parse(answer.body) as TemporaryFile[]
    files.forEach(({ hash_name: hash }, index) => {
      const known = call.intact?.[index]
      kept.set(hash, known ? sha256(known.bytes) : null)
    })
  }
  const sendOn = async () => {
    while (next < BODIES) {
      const number = next++
      await send(number, anyCall(chanceOf(SEED * 31 + number), headers))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  console.log(`multipart, seed ${SEED}: ${BODIES} bodies`, { tally, kinds, kept: kept.size })
  const logged = test.logged().slice(0, 5000)
  expect({ faults: faults.slice(0, 20), logged, crashes }).toEqual({ faults: [], logged: '', crashes: [] })
  expect(tally[200]).toBeGreaterThan(BODIES / 50)

  // The server still works.
  let good: Call
  for (let number = -1; ; number--) {
    good = anyCall(chanceOf(number), headers)
    if (good.intact && good.leaves !== 'broken') break
  }
  await send(-1, good)
  expect(faults).toEqual([])

  // Refused files are already deleted, and none of them is still open.
  const unsettled = () =>
    test.db.selectFrom('blobs').select(['id', 'state']).where('state', '<>', 'stored').execute()
  const directory = join(test.config.dataDir, 'files')
  await expect.poll(unsettled).toEqual([])
  await expect.poll(() => undecidedIn(directory)).toEqual([])

  // Files that were stored but never acknowledged are removed in time, and all others are intact.
  const hashes = [...kept.keys()]
  await sql`
    update temporary_files set created_at = now() - interval '25 hours'
    where hash_name <> all (${hashes})`.execute(test.db)
  await keepHouse(test)
  const rows = await test.db
    .selectFrom('temporary_files')
    .innerJoin('blobs', 'blobs.id', 'blob_id')
    .select(['hash_name', 'key', 'sha256'])
    .execute()
  expect(rows.map((row) => row.hash_name).toSorted()).toEqual(hashes.toSorted())
  for (const { hash_name: hash, key, sha256: said } of rows) {
    expect(
      sha256(await test.storage.read(key, { first: 0, last: (await test.storage.length(key)) - 1 })),
    ).toBe(said)
    expect(kept.get(hash) ?? said).toBe(said)
  }
  const onDisk = globSync('??/*', { cwd: directory }).map((path) => path.replace('/', ''))
  expect(onDisk.toSorted()).toEqual(rows.map(({ key }) => key).toSorted())
  await sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(test.db)
  await keepHouse(test)
  expect([await test.db.selectFrom('blobs').selectAll().execute(), await test.storage.isEmpty()]).toEqual([
    [],
    true,
  ])
  expect(test.logged()).toBe('')
})

it.each([
  ['more parts than the limit, and no end', `--B\r\n${FIELD}\r\n\r\nx\r\n`.repeat(20_050)],
  ['one part whose headers do not end', `--B\r\n${FIELD}\r\nx\r\n--B--\r\n`],
])(
  'a form with %s is refused, also from a client that is not signed in',
  { timeout: 60_000 },
  async (_what, form) => {
    const { test, port, crashes } = await listen({})
    const body = Buffer.from(form)
    const head = `POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: ${body.length}\r\n\r\n`
    const call: Call = { kinds: [], head, body, told: body, boundary: 'B', intact: null, leaves: 'open' }
    expect([400, 413]).toContain((await sendCall(call, port, chanceOf(1), PATIENCE_MS)).status)
    await expect.poll(async () => (await test.app.inject('/login')).statusCode).toBe(200)
    expect([test.logged(), crashes]).toEqual(['', []])
  },
)

type ListeningApp = { test: TestApp; port: number; crashes: string[] }

/** Collects errors that would have ended the server, which runs in this process. */
function watchForCrashes(): string[] {
  const crashes: string[] = []
  const add = (error: Error) => void crashes.push(error.message)
  process.on('uncaughtException', add)
  onTestFinished(() => void process.off('uncaughtException', add))
  return crashes
}

async function listen(env: Record<string, string>): Promise<ListeningApp> {
  const crashes = watchForCrashes()
  const test = await freshApp({ env: { REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'error', ...env } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  return { test, port: (test.app.server.address() as AddressInfo).port, crashes }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Lists the open files of this process, which runs the server. Only Linux tells. */
function undecidedIn(directory: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(directory) ? [file] : []
    } catch {
      return [] // it was closed meanwhile
    }
  })
}
