import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterwards } from '../clean-up.ts'

export type Received = { headers: IncomingHttpHeaders; body: string; id: string; type: string }

/** A program on this computer that receives webhooks. */
export type HookReceiver = {
  url: string
  got: Received[]
  /** How it answers from now on: with a status, or by itself. */
  answer: number | ((response: ServerResponse, received: Received) => void)
}

export async function startReceiver(): Promise<HookReceiver> {
  const receiver: HookReceiver = { url: '', got: [], answer: 200 }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      const { type } = JSON.parse(body) as { type: string }
      const received = { headers: request.headers, body, id: String(request.headers['webhook-id']), type }
      receiver.got.push(received)
      if (typeof receiver.answer === 'number') response.writeHead(receiver.answer).end('Svar')
      else receiver.answer(response, received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/krog`
  afterwards(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return receiver
}
