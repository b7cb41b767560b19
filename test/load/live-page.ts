import { request, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { changesOf, type Topic } from '../../src/urls.ts'
import { afterwards } from '../clean-up.ts'

/** A page that listens for changes over a real connection, as a browser does. */
export type LivePage = {
  status: number
  headers: IncomingMessage['headers']
  /** How many events came. */
  events: () => number
  /** The position that the page would come back with. */
  position: () => string
  text: () => string
  isEnded: () => boolean
  close: () => void
}

type Options = { cookies: Map<string, string>; since?: string; headers?: Record<string, string> }

export async function openLivePage(
  port: number,
  topic: Topic,
  { cookies, since = '', headers = {} }: Options,
): Promise<LivePage> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = request({
    host: '127.0.0.1',
    port,
    agent: false,
    path: `${changesOf(topic)}&since=${since}`,
    headers: { accept: 'text/event-stream', cookie, ...headers },
  })
  call.end()
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    call.once('response', resolve).once('error', reject),
  )
  let text = ''
  let isEnded = false
  const end = () => (isEnded = true)
  reply.setEncoding('utf8').on('data', (part: string) => (text += part))
  reply.once('end', end).once('error', end).once('close', end)
  const close = () => void call.destroy()
  afterwards(async () => close())
  const page = {
    status: reply.statusCode!,
    headers: reply.headers,
    events: () => text.match(/^data: /gm)?.length ?? 0,
    position: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    text: () => text,
    isEnded: () => isEnded,
    close,
  }
  if (page.status === 200) await expect.poll(page.position, LONG).not.toBe('')
  return page
}

/** How long a test waits for what must come. */
export const LONG = { timeout: 60_000, interval: 5 }
