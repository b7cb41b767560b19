import { describe, expect, it, vi } from 'vitest'
import type { Sent } from './send-batch.ts'
import type { Transport } from './transport.ts'
import { UploadQueue } from './upload-queue.ts'
import { CHOOSE_AGAIN, NO_LONGER_THERE, type Upload } from './upload.ts'

const LARGE = 3000
type Begun = {
  names: string[]
  call: Parameters<Transport['send']>[1]
  end: (outcome: Sent) => Promise<void>
}

/** A queue whose calls the test ends; a file above 2000 bytes goes alone. */
function makeQueue({ files = 100 } = {}) {
  const calls: Begun[] = []
  const givenUp: string[] = []
  const net = { isThere: true, comeBack: [] as (() => void)[] }
  const queue = new UploadQueue({
    limits: { bytes: 1e6, files },
    widget: { chunkBytes: 2000, parallelUploads: 2 },
    nameOf: (name) => name,
    transport: {
      send(batch, call) {
        const { promise, resolve } = Promise.withResolvers<Sent>()
        call.signal.addEventListener('abort', () => resolve({ kind: 'broken' }))
        const end = async (outcome: Sent) => {
          resolve(outcome)
          await settled()
        }
        calls.push({ names: batch.map(({ name }) => name), call, end })
        return promise
      },
      giveUp: (hashName) => givenUp.push(hashName),
      isReachable: async () => net.isThere,
      whenReachable: (act) => net.comeBack.push(act),
    },
  })
  const drop = (...names: string[]) => {
    queue.add(names.map((name) => new File(['x'.repeat(name.startsWith('large') ? LARGE : 10)], name)))
    queue.want(queue.get().uploads.map(({ id }) => id))
  }
  const states = () => Object.fromEntries(queue.get().uploads.map(({ name, state }) => [name, state]))
  const idOf = (name: string) => queue.get().uploads.find((each) => each.name === name)!.id
  const find = (name: string): Upload => queue.get().uploads.find((each) => each.name === name)!
  return { queue, calls, givenUp, net, drop, states, idOf, find }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

const sent = (...names: string[]): Sent => ({
  kind: 'sent',
  files: names.map((name) => ({ hash_name: name, name, type: 'application/pdf', size: 10 })),
})

describe('an upload queue', () => {
  it('an upload queue sends in the wanted order, two calls at a time, small files together', async () => {
    const { queue, calls, drop, idOf, states } = makeQueue()
    drop('large 2', 'b', 'large 10', 'a')
    expect(queue.get().uploads.map(({ name }) => name)).toEqual(['a', 'b', 'large 2', 'large 10'])
    expect(calls.map(({ names }) => names)).toEqual([['a', 'b'], ['large 2']])
    expect(states()['large 10']).toBe('waiting')
    drop('c')
    queue.want(['c', 'large 10'].map(idOf))
    expect(calls).toHaveLength(2)
    await calls[0]!.end(sent('h1', 'h2'))
    expect(calls[2]!.names).toEqual(['c'])
    expect(states()).toMatchObject({ a: 'sent', b: 'sent', c: 'sending', 'large 10': 'waiting' })
  })

  it('an upload queue does not send unwanted files', () => {
    const { queue, calls } = makeQueue()
    queue.add([new File(['x'], 'a')])
    expect(calls).toEqual([])
    queue.want([])
    expect(calls).toEqual([])
  })

  it('an upload queue sends the next file while the server reads one', () => {
    const { calls, drop, states } = makeQueue()
    drop('large 1', 'large 2', 'large 3')
    expect(calls).toHaveLength(2)
    calls[0]!.call.onThere()
    expect(calls[2]!.names).toEqual(['large 3'])
    expect(states()['large 1']).toBe('checking')
  })

  it('an upload queue reports progress, and has all bytes of every file once all are sent', async () => {
    const { queue, calls, drop, states } = makeQueue()
    const told = vi.fn()
    queue.subscribe(told)
    drop('large 1', 'a')
    const at = () => queue.get().uploads.map(({ done }) => done)
    calls[1]!.call.onProgress(0.5)
    expect(at()).toEqual([0, LARGE / 2])
    calls[1]!.call.onRestart()
    expect(at()).toEqual([0, 0])
    await calls[0]!.end(sent('h1'))
    await calls[1]!.end(sent('h2'))
    expect(at()).toEqual([10, LARGE])
    expect(states()).toEqual({ a: 'sent', 'large 1': 'sent' })
    expect(calls).toHaveLength(2)
    expect(told).toHaveBeenCalled()
  })

  it.each<[string, Sent, string, string]>([
    ['a broken connection', { kind: 'broken' }, 'Forbindelsen blev afbrudt.', 'failed'],
    ['a refusal of the call', { kind: 'refused', message: 'Nej.', faults: new Map() }, 'Nej.', 'failed'],
    // The other is sent again without the one that was wrong.
    [
      'a refusal of one',
      { kind: 'refused', message: '', faults: new Map([[0, 'Fuld.']]) },
      'Fuld.',
      'sending',
    ],
  ])('after %s the file has failed, and a retry sends it', async (_title, outcome, fault, other) => {
    const { queue, calls, drop, idOf, find, states } = makeQueue()
    drop('a', 'b')
    await calls[0]!.end(outcome)
    expect(find('a')).toMatchObject({ state: 'failed', fault, mayRetry: true, done: 0 })
    expect(states().b).toBe(other)
    queue.retry([idOf('a')])
    expect(calls.at(-1)!.names).toContain('a')
    expect(find('a')).toMatchObject({ state: 'sending', fault: null })
  })

  it('an upload queue waits while offline, and sends everything once when it is back', async () => {
    const { calls, net, drop, find, states } = makeQueue()
    drop('large 1', 'large 2', 'large 3')
    net.isThere = false
    await calls[0]!.end({ kind: 'broken' })
    await calls[1]!.end({ kind: 'broken' })
    expect(states()).toEqual({ 'large 1': 'waiting', 'large 2': 'waiting', 'large 3': 'waiting' })
    expect(find('large 3')).toMatchObject({ awaitsNet: true, fault: null })
    drop('late')
    expect(find('late').awaitsNet).toBe(true)
    expect([calls.length, net.comeBack.length]).toEqual([2, 1])
    net.isThere = true
    net.comeBack[0]!()
    expect(calls.slice(2).map(({ names }) => names)).toEqual([['large 1'], ['large 2']])
    expect([find('large 1').awaitsNet, find('late').awaitsNet]).toEqual([false, false])
    await calls[2]!.end(sent('h1'))
    await calls[3]!.end(sent('h2'))
    await calls[4]!.end(sent('h3'))
    await calls[5]!.end(sent('h4'))
    expect(Object.values(states())).toEqual(['sent', 'sent', 'sent', 'sent'])
    expect(calls).toHaveLength(6)
  })

  it('a call stops when all its files are removed, and the next one starts', async () => {
    const { queue, calls, drop, idOf, states } = makeQueue()
    drop('large 1', 'large 2', 'large 3')
    queue.remove([idOf('large 1')])
    expect(calls[0]!.call.signal.aborted).toBe(true)
    await settled()
    expect(calls[2]!.names).toEqual(['large 3'])
    expect(states()).toEqual({ 'large 2': 'sending', 'large 3': 'sending' })
  })

  it('removing a file while others of its call are sent frees its place', async () => {
    const { queue, calls, drop, idOf, states, givenUp } = makeQueue()
    drop('a', 'b')
    queue.remove([idOf('a')])
    expect(calls[0]!.call.signal.aborted).toBe(false)
    await calls[0]!.end(sent('ha', 'hb'))
    expect(givenUp).toEqual(['ha'])
    expect(states()).toEqual({ b: 'sent' })
  })

  it('undo puts a removed file back, and its place is freed when the undo is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { queue, calls, drop, idOf, states, givenUp } = makeQueue()
      drop('a', 'b')
      await calls[0]!.end(sent('ha', 'hb'))
      const putBack = queue.remove([idOf('a')])
      putBack()
      expect(states()).toEqual({ b: 'sent', a: 'sent' })
      queue.remove([idOf('b')])
      vi.runAllTimers()
      expect(givenUp).toEqual(['hb'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('an upload queue accepts none of too many files', () => {
    const { queue, drop } = makeQueue({ files: 2 })
    drop('a')
    drop('b', 'c')
    expect(queue.get()).toMatchObject({ tooMany: 2, uploads: [{ name: 'a' }] })
    drop('b')
    expect(queue.get().tooMany).toBe(0)
  })

  it('an upload queue is unchanged while the form is saved, and takes files that came meanwhile afterwards', async () => {
    const { queue, calls, drop, idOf, find, states } = makeQueue()
    drop('a')
    await calls[0]!.end(sent('ha'))
    queue.freeze(true)
    queue.remove([idOf('a')])()
    queue.retry([idOf('a')])
    queue.choose([idOf('a')], 'skip')
    expect(queue.rename(new Map([[idOf('a'), 'b']]))).toBe(false)
    drop('late')
    expect(find('a')).toMatchObject({ state: 'sent', choice: null })
    expect(queue.late.map(({ name }) => name)).toEqual(['late'])
    queue.freeze(false)
    expect(states()).toEqual({ a: 'sent', late: 'waiting' })
  })

  it('an upload queue sends a file again that the server lost, and keeps the bytes of one whose name it refused', async () => {
    const { queue, calls, drop, idOf, find } = makeQueue()
    drop('a', 'b')
    await calls[0]!.end(sent('ha', 'hb'))
    queue.fail(new Map([[idOf('a'), 'Væk.']]))
    queue.refuse(new Map([[idOf('b'), 'Navnet.']]))
    expect(find('a')).toMatchObject({ state: 'failed', fault: 'Væk.', hashName: null })
    expect(find('b')).toMatchObject({ state: 'failed', fault: 'Navnet.', hashName: 'hb' })
    queue.rename(new Map([[idOf('b'), 'c']]))
    expect(find('c')).toMatchObject({ state: 'sent', fault: null, hashName: 'hb' })
  })

  describe('a queue from an earlier page', () => {
    const left = (name: string, hashName: string | null, original = name) => ({
      name,
      original,
      size: 10,
      hashName,
      type: hashName && 'application/pdf',
      choice: null,
    })

    it('a queue from an earlier page has what is sent, and waits for the rest to be chosen again', async () => {
      const { queue, calls, drop, find, states } = makeQueue()
      const ids = queue.restore([left('a', 'h1'), { ...left('Ny (1)', null, 'b'), choice: 'keep' }])
      expect(ids).toEqual(queue.get().uploads.map(({ id }) => id))
      queue.want(ids)
      expect(states()).toEqual({ a: 'sent', 'Ny (1)': 'failed' })
      expect(find('Ny (1)')).toMatchObject({ fault: CHOOSE_AGAIN, mayRetry: false, done: 0 })
      queue.retry(ids)
      expect(calls).toEqual([])
      expect(states()).toEqual({ a: 'sent', 'Ny (1)': 'failed' })
      // The same name and size: it gets its decisions back. A file that is sent is not taken for another.
      drop('b', 'a')
      expect(queue.get().uploads).toHaveLength(3)
      expect(calls.map(({ names }) => names)).toEqual([['Ny (1)'], ['a']])
      await calls[0]!.end(sent('h2'))
      expect(find('Ny (1)')).toMatchObject({ hashName: 'h2', choice: 'keep', fault: null })
      drop('b')
      expect(queue.get().uploads).toHaveLength(4)
    })

    it('asks again for a file that the server no longer has', () => {
      const { queue, find, drop, calls } = makeQueue()
      const [id] = queue.restore([left('a', 'h1')])
      queue.fail(new Map([[id!, 'Væk.']]))
      expect(find('a')).toMatchObject({
        state: 'failed',
        fault: NO_LONGER_THERE,
        mayRetry: false,
        hashName: null,
      })
      drop('a')
      expect(calls.map(({ names }) => names)).toEqual([['a']])
    })

    it('a queue from an earlier page is taken as far as there is room, and files chosen again take none', () => {
      const { queue, drop } = makeQueue({ files: 2 })
      expect(queue.restore([left('a', null), left('b', 'h'), left('c', 'h2')])).toHaveLength(2)
      drop('a')
      expect(queue.get()).toMatchObject({ tooMany: 0, uploads: [{ state: 'sending' }, { state: 'sent' }] })
      drop('d')
      expect(queue.get().tooMany).toBe(1)
    })

    it('finds a name again that another system writes differently', () => {
      const { queue, drop, states } = makeQueue()
      queue.restore([left('å', null)])
      drop('å'.normalize('NFD'))
      expect(Object.values(states())).toEqual(['sending'])
    })
  })
})
