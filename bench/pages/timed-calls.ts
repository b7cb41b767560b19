import { Agent, request } from 'node:http'
import type { FilesOffice } from '../office/files-office.ts'
import { median, type Result } from '../measure/result.ts'

const WARM_UPS = 10
const ROUNDS = 40
const MOST_MS = 150

const KEPT_ALIVE = new Agent({ keepAlive: true, maxSockets: 1 })

type Call = {
  method?: string
  headers?: Record<string, string>
  agent?: Agent
  body?: string
  /** Whether the body is returned; otherwise the call only waits for it. */
  isRead?: boolean
}

/** Sends a request. Cheaper than `fetch`, because client and server share the machine. */
export function call(
  url: string,
  { method = 'GET', headers = {}, agent = KEPT_ALIVE, body, isRead = true }: Call = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (answer) => {
      let text = ''
      if (isRead || answer.statusCode !== 200)
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      else answer.resume()
      answer.once('error', reject).once('end', () => {
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`${url} answered ${answer.statusCode}: ${text}`))
      })
    })
    sent.once('error', reject).end(body)
  })
}

/** Returns a page as HTML, as a browser gets it. */
export function bodyOf({ url, headers: { cookie } }: FilesOffice, path: string): Promise<string> {
  return call(url + path, { headers: { cookie } })
}

/** Returns how long a page takes, in milliseconds. */
export async function get({ url, headers: { cookie } }: FilesOffice, path: string): Promise<number> {
  const began = performance.now()
  await call(url + path, { headers: { cookie }, isRead: false })
  return performance.now() - began
}

export async function post({ url, headers }: FilesOffice, path: string, body: object = {}): Promise<number> {
  const text = JSON.stringify(body)
  const began = performance.now()
  const answer = await call(url + path, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
    body: text,
  })
  if (!answer.startsWith('{"success":true')) throw new Error(`${path} answered ${answer}`)
  return performance.now() - began
}

type Timed = (round: number) => Promise<number>

/** Measures the one and the other in turns. */
export async function compareTimes(
  what: string,
  measureIt: Timed,
  other: string,
  measureOther: Timed,
  most: number,
): Promise<Result> {
  const times: [number[], number[]] = [[], []]
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) {
    const [it, that] = [await measureIt(round), await measureOther(round)]
    if (round <= WARM_UPS) continue
    times[0].push(it)
    times[1].push(that)
  }
  const [it, that] = [median(times[0]), median(times[1])]
  return {
    what,
    value: it,
    unit: 'ms',
    limit: { what: other, value: that },
    aim: { times: most },
  }
}

export async function tell(what: string, measureIt: Timed): Promise<Result> {
  const times: number[] = []
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) times.push(await measureIt(round))
  const time = median(times.slice(WARM_UPS))
  return {
    what,
    value: time,
    unit: 'ms',
    aim: { value: MOST_MS },
    family: 'pages and searches of 100,000 files',
  }
}
