/**
 * Every call to our own server: S7.1's two headers, no timeout (S7.2), and the answer as it came, whatever it says.
 */
export function send(
  method: string,
  url: string,
  body?: BodyInit | null,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method,
    body: body ?? null,
    credentials: 'same-origin',
    headers: {
      Accept: 'application/json',
      'X-Requested-With': 'XMLHttpRequest',
      'X-XSRF-TOKEN': readCookie('XSRF-TOKEN'),
    },
    ...(signal && { signal }),
  })
}

function readCookie(name: string): string {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : ''
}

type Progress = {
  signal: AbortSignal
  /** How much is there, from 0 to 1. */
  onProgress: (part: number) => void
  /** So long without any progress is a broken connection. */
  silenceMs: number
}

/** Sends files, telling how far it is; null when it did not get there. Fetch tells nothing of what has been sent. */
export function postFiles(
  url: string,
  body: FormData,
  { signal, onProgress, silenceMs }: Progress,
): Promise<{ status: number; body: unknown } | null> {
  return new Promise((resolve) => {
    const call = new XMLHttpRequest()
    let silence: ReturnType<typeof setTimeout>
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => call.abort(), silenceMs)
    }
    const end = (answer: { status: number; body: unknown } | null) => {
      clearTimeout(silence)
      resolve(answer)
    }
    call.open('POST', url)
    call.responseType = 'json'
    call.setRequestHeader('Accept', 'application/json')
    call.setRequestHeader('X-Requested-With', 'XMLHttpRequest')
    call.setRequestHeader('X-XSRF-TOKEN', readCookie('XSRF-TOKEN'))
    call.upload.addEventListener('progress', ({ loaded, total }) => {
      listen()
      onProgress(total > 0 ? loaded / total : 0)
    })
    call.addEventListener('load', () => end({ status: call.status, body: call.response as unknown }))
    for (const name of ['error', 'abort', 'timeout'] as const) call.addEventListener(name, () => end(null))
    signal.addEventListener('abort', () => call.abort())
    listen()
    call.send(body)
  })
}
