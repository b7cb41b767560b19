import { isSignedOut, ownHeaders, tellSignedOut } from './request.ts'

type Progress = {
  signal: AbortSignal
  /** How much has been sent, from 0 to 1. */
  onProgress: (part: number) => void
  /** How long a transfer may stand still before the connection counts as broken. */
  silenceMs: number
}

export type Answer = { status: number; body: unknown; header: (name: string) => string | null }

/** Sends files and reports progress. Returns null if they did not arrive. */
export function postFiles(url: string, body: FormData, progress: Progress): Promise<Answer | null> {
  return transfer('POST', url, {}, body, progress)
}

/** Sends any request and reports progress, which fetch cannot. Calls to another server do not carry our headers. */
export function transfer(
  method: string,
  url: string,
  headers: Record<string, string>,
  body: XMLHttpRequestBodyInit | null,
  { signal, onProgress, silenceMs }: Progress,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const call = new XMLHttpRequest()
    let silence: ReturnType<typeof setTimeout>
    const listen = () => {
      clearTimeout(silence)
      silence = setTimeout(() => call.abort(), silenceMs)
    }
    const stop = () => call.abort()
    const end = (answer: Answer | null) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      resolve(answer)
    }
    call.open(method, url)
    call.responseType = 'json'
    const own: Record<string, string> = url.startsWith('/') ? ownHeaders() : {}
    for (const [name, value] of Object.entries({ ...own, ...headers })) call.setRequestHeader(name, value)
    call.upload.addEventListener('progress', ({ loaded, total }) => {
      listen()
      onProgress(total > 0 ? loaded / total : 0)
    })
    call.addEventListener('load', () => {
      if (url.startsWith('/') && isSignedOut(call.status, call.response)) tellSignedOut()
      end({ status: call.status, body: call.response, header: (name) => call.getResponseHeader(name) })
    })
    for (const name of ['error', 'abort', 'timeout'] as const) call.addEventListener(name, () => end(null))
    if (signal.aborted) return end(null)
    signal.addEventListener('abort', stop)
    listen()
    call.send(body)
  })
}
