import { useCallback, useEffect, useRef, useState } from 'react'
import { fetchJson } from '../overlay/request.ts'

export type Meta = { total?: number } & Record<string, unknown>

type Fetched<Row> = {
  route: string
  /** Null until the first answer. */
  rows: Row[] | null
  meta: Meta | null
  state: 'idle' | 'loading' | 'failed'
}

/** S7.4: fetches a list without a query. Only the newest request counts, and none after `drop`. */
export function useFetchedRows<Row>(route: string) {
  const nothing: Fetched<Row> = { route, rows: null, meta: null, state: 'idle' }
  const [fetched, setFetched] = useState(nothing)
  const running = useRef<AbortController>(undefined)
  const drop = useCallback(() => running.current?.abort(), [])
  useEffect(() => drop, [drop])
  const now = fetched.route === route ? fetched : nothing

  async function fetchRows(): Promise<void> {
    drop()
    const { signal } = (running.current = new AbortController())
    setFetched({ ...now, state: 'loading' })
    const answer = await read<Row>(route, signal)
    if (signal.aborted) return
    setFetched(answer ? { route, ...answer, state: 'idle' } : { ...now, state: 'failed' })
  }
  return { ...now, fetchRows, drop }
}

async function read<Row>(
  route: string,
  signal: AbortSignal,
): Promise<{ rows: Row[]; meta: Meta | null } | null> {
  const body = await fetchJson<{ data?: Row[]; meta?: Meta }>('GET', route, null, signal)
  return Array.isArray(body?.data) ? { rows: body.data, meta: body.meta ?? null } : null
}
