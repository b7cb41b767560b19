import { setTimeout as sleep } from 'node:timers/promises'
import { Caller } from './caller.ts'
import { PASSWORD } from '../make.ts'
import { wayTo } from './way.ts'

// An ordinary person at work, in a separate process, so that the attackers' own load is not blamed on the app.

export type Task = { port: number; email: string; project: number; file: string }
/** All waits in ms, by kind. */
export type WaitReport = { waits: Record<string, number[]>; faults: string[] }

const { port, email, project, file } = JSON.parse(process.env.OTHER_PERSON!) as Task
const caller = new Caller(wayTo(port, { localAddress: '127.0.0.2', connections: 2 }))
await caller.signIn(email)
const now = { isOver: true }

/** Repeats ordinary work, and measures each wait. */
async function work(): Promise<WaitReport> {
  const waits: Record<string, number[]> = {}
  const faults: string[] = []
  const timed = async (what: string, call: () => Promise<{ status: number }>) => {
    const began = performance.now()
    const { status } = await call().catch((error: Error) => ({ status: error.message }))
    ;(waits[what] ??= []).push(performance.now() - began)
    if (status !== 200) faults.push(`${what}: ${status}`)
  }
  const signedOut = new Caller(wayTo(port, { localAddress: '127.0.0.2' }))
  do {
    await signedOut.page()
    await timed('sign in', () => signedOut.json('/login', { email, password: PASSWORD }))
    await timed('list', () => caller.call('GET', '/api/projects'))
    await timed('page', () => caller.page(`/projects/${project}/uploads`))
    await timed('open', () => caller.call('GET', file))
    await timed('upload', () => caller.sendWhole([{ name: 'a.pdf', bytes: Buffer.from('%PDF-1.7') }]))
    await sleep(20)
  } while (!now.isOver)
  return { waits, faults }
}

process.on('message', (word) => {
  now.isOver = word !== 'work'
  if (word === 'work') void work().then((waited) => process.send!(waited))
})
process.once('disconnect', () => process.exit(0))
process.send!('ready')
