import { hash } from 'node:crypto'
import { CompiledQuery, sql, type RawBuilder } from 'kysely'
import { poolOf, preparedNames, type Database, type Trx } from './database.ts'

/** The places in a prepared query for the values that are given each time it runs. */
export type Slots<Given> = { [Name in keyof Given]: RawBuilder<Given[Name]> }

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Statement = { name: string; text: string; values: readonly unknown[] }

let statements = new WeakMap<object, Statement>()

/** Compiles all queries again, for tests that change the rules they are made from. */
export function forgetPrepared(): void {
  statements = new WeakMap()
}

/**
 * Makes of a query a function that has Kysely compile it once, and PostgreSQL plan it once per connection. For the few
 * queries that most requests make, and that find rows by a unique key: after five runs PostgreSQL may keep one plan for
 * all values.
 *
 *     const findName = prepare<{ id: number }, { name: string }>(({ id }) => sql`select name from users where id = ${id}`)
 *     const [user] = await findName(db, { id: 7 })
 */
export function prepare<Given extends object, Row>(
  build: (slots: Slots<Given>) => RawBuilder<Row>,
): (db: Database | Trx, given: Given) => Promise<Row[]> {
  function compile(db: Database): Statement {
    const slots = new Proxy({} as Slots<Given>, { get: (_, name) => sql`${new Slot(String(name))}` })
    const { sql: text, parameters } = build(slots).compile(db)
    // A connection refuses a name that it knows for another text.
    const name = hash('sha256', text).slice(0, 32)
    const statement = { name, text, values: parameters }
    statements.set(build, statement)
    preparedNames.set(text, name)
    return statement
  }

  return async (db, given) => {
    const { name, text, values } = statements.get(build) ?? compile(db)
    const filled = values.map((value) => (value instanceof Slot ? given[value.name as keyof Given] : value))
    const pool = poolOf(db)
    if (pool) return (await pool.query<Row & object>({ name, text, values: filled })).rows
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, filled)) // its connection knows the name
    return rows as Row[]
  }
}
