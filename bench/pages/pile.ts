import { setTimeout as sleep } from 'node:timers/promises'
import { openThrowAway } from '../../demo/throw-away.ts'
import { readConfig } from '../../src/config.ts'
import { startRingbind } from '../../src/start.ts'
import type { Judgement } from '../../src/uploads/papers/judgement.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { urls } from '../../src/urls.ts'
import { makeProject, makeUser } from '../../test/make.ts'
import { makeOffice } from '../../test/papers/office.ts'
import { makePapers } from '../../test/papers/papers.ts'
import type { Result } from '../measure/result.ts'
import { startServer } from '../office/server-process.ts'
import { signIn, type SignedIn } from '../office/sign-in.ts'

const PAPERS = 300
const MOST_SECONDS = 30
const AT_ONCE = 25
const ASKED_AT_ONCE = 150
const EMAIL = 'bench@example.dk'

/** How long it takes until a pile of papers without names is placed, from the first byte that is sent. */
export async function measure(): Promise<Result[]> {
  await using open = new AsyncDisposableStack()
  const directory = await openThrowAway('bench')
  open.defer(() => directory.remove())
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    REQUESTS_PER_MINUTE: '10000000',
    THUMBNAILS: 'false',
    READ_SCANS: 'false',
    DATA_DIR: directory.path,
  }
  await fill(settings)
  const server = open.use(await startServer('src/server.ts', settings))
  const headers = await signIn(server.url, EMAIL)
  const papers = makePapers('development').slice(0, PAPERS)
  const pdfs = papers.map((paper) => paper.write())

  const began = performance.now()
  const sent: string[] = []
  for (let at = 0; at < pdfs.length; at += AT_ONCE)
    sent.push(...(await send(server.url, headers, pdfs.slice(at, at + AT_ONCE))))
  const isSent = performance.now()
  const asked: number[] = []
  const left = new Set(sent)
  let sure = 0
  while (left.size > 0) {
    const some = [...left].slice(0, ASKED_AT_ONCE)
    const from = performance.now()
    const judgements = await ask(server.url, headers, some)
    asked.push(performance.now() - from)
    for (const { hash_name: name, state, sureness } of judgements) {
      if (state === 'waiting') continue
      left.delete(name)
      if (sureness === 'sure') sure++
    }
    if (left.size > 0) await sleep(200)
  }
  const seconds = (performance.now() - began) / 1000
  return [
    {
      what: `${PAPERS} PDFs without names placed, from the first byte sent`,
      value: seconds,
      unit: 's',
      note: `of it ${((isSent - began) / 1000).toFixed(1)} s of sending; ${sure} are sure`,
      aim: { value: MOST_SECONDS },
    },
    {
      what: `the longest answer about up to ${ASKED_AT_ONCE} of them`,
      value: Math.max(...asked),
      unit: 'ms',
      aim: { value: 3000 },
    },
  ]
}

/** The office of the test papers. */
async function fill(settings: Record<string, string>): Promise<void> {
  await using ringbind = await startRingbind(readConfig({ ...settings, READ_DOCUMENTS: 'false' }), {
    fill: ({ db }) => makeUser(db, { role: 'employee', email: EMAIL }),
  })
  const { db } = ringbind
  const { projects, people } = makeOffice()
  const ids = new Map<number, number>()
  for (const { id, name, numbers } of people) ids.set(id, (await makeUser(db, { name, numbers })).id)
  for (const { number, name, cvr, members } of projects)
    await makeProject(db, { number, name, cvr, members: members.map((id) => ids.get(id)!) })
}

async function send(url: string, headers: SignedIn, pdfs: Buffer[]): Promise<string[]> {
  const body = new FormData()
  pdfs.forEach((pdf, index) =>
    body.set(`files[${index}]`, new Blob([Uint8Array.from(pdf)]), `Scan ${index}.pdf`),
  )
  const answer = await fetch(url + urls.temporaryUpload, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`Sending answered ${answer.status}: ${await answer.text()}`)
  const files = (await answer.json()) as TemporaryFile[]
  // The page asks as soon as files have come.
  const names = files.map(({ hash_name: name }) => name)
  await ask(url, headers, names)
  return names
}

async function ask(url: string, headers: SignedIn, names: string[]): Promise<Judgement[]> {
  const files = names.map((name, index) => ({ hash_name: name, name: `Scan ${index}.pdf` }))
  const answer = await fetch(url + urls.readTemporary, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ files }),
  })
  if (!answer.ok) throw new Error(`Asking answered ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { judgements: Judgement[] }).judgements
}
