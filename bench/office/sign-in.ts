import { PASSWORD } from '../../test/make.ts'

/** The headers of a person who is signed in. */
export type SignedIn = { cookie: string; 'x-requested-with': string; 'x-xsrf-token': string }

type Init = { method?: string; body?: string; headers?: Record<string, string> }

/** Signs in as a person whom `makeUser` made. */
export async function signIn(url: string, email: string): Promise<SignedIn> {
  const cookies = new Map<string, string>()
  const send = async (path: string, { headers: more, ...init }: Init = {}) => {
    const answer = await fetch(url + path, { ...init, headers: { ...headers(), ...more } })
    for (const each of answer.headers.getSetCookie()) {
      const [name, value] = each.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    return answer
  }
  const headers = (): SignedIn => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-requested-with': 'XMLHttpRequest',
    'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
  })
  await send('/login', { headers: { 'x-requested-with': '' } })
  const answer = await send('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`The sign-in answered ${answer.status}: ${await answer.text()}`)
  await send('/projects', { headers: { 'x-requested-with': '' } }) // the page sets the session's token
  return headers()
}
