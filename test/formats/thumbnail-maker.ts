import { connect } from '../../src/server/database/database.ts'
import { makeThumbnails } from '../../src/files/look/thumbnails.db.ts'
import { openStorage } from '../../src/server/storage/open-storage.ts'
import { readConfig } from '../../src/config.ts'

// Makes thumbnails in a separate process, until it is killed. Its database is in the variables of PostgreSQL.

const config = readConfig({ DATA_DIR: process.env.DATA_DIR })
const { PGHOST: host, PGUSER: user, PGDATABASE: database } = process.env
const db = connect({ connection: { host, user, database }, onError: () => undefined })
const storage = await openStorage(config, config.dataDir)
await makeThumbnails({ db, storage }, { signal: new AbortController().signal, complain: console.error })
await db.destroy()
