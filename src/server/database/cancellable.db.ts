import { sql } from 'kysely'
import type { Database, Trx } from './database.ts'

/** Runs a transaction whose query the database ends when the signal is aborted: nobody waits for its answer any more. */
export function cancellable<Result>(
  db: Database,
  signal: AbortSignal | undefined,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
  if (!signal) return db.transaction().execute(work)
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    let cancelling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      cancelling = sql`select pg_cancel_backend(${rows[0]!.pid})`.execute(db).catch(() => undefined)
    }
    signal.throwIfAborted()
    signal.addEventListener('abort', cancel)
    try {
      return await work(trx)
    } finally {
      signal.removeEventListener('abort', cancel)
      await cancelling // or it would cancel a query of the connection's next user
    }
  })
}
