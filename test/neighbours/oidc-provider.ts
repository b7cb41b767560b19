import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const PROGRAM = fileURLToPath(new URL('provider-program.ts', import.meta.url))

export type StartedProvider = { issuer: string; stop: () => void }

/** Starts a real OpenID provider in a separate process, for these addresses of ours. */
export async function startProvider(redirectUris: string[], port?: number): Promise<StartedProvider> {
  const at = port ?? (await freePort())
  const child = spawn(process.execPath, [PROGRAM, String(at), ...redirectUris], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await untilReady(child)
  return { issuer: `http://127.0.0.1:${at}`, stop: () => void child.kill() }
}

async function untilReady(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr!.on('data', (chunk) => (said += String(chunk)))
  for await (const line of createInterface({ input: child.stdout! })) if (line === 'ready') return
  throw new Error(`The provider did not start: ${said}`)
}

/** The variables that set up a provider with the key `mitid`. */
export const settingsOf = (key: string, issuer: string, name = 'MitID'): Record<string, string> => ({
  [`OIDC_${key.toUpperCase()}_NAME`]: name,
  [`OIDC_${key.toUpperCase()}_ISSUER`]: issuer,
  [`OIDC_${key.toUpperCase()}_CLIENT_ID`]: 'ringbind',
  [`OIDC_${key.toUpperCase()}_CLIENT_SECRET`]: 'hemmelig-nok-til-en-test',
})

/** A browser at the provider: signs in as anybody and returns the address that it is sent back to. */
export async function signInAtProvider(address: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = new URL(address)
  let body: URLSearchParams | undefined
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const init = body ? { method: 'POST', body } : {}
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    body = undefined
    for (const each of answer.headers.getSetCookie()) {
      const [name, value] = each.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    const to = answer.headers.get('location')
    if (to) {
      const next = new URL(to, url)
      if (next.origin !== url.origin) return next.href
      url = next
      continue
    }
    const form = /<form[^>]* action="([^"]+)"/.exec(await answer.text())
    if (!form) throw new Error(`The provider answered ${answer.status} at ${url.href}.`)
    url = new URL(form[1]!, url)
    body = new URLSearchParams({ prompt: 'login', login, password: 'x' })
  }
  throw new Error('The provider leads nowhere.')
}
