import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { addGracefulClose } from '../../src/server/http/around/graceful-close.ts'
import { PrimaryLine, workerNumber } from '../../src/server/process/primary-line.ts'

// A worker for tests. It can identify itself, wait, take turns and die.

const line = new PrimaryLine()
if (process.env.DIES_AT_ONCE === String(workerNumber())) process.exit(3)

const app = fastify()
addGracefulClose(app, 5)
const whoami = { worker: workerNumber(), pid: process.pid }
app.get('/', () => whoami)
app.get('/slow', async () => {
  await sleep(700)
  return whoami
})
/** Blocks the process as hard work does, so that it answers nothing else meanwhile, but leaves the processor to others. */
app.get<{ Params: { ms: string } }>('/busy/:ms', ({ params }) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(params.ms))
  return whoami
})
app.get('/die', () => process.kill(process.pid, 'SIGKILL'))
/** Dies in the middle of a message to its primary, whose line is the first file after the standard ones. */
app.get('/die-speaking', () => {
  writeSync(3, '{"is":"tak')
  process.kill(process.pid, 'SIGKILL')
})
/** Holds a turn until another request wants it. */
app.get<{ Params: { key: string } }>('/turn/:key', async ({ params }) => {
  const told = Promise.withResolvers<void>()
  return line.take(params.key, told.resolve, async () => {
    const from = Date.now()
    await told.promise
    await sleep(300) // finishes its work
    return { ...whoami, from, to: Date.now() }
  })
})
/** Takes a turn and ends it at once. */
app.get<{ Params: { key: string } }>('/short-turn/:key', ({ params }) =>
  line.take(
    params.key,
    () => undefined,
    async () => ({ ...whoami, from: Date.now(), to: Date.now() }),
  ),
)
line.answer(() =>
  process.env.SAYS_NOTHING === String(workerNumber())
    ? Promise.reject(new Error('no'))
    : Promise.resolve(`worker ${workerNumber()}`),
)
/** The answers of all processes. */
app.get('/survey', () => line.ask())
await line.serve(app)
await new Promise((resolve) => line.stopped.addEventListener('abort', resolve))
await app.close()
process.exit(0)
