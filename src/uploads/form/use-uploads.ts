import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { nextBatch, sendBatch, type Sent } from '../transport/send-batch.ts'
import { alike, sendLarge } from '../transport/send-large.ts'
import { addSample, secondsLeft, type Sample } from '../transport/time-left.ts'
import { newUpload, refusalOf, type Limits, type Upload } from '../transport/upload.ts'
import { WIDGET, type Widget } from '../transport/widget.ts'

/** So often is progress drawn: the eye follows no faster, and a pile has thousands of rows. */
const DRAWN_EVERY_MS = 250

type Options = {
  limits: Limits
  /** Whether large files go straight to the store. */
  isDirect: boolean
  /** As a dropped file is to be called at first. */
  nameOf: (name: string) => string
  widget?: Partial<Widget>
}

const danish = new Intl.Collator('da', { numeric: true })

/** So long can what was removed be put back. */
const UNDO_MS = 10_000

/** To be sent once more. */
const AFRESH = { state: 'waiting', fault: null, done: 0, hashName: null, type: null } as const

type Change = (upload: Upload, index: number) => Partial<Upload>

/** Files on their way to the server, a few at a time, while their form is still being filled in. */
export function useUploads({ limits, isDirect, nameOf, widget: own }: Options) {
  const widget = { ...WIDGET, ...own, maxFileBytes: limits.bytes }
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [tooMany, setTooMany] = useState(0)
  /** While the form is being saved it must stay what it was. */
  const isFrozen = useRef(false)
  /** What is dropped then. */
  const late = useRef<File[]>([])
  const running = useRef(new Map<AbortController, readonly string[]>())
  /** Of those, the ones that are there and only read. */
  const checking = useRef(new Set<AbortController>())
  const removed = useRef(new Set<string>())
  /** Where one could not be sent, the others are not tried. */
  const goesDirect = useRef(isDirect)

  const change = (ids: readonly string[], make: Change) => {
    const places = new Map(ids.map((id, index) => [id, index]))
    setUploads((all) =>
      all.map((each) => {
        const index = places.get(each.id)
        return index === undefined ? each : { ...each, ...make(each, index) }
      }),
    )
  }

  const latest = useRef(uploads)
  useEffect(() => {
    latest.current = uploads
  })

  function add(files: readonly File[]): void {
    if (isFrozen.current) {
      late.current.push(...files)
      return
    }
    // Reading directories takes its time: there may be more by now.
    const isTooMany = latest.current.length + files.length > limits.files
    setTooMany(isTooMany ? files.length : 0)
    if (isTooMany) return
    // A directory gives its files in no order.
    const inOrder = files.toSorted((a, b) => danish.compare(a.name, b.name))
    const added = inOrder.map((file) => newUpload(file, nameOf(file.name), limits))
    latest.current = [...latest.current, ...added]
    setUploads((all) => [...all, ...added])
  }

  /** Takes some out; answers how to put them back, for a while. */
  function remove(ids: readonly string[]): () => void {
    if (isFrozen.current) return () => undefined
    const gone = uploads.filter(({ id }) => ids.includes(id))
    forget(ids)
    const giveUpSoon = setTimeout(() => gone.forEach(({ hashName }) => hashName && giveUp(hashName)), UNDO_MS)
    return () => {
      if (isFrozen.current) return
      clearTimeout(giveUpSoon)
      for (const { id } of gone) removed.current.delete(id)
      setUploads((all) => [
        ...all,
        ...gone.map((each) => (['sending', 'checking'].includes(each.state) ? { ...each, ...AFRESH } : each)),
      ])
    }
  }

  /** The same without a way back; what was sent stays sent. */
  function forget(ids: readonly string[]): void {
    const gone = new Set(ids)
    for (const id of ids) removed.current.add(id)
    setTooMany(0)
    setUploads((all) => all.filter((each) => !gone.has(each.id)))
    for (const [controller, theirs] of running.current)
      if (theirs.every((id) => gone.has(id))) controller.abort()
  }

  function retry(ids: readonly string[]): void {
    if (!isFrozen.current) change(ids, () => AFRESH)
  }

  function choose(ids: readonly string[], choice: Upload['choice']): void {
    if (!isFrozen.current) change(ids, () => ({ choice }))
  }

  /** What the server has no longer is sent again when that is asked for. */
  const fail = (faults: ReadonlyMap<string, string>) =>
    change([...faults.keys()], ({ id }) => ({
      ...AFRESH,
      state: 'failed',
      fault: faults.get(id)!,
      mayRetry: true,
    }))

  /** The server will not have them as they are; their bytes are there. */
  const refuse = (faults: ReadonlyMap<string, string>) =>
    change([...faults.keys()], ({ id }) => ({ state: 'failed', fault: faults.get(id)!, mayRetry: true }))

  /** Answers whether it was done. */
  function rename(names: ReadonlyMap<string, string>): boolean {
    if (isFrozen.current) return false
    change([...names.keys()], ({ id, size, state, hashName }) => {
      const name = names.get(id)!
      // The old name may be all that was wrong with it.
      const again = state === 'failed' && hashName !== null ? ({ state: 'sent', fault: null } as const) : {}
      return { name, refusal: refusalOf(name, size, limits.bytes), ...again }
    })
    return true
  }

  function freeze(isOn: boolean): void {
    isFrozen.current = isOn
    if (!isOn && late.current.length > 0) add(late.current.splice(0))
  }

  async function sendSome(batch: readonly Upload[]): Promise<void> {
    const ids = batch.map(({ id }) => id)
    const controller = new AbortController()
    running.current.set(controller, ids)
    change(ids, () => ({ state: 'sending' }))
    const onProgress = seldom((part: number) =>
      change(ids, ({ size, done }) => ({ done: Math.max(done, Math.floor(size * part)) })),
    )
    const { signal } = controller
    const isLarge = batch[0]!.size > widget.chunkBytes
    const outcome = isLarge
      ? await sendOne(batch[0]!)
      : await sendBatch(batch, { signal, onProgress, widget })
    running.current.delete(controller)
    checking.current.delete(controller)
    if (outcome.kind === 'sent')
      outcome.files.forEach((sent, index) => removed.current.has(ids[index]!) && giveUp(sent.hash_name))
    change(ids, (upload, index) => after(upload, index, outcome))

    async function sendOne({ file, name }: Upload): Promise<Sent> {
      const options = { signal, onProgress, retries: widget.chunkRetries, silenceMs: widget.timeoutMs }
      if (goesDirect.current) {
        const direct = await import('../transport/send-direct.ts').catch(() => null)
        const onThere = () => {
          checking.current.add(controller)
          change(ids, ({ size }) => ({ state: 'checking', done: size }))
        }
        const sent = await direct?.sendDirect(file, name, { ...options, onThere, alike })
        if (sent) return sent
        goesDirect.current = false
        change(ids, () => ({ done: 0 }))
      }
      return sendLarge(file, name, { ...options, chunkBytes: widget.chunkBytes })
    }
  }

  /** Begins one more call, unless as many as may run at a time do. */
  function sendNext(waiting: readonly Upload[]): void {
    // What is only read at the server keeps no other from being sent; too many would ask too often.
    const read = Math.min(checking.current.size, widget.parallelUploads)
    if (running.current.size - read < widget.parallelUploads)
      void sendSome(nextBatch(waiting, widget.chunkBytes))
  }

  return {
    uploads,
    tooMany,
    add,
    remove,
    forget,
    retry,
    choose,
    fail,
    refuse,
    rename,
    freeze,
    late,
    sendNext,
    widget,
  }
}

