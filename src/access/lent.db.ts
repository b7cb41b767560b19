import { sql, type RawBuilder } from 'kysely'
import { hasOwnFiles, rolesThat } from '../rights.ts'

type Adviser = { id: number | RawBuilder<number> }

/** Condition on `lendings`: neither taken back nor past its last day. */
export const IS_LENT_NOW = sql<boolean>`(lendings.ended_at is null and (lendings.until is null or lendings.until > now()))`

/** Part of a query, after `from`: the lendings that hold now, with each `lender`, who must still be able to lend. */
export const lendingsTo = ({ id }: Adviser): RawBuilder<unknown> => sql`
  lendings join users as lender on lender.id = lendings.lender_id and lendings.adviser_id = ${id} and ${IS_LENT_NOW}
    and lender.deactivated_at is null and lender.role = any (${rolesThat(hasOwnFiles)})`

/** Condition on `lendings` and on `folders` that the lender sees: the folder is lent. */
export const IS_IN_SCOPE = sql<boolean>`(lendings.is_everything or case when folders.user_id is null
  then folders.name collate "C" = any (lendings.folder_names) else lendings.with_own_files end)`
