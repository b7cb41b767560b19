import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type ServerProcess = AsyncDisposable & {
  pid: number
  url: string
  /** The time from the start of the process to its first answer, in milliseconds. */
  untilAnswer: number
}

/** Runs a program that prints `… is running at http://…` and waits until it has answered a request. */
export async function startServer(program: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const began = performance.now()
  const child = spawn(process.execPath, [program], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Passes no other variables on, such as a compile cache or options for Node.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  const endWithUs = () => void child.kill()
  process.once('exit', endWithUs)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.off('exit', endWithUs)
      resolve()
    })
  })
  const stop = async () => {
    child.kill() // asks for a clean stop
    await ended
    if (child.exitCode !== 0)
      throw new Error(`${program} ended with ${child.exitCode ?? child.signalCode}: ${output}`)
  }

  let output = ''
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const read = (text: Buffer) => {
        output += text.toString()
        const address = /is running at (http:\S+)/.exec(output)?.[1]
        if (address) resolve(address)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('error', reject)
      void ended.then(() => reject(new Error(`${program} ended before it was ready: ${output}`)))
    })
    await request(url)
    const untilAnswer = performance.now() - began
    return { pid: child.pid!, url, untilAnswer, [Symbol.asyncDispose]: stop }
  } catch (error) {
    child.kill()
    await ended
    throw error
  }
}

async function request(url: string): Promise<void> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}
