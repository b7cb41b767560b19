import { reuse } from '../../base/reuse.ts'
import { actCount, actedAt, orNull, readJson, sendUnattended } from '../overlay/request.ts'
import { announce } from './announce.ts'
import { whenCalm } from './calm.ts'
import type { Fresh, Refresh } from './fresh.ts'
import { keepFocus } from './keep-focus.ts'

/** The least time between two refreshes. */
const GAP_MS = 700
/** After a failure we wait longer each time. */
const FIRST_PAUSE_MS = 3000
const LONGEST_PAUSE_MS = 300_000
/** The server says something every 40 seconds. After a silence of this length the connection is dead. */
const SILENCE_MS = 100_000

/**
 * Listens for changes while the page is visible. A hidden page closes its connection, of which a browser has only six, and
 * keeps what it shows; visible again, it says how far it had heard, and fetches what it has missed. None of this keeps the
 * session alive.
 * Where the session has ended it tries on in silence; the page's next request opens the dialog that says so.
 */
export function listenTo(address: string, since: string, refresh: Refresh): () => void {
  let position = since
  let source: EventSource | null = null
  let pause = FIRST_PAUSE_MS
  let heard = 0
  let again: ReturnType<typeof setTimeout>
  const refresher = makeRefresher(refresh)

  function hear({ lastEventId }: MessageEvent): void {
    heard = performance.now()
    position = lastEventId
  }

  function open(): void {
    clearTimeout(again)
    if (source || document.hidden) return
    heard = performance.now()
    const mine = new EventSource(`${address}&since=${encodeURIComponent(position)}`)
    source = mine
    mine.addEventListener('open', () => (pause = FIRST_PAUSE_MS))
    mine.addEventListener('still', hear)
    mine.addEventListener('message', (event) => {
      hear(event)
      refresher.ask()
    })
    // After a broken connection the browser reconnects by itself, but not after a refusal or a proxy's error page.
    mine.addEventListener('error', () => {
      if (mine.readyState !== EventSource.CLOSED || source !== mine) return
      close()
      again = setTimeout(open, pause * (1 + Math.random()))
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    })
  }

  function close(): void {
    source?.close()
    source = null
  }

  const look = () => (document.hidden ? close() : open())
  const watch = setInterval(() => {
    if (!source || performance.now() - heard < SILENCE_MS) return
    close()
    open()
  }, SILENCE_MS / 3)
  addEventListener('visibilitychange', look)
  addEventListener('pageshow', look)
  addEventListener('pagehide', close)
  open()
  return () => {
    removeEventListener('visibilitychange', look)
    removeEventListener('pageshow', look)
    removeEventListener('pagehide', close)
    clearInterval(watch)
    clearTimeout(again)
    refresher.stop()
    close()
  }
}

/** Refreshes once for all that is asked meanwhile, and again until it succeeds: an event says only once that something changed. */
function makeRefresher(refresh: Refresh) {
  const now = { isAsked: false, isRunning: false, isStopped: false }
  let pause = FIRST_PAUSE_MS

  async function run(): Promise<void> {
    if (now.isRunning) return
    now.isRunning = true
    while (now.isAsked && !now.isStopped) {
      await whenCalm()
      now.isAsked = false
      const began = performance.now()
      const endFocus = keepFocus()
      const hasChanged = await refresh(FRESH)
      setTimeout(endFocus, 1000) // React draws a moment later
      if (hasChanged === null) {
        now.isAsked = true
        await sleep(pause)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
        continue
      }
      pause = FIRST_PAUSE_MS
      if (hasChanged && actedAt() < began - OWN_MS) announce()
      await sleep(GAP_MS)
    }
    now.isRunning = false
  }

  return {
    ask() {
      now.isAsked = true
      void run()
    },
    stop: () => void (now.isStopped = true),
  }
}

const FRESH: Fresh = {
  newest,
  get: (url) =>
    newest(async () => {
      const response = await orNull(sendUnattended(url))
      return response?.ok ? orNull(readJson(response)) : null
    }),
  reuse,
}

/** An older answer would make rows jump back, and the next press would hit another one. */
async function newest<Answer>(fetchIt: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const before = actCount()
    const answer = await fetchIt()
    await whenCalm()
    if (actCount() === before) return answer
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Changes that the user has made themselves within this time are no news. */
const OWN_MS = 3000
