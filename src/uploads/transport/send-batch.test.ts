import { afterEach, expect, it, vi } from 'vitest'
import { faultsOf, nextBatch, sendBatch } from './send-batch.ts'
import { newUpload } from './upload.ts'
import { WIDGET } from './widget.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const sizes = (...all: number[]) => all.map((size) => ({ size }))

it.each([
  [sizes(10, 20, 30), 3],
  [sizes(1_500_000, 400_000, 200_000), 2],
  [sizes(5_000_000, 10), 1],
  [sizes(10, 5_000_000), 1],
  [sizes(2_000_000, 1), 1],
  [sizes(...Array<number>(60).fill(1)), 50],
  [[], 0],
])('from %j the first %d are sent together', (waiting, count) => {
  expect(nextBatch(waiting)).toEqual(waiting.slice(0, count))
})

it('a refusal is shown at its file', () => {
  expect(faultsOf({ 'files.3': ['Tom.', 'Tom!'], files: ['Alle'], 'files.x': ['?'] })).toEqual(
    new Map([[3, 'Tom. Tom!']]),
  )
})

/** A connection on which nothing ever arrives. */
function silent() {
  const begun: number[] = []
  class Silent extends EventTarget {
    upload = new EventTarget()
    open() {}
    setRequestHeader() {}
    send() {
      begun.push(Date.now())
    }
    abort() {
      this.dispatchEvent(new Event('abort'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Silent)
  vi.stubGlobal('document', { cookie: '' })
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  return begun
}

it.each([
  [WIDGET, [0, 31_000, 63_000, 97_000]],
  [{ ...WIDGET, timeoutMs: 5000, chunkRetries: 1 }, [0, 6000]],
])(
  'S9.10 half a minute of silence is a broken call, tried three more times; or as configured: %j',
  async (widget, expected) => {
    const begun = silent()
    const upload = newUpload(new File(['x'], 'x.pdf'), 'x.pdf', { bytes: 9, files: 9 })
    const sent = sendBatch([upload], {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      widget,
    })
    while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve)) // its file is read first
    await vi.runAllTimersAsync()
    expect(await sent).toEqual({ kind: 'broken' })
    expect(begun).toEqual(expected)
  },
)

it('each file is sent with its SHA-256, and sent again if it changed on the way', async () => {
  const statuses = [460, 200]
  const forms: FormData[] = []
  class Answering extends EventTarget {
    upload = new EventTarget()
    status = 0
    response: unknown = [{ name: 'a.pdf', size: 3, type: 'application/pdf', hash_name: 'h' }]
    open() {}
    setRequestHeader() {}
    send(form: FormData) {
      forms.push(form)
      this.status = statuses.shift()!
      queueMicrotask(() => this.dispatchEvent(new Event('load')))
    }
  }
  vi.stubGlobal('XMLHttpRequest', Answering)
  vi.stubGlobal('document', { cookie: '' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const uploads = ['abc', 'abcd'].map((text) =>
    newUpload(new File([text], 'a.pdf'), 'a.pdf', { bytes: 9, files: 9 }),
  )
  const signal = new AbortController().signal
  const sent = sendBatch(uploads, { signal, onProgress: () => undefined, widget: WIDGET })
  while (forms.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await vi.runAllTimersAsync()
  expect(await sent).toMatchObject({ kind: 'sent' })
  expect(forms).toHaveLength(2)
  expect([...forms[1]!.keys()]).toEqual(['sha256[0]', 'files[0]', 'sha256[1]', 'files[1]'])
  expect(forms[1]!.get('sha256[0]')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
