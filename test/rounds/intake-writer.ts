import { readMailbox } from '../../src/intake/read-mailbox.server.ts'
import { WatchedDirectory } from '../../src/intake/watch-directory.server.ts'
import { connect } from '../../src/server/database/database.ts'
import { mailbox } from '../../src/server/process/setting-kinds.ts'
import { openDiskStorage } from '../../src/server/storage/storage-disk.ts'

// Takes files that are handed in, until no more come or it is killed.

const { CONNECTION = '', DATA = '', DIRECTORY = '', IMAP_URL = '' } = process.env
const db = connect({ connection: JSON.parse(CONNECTION) as object, onError: console.error })
const place = { db, storage: await openDiskStorage(DATA) }
const { signal } = new AbortController()
const watched = new WatchedDirectory(place, {
  directory: DIRECTORY,
  maxFileBytes: 1e6,
  restMs: 0,
  gatherSeconds: 0,
})
await watched.look(signal, console.error)
await Promise.all([
  watched.look(signal, console.error),
  readMailbox(place, { mailbox: mailbox(IMAP_URL)!, maxFileBytes: 1e6 }, signal),
])
await db.destroy()
