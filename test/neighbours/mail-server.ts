import { randomInt } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export type ReceivedMail = { to: string; messageId: string; body: string }

/**
 * Starts a slow mail server. It refuses mails to 'afvist…' for good, defers the first to 'senere…' (greylisting), and
 * does not answer the first to 'tavs…'.
 */
export async function startMailServer(received: ReceivedMail[]): Promise<string> {
  const met = new Set<string>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const isNew = !met.has(address)
      met.add(address)
      if (address.startsWith('afvist'))
        return done(Object.assign(new Error('no such person'), { responseCode: 550 }))
      if (isNew && address.startsWith('senere'))
        return done(Object.assign(new Error('come again'), { responseCode: 451 }))
      if (isNew && address.startsWith('tavs')) return
      return done()
    },
    onData(stream, { envelope }, done) {
      const receive = async () => {
        const body = await text(stream)
        const messageId = /^Message-ID: (\S+)/im.exec(body)![1]!
        received.push({ to: envelope.rcptTo[0]!.address, messageId, body })
        await sleep(randomInt(0, 40)) // it has the mail, and we do not know yet
        done()
      }
      void receive().catch(done) // a killed client sends half a mail
    },
  })
  server.on('error', () => undefined) // killed clients
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}
