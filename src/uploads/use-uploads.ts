import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatBytes } from '../base/bytes.ts'
import { postFiles } from '../ui/request.ts'
import { urls } from '../urls.ts'
import { cleanFileName } from './file-name.ts'
import { faultsOf, nextBatch, SENDING, type Sent } from './send-batch.ts'
import type { TemporaryFile } from './temporary-file.ts'

export type Upload = {
  id: string
  file: File
  name: string
  size: number
  state: 'waiting' | 'sending' | 'sent' | 'failed'
  /** Bytes that are there. */
  done: number
  fault: string | null
  /** Whether trying again may help. */
  mayRetry: boolean
  hashName: string | null
}

export type Limits = { bytes: number; files: number }

let count = 0

/** Files on their way to the server, a few at a time, while their form is still being filled in. */
export function useUploads(limits: Limits) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const running = useRef(new Map<AbortController, readonly string[]>())

  const change = (ids: readonly string[], make: (upload: Upload, index: number) => Partial<Upload>) =>
    setUploads((all) =>
      all.map((each) => {
        const index = ids.indexOf(each.id)
        return index < 0 ? each : { ...each, ...make(each, index) }
      }),
    )

  function add(files: readonly File[]): void {
    setUploads((all) => [...all, ...files.map((file) => started(file, limits))])
  }

  function remove(id: string): void {
    setUploads((all) => all.filter((each) => each.id !== id))
    for (const [controller, ids] of running.current) if (ids.length === 1 && ids[0] === id) controller.abort()
  }

  const retry = (id: string) =>
    change([id], () => ({ state: 'waiting', fault: null, done: 0, hashName: null }))

  async function send(batch: readonly Upload[]): Promise<void> {
    const ids = batch.map(({ id }) => id)
    const controller = new AbortController()
    running.current.set(controller, ids)
    change(ids, () => ({ state: 'sending' }))
    const outcome = await sendPatiently(batch, controller.signal, (part) =>
      change(ids, ({ size }) => ({ done: Math.floor(size * part) })),
    )
    running.current.delete(controller)
    change(ids, (upload, index) => after(upload, index, outcome))
  }

  // As many calls as may run at a time, whenever there is something to send.
  const goOn = useEffectEvent(() => {
    const waiting = uploads.filter(({ state }) => state === 'waiting')
    if (waiting.length > 0 && running.current.size < SENDING.parallel) void send(nextBatch(waiting))
  })
  useEffect(() => {
    if (uploads.some(({ state }) => state === 'waiting')) goOn()
  }, [uploads])

  return { uploads, add, remove, retry, change }
}

function started(file: File, { bytes }: Limits): Upload {
  const name = cleanFileName(file.name)
  const fault =
    file.size === 0
      ? 'Filen er tom.'
      : file.size > bytes
        ? `Filen er for stor. En fil må højst fylde ${formatBytes(bytes)}.`
        : null
  const id = `f${(++count).toString(36)}`
  return {
    id,
    file,
    name,
    size: file.size,
    state: fault ? 'failed' : 'waiting',
    done: 0,
    fault,
    mayRetry: false,
    hashName: null,
  }
}

function after(upload: Upload, index: number, outcome: Sent): Partial<Upload> {
  if (outcome.kind === 'sent')
    return { state: 'sent', done: upload.size, hashName: outcome.files[index]!.hash_name }
  if (outcome.kind === 'broken')
    return { state: 'failed', done: 0, fault: 'Forbindelsen blev afbrudt.', mayRetry: true }
  // None of a refused call is kept: the others are sent again without the one that was wrong.
  const fault = outcome.faults.size > 0 ? outcome.faults.get(index) : outcome.message
  return fault === undefined
    ? { state: 'waiting', done: 0 }
    : { state: 'failed', done: 0, fault, mayRetry: outcome.faults.size === 0 }
}

async function sendPatiently(
  batch: readonly Upload[],
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Sent> {
  for (let tries = 0; ; tries++) {
    const outcome = await sendOnce(batch, signal, onProgress)
    if (outcome.kind !== 'broken' || tries === SENDING.retries || signal.aborted) return outcome
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tries))
  }
}

async function sendOnce(
  batch: readonly Upload[],
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<Sent> {
  const form = new FormData()
  batch.forEach(({ file, name }, index) => form.set(`files[${index}]`, file, name))
  const answer = await postFiles(urls.temporaryUpload, form, {
    signal,
    onProgress,
    silenceMs: SENDING.silenceMs,
  })
  if (answer?.status === 200) return { kind: 'sent', files: answer.body as TemporaryFile[] }
  const { message, errors } = (answer?.body ?? {}) as { message?: string; errors?: Record<string, string[]> }
  // A server that is away may be back soon; one that has no room says so at the file.
  if (answer === null || (answer.status >= 500 && !errors)) return { kind: 'broken' }
  return { kind: 'refused', message: message ?? 'Filen kunne ikke sendes.', faults: faultsOf(errors ?? {}) }
}
