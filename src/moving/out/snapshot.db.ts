import type { RawBuilder } from 'kysely'
import type { Client } from 'pg'
import type { Database } from '../../server/database/database.ts'

/** A value as PostgreSQL writes it. */
export type Row = (string | null)[]
type Heading = { name: string; type: number }

const FETCHED = 1000
const AS_IT_IS = { getTypeParser: () => (text: string) => text }

/** Reads all rows of a query in the session's transaction, some at a time. `compiler` only makes the text of the query. */
export async function* readRows(
  client: Client,
  compiler: Database,
  cursor: string,
  query: RawBuilder<unknown>,
): AsyncGenerator<{ headings: Heading[]; rows: Row[] }> {
  const { sql: text, parameters } = query.compile(compiler)
  await client.query(`declare ${cursor} no scroll cursor for ${text}`, [...parameters])
  for (;;) {
    const { rows, fields } = await client.query<Row>({
      text: `fetch ${FETCHED} from ${cursor}`,
      rowMode: 'array',
      types: AS_IT_IS,
    })
    yield { headings: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })), rows }
    if (rows.length < FETCHED) break
  }
  await client.query(`close ${cursor}`)
}

/** The same, row by row. */
export async function* eachRow(
  client: Client,
  compiler: Database,
  cursor: string,
  query: RawBuilder<unknown>,
): AsyncGenerator<{ headings: Heading[]; row: Row }> {
  for await (const { headings, rows } of readRows(client, compiler, cursor, query))
    for (const row of rows) yield { headings, row }
}
