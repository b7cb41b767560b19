import { connect } from '../../src/server/database/database.ts'
import { readTexts } from '../../src/reading/read-texts.db.ts'
import { openStorage } from '../../src/server/storage/open-storage.ts'
import { readConfig } from '../../src/config.ts'

// Reads documents in a separate process, until none is left. Its database is in the variables of PostgreSQL.

const config = readConfig({ DATA_DIR: process.env.DATA_DIR })
const { PGHOST: host, PGUSER: user, PGDATABASE: database } = process.env
const db = connect({ connection: { host, user, database }, onError: () => undefined })
const storage = await openStorage(config, config.dataDir)
const read = await readTexts(
  { db, storage },
  {
    signal: new AbortController().signal,
    complain: console.error,
    findScanner: () => Promise.resolve(null),
    seconds: Number(process.env.SECONDS),
  },
)
await db.destroy()
console.log(`${read} read`)
