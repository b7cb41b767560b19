import { sql, type RawBuilder } from 'kysely'
import { FILE_YEAR } from '../../files/file/file-year.db.ts'
import { HELD_NAMES } from '../../files/file/stored-file.ts'
import { AREAS } from './directories.ts'

const STATES = sql.join(
  Object.entries(HELD_NAMES).map(([state, name]) => sql`when ${sql.lit(state)} then ${sql.lit(name)}`),
  sql` `,
)

/** Every stored file: the shown bytes of files, and their other versions. */
const STORED = sql`
  select case when deleted_at is not null then 'trash' when is_held_back then 'draft' else 'live' end as area,
    id as file_id, null::bigint as version_id, version as number, blob_id, submission_id, is_held_back,
    greatest(created_at, version_at) as at, version_at, version_by, shown_at, released_at, null::bigint[] as seen_by
  from files
  union all
  select 'version', file_id, id, number, blob_id, submission_id, is_held_back, added_at, version_at, version_by, shown_at, released_at, seen_by
  from file_versions`

const FROM = sql`
  from (${STORED}) as stored join files on files.id = stored.file_id join folders on folders.id = files.folder_id
  left join projects on projects.id = folders.project_id left join users as owners on owners.id = folders.user_id`

/** Ordered by directory, and within it as in the folder. No two rows are equal. */
const ORDER = sql`
  order by array_position(${sql.lit(`{${AREAS.join()}}`)}::text[], stored.area), projects.number nulls last, projects.id, owners.name,
    owners.id, folders.place, folders.id, files.position collate "C", files.id, stored.version_id nulls first`

/** The columns that names in the export are made from. */
export const NAMES: RawBuilder<unknown> = sql`
  select stored.area, folders.id, files.name, stored.number ${FROM} ${ORDER}`

/** The rest of each file, in the same order. The first columns are for the plan, the others for the table. */
export const STORED_FILES: RawBuilder<unknown> = sql`
  select files.id as file, blobs.id as blob, blobs.key, blobs.size, blobs.sha256,
    (extract(epoch from stored.at) * 1000)::bigint as ms,
    files.id as "Fil-id", case stored.area when 'live' then 'Udgivet' when 'trash' then 'I papirkurven'
      when 'version' then case when not stored.is_held_back then 'Ældre version' when stored.number is null
        then 'Ny version, der venter' else 'Version, der ikke er udgivet' end
      else coalesce((select case state ${STATES} end from releases where releases.submission_id = stored.submission_id), 'Kladde')
      end as "Tilstand",
    projects.id as "Projekt-id", projects.number as "Projektnummer", projects.name as "Projekt", owners.id as "Person-id",
    owners.name as "Person", folders.id as "Mappe-id", folders.name as "Mappe",
    case when stored.area in ('live', 'draft') then row_number() over (
      partition by folders.id, stored.area in ('live', 'draft') order by files.position collate "C", files.id) end as "Plads",
    files.name as "Navn", blobs.size as "Bytes", blobs.sha256 as "SHA-256", blobs.type as "Type", stored.at as "Dato",
    ${FILE_YEAR} as "År", files.period as "Periode", files.is_period_given as "Periode rettet", stored.number as "Version",
    stored.version_id as "Version-id", uploader.id as "Uploadet af-id", uploader.name as "Uploadet af", files.created_at as "Oprettet",
    changer.id as "Version lagt af-id", changer.name as "Version lagt af", files.from_investor as "Fra investor", stored.submission_id as "Upload-id",
    stored.version_at as "Version vist fra", stored.shown_at as "Vist siden", stored.released_at as "Udgivet",
    array_to_string(stored.seen_by, ', ') as "Kunne ses af-id", files.deleted_at as "Slettet", deleter.id as "Slettet af-id", deleter.name as "Slettet af"
  ${FROM} join blobs on blobs.id = stored.blob_id left join users as uploader on uploader.id = files.uploaded_by
  left join users as changer
    on changer.id = coalesce(stored.version_by, case stored.number when 1 then files.uploaded_by end)
  left join users as deleter on deleter.id = files.deleted_by
  ${ORDER}`

/** Files that wait in the inbox, by their intake. */
export const WAITING_FILES: RawBuilder<unknown> = sql`
  select intake_files.id, blobs.id, blobs.key, blobs.size, blobs.sha256,
    (extract(epoch from submissions.created_at) * 1000)::bigint as ms, intake_files.submission_id, intake_files.name
  from intake_files join blobs on blobs.id = intake_files.blob_id
  join submissions on submissions.id = intake_files.submission_id
  order by intake_files.submission_id, intake_files.id`

/** How many of the columns of `STORED_FILES` are for the plan. */
export const PLAN_COLUMNS = 6
