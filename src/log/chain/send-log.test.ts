import { createServer, type AddressInfo, type Socket } from 'node:net'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { makeUser } from '../../../test/make.ts'
import type { Database } from '../../server/database/database.ts'
import { syslogServer } from '../../server/process/setting-kinds.ts'
import { addLogEntries } from '../log.db.ts'
import { findHead, sealEntries } from './seal.db.ts'
import { sendLog } from './send-log.db.ts'
import { syslogLine } from './syslog.server.ts'

let db: Database
let userId: number

beforeEach(async () => {
  ;({ db } = await freshDatabase())
  ;({ id: userId } = await makeUser(db))
})

async function write(many: number): Promise<void> {
  await db.transaction().execute((trx) =>
    addLogEntries(
      trx,
      { userId, address: '203.0.113.7' },
      'hook-stopped',
      Array.from({ length: many }, () => ({ detail: 'Ærø\n<110>1 …' })),
    ),
  )
  await sealEntries(db)
}

/** Receives as a syslog server does. `hear` may hang up early. */
async function startReceiver(hear: (socket: Socket) => void = () => undefined) {
  let text = ''
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    hear(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { server: syslogServer(`tcp://127.0.0.1:${port}`)!, read: () => splitFrames(text) }
}

/** Each line has its length before it. */
function splitFrames(text: string): string[] {
  const frames: string[] = []
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(' ', at)
    const end = space + 1 + Number(text.slice(at, space))
    frames.push(text.slice(space + 1, end))
    at = end
  }
  return frames
}

type Sent = { position: number; hash: string; detail: string; address: string; user_id: number }
const messageOf = (frame: string) => JSON.parse(frame.slice(frame.indexOf(' - {') + 3)) as Sent

it('sends every line of the log once, in the order of the chain, with the chain’s own hash', async () => {
  const { server, read } = await startReceiver()
  await write(2300)
  await sendLog(db, server)
  await write(2)
  await sendLog(db, server)
  await sendLog(db, server)
  const messages = read().map(messageOf)
  const head = (await findHead(db))!
  expect(messages.map(({ position }) => position)).toEqual(
    Array.from({ length: head.position }, (_, at) => at + 1),
  )
  expect(messages.at(-1)).toMatchObject({
    hash: head.hash,
    user_id: userId,
    address: '203.0.113.7',
    detail: 'Ærø\n<110>1 …',
  })
})

it('sends a line again that did not arrive', async () => {
  const away = await startReceiver((socket) => socket.on('data', () => socket.resetAndDestroy()))
  await write(3)
  await expect(sendLog(db, away.server)).rejects.toThrow()
  expect(await db.selectFrom('log_sent').selectAll().execute()).toEqual([])
  const { server, read } = await startReceiver()
  await sendLog(db, server)
  expect(read().length).toBe((await findHead(db))!.position)
})

it('no character of an entry can end its line', () => {
  const line = syslogLine({
    position: 7,
    hash: 'ab',
    act: 'hook-stopped',
    at: new Date('2026-11-18T08:00:00Z'),
    entry: { detail: 'Ærø\n😀' },
  })
  const [, length, rest] = /^(\d+) (.*)$/s.exec(line)!
  expect(rest).toHaveLength(Number(length))
  expect(rest).toMatch(
    /^<110>1 2026-11-18T08:00:00\.000Z \S+ ringbind - hook-stopped - \{"position":7,"hash":"ab","detail":"\\u00c6r\\u00f8\\n\\ud83d\\ude00"\}$/,
  )
})