export type Uploads = ReturnType<typeof useUploads>

/** Sends those that are to be sent; answers how many seconds it takes, when there is a telling. */
export function useSending({ sendNext }: Uploads, wanted: readonly Upload[]): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const goOn = useEffectEvent((all: readonly Upload[]) => {
    const waiting = all.filter(({ state }) => state === 'waiting')
    if (waiting.length > 0) sendNext(waiting)
  })
  useEffect(() => goOn(wanted), [wanted])

  const [total, done] = [sumOf(wanted, 'size'), sumOf(wanted, 'done')]
  useEffect(() => {
    const soon = setTimeout(() => setSamples((all) => addSample(all, { at: performance.now(), done })))
    return () => clearTimeout(soon)
  }, [done])
  return secondsLeft(samples, total - done)
}

export function sumOf(uploads: readonly Upload[], what: 'size' | 'done'): number {
  return uploads.reduce((sum, upload) => sum + upload[what], 0)
}

/** Its place is free again at once, and not only after a day. */
function giveUp(hashName: string): void {
  void send('DELETE', urls.temporaryFile(hashName)).catch(() => undefined)
}

function after(upload: Upload, index: number, outcome: Sent): Partial<Upload> {
  if (outcome.kind === 'sent') {
    const { hash_name: hashName, type } = outcome.files[index]!
    return { state: 'sent', done: upload.size, hashName, type }
  }
  if (outcome.kind === 'broken')
    return { state: 'failed', done: 0, fault: 'Forbindelsen blev afbrudt.', mayRetry: true }
  // None of a refused call is kept: the others are sent again without the one that was wrong.
  const fault = outcome.faults.size > 0 ? outcome.faults.get(index) : outcome.message
  return fault === undefined
    ? { state: 'waiting', done: 0 }
    : { state: 'failed', done: 0, fault, mayRetry: true }
}

/** The same function, called at most so often. */
function seldom(run: (part: number) => void): (part: number) => void {
  let last = 0
  return (part) => {
    const now = performance.now()
    if (now - last < DRAWN_EVERY_MS) return
    last = now
    run(part)
  }
}
