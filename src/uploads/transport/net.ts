import { urls } from '../../urls.ts'

/** So long the server is left alone before it is asked again; each further wait is twice as long. */
const FIRST_WAIT_MS = 5000
const LONGEST_WAIT_MS = 60_000

/** Whether the server answers. A proxy that answers for it does not count. */
export async function isReachable(): Promise<boolean> {
  const answer = await fetch(urls.health, { cache: 'no-store' }).catch(() => null)
  return answer?.ok ?? false
}

/** Acts once, when the server answers again: asks when the browser has a net again, and now and then. Returns a way to call it off. */
export function whenReachable(act: () => void, asks = isReachable): () => void {
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout>
  let isOver = false
  const end = () => {
    isOver = true
    clearTimeout(timer)
    globalThis.removeEventListener?.('online', ask)
  }
  const ask = async () => {
    clearTimeout(timer)
    if (await asks()) {
      if (isOver) return
      end()
      return act()
    }
    if (isOver) return undefined
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    return undefined
  }
  globalThis.addEventListener?.('online', ask)
  timer = setTimeout(() => void ask(), wait)
  return end
}
