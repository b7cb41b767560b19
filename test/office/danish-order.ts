import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'

/** In order: æ, ø and å last, aa as å, case and accents within their letter, numbers by value. */
export const DANISH = ['Bilag 2', 'Bilag 10', 'Café', 'Zebra', 'Ærø', 'Ørsted', 'Århus', 'Aarhus', 'Åse']

export async function danishOrder(db: Database): Promise<string[]> {
  const shuffled = DANISH.toReversed()
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${sql.val(shuffled)}::text[]) as name order by name collate danish, name`.execute(
    db,
  )
  return rows.map(({ name }) => name)
}
