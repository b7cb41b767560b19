import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { connectAlone, type Database } from './database.ts'

type Options = {
  channel: string
  onNotification: (text: string) => void
  /** Notifications may have been missed: the connection was lost and is back. */
  onGap: () => void
  /** How often the connection is tried while nothing comes: one that was cut off silently looks the same. */
  tryEveryMs?: number
}

const LONGEST_PAUSE_MS = 5000
const ANSWER_MS = 5000

/** Listens for notifications of PostgreSQL on its own connection, and reconnects when it is lost. */
export class Listener {
  #db: Database
  #options: Options
  #client: Client | null = null
  #connecting: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #hasListened = false
  #isStopped = false

  constructor(db: Database, options: Options) {
    this.#db = db
    this.#options = options
  }

  get isListening(): boolean {
    return this.#client !== null
  }

  /** Resolves once it listens. Throws if the database cannot be reached now. */
  async listen(): Promise<void> {
    if (this.#client || this.#isStopped) return undefined
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = null))
    return this.#connecting
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#connecting?.catch(() => undefined)
    const client = this.#client
    this.#client = null
    await client?.end()
  }

  async #connect(): Promise<void> {
    const { channel, onNotification, onGap, tryEveryMs = 30_000 } = this.#options
    const client = await connectAlone(this.#db)
    const lose = () => this.#lose(client)
    client.on('end', lose)
    client.on('error', lose)
    client.on('notification', ({ payload = '' }) => onNotification(payload))
    try {
      await client.query(`set idle_session_timeout = 0; listen ${client.escapeIdentifier(channel)}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
    if (this.#isStopped) return client.end()
    this.#client = client
    clearInterval(this.#timer)
    this.#timer = setInterval(() => void this.#tryConnection(client), tryEveryMs).unref()
    if (this.#hasListened) onGap()
    this.#hasListened = true
  }

  #lose(client: Client): void {
    if (this.#client !== client) return
    this.#client = null
    clearInterval(this.#timer)
    void client.end().catch(() => undefined)
    void this.#comeBack()
  }

  async #comeBack(): Promise<void> {
    for (let pause = 100; !this.#isStopped && !this.#client; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await this.listen().catch(() => undefined)
      if (!this.#client) await sleep(pause, undefined, { ref: false })
    }
  }

  async #tryConnection(client: Client): Promise<void> {
    const answer = client.query('select').then(
      () => true,
      () => false,
    )
    const isAlive = await Promise.race([answer, sleep(ANSWER_MS, false, { ref: false })])
    if (!isAlive) this.#lose(client)
  }
}
