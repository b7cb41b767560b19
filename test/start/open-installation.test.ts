import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { openInstallation } from '../../src/copies/open-installation.server.ts'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { postgresOf } from './processes.ts'

const say = () => undefined

it('opens an installation that is stopped, and one that is running', async () => {
  const base = await freshDirectory()
  chmodSync(base, 0o711) // PostgreSQL's user must be able to enter
  const config = readConfig({ DATA_DIR: join(base, 'data') })
  postgresOf(config.dataDir)
  await expect(openInstallation(config, { say })).rejects.toThrow(`There is no Ringbind in ${config.dataDir}`)
  {
    await using first = await openInstallation(config, { say, mayBeEmpty: true })
    await expect(openInstallation(config, { say })).rejects.toThrow('nothing of Ringbind in the database yet')
    await migrate(first.db)
    const { id } = await receiveBlob(first.db, first.storage, Readable.from([Buffer.from('abc')]), 10)
    await using second = await openInstallation(config, { say })
    expect(await second.db.selectFrom('blobs').select('id').execute()).toEqual([{ id }])
    expect((await Array.fromAsync(second.storage.list())).length).toBe(1)
  }
  await using alone = await openInstallation(config, { say })
  expect(await alone.db.selectFrom('blobs').select('size').execute()).toEqual([{ size: 3 }])
})

it('uses the server in DATABASE_URL, and says when there is none', async () => {
  const { connection } = await freshDatabase()
  const url = `postgres://ringbind@${encodeURIComponent(connection.host!)}/${connection.database}`
  const DATA_DIR = await freshDirectory()
  await using there = await openInstallation(readConfig({ DATA_DIR, DATABASE_URL: url }), { say })
  expect(await there.db.selectFrom('blobs').select('id').execute()).toEqual([])
  const nowhere = readConfig({ DATA_DIR, DATABASE_URL: 'postgres://ole@127.0.0.1:1/x' })
  await expect(openInstallation(nowhere, { say })).rejects.toThrow(
    /^The database cannot be used: .*ECONNREFUSED/,
  )
})
