-- Projects and people from a sheet. Between upload and confirmation a sheet belongs to the person who uploaded it, for a day: copies
-- leave the first two tables out.
create table sheets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text collate "C" not null check (char_length(name) <= 255),
  created_at timestamptz not null default now(),
  -- The rows as they were read, and what was left out.
  content jsonb not null,
  -- What the rows below would do, as one hash: nothing else may be done than what was shown.
  plan_hash text collate "C" not null,
  counts jsonb not null
);
create index sheets_user on sheets (user_id);

-- What would become of each row, as it is shown.
create table sheet_rows (
  id bigint generated always as identity primary key,
  sheet_id bigint not null references sheets on delete cascade,
  place integer not null,
  state text collate "C" not null check (state in ('new', 'changed', 'unchanged', 'wrong')),
  shown jsonb not null,
  search text collate "C" not null,
  unique (sheet_id, place)
);
create index sheet_rows_state on sheet_rows (sheet_id, state, place);

-- The imports, and what each has made, so that it can be taken back.
create table sheet_imports (
  id bigint generated always as identity primary key,
  -- The sheet that it was: confirmed twice, it is done once.
  sheet_id bigint not null unique,
  user_id bigint not null references users,
  name text collate "C" not null,
  made_at timestamptz not null default now(),
  counts jsonb not null,
  -- The newest entry of the log then: what comes later is somebody else's doing.
  last_log_id bigint not null,
  undone_at timestamptz,
  undone_by bigint references users
);

-- No foreign keys: what an import has made goes away when it is taken back.
create table sheet_changes (
  id bigint generated always as identity primary key,
  import_id bigint not null references sheet_imports on delete cascade,
  what text collate "C" not null
    check (what in ('project-added', 'project-changed', 'user-added', 'user-changed', 'member-added')),
  project_id bigint,
  user_id bigint,
  before jsonb,
  after jsonb,
  -- When a new person was invited together with the others.
  invited_at timestamptz
);
create index sheet_changes_import on sheet_changes (import_id, what);

-- The log keeps what was done to projects and people that are no longer there.
alter table log drop constraint log_project_id_fkey, drop constraint log_subject_user_id_fkey;

-- A sheet adds thousands of projects, each with its folders, in one transaction.

-- Writes to the project only if there is something new: an empty folder of a new project is none.
create or replace function keep_contents() returns trigger language plpgsql as $$
begin
  update projects set
    files_count = files_count + coalesce(new.files_count, 0) - coalesce(old.files_count, 0),
    changed_at = greatest(changed_at, coalesce(new.changed_at, now()))
  where id = coalesce(new.project_id, old.project_id)
    and (coalesce(new.files_count, 0) <> coalesce(old.files_count, 0) or changed_at < coalesce(new.changed_at, now()));
  return null;
end $$;

-- Adds nothing to what already says that anything may have changed.
create or replace function note_changes(marks text) returns void language plpgsql as $$
declare
  noted text := current_setting('ringbind.changes', true) || ' ';
begin
  if marks = '' or noted = ' * ' or strpos(noted, marks || ' ') > 0 then return; end if;
  -- PostgreSQL takes less than 8000 bytes.
  perform set_config('ringbind.changes',
    case when length(noted) + length(marks) > 7500 then ' *' else coalesce(rtrim(noted), '') || marks end, true);
end $$;
