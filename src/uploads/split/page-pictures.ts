import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { urls } from '../../urls.ts'
import { PAGES_AT_ONCE, type SplitPictures } from './split.ts'

/** The pictures of a PDF's pages, fetched some at a time when they are nearly in view. */
export class PagePictures {
  readonly #hashName: string
  readonly #count: number
  #pictures = new Map<number, string>()
  #asked = new Set<number>()
  #waiting: number[] = []
  #isFetching = false
  #listeners = new Set<() => void>()

  constructor(hashName: string, count: number) {
    this.#hashName = hashName
    this.#count = count
  }

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  find = (page: number): string | undefined => this.#pictures.get(page)

  /** Fetches the picture of a page, together with its neighbours. */
  want(page: number): void {
    const block = Math.floor((page - 1) / PAGES_AT_ONCE)
    if (this.#asked.has(block)) return
    this.#asked.add(block)
    this.#waiting.push(block)
    if (!this.#isFetching) void this.#fetchAll()
  }

  /** One call at a time; scrolling on asks for more. */
  async #fetchAll(): Promise<void> {
    this.#isFetching = true
    // The last one wanted is what the user looks at now.
    for (let block = this.#waiting.pop(); block !== undefined; block = this.#waiting.pop()) {
      const from = block * PAGES_AT_ONCE + 1
      const found = await fetchPictures(this.#hashName, from, Math.min(from + PAGES_AT_ONCE - 1, this.#count))
      if (!found) this.#asked.delete(block) // may be asked for again
      for (const [page, address] of Object.entries(found ?? {})) this.#pictures.set(Number(page), address)
      for (const listener of this.#listeners) listener()
    }
    this.#isFetching = false
  }
}

/** Returns null if no answer came. */
export async function fetchPictures(
  hashName: string,
  from: number,
  to: number,
  size: 'small' | 'large' = 'small',
): Promise<SplitPictures['pictures'] | null> {
  const response = await orNull(
    send('GET', `${urls.splitPictures(hashName)}?from=${from}&to=${to}&size=${size}`),
  )
  const body = response?.ok ? await orNull(readJson<SplitPictures>(response)) : null
  return body?.pictures ?? null
}
