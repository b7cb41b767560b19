import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openThrowAway } from '../demo/throw-away.ts'
import { startBuiltInPostgres } from '../src/server/database/built-in-postgres.ts'
import { connect } from '../src/server/database/database.ts'
import { migrate } from '../src/server/database/migrate.ts'
import { listColumns } from '../test/rows/catalogue.ts'
import { dropRetired } from '../test/release/two-steps.ts'
import { TABLE_TYPES, writeTableTypes } from './table-types.ts'

// Writes the types of all tables, from an empty database with all migrations. What is retired has no type: nothing may use it.

const directory = await openThrowAway('types')
const postgres = await startBuiltInPostgres(join(directory.path, 'postgres'), {
  mayCreate: () => true,
  isDurable: false,
  say: () => undefined,
})
const db = connect({ connection: postgres.connection, onError: () => undefined, patienceMs: 0 })
try {
  await migrate(db)
  await dropRetired(db)
  writeFileSync(TABLE_TYPES, writeTableTypes(await listColumns(db)))
} finally {
  await db.destroy()
  await postgres.stop()
  directory.remove()
}
