import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { request, type Agent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { changesOf, urls } from '../../src/urls.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import type { Caller } from './caller.ts'
import { NAME, type Answer } from '../neighbours/nginx.ts'

// People who read, publish and keep pages open, while the instances behind them are replaced.

export type Telling = { faults: string[]; repeated: string[] }

/** A client may repeat a call that nobody has answered. Anything else that fails is a fault. */
async function ask(
  telling: Telling,
  what: string,
  call: () => Promise<Answer>,
  wanted = [200],
): Promise<Answer | null> {
  try {
    const answer = await call()
    if (wanted.includes(answer.status)) return answer
    if ([502, 503, 504].includes(answer.status)) telling.repeated.push(`${what}: ${answer.status}`)
    else telling.faults.push(`${what}: ${answer.status} ${answer.body.toString().slice(0, 200)}`)
  } catch (error) {
    telling.repeated.push(`${what}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`)
  }
  await sleep(50)
  return null
}

export type ReadCounts = { pages: number; assets: Set<string>; openedAgain: number }

/**
 * Opens pages, and fetches everything that each of them asks for, as a browser with an empty cache. A page whose version went
 * away before everything was fetched is opened again, once.
 */
export async function readUntil(
  isOver: () => boolean,
  caller: Caller,
  paths: string[],
  telling: Telling,
): Promise<ReadCounts> {
  const counts: ReadCounts = { pages: 0, assets: new Set(), openedAgain: 0 }
  for (let round = 0, isAgain = false; !isOver();) {
    const path = paths[round % paths.length]!
    const page = await ask(telling, path, () => caller.page(path))
    if (!page) continue
    counts.pages++
    const assets = new Set(page.body.toString().match(/\/assets\/[\w.-]+/g))
    const missing = await findMissing(caller, assets, telling)
    if (missing === null) {
      for (const asset of assets) counts.assets.add(asset)
      round++
    } else if (isAgain) telling.faults.push(`${path} has no ${missing}`)
    isAgain = missing !== null && !isAgain
    if (isAgain) counts.openedAgain++
  }
  return counts
}

async function findMissing(caller: Caller, assets: Set<string>, telling: Telling): Promise<string | null> {
  for (const asset of assets) {
    const answer = await ask(telling, 'an asset', () => caller.call('GET', asset), [200, 404])
    if (answer?.status !== 200) return asset
  }
  return null
}

/** If it was published but the answer was lost, it is refused the next time. */
const ALREADY = 409

/** Holds files back and publishes them. Returns the releases acknowledged as published. */
export async function publishUntil(
  isOver: () => boolean,
  { caller, project, folder }: { caller: Caller; project: number; folder: number },
  findRelease: (submission: string) => Promise<number>,
  telling: Telling,
): Promise<number[]> {
  const published: number[] = []
  const untilDone = async (what: string, call: () => Promise<Answer>, whenRepeated = 200) => {
    for (let attempt = 0; attempt < 100; attempt++) {
      const answer = await ask(telling, what, call, attempt === 0 ? [200] : [200, whenRepeated])
      if (answer || telling.faults.length > 0) return answer
    }
    return null
  }
  for (let number = 1; !isOver(); number++) {
    const name = `Udsendt ${number}.pdf`
    const bytes = Buffer.from(`%PDF-1.7 ${name}`)
    const sent = await untilDone('sending a draft', () => caller.sendWhole([{ name, bytes }]))
    if (!sent) break
    const [file] = JSON.parse(sent.body.toString()) as TemporaryFile[]
    const submission = randomUUID()
    const files = { f0: { name, data: file!.hash_name, folder_id: folder } }
    const fields = { submission, files, publish: 'draft' }
    if (!(await untilDone('saving a draft', () => caller.json(urls.uploadTo(project, folder), fields)))) break
    const release = await findRelease(submission)
    const publish = () => caller.json(urls.releaseAct(release, 'publish'), {})
    if (!(await untilDone('publishing', publish, ALREADY))) break
    published.push(release)
  }
  return published
}

export type StreamCounts = { opened: number; events: number; closed: number }

/** Keeps a page open that hears of changes, and opens its stream again whenever that ends. */
export async function listenUntil(
  isOver: () => boolean,
  { caller, project, port, agent }: { caller: Caller; project: number; port: number; agent: Agent },
  telling: Telling,
): Promise<StreamCounts> {
  const counts = { opened: 0, events: 0, closed: 0 }
  for (let last = ''; !isOver();) {
    const headers = { host: NAME, ...caller.headers, accept: 'text/event-stream', 'last-event-id': last }
    const path = changesOf(`project:${project}`)
    const call = request({ host: '127.0.0.1', port, agent, path, headers })
    call.end()
    const reply = await new Promise<IncomingMessage | null>((resolve) =>
      call.once('response', resolve).once('error', () => resolve(null)),
    )
    if (reply?.statusCode !== 200) {
      reply?.resume()
      const how = `a stream: ${reply?.statusCode ?? 'no answer'}`
      // Reconnects as `src/ui/live/listen-to.ts` does, whatever the server's error.
      if (!reply || reply.statusCode === 429 || reply.statusCode! >= 500) telling.repeated.push(how)
      else telling.faults.push(how)
      await sleep(100)
      continue
    }
    counts.opened++
    const watch = setInterval(() => isOver() && call.destroy(), 100)
    reply.setEncoding('utf8').on('data', (text: string) => {
      counts.events += text.match(/^data: /gm)?.length ?? 0
      last = [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? last
    })
    await new Promise((resolve) => reply.once('end', resolve).once('error', resolve).once('close', resolve))
    clearInterval(watch)
    if (!isOver()) counts.closed++
  }
  return counts
}
