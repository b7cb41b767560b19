import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findBuiltInPostgres } from '../../src/server/database/built-in-postgres.ts'
import { connect } from '../../src/server/database/database.ts'
import { urls } from '../../src/urls.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { freshDirectory } from '../directory.ts'
import { makeUser, PASSWORD } from '../make.ts'
import { postgresOf, startProcess } from '../start/processes.ts'
import { mountSmallDisk } from '../neighbours/small-disk.ts'

const MB = 1_000_000
const DISK = 600 * MB
const FILE = 8 * MB

it(
  'one person who keeps uploading cannot fill the space that signing in and saving need',
  { timeout: 600_000 },
  async (context) => {
    const base = await freshDirectory()
    chmodSync(base, 0o711)
    const { disk, refusal } = mountSmallDisk(base, DISK)
    if (refusal) {
      console.warn(`SKIPPED: the small disk was not tried: ${refusal}`)
      context.skip(refusal)
    }
    const DATA_DIR = join(disk, 'data')
    postgresOf(DATA_DIR)
    const { url, child, ended } = startProcess({ DATA_DIR, REQUESTS_PER_MINUTE: '100000' })
    const address = await url
    // Stops the server before the disk is unmounted.
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await ended
    })
    const db = connect({
      connection: findBuiltInPostgres(join(DATA_DIR, 'postgres'))!,
      onError: () => undefined,
    })
    onTestFinished(() => db.destroy())
    const [investor, boss] = [await makeUser(db), await makeUser(db, { role: 'administrator' })]

    const sender = new Client(address)
    expect((await sender.signIn(investor.email)).status).toBe(200)
    let sent = 0
    let answer = await sender.upload(FILE)
    for (; answer.status === 200; answer = await sender.upload(FILE)) {
      const [file] = answer.body as TemporaryFile[]
      expect((await sender.submit(file!)).status).toBe(200)
      sent++
      expect(sent * FILE).toBeLessThan(DISK)
    }
    expect(answer).toMatchObject({ status: 507, body: { message: 'Der er ikke mere plads på serveren.' } })
    const left = await freeOn(disk)

    // The database and the log still work.
    const office = new Client(address)
    expect((await office.signIn(boss.email)).status).toBe(200)
    const start = await office.send('GET', urls.start)
    expect(start.text).toContain('ledig plads på serveren')
    let made = 0
    for (; made < 100; made++) expect((await office.makeProject(made)).status).toBe(200)
    expect((await fetch(`${address}/readyz`)).status).toBe(200)
    const { entries } = await db
      .selectFrom('log')
      .select((of) => of.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    expect(entries).toBeGreaterThan(sent + made)
    console.log('disk reserve:', {
      disk: DISK,
      sent,
      left,
      leftAfterwards: await freeOn(disk),
      made,
      entries,
    })

    // Another program fills the rest: requests that fail say why, and work again when there is space.
    const ballast = join(disk, 'ballast')
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k'])
    let failed = await office.makeProject(made++)
    for (; failed.status === 200 && made < 2000; made++) failed = await office.makeProject(made)
    console.log('full:', { made, status: failed.status, body: failed.body })
    expect([503, 507]).toContain(failed.status)
    expect((failed.body as { message: string }).message).toMatch(/ikke mere plads på serveren|svarer ikke/)
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503)
    rmSync(ballast)
    await expect
      .poll(async () => (await office.makeProject(++made)).status, { timeout: 120_000, interval: 500 })
      .toBe(200)
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 60_000 }).toBe(200)
  },
)

async function freeOn(disk: string): Promise<number> {
  const { bavail, bsize } = await statfs(disk)
  return bavail * bsize
}

type Answer = { status: number; text: string; body: unknown }

/** A client over a real socket. */
class Client {
  #address: string
  #cookies = new Map<string, string>()

  constructor(address: string) {
    this.#address = address
  }

  async send(method: string, path: string, body?: BodyInit, headers = {}): Promise<Answer> {
    const token = this.#cookies.get('XSRF-TOKEN')
    const reply = await fetch(`${this.#address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(method !== 'GET' && { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' }),
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(token && { 'x-xsrf-token': decodeURIComponent(token) }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      this.#cookies.set(name!, value!)
    }
    const text = await reply.text()
    return {
      status: reply.status,
      text,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
    }
  }

  #post(path: string, fields: unknown): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(fields), { 'content-type': 'application/json' })
  }

  async signIn(email: string): Promise<Answer> {
    await this.send('GET', urls.login)
    const answer = await this.#post(urls.login, { email, password: PASSWORD })
    await this.send('GET', urls.start) // sets the session's token
    return answer
  }

  upload(size: number): Promise<Answer> {
    const form = new FormData()
    form.set('files[0]', new Blob([Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(size)])]), 'Fil.pdf')
    return this.send('POST', urls.temporaryUpload, form)
  }

  submit(file: TemporaryFile): Promise<Answer> {
    return this.#post(urls.myFiles, {
      submission: randomUUID(),
      files: { f0: { name: file.name, mime: file.type, data: file.hash_name } },
    })
  }

  makeProject(number: number): Promise<Answer> {
    return this.#post(urls.newProject, {
      number: String(10_000 + number),
      name: `K/S ${number} ${'Nordhavn '.repeat(10)}`,
      cvr: '',
      status: 'active',
    })
  }
}
