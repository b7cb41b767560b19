import { reuse } from '../../base/reuse.ts'
import { keepFocus } from '../basic/keep-focus.ts'
import { actedAt, orNull, readJson, sendUnattended } from './request.ts'
import type { Refresh } from './use-live.ts'

/** What refreshing a list needs. It comes with this late part, so that the page itself stays small. */
export type Fresh = {
  /** Fetches JSON, which is no use of the session. Null if it cannot be had. */
  get: <Answer>(url: string) => Promise<Answer | null>
  /** Waits until nothing is disturbed if the page changes. Await it before drawing what was fetched. */
  calm: () => Promise<void>
  reuse: typeof reuse
}

/** The least time between two refreshes. */
const GAP_MS = 700
/** After a failure we wait longer each time. */
const FIRST_PAUSE_MS = 3000
const LONGEST_PAUSE_MS = 300_000
/** The server says something every 40 seconds. After a silence of this length the connection is dead. */
const SILENCE_MS = 100_000
const LOOK_MS = 150

/** Listens for changes while the page is visible. A hidden page closes its connection, of which a browser has only six. */
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
    // After a broken connection the browser tries again by itself, but not after a refusal or a proxy's error page.
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
  let isAsked = false
  let isRunning = false
  let isStopped = false
  let pause = FIRST_PAUSE_MS

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    while (isAsked && !isStopped) {
      await whenCalm()
      isAsked = false
      const began = performance.now()
      const endFocus = keepFocus()
      const hasChanged = await refresh(FRESH)
      setTimeout(endFocus, 1000) // React draws a moment later
      if (hasChanged === null) {
        isAsked = true
        await sleep(pause)
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
        continue
      }
      pause = FIRST_PAUSE_MS
      if (hasChanged && actedAt() < began - OWN_MS) announce()
      await sleep(GAP_MS)
    }
    isRunning = false
  }

  return {
    ask() {
      isAsked = true
      void run()
    },
    stop: () => void (isStopped = true),
  }
}

const FRESH: Fresh = {
  get: async <Answer>(url: string) => {
    const response = await orNull(sendUnattended(url))
    return response?.ok ? orNull(readJson<Answer>(response)) : null
  },
  calm: () => whenCalm(),
  reuse,
}

let isPressed = false
let isDragging = false
for (const [name, isNow] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const)
  addEventListener(name, () => (isPressed = isNow), true)
addEventListener('dragstart', () => (isDragging = true), true)
for (const name of ['dragend', 'drop', 'pointerdown', 'pointermove'])
  addEventListener(name, () => (isDragging = false), true) // no pointer moves while something is dragged

/** Waits while a menu or a dialog is open, something is dragged, a button is held down or a text is typed in a form. */
async function whenCalm(): Promise<void> {
  while (isPressed || isDragging || document.querySelector(OPEN) || isTyping()) await sleep(LOOK_MS)
}

const OPEN = 'dialog[open], [popover=auto]:popover-open'

/** Only in a form that sends something: a list keeps what is searched for in it. */
const isTyping = () => document.activeElement?.matches(TYPED) ?? false

const TYPED = 'main form[method=post] :is(textarea, input:not([type=checkbox], [type=radio]), select)'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Changes that the user has made themselves within this time are no news. */
const OWN_MS = 3000
const ANNOUNCE_EVERY_MS = 20_000
let announcedAt = -ANNOUNCE_EVERY_MS
let region: HTMLElement | undefined

/** Tells screen readers, but not of every change. */
function announce(): void {
  if (performance.now() - announcedAt < ANNOUNCE_EVERY_MS) return
  announcedAt = performance.now()
  region ??= addRegion()
  const { firstChild } = region
  // A region is read aloud when its text changes after it is there.
  setTimeout(() => (firstChild!.textContent = SAID), 100)
  setTimeout(() => (firstChild!.textContent = ''), 5000)
}

const SAID = 'Listen er opdateret.'

function addRegion(): HTMLElement {
  const added = document.createElement('div')
  added.role = 'status'
  added.className = 'sr-only'
  added.append(document.createElement('span'))
  document.body.append(added)
  return added
}
