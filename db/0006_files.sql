-- A folder belongs to a project, to a person, whose one folder it is, or to neither: then it is the template's.
alter table folders
  add user_id bigint references users,
  add check (project_id is null or user_id is null),
  -- The name as it is searched.
  add search text collate "C" not null generated always as (search_key(name)) stored,
  drop constraint folders_project_id_place_key,
  add constraint folders_place unique nulls not distinct (project_id, user_id, place) deferrable initially deferred;
create unique index folders_user on folders (user_id) where user_id is not null;

create table files (
  id bigint generated always as identity primary key,
  folder_id bigint not null references folders,
  blob_id bigint not null unique references blobs,
  -- As it can stand in an address: composed, in one piece.
  name text collate danish not null check (name not in ('', '.', '..') and name is nfc normalized),
  -- The first part of its address, the name being the rest: 128 random bits, so never 'folder' or 'download'.
  key text collate "C" not null unique check (key ~ '^[0-9a-f]{32}$'),
  -- Picked out of the name.
  year integer,
  -- Its place in the folder: a text between its neighbours', so that moving one file writes one row. A deleted file
  -- keeps its place.
  position text collate "C" not null check (position <> ''),
  uploaded_by bigint references users,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by bigint references users,
  search text collate "C" not null generated always as (search_key(name)) stored,
  -- Deferrable, which makes it hold after each statement and not after each row: some swap their places.
  constraint files_position unique (folder_id, position) deferrable initially immediate,
  check (deleted_at is not null or deleted_by is null)
);
create index files_live on files (folder_id, position) include (id) where deleted_at is null;
create index files_deleted on files (folder_id, deleted_at) where deleted_at is not null;
create index files_purged on files (deleted_at) where deleted_at is not null;
create index files_search on files using gin (search gin_trgm_ops) where deleted_at is null;

-- Keeps each folder's number of files, and when it was changed. A new order is no such change.
create function count_files() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update folders set files_count = files_count + counted.files, changed_at = greatest(changed_at, now())
    from (select folder_id, count(*) as files from now_there where deleted_at is null group by folder_id) as counted
    where folders.id = counted.folder_id;
  elsif tg_op = 'DELETE' then
    update folders set files_count = files_count - counted.files, changed_at = greatest(changed_at, now())
    from (select folder_id, count(*) as files from was_there where deleted_at is null group by folder_id) as counted
    where folders.id = counted.folder_id;
  else
    update folders set files_count = files_count + counted.files, changed_at = greatest(changed_at, now())
    from (
      select folder_id, sum(file) as files from (
        select folder_id, 1 as file from now_there where deleted_at is null
        union all select folder_id, -1 from was_there where deleted_at is null
      ) as each group by folder_id having sum(file) <> 0
    ) as counted
    where folders.id = counted.folder_id;
  end if;
  return null;
end $$;
create trigger files_added after insert on files
  referencing new table as now_there for each statement execute function count_files();
create trigger files_changed after update on files
  referencing old table as was_there new table as now_there for each statement execute function count_files();
create trigger files_removed after delete on files
  referencing old table as was_there for each statement execute function count_files();

-- What an act concerned. The file may be gone.
alter table log add file_id bigint;
create index log_file on log (file_id, id) where file_id is not null;
