-- A file's bytes are a numbered list. The row in `files` has those that are shown; all others, older ones and ones that
-- wait for their release, are here, and the office's alone.
alter table files
  add version integer not null default 1,
  -- The highest number that was given. A number is never given twice.
  add last_version integer not null default 1,
  -- Since when these bytes are shown, if others were before. Reads from before then were of other bytes.
  add version_at timestamptz not null default '-infinity',
  add version_by bigint references users;

create table file_versions (
  id bigint generated always as identity primary key,
  file_id bigint not null references files on delete cascade,
  -- Null until it is shown.
  number integer,
  blob_id bigint not null unique references blobs,
  -- The submission it came with. Null: its release was given up, so that it was never shown or is no longer part of one.
  submission_id bigint references submissions,
  -- Its release is not published.
  is_held_back boolean not null,
  added_at timestamptz not null default now(),
  -- These four are those of `files` while it is shown. Infinity: it was never shown.
  version_at timestamptz not null default 'infinity',
  version_by bigint references users,
  shown_at timestamptz not null default now(),
  released_at timestamptz,
  unique (file_id, number),
  unique (submission_id, file_id),
  check (number is not null or is_held_back)
);
create index file_versions_waiting on file_versions (file_id) where is_held_back and submission_id is not null;

-- Whoever removes a version, or its file, gives its bytes up with it.
create function give_up_version() returns trigger language plpgsql as $$
begin
  update blobs set state = 'removing' where id = old.blob_id;
  return null;
end $$;
create trigger file_versions_removed after delete on file_versions
  for each row execute function give_up_version();

drop index files_shown;
create index files_shown on files (folder_id, shown_at)
  include (id, uploaded_by, created_at, released_at, version_at) where deleted_at is null and not is_held_back;

-- What a recall must say somebody had seen: also of versions, each with its own release.
alter table removed_release_files
  add version integer not null default 1,
  drop constraint removed_release_files_pkey,
  add primary key (file_id, release_id);

create or replace function keep_released_name() returns trigger language plpgsql as $$
begin
  insert into removed_release_files (file_id, release_id, name, version)
  select old.id, releases.id, old.name, bytes.number
  from (
    select old.submission_id as submission_id, old.version as number
    union all select file_versions.submission_id, file_versions.number from file_versions
      where file_versions.file_id = old.id and file_versions.number is not null
  ) as bytes
  join releases on releases.submission_id = bytes.submission_id
  where exists (
    select from users where users.role not in ('administrator', 'employee') and (
      users.id in (select user_id from file_reads where file_id = old.id)
      or users.id in (
        select user_id from log where file_id = old.id and act in ('file-opened', 'file-downloaded'))))
  on conflict do nothing;
  return old;
end $$;

-- Without a condition: what is shown may be older than any release, and another version not.
drop trigger files_keep_released_name on files;
create trigger files_keep_released_name before delete on files for each row execute function keep_released_name();

create function keep_version_name() returns trigger language plpgsql as $$
begin
  insert into removed_release_files (file_id, release_id, name, version)
  select old.file_id, releases.id, files.name, old.number
  from files join releases on releases.submission_id = old.submission_id
  where files.id = old.file_id and exists (
    select from log join users on users.id = log.user_id
    where log.file_id = old.file_id and log.act in ('file-opened', 'file-downloaded')
      and users.role not in ('administrator', 'employee'))
  on conflict do nothing;
  return old;
end $$;
create trigger file_versions_keep_name before delete on file_versions
  for each row when (old.submission_id is not null and old.number is not null) execute function keep_version_name();
